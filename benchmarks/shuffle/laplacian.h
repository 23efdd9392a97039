/* Seven-point Laplacian smoothing, all but the offloaded loop.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../grid.h"

#define C0 0.4f
#define C1 0.1f

/* Defined by the program.  */
static void apply (const struct grid *g);

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  static const struct grid_tap taps[]
      = { { 0, 0, 0, C0 }, { 0, 0, -1, C1 }, { 0, 0, 1, C1 }, { 0, -1, 0, C1 },
          { 0, 1, 0, C1 }, { -1, 0, 0, C1 }, { 1, 0, 0, C1 } };
  (void)out;
  return STENCIL (g, 0, z, y, x, taps);
}

GRID_PROGRAM (.name = "laplacian", .dims = 3, .border = 1, .arrays = 2,
              .outputs = 1, .rotate = 2, .tolerance = 4)
