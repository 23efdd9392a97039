/* Some calls with their results, for driver-probe.sh.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#include "driver/cuda-api.h"
#include "fake-machine.h"

static void
say (const char *what, CUresult r)
{
  printf ("%s %d\n", what, r);
}

int
main (void)
{
  CUcontext ctx;
  CUdeviceptr p;
  char name[64] = "";
  int n = 0;
  say ("init", cuInit (0));
  say ("context", cuCtxCreate (&ctx, 0, 0));
  for (int i = 0; i < 4; i++)
    say ("alloc", cuMemAlloc_v2 (&p, 64));
  say ("sync", cuCtxSynchronize ());
  cuDeviceGetName (name, sizeof name, 0);
  cuDeviceGetCount (&n);
  printf ("%d of %s\n", n, name);
  return 0;
}
