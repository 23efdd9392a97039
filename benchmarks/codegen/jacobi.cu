/* The nine-point Jacobi iteration by hand in CUDA.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cuda-grid.h"
#include "jacobi.h"

__global__ static void
jacobi (int ny, int nx, const float *__restrict__ u, float *__restrict__ v)
{
  int x = CUDA_X, y = CUDA_Y;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1)
    return;
  const float *p = u + (y * nx + x), *below = p - nx, *above = p + nx;
  v[y * nx + x] = C0 * p[0] + C1 * (p[-1] + p[1] + below[0] + above[0])
                  + C2 * (below[-1] + below[1] + above[-1] + above[1]);
}

static void
apply (const struct grid *g)
{
  CUDA_LAUNCH (g, jacobi, g->ny, g->nx, on_device (g, 0), on_device (g, 1));
}
