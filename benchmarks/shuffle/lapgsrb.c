/* The 25-point operator of a Gauss-Seidel red-black sweep over a Laplacian,
   both colours from one copy of the field: the centre, its 6 neighbours, the
   12 diagonal ones in the coordinate planes, and 6 at distance two.  25 loads
   a point.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../grid.h"

#define C0 0.4f  /* centre */
#define C1 0.05f /* neighbours */
#define C2 0.02f /* diagonals */
#define C3 0.01f /* distance two */

static void
lapgsrb (int nz, int ny, int nx, const float *restrict u, float *restrict v)
{
  int row = nx, plane = ny * nx, n = nz * ny * nx;
#pragma omp target teams distribute parallel for collapse(3)                  \
    map(to : u[:n]) map(tofrom : v[:n])
#pragma acc COMPUTE loop GANG collapse(2) present(u[:n], v[:n])
  for (int z = 2; z < nz - 2; z++)
    for (int y = 2; y < ny - 2; y++)
#pragma acc loop VECTOR
      for (int x = 2; x < nx - 2; x++)
        {
          int i = z * plane + y * row + x;
          v[i]
              = C0 * u[i]
                + C1
                      * (u[i - 1] + u[i + 1] + u[i - row] + u[i + row]
                         + u[i - plane] + u[i + plane])
                + C2
                      * (u[i - row - 1] + u[i - row + 1] + u[i + row - 1]
                         + u[i + row + 1] + u[i - plane - 1] + u[i - plane + 1]
                         + u[i + plane - 1] + u[i + plane + 1]
                         + u[i - plane - row] + u[i - plane + row]
                         + u[i + plane - row] + u[i + plane + row])
                + C3
                      * (u[i - 2] + u[i + 2] + u[i - 2 * row] + u[i + 2 * row]
                         + u[i - 2 * plane] + u[i + 2 * plane]);
        }
}

static void
apply (const struct grid *g)
{
  lapgsrb (g->nz, g->ny, g->nx, on_device (g, 0), on_device (g, 1));
}

/* The weight of a point depends on its squared distance alone, the eight
   corners of the cube (distance 3) have none.  */
static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  static const double weight[] = { C0, C1, C2, 0, C3 };
  double sum = 0;
  (void)out;
  for (int dz = -2; dz <= 2; dz++)
    for (int dy = -2; dy <= 2; dy++)
      for (int dx = -2; dx <= 2; dx++)
        {
          int distance = dz * dz + dy * dy + dx * dx;
          if (distance <= 4)
            sum += weight[distance] * at (g, 0, z + dz, y + dy, x + dx);
        }
  return sum;
}

GRID_PROGRAM (.name = "lapgsrb", .dims = 3, .border = 2, .arrays = 2,
              .outputs = 1, .rotate = 2, .tolerance = 8)
