/* A tool as LD_PRELOAD brings it: says that it has seen a call.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

void
GOMP_taskwait (void)
{
  void (*next) (void);
  *(void **) &next = dlvsym (RTLD_NEXT, "GOMP_taskwait", "GOMP_2.0");
  printf ("tool: GOMP_taskwait\n");
  next ();
}
