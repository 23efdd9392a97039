/* Conway's game of life on a plane.  9 loads a point.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#define REAL int
#define INITIAL(u) ((u) < 0.3)
#include "../grid.h"

static void
gameoflife (int ny, int nx, const int *restrict now, int *restrict next)
{
  int row = nx, n = ny * nx;
#pragma omp target teams distribute parallel for collapse(2)                  \
    map(to : now[:n]) map(tofrom : next[:n])
#pragma acc COMPUTE loop GANG present(now[:n], next[:n])
  for (int y = 1; y < ny - 1; y++)
#pragma acc loop VECTOR
    for (int x = 1; x < nx - 1; x++)
      {
        int i = y * row + x;
        int alive = now[i];
        int around = now[i - row - 1] + now[i - row] + now[i - row + 1]
                     + now[i - 1] + now[i + 1] + now[i + row - 1]
                     + now[i + row] + now[i + row + 1];
        next[i] = around == 3 || (alive && around == 2);
      }
}

static void
apply (const struct grid *g)
{
  gameoflife (g->ny, g->nx, on_device (g, 0), on_device (g, 1));
}

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  int alive = 0;
  (void)out;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++)
      alive += at (g, 0, z, y + dy, x + dx) != 0;
  /* Three in the square of nine, or four with the centre one of them.  */
  return alive == 3 || (alive == 4 && at (g, 0, z, y, x) != 0);
}

GRID_PROGRAM (.name = "gameoflife", .dims = 2, .border = 1, .arrays = 2,
              .outputs = 1, .rotate = 2, .tolerance = 0)
