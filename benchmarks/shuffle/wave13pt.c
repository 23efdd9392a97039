/* One time step of the wave equation, 13 points in space.  14 loads a point.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "wave13pt.h"

static void
wave13pt (int nz, int ny, int nx, const float *restrict before,
          const float *restrict u, float *restrict next)
{
  int row = nx, plane = ny * nx, n = nz * ny * nx;
#pragma omp target teams distribute parallel for collapse(3)                  \
    map(to : before[:n], u[:n]) map(tofrom : next[:n])
#pragma acc COMPUTE loop GANG collapse(2) present(before[:n], u[:n], next[:n])
  for (int z = 2; z < nz - 2; z++)
    for (int y = 2; y < ny - 2; y++)
#pragma acc loop VECTOR
      for (int x = 2; x < nx - 2; x++)
        {
          int i = z * plane + y * row + x;
          next[i]
              = C0 * u[i] - before[i]
                + C1
                      * (u[i - 1] + u[i + 1] + u[i - row] + u[i + row]
                         + u[i - plane] + u[i + plane])
                + C2
                      * (u[i - 2] + u[i + 2] + u[i - 2 * row] + u[i + 2 * row]
                         + u[i - 2 * plane] + u[i + 2 * plane]);
        }
}

static void
apply (const struct grid *g)
{
  wave13pt (g->nz, g->ny, g->nx, on_device (g, 0), on_device (g, 1),
            on_device (g, 2));
}
