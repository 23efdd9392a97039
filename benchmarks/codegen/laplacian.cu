/* The seven-point Laplacian by hand in CUDA.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../shuffle/laplacian.h"
#include "cuda-grid.h"

__global__ static void
laplacian (int nz, int ny, int nx, const float *__restrict__ u,
           float *__restrict__ v)
{
  int x = CUDA_X, y = CUDA_Y, z = CUDA_Z, plane = ny * nx;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1 || z < 1 || z >= nz - 1)
    return;
  const float *p = u + (z * plane + y * nx + x);
  v[z * plane + y * nx + x]
      = C0 * p[0]
        + C1 * (p[-1] + p[1] + p[-nx] + p[nx] + p[-plane] + p[plane]);
}

static void
apply (const struct grid *g)
{
  CUDA_LAUNCH (g, laplacian, g->nz, g->ny, g->nx, on_device (g, 0),
               on_device (g, 1));
}
