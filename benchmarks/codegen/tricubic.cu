/* Tricubic interpolation by hand in CUDA.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../shuffle/tricubic.h"
#include "cuda-grid.h"

__global__ static void
tricubic (int nz, int ny, int nx, const float *__restrict__ a,
          const float *__restrict__ b, const float *__restrict__ c,
          const float *__restrict__ u, float *__restrict__ v)
{
  int x = CUDA_X, y = CUDA_Y, z = CUDA_Z, plane = ny * nx;
  if (x < 2 || x >= nx - 2 || y < 2 || y >= ny - 2 || z < 2 || z >= nz - 2)
    return;
  int i = z * plane + y * nx + x;
  const float s = a[i], t = b[i], r = c[i];
  const float wa[] = { SPLINE0 (s), SPLINE1 (s), SPLINE2 (s), SPLINE3 (s) };
  const float wb[] = { SPLINE0 (t), SPLINE1 (t), SPLINE2 (t), SPLINE3 (t) };
  const float wc[] = { SPLINE0 (r), SPLINE1 (r), SPLINE2 (r), SPLINE3 (r) };
  float sum = 0;
#pragma unroll
  for (int dz = 0; dz < 4; dz++)
#pragma unroll
    for (int dy = 0; dy < 4; dy++)
      {
        const float *p = u + i + (dz - 1) * plane + (dy - 1) * nx;
        sum += wc[dz] * wb[dy]
               * (wa[0] * p[-1] + wa[1] * p[0] + wa[2] * p[1] + wa[3] * p[2]);
      }
  v[i] = sum;
}

static void
apply (const struct grid *g)
{
  CUDA_LAUNCH (g, tricubic, g->nz, g->ny, g->nx, on_device (g, 0),
               on_device (g, 1), on_device (g, 2), on_device (g, 3),
               on_device (g, 4));
}
