/* Tessellation of quadratic Bezier curves in CUDA: curves are parents, the
   points that a curve needs by its curvature are its children.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cuda-forms.h"
#include "bt.h"

struct place
{
  const struct point *control;
  struct point *point;
  int points;

  __device__ void
  operator() (int k)
  {
    float u = (float)k / (points - 1), v = 1 - u;
    float w[3] = { v * v, 2 * u * v, u * u };
    struct point sum = { 0, 0 };
    for (int j = 0; j < 3; j++)
      {
        sum.x += w[j] * control[j].x;
        sum.y += w[j] * control[j].y;
      }
    point[k] = sum;
  }
};

static __global__ void
curve (int curves, int most, const struct point *control, int *count,
       struct point *point)
{
  int i = PARENT;
  if (i >= curves)
    return;
  int n = points_of (&control[3 * i], most);
  place one = { control + 3 * i, point + (size_t)i * most, n };
  count[i] = n;
  children<32> (0, n, one);
}

static void
tessellate (int curves, int most, const struct point *control, int *count,
            struct point *point)
{
  LAUNCH_PARENTS (curve, curves, 64, (curves, most, control, count, point));
}
