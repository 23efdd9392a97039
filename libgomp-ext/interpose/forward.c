/* The device layer: a library with the SONAME of libgomp's nvptx plugin.

   libgomp opens its plugin by that name and takes one that is already loaded;
   device.c loads this one first.  Every entry is an indirect function: when
   libgomp looks it up with dlsym, its resolver asks device.c, which answers
   with the real plugin's function, with a function that calls it, or with
   NULL when the real plugin has no such entry.  So nothing here depends on
   parameters or on the version of GCC, and calls cost nothing.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include <stddef.h>

#define PUBLIC __attribute__ ((visibility ("default")))

static void *(*lookup) (const char *name);

PUBLIC void acr_forward_bind (void *(*)(const char *));

/* Called once, before libgomp sees this library.  */
void
acr_forward_bind (void *(*f) (const char *))
{
  lookup = f;
}

#define FORWARD(name)                                                         \
  typedef void name##_entry (void);                                           \
  static name##_entry *resolve_##name (void)                                  \
  {                                                                           \
    return lookup ? (name##_entry *)lookup ("GOMP_OFFLOAD_" #name) : NULL;    \
  }                                                                           \
  PUBLIC void GOMP_OFFLOAD_##name (void)                                      \
      __attribute__ ((ifunc ("resolve_" #name)));
#include "interpose/forward.def"
