/* Tricubic interpolation, written out.  64 + 3 loads a point.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "tricubic.h"

/* The four points of a row around U[I], and the four rows of a plane.  */
#define ROW(i)                                                                \
  (wa0 * u[(i)-1] + wa1 * u[i] + wa2 * u[(i) + 1] + wa3 * u[(i) + 2])
#define PLANE(i)                                                              \
  (wb0 * ROW ((i)-row) + wb1 * ROW (i) + wb2 * ROW ((i) + row)                \
   + wb3 * ROW ((i) + 2 * row))

static void
tricubic (int nz, int ny, int nx, const float *restrict a,
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
          float wa0 = SPLINE0 (a[i]), wa1 = SPLINE1 (a[i]);
          float wa2 = SPLINE2 (a[i]), wa3 = SPLINE3 (a[i]);
          float wb0 = SPLINE0 (b[i]), wb1 = SPLINE1 (b[i]);
          float wb2 = SPLINE2 (b[i]), wb3 = SPLINE3 (b[i]);
          v[i] = SPLINE0 (c[i]) * PLANE (i - plane)
                 + SPLINE1 (c[i]) * PLANE (i)
                 + SPLINE2 (c[i]) * PLANE (i + plane)
                 + SPLINE3 (c[i]) * PLANE (i + 2 * plane);
        }
}

static void
apply (const struct grid *g)
{
  tricubic (g->nz, g->ny, g->nx, on_device (g, 0), on_device (g, 1),
            on_device (g, 2), on_device (g, 3), on_device (g, 4));
}
