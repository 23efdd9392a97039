/* STREAM's triad in double precision, all but the offloaded loop.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#define REAL double
#include "../grid.h"

#define SCALE 0.4

/* Defined by the program.  */
static void apply (const struct grid *g);

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  (void)out;
  return at (g, 0, z, y, x) + SCALE * at (g, 1, z, y, x);
}

GRID_PROGRAM (.name = "triad", .dims = 1, .border = 0, .arrays = 3,
              .outputs = 1, .rotate = 2, .tolerance = 1)
