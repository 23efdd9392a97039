/* Wave equation, second order in time and fourth in space: all but the
   offloaded loop.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../grid.h"

/* (c dt / h)^2 and the weights of the 13 points.  */
#define R 0.05f
#define C0 (2 - 7.5f * R)
#define C1 (R * 4 / 3)
#define C2 (-R / 12)

/* Defined by the program.  Arrays: the field one step ago, now, next.  */
static void apply (const struct grid *g);

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  /* Second difference along one axis, fourth order.  */
  static const double weight[]
      = { -1. / 12, 4. / 3, -5. / 2, 4. / 3, -1. / 12 };
  double laplacian = 0;
  (void)out;
  for (int d = -2; d <= 2; d++)
    laplacian += weight[d + 2]
                 * (at (g, 1, z + d, y, x) + at (g, 1, z, y + d, x)
                    + at (g, 1, z, y, x + d));
  return 2 * at (g, 1, z, y, x) - at (g, 0, z, y, x) + R * laplacian;
}

GRID_PROGRAM (.name = "wave13pt", .dims = 3, .border = 2, .arrays = 3,
              .outputs = 1, .rotate = 3, .tolerance = 16)
