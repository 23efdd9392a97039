/* Tricubic interpolation (Catmull-Rom splines along each axis), each point at
   an own place A, B, C within its cell: all but the offloaded loop.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../grid.h"

/* Weights of the points at -1, 0, 1 and 2 for the place T in [0, 1).  */
#define SPLINE0(t) (0.5f * (t) * ((2 - (t)) * (t)-1))
#define SPLINE1(t) (0.5f * ((t) * (t) * (3 * (t)-5) + 2))
#define SPLINE2(t) (0.5f * (t) * ((4 - 3 * (t)) * (t) + 1))
#define SPLINE3(t) (0.5f * (t) * (t) * ((t)-1))

/* Defined by the program.  Arrays: a, b, c, the field, the result.  */
static void apply (const struct grid *g);

/* Hermite's form of the same spline: values P[1], P[2] at the ends, slopes
   by central differences.  */
static double
hermite (const double *p, double t)
{
  double slope0 = (p[2] - p[0]) / 2, slope1 = (p[3] - p[1]) / 2;
  double s = 1 - t;
  return (1 + 2 * t) * s * s * p[1] + t * s * s * slope0
         + t * t * (3 - 2 * t) * p[2] - t * t * s * slope1;
}

static double
expected (const struct grid *g, int out, int z, int y, int x)
{
  double along_z[4], along_y[4], along_x[4];
  (void)out;
  for (int dz = 0; dz < 4; dz++)
    {
      for (int dy = 0; dy < 4; dy++)
        {
          for (int dx = 0; dx < 4; dx++)
            along_x[dx] = at (g, 3, z + dz - 1, y + dy - 1, x + dx - 1);
          along_y[dy] = hermite (along_x, at (g, 0, z, y, x));
        }
      along_z[dz] = hermite (along_y, at (g, 1, z, y, x));
    }
  return hermite (along_z, at (g, 2, z, y, x));
}

GRID_PROGRAM (.name = "tricubic", .dims = 3, .border = 2, .arrays = 5,
              .outputs = 1, .rotate = 2, .tolerance = 16)
