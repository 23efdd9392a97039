/* Seven-point Laplacian smoothing.  7 loads a point.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "laplacian.h"

static void
laplacian (int nz, int ny, int nx, const float *restrict u, float *restrict v)
{
  int row = nx, plane = ny * nx, n = nz * ny * nx;
#pragma omp target teams distribute parallel for collapse(3)                  \
    map(to : u[:n]) map(tofrom : v[:n])
#pragma acc COMPUTE loop GANG collapse(2) present(u[:n], v[:n])
  for (int z = 1; z < nz - 1; z++)
    for (int y = 1; y < ny - 1; y++)
#pragma acc loop VECTOR
      for (int x = 1; x < nx - 1; x++)
        {
          int i = z * plane + y * row + x;
          v[i] = C0 * u[i]
                 + C1
                       * (u[i - 1] + u[i + 1] + u[i - row] + u[i + row]
                          + u[i - plane] + u[i + plane]);
        }
}

static void
apply (const struct grid *g)
{
  laplacian (g->nz, g->ny, g->nx, on_device (g, 0), on_device (g, 1));
}
