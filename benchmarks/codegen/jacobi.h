/* Jacobi iteration with the nine points of a square, all but the offloaded
   loop.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../grid.h"

#define C0 0.2f  /* centre */
#define C1 0.15f /* edges */
#define C2 0.05f /* corners */

/* Defined by the program.  */
static void apply (const struct grid *g);

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  static const double weight[] = { C0, C1, C2 };
  double sum = 0;
  (void)out;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      sum += weight[abs (dx) + abs (dy)] * at (g, 0, z, y + dy, x + dx);
  return sum;
}

GRID_PROGRAM (.name = "jacobi", .dims = 2, .border = 1, .arrays = 2,
              .outputs = 1, .rotate = 2, .tolerance = 4)
