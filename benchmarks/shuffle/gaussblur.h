/* Gaussian blur of 5x5 points, all but the offloaded loop.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../grid.h"

/* Binomial weights, one dimension: centre and the points at 1 and 2.  */
#define W0 0.375f
#define W1 0.25f
#define W2 0.0625f

/* Defined by the program.  */
static void apply (const struct grid *g);

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  static const double choose4[] = { 1, 4, 6, 4, 1 };
  double sum = 0;
  (void)out;
  for (int dy = -2; dy <= 2; dy++)
    for (int dx = -2; dx <= 2; dx++)
      sum += choose4[dy + 2] * choose4[dx + 2] / 256
             * at (g, 0, z, y + dy, x + dx);
  return sum;
}

GRID_PROGRAM (.name = "gaussblur", .dims = 2, .border = 2, .arrays = 2,
              .outputs = 1, .rotate = 2, .tolerance = 8)
