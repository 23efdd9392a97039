/* The 13-point wave equation by hand in CUDA.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../shuffle/wave13pt.h"
#include "cuda-grid.h"

__global__ static void
wave13pt (int nz, int ny, int nx, const float *__restrict__ before,
          const float *__restrict__ u, float *__restrict__ next)
{
  int x = CUDA_X, y = CUDA_Y, z = CUDA_Z, plane = ny * nx;
  if (x < 2 || x >= nx - 2 || y < 2 || y >= ny - 2 || z < 2 || z >= nz - 2)
    return;
  int i = z * plane + y * nx + x;
  const float *p = u + i;
  float near = p[-1] + p[1] + p[-nx] + p[nx] + p[-plane] + p[plane];
  float far
      = p[-2] + p[2] + p[-2 * nx] + p[2 * nx] + p[-2 * plane] + p[2 * plane];
  next[i] = C0 * p[0] - before[i] + C1 * near + C2 * far;
}

static void
apply (const struct grid *g)
{
  CUDA_LAUNCH (g, wave13pt, g->nz, g->ny, g->nx, on_device (g, 0),
               on_device (g, 1), on_device (g, 2));
}
