/* Tessellation of quadratic Bezier curves: curves are parents, the points that
   a curve needs by its curvature are its children.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "bt.h"
#include "forms.h"

static void
tessellate (int curves, int most, const struct point *restrict control,
            int *restrict count, struct point *restrict point)
{
  PARENTS (SECTION (control, 3 * curves) SECTION (count, curves)
             SECTION (point, curves * most))
  for (int i = 0; i < curves; i++)
    {
      int n = points_of (&control[3 * i], most);
      count[i] = n;
      CHILDREN ()
      for (int k = 0; k < n; k++)
        {
          float u = (float)k / (n - 1), v = 1 - u;
          float w[3] = { v * v, 2 * u * v, u * u };
          struct point sum = { 0, 0 };
          for (int j = 0; j < 3; j++)
            {
              sum.x += w[j] * control[3 * i + j].x;
              sum.y += w[j] * control[3 * i + j].y;
            }
          point[i * most + k] = sum;
        }
    }
}
