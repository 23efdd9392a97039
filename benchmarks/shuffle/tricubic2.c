/* Tricubic interpolation with loops over the 4x4x4 points.  64 + 3 loads a
   point once the loops are unrolled.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "tricubic.h"

static void
tricubic2 (int nz, int ny, int nx, const float *restrict a,
           const float *restrict b, const float *restrict c,
           const float *restrict u, float *restrict v)
{
  int row = nx, plane = ny * nx, n = nz * ny * nx;
#pragma omp target teams distribute parallel for collapse(3)                  \
    map(to : a[:n], b[:n], c[:n], u[:n]) map(tofrom : v[:n])
#pragma acc COMPUTE loop GANG collapse(2)                                     \
    present(a[:n], b[:n], c[:n], u[:n], v[:n])
  for (int z = 2; z < nz - 2; z++)
    for (int y = 2; y < ny - 2; y++)
#pragma acc loop VECTOR
      for (int x = 2; x < nx - 2; x++)
        {
          int i = z * plane + y * row + x;
          float s = a[i], t = b[i], r = c[i], sum = 0;
          float wa[4] = { SPLINE0 (s), SPLINE1 (s), SPLINE2 (s), SPLINE3 (s) };
          float wb[4] = { SPLINE0 (t), SPLINE1 (t), SPLINE2 (t), SPLINE3 (t) };
          float wc[4] = { SPLINE0 (r), SPLINE1 (r), SPLINE2 (r), SPLINE3 (r) };
          for (int dz = 0; dz < 4; dz++)
            for (int dy = 0; dy < 4; dy++)
              for (int dx = 0; dx < 4; dx++)
                sum += wc[dz] * wb[dy] * wa[dx]
                       * u[i + (dz - 1) * plane + (dy - 1) * row + dx - 1];
          v[i] = sum;
        }
}

static void
apply (const struct grid *g)
{
  tricubic2 (g->nz, g->ny, g->nx, on_device (g, 0), on_device (g, 1),
             on_device (g, 2), on_device (g, 3), on_device (g, 4));
}
