/* STREAM's triad by hand in CUDA.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cuda-grid.h"
#include "triad.h"

__global__ static void
triad (int n, const double *__restrict__ a, const double *__restrict__ b,
       double *__restrict__ c)
{
  int i = CUDA_X;
  if (i < n)
    c[i] = a[i] + SCALE * b[i];
}

static void
apply (const struct grid *g)
{
  CUDA_LAUNCH (g, triad, g->nx, on_device (g, 0), on_device (g, 1),
               on_device (g, 2));
}
