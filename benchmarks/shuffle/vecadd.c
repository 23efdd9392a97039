/* Sum of two fields.  2 loads a point.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../grid.h"

static void
vecadd (int nz, int ny, int nx, const float *restrict a,
        const float *restrict b, float *restrict c)
{
  int n = nz * ny * nx;
#pragma omp target teams distribute parallel for collapse(3)                  \
    map(to : a[:n], b[:n]) map(tofrom : c[:n])
#pragma acc COMPUTE loop GANG collapse(2) present(a[:n], b[:n], c[:n])
  for (int z = 0; z < nz; z++)
    for (int y = 0; y < ny; y++)
#pragma acc loop VECTOR
      for (int x = 0; x < nx; x++)
        {
          int i = (z * ny + y) * nx + x;
          c[i] = a[i] + b[i];
        }
}

static void
apply (const struct grid *g)
{
  vecadd (g->nz, g->ny, g->nx, on_device (g, 0), on_device (g, 1),
          on_device (g, 2));
}

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  (void)out;
  return at (g, 0, z, y, x) + at (g, 1, z, y, x);
}

GRID_PROGRAM (.name = "vecadd", .dims = 3, .arrays = 3, .outputs = 1,
              .rotate = 2, .tolerance = 1)
