/* Gradient of a scalar field by central differences.  6 loads a point.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../grid.h"

#define CX 0.5f
#define CY 0.25f
#define CZ 0.125f

static void
gradient (int nz, int ny, int nx, const float *restrict u, float *restrict ux,
          float *restrict uy, float *restrict uz)
{
  int row = nx, plane = ny * nx, n = nz * ny * nx;
#pragma omp target teams distribute parallel for collapse(3)                  \
    map(to : u[:n]) map(tofrom : ux[:n], uy[:n], uz[:n])
#pragma acc COMPUTE loop GANG collapse(2)                                     \
    present(u[:n], ux[:n], uy[:n], uz[:n])
  for (int z = 1; z < nz - 1; z++)
    for (int y = 1; y < ny - 1; y++)
#pragma acc loop VECTOR
      for (int x = 1; x < nx - 1; x++)
        {
          int i = z * plane + y * row + x;
          ux[i] = CX * (u[i + 1] - u[i - 1]);
          uy[i] = CY * (u[i + row] - u[i - row]);
          uz[i] = CZ * (u[i + plane] - u[i - plane]);
        }
}

static void
apply (const struct grid *g)
{
  gradient (g->nz, g->ny, g->nx, on_device (g, 0), on_device (g, 1),
            on_device (g, 2), on_device (g, 3));
}

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  double before[3] = { at (g, 0, z, y, x - 1), at (g, 0, z, y - 1, x),
                       at (g, 0, z - 1, y, x) };
  double after[3] = { at (g, 0, z, y, x + 1), at (g, 0, z, y + 1, x),
                      at (g, 0, z + 1, y, x) };
  double weight[3] = { CX, CY, CZ };
  int axis = out - 1;
  return weight[axis] * (after[axis] - before[axis]);
}

GRID_PROGRAM (.name = "gradient", .dims = 3, .border = 1, .arrays = 4,
              .outputs = 3, .tolerance = 1)
