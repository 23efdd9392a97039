/* Divergence of a vector field by central differences.  6 loads a point.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../grid.h"

#define CX 0.5f
#define CY 0.25f
#define CZ 0.125f

static void
divergence (int nz, int ny, int nx, const float *restrict ux,
            const float *restrict uy, const float *restrict uz,
            float *restrict div)
{
  int row = nx, plane = ny * nx, n = nz * ny * nx;
#pragma omp target teams distribute parallel for collapse(3)                  \
    map(to : ux[:n], uy[:n], uz[:n]) map(tofrom : div[:n])
#pragma acc COMPUTE loop GANG collapse(2)                                     \
    present(ux[:n], uy[:n], uz[:n], div[:n])
  for (int z = 1; z < nz - 1; z++)
    for (int y = 1; y < ny - 1; y++)
#pragma acc loop VECTOR
      for (int x = 1; x < nx - 1; x++)
        {
          int i = z * plane + y * row + x;
          div[i] = CX * (ux[i + 1] - ux[i - 1])
                   + CY * (uy[i + row] - uy[i - row])
                   + CZ * (uz[i + plane] - uz[i - plane]);
        }
}

static void
apply (const struct grid *g)
{
  divergence (g->nz, g->ny, g->nx, on_device (g, 0), on_device (g, 1),
              on_device (g, 2), on_device (g, 3));
}

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  static const struct grid_tap dx[] = { { 0, 0, -1, -CX }, { 0, 0, 1, CX } };
  static const struct grid_tap dy[] = { { 0, -1, 0, -CY }, { 0, 1, 0, CY } };
  static const struct grid_tap dz[] = { { -1, 0, 0, -CZ }, { 1, 0, 0, CZ } };
  (void)out;
  return STENCIL (g, 0, z, y, x, dx) + STENCIL (g, 1, z, y, x, dy)
         + STENCIL (g, 2, z, y, x, dz);
}

GRID_PROGRAM (.name = "divergence", .dims = 3, .border = 1, .arrays = 4,
              .outputs = 1, .rotate = 4, .tolerance = 4)
