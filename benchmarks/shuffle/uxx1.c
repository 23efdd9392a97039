/* Velocity update of a seismic wave on a staggered grid, fourth order: the
   stress divergence over the mean density of four cells.  17 loads a point.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../grid.h"

#define C1 1.125f /* 9/8 and -1/24: fourth-order staggered difference */
#define C2 -0.041666668f
#define DT_OVER_H 0.1f

static void
uxx1 (int nz, int ny, int nx, const float *restrict density,
      const float *restrict xx, const float *restrict xy,
      const float *restrict xz, const float *restrict u, float *restrict next)
{
  int row = nx, plane = ny * nx, n = nz * ny * nx;
#pragma omp target teams distribute parallel for collapse(3)                  \
    map(to : density[:n], xx[:n], xy[:n], xz[:n], u[:n])                      \
    map(tofrom : next[:n])
#pragma acc COMPUTE loop GANG collapse(2)                                     \
    present(density[:n], xx[:n], xy[:n], xz[:n], u[:n], next[:n])
  for (int z = 2; z < nz - 2; z++)
    for (int y = 2; y < ny - 2; y++)
#pragma acc loop VECTOR
      for (int x = 2; x < nx - 2; x++)
        {
          int i = z * plane + y * row + x;
          float mean = 0.25f
                       * (density[i] + density[i - row] + density[i - plane]
                          + density[i - row - plane]);
          float force = C1 * (xx[i] - xx[i - 1]) + C2 * (xx[i + 1] - xx[i - 2])
                        + C1 * (xy[i] - xy[i - row])
                        + C2 * (xy[i + row] - xy[i - 2 * row])
                        + C1 * (xz[i] - xz[i - plane])
                        + C2 * (xz[i + plane] - xz[i - 2 * plane]);
          next[i] = u[i] + DT_OVER_H / mean * force;
        }
}

static void
apply (const struct grid *g)
{
  uxx1 (g->nz, g->ny, g->nx, on_device (g, 0), on_device (g, 1),
        on_device (g, 2), on_device (g, 3), on_device (g, 4),
        on_device (g, 5));
}

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  static const double weight[] = { -C2, -C1, C1, C2 }; /* at -2, -1, 0, 1 */
  double mean = 0, force = 0;
  (void)out;
  for (int dz = -1; dz <= 0; dz++)
    for (int dy = -1; dy <= 0; dy++)
      mean += at (g, 0, z + dz, y + dy, x) / 4;
  for (int d = -2; d <= 1; d++)
    force += weight[d + 2]
             * (at (g, 1, z, y, x + d) + at (g, 2, z, y + d, x)
                + at (g, 3, z + d, y, x));
  return at (g, 4, z, y, x) + DT_OVER_H / mean * force;
}

GRID_PROGRAM (.name = "uxx1", .dims = 3, .border = 2, .arrays = 6,
              .outputs = 1, .rotate = 2, .tolerance = 16)
