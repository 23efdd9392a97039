/* Link the PTX file ARGV[1] with the library ARGV[2], launch its kernel
   "parent" as nested.sh has it and say what came out.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#include "driver/cuda-api.h"

enum { BLOCKS = 8, THREADS = 64, WIDTH = 40, N = BLOCKS * THREADS };

static void
must (CUresult r, const char *what)
{
  if (r == CUDA_SUCCESS)
    return;
  const char *name = "?";
  cuGetErrorName (r, &name);
  fprintf (stderr, "%s: %s\n", what, name);
  exit (1);
}

int
main (int argc, char **argv)
{
  static float x[N * WIDTH];
  static int errors[N];
  CUcontext ctx;
  CUlinkState link;
  void *image;
  size_t size;
  CUmodule module;
  CUfunction fn;
  CUdeviceptr dx, de;
  if (argc != 3)
    return 2;
  must (cuInit (0), "cuInit");
  must (cuCtxCreate (&ctx, 0, 0), "cuCtxCreate");
  must (cuLinkCreate (0, NULL, NULL, &link), "cuLinkCreate");
  must (cuLinkAddFile (link, CU_JIT_INPUT_PTX, argv[1], 0, NULL, NULL),
	argv[1]);
  must (cuLinkAddFile (link, CU_JIT_INPUT_LIBRARY, argv[2], 0, NULL, NULL),
	argv[2]);
  must (cuLinkComplete (link, &image, &size), "cuLinkComplete");
  must (cuModuleLoadData (&module, image), "cuModuleLoadData");
  must (cuModuleGetFunction (&fn, module, "parent"), "parent");
  must (cuMemAlloc (&dx, sizeof x), "cuMemAlloc");
  must (cuMemAlloc (&de, sizeof errors), "cuMemAlloc");
  must (cuMemsetD32 (dx, 0, N * WIDTH), "cuMemsetD32");
  for (int mode = 0; mode < 3; mode++)
    {
      void *params[] = { &dx, &de, &mode };
      must (cuLaunchKernel (fn, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, params,
			    NULL),
	    "cuLaunchKernel");
    }
  must (cuMemcpyDtoH (x, dx, sizeof x), "cuMemcpyDtoH");
  must (cuMemcpyDtoH (errors, de, sizeof errors), "cuMemcpyDtoH");
  int wrong = 0;
  for (int i = 0; i < N; i++)
    {
      wrong += errors[i] != 0;
      /* Three times x = 2x + i + 1 for the first i % WIDTH, then the sum.  */
      for (int j = 0; j < WIDTH; j++)
	wrong += x[i * WIDTH + j] != (j < i % WIDTH ? 7 * (i + 1) : 0);
    }
  printf ("%d wrong\n", wrong);
  return wrong != 0;
}
