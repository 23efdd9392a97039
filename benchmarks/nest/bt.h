/* Tessellation of quadratic Bezier curves, all but the work on the device.
   Sizes: curves, most points of a curve.  The timed call is one for all
   curves.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../bench.h"

#ifdef __CUDACC__
#define DEVICE_TOO __host__ __device__
#else
#define DEVICE_TOO
#endif

struct point
{
  float x, y;
};

/* The three control points of every curve.  */
static struct point *
make_curves (int curves)
{
  struct point *control
      = (struct point *)bench_alloc (3 * (size_t)curves, sizeof *control);
  for (int i = 0; i < 3 * curves; i++)
    {
      control[i].x = bench_uniform (1, i);
      control[i].y = bench_uniform (2, i);
    }
  return control;
}

/* How many of at most MOST points a curve needs that bends by AWAY over the
   square of LENGTH.  */
#pragma acc routine seq
#pragma omp declare target
DEVICE_TOO static inline int
points_of (const struct point *p, int most)
{
  float dx = p[2].x - p[0].x, dy = p[2].y - p[0].y;
  float ax = p[1].x - 0.5f * (p[0].x + p[2].x);
  float ay = p[1].y - 0.5f * (p[0].y + p[2].y);
  float away = ax * ax + ay * ay, length = dx * dx + dy * dy;
  float bend = away < 4 * length ? away / (4 * length) : 1;
  return 4 + (int)(bend * (most - 4));
}
#pragma omp end declare target

/* The points of curve I from POINT[I * MOST], their number into COUNT[I].  All
   is on the device.  Defined by the program.  */
static void tessellate (int curves, int most, const struct point *control,
                        int *count, struct point *point);

int
main (int argc, char **argv)
{
  static const int sizes[] = { 301, 32 };
  struct bench b;
  bench_begin (&b, "bt", 2, sizes, argc, argv);
  int curves = b.size[0], most = b.size[1] < 4 ? 4 : b.size[1];
  struct point *control = make_curves (curves);
  size_t points = (size_t)curves * most;
  int *count = (int *)bench_alloc (curves, sizeof *count);
  struct point *point = (struct point *)bench_alloc (points, sizeof *point);
  struct point *its_control
      = (struct point *)device_in (control, 3 * curves * sizeof *control);
  int *its_count = (int *)device_in (count, curves * sizeof *count);
  struct point *its_point
      = (struct point *)device_in (point, points * sizeof *point);

  bench_take_turn (&b);
  tessellate (curves, most, its_control, its_count, its_point);
  device_out (count, its_count, curves * sizeof *count);
  device_out (point, its_point, points * sizeof *point);
  bench_pass_turn (&b);
  for (int i = 0; i < curves; i++)
    {
      const struct point *p = control + 3 * i;
      int n = points_of (p, most);
      b.checksum += count[i];
      /* Rounding may put the bend on the other side of a number.  */
      bench_check (&b, count[i], n, 1, 1);
      for (int k = 0; k < count[i]; k++)
        {
          double u = (double)k / (count[i] - 1), v = 1 - u;
          double x = v * v * p[0].x + 2 * u * v * p[1].x + u * u * p[2].x;
          double y = v * v * p[0].y + 2 * u * v * p[1].y + u * u * p[2].y;
          bench_check (&b, point[i * most + k].x, x, 4, FLT_EPSILON);
          bench_check (&b, point[i * most + k].y, y, 4, FLT_EPSILON);
        }
    }
  while (bench_repeat (&b))
    tessellate (curves, most, its_control, its_count, its_point);

  device_drop (point, its_point, points * sizeof *point);
  device_drop (count, its_count, curves * sizeof *count);
  device_drop (control, its_control, 3 * curves * sizeof *control);
  free (point);
  free (count);
  free (control);
  return bench_end (&b);
}
