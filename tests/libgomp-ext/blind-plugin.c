/* A plugin that does all that the real one does, but shows no table of driver
   entry points: forward.c in front of the plugin that REAL_PLUGIN names.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <dlfcn.h>
#include <stdlib.h>

void acr_forward_bind (void *(*)(const char *));

static void *real;

static void *
lookup (const char *name)
{
  return dlsym (real, name);
}

__attribute__ ((constructor)) static void
start (void)
{
  real = dlopen (getenv ("REAL_PLUGIN"), RTLD_LAZY);
  acr_forward_bind (lookup);
}

__attribute__ ((destructor)) static void
finish (void)
{
  dlclose (real);
}
