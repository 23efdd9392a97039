/* Driver of the benchmark programs that work on grids.  A program gives the
   offloaded loop (`apply') and, written independently of it, the value of one
   result point (`expected', in double precision); the driver does the rest.

   The operator is applied several times (once before it is timed), its
   result fed back where there is a place for it.  After each step every point
   of every array is looked at: results against `expected' of the step's inputs,
   borders and inputs against what they were.  Before a program is timed, its
   grid being large then, only a sample of the results is.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef GRID_H
#define GRID_H

#include "bench.h"

/* Type of a grid point; to be defined before this file is included.  */
#ifndef REAL
#define REAL float
#endif
typedef REAL real;

/* The initial value of a point, from one that is uniform in [0, 1).  */
#ifndef INITIAL
#define INITIAL(u) (u)
#endif

enum
{
  GRID_ARRAYS = 14,
  GRID_STEPS = 3,
  GRID_SAMPLE = 1 << 15, /* points checked before timing, about */
  /* After so many points initial values come again, as computing them takes
     long.  A prime: no row or plane of a grid is like its neighbour.  */
  GRID_PERIOD = 1048573
};

struct grid_array
{
  real *host, *device;
  int id;     /* its place before the arrays swapped roles */
  double sum; /* of all points, as of the last step */
};

struct grid
{
  int nz, ny, nx; /* points, borders included; 1 in dimensions not used */
  struct grid_array a[GRID_ARRAYS];
};

struct grid_program
{
  const char *name;
  int dims;   /* 1 to 3 */
  int border; /* points at each end of a dimension that stay as they are */
  int arrays;
  int outputs; /* the last so many arrays */
  /* How many arrays, counted from the end, swap roles after a step: they
     move forward by OUTPUTS places.  0: every step does the same.  */
  int rotate;
  double tolerance; /* in units of real's epsilon, see bench_check */
  /* The offloaded loop, on the arrays' device pointers.  */
  void (*apply) (const struct grid *g);
  /* The value of array OUT at one inner point.  */
  double (*expected) (const struct grid *g, int out, int z, int y, int x);
};

/* Array A on the device.  */
__attribute__ ((unused)) static real *
on_device (const struct grid *g, int a)
{
  return g->a[a].device;
}

/* Point (z, y, x) of array A on the host.  */
__attribute__ ((unused)) static double
at (const struct grid *g, int a, int z, int y, int x)
{
  return g->a[a].host[((size_t)z * g->ny + y) * g->nx + x];
}

/* A point of a constant-coefficient stencil, and the sum over all of them.  */
struct grid_tap
{
  int z, y, x;
  double weight;
};

__attribute__ ((unused)) static double
stencil (const struct grid *g, int a, int z, int y, int x,
         const struct grid_tap *taps, int count)
{
  double sum = 0;
  for (int t = 0; t < count; t++)
    sum += taps[t].weight
           * at (g, a, z + taps[t].z, y + taps[t].y, x + taps[t].x);
  return sum;
}
#define STENCIL(g, a, z, y, x, taps)                                          \
  stencil (g, a, z, y, x, taps, sizeof (taps) / sizeof *(taps))

/* The initial value of point I of array A.  */
static real
grid_initial (const struct grid_array *a, size_t i)
{
  return (real)INITIAL (bench_uniform (a->id, i % GRID_PERIOD));
}

static void
grid_fill (struct grid_array *a, size_t points)
{
  for (size_t i = 0; i < points && i < GRID_PERIOD; i++)
    a->host[i] = grid_initial (a, i);
  for (size_t i = GRID_PERIOD; i < points; i += GRID_PERIOD)
    memcpy (a->host + i, a->host,
            (points - i < GRID_PERIOD ? points - i : GRID_PERIOD)
                * sizeof *a->host);
}

/* Several sums at a time, as an addition waits for the one before.  */
static double
grid_sum (const struct grid_array *a, size_t points)
{
  enum
  {
    LANES = 8
  };
  double part[LANES] = { 0 }, sum = 0;
  size_t i = 0;
  for (; i + LANES <= points; i += LANES)
    for (int k = 0; k < LANES; k++)
      part[k] += a->host[i + k];
  for (; i < points; i++)
    sum += a->host[i];
  for (int k = 0; k < LANES; k++)
    sum += part[k];
  return sum;
}

/* A point out of [0, N), borders of B points (none in unused dimensions).  */
static bool
grid_inside (int p, int n, int b)
{
  return n == 1 || (p >= b && p < n - b);
}

static void
grid_check (struct bench *b, const struct grid_program *p,
            const struct grid *g, int out)
{
  size_t points = (size_t)g->nz * g->ny * g->nx;
  /* An odd stride meets every column of the usual power-of-two sizes.  */
  size_t stride = b->repeats ? points / GRID_SAMPLE | 1 : 1;
  double epsilon
      = sizeof (real) == sizeof (double) ? DBL_EPSILON : FLT_EPSILON;

  for (size_t i = 0; i < points; i += stride)
    {
      int x = i % g->nx, y = i / g->nx % g->ny, z = i / g->nx / g->ny;
      bool inside = grid_inside (x, g->nx, p->border)
                    && grid_inside (y, g->ny, p->border)
                    && grid_inside (z, g->nz, p->border);
      double want = inside ? p->expected (g, out, z, y, x)
                           : grid_initial (&g->a[out], i);
      double got = g->a[out].host[i];
      if (!bench_check (b, got, want, inside ? p->tolerance : 0, epsilon)
          && b->failures <= 5)
        fprintf (stderr,
                 "%s: array %d at (%d, %d, %d): %.9g, should be %.9g\n",
                 p->name, out, z, y, x, got, want);
    }
}

/* Apply the operator once and check all it did.  */
static void
grid_step (struct bench *b, const struct grid_program *p, struct grid *g)
{
  size_t points = (size_t)g->nz * g->ny * g->nx;
  int first_out = p->arrays - p->outputs;

  p->apply (g);
  for (int k = b->repeats ? first_out : 0; k < p->arrays; k++)
    {
      struct grid_array *a = &g->a[k];
      device_out (a->host, a->device, points * sizeof (real));
      double sum = grid_sum (a, points);
      if (k < first_out && sum != a->sum)
        {
          fprintf (stderr, "%s: input array %d has changed\n", p->name, k);
          b->failures++;
        }
      a->sum = sum;
    }
  b->checksum = 0;
  for (int k = first_out; k < p->arrays; k++)
    {
      grid_check (b, p, g, k);
      b->checksum += g->a[k].sum;
    }
  for (int i = 0; p->rotate && i < p->outputs; i++)
    {
      int from = p->arrays - p->rotate;
      struct grid_array first = g->a[from];
      for (int k = from; k < p->arrays - 1; k++)
        g->a[k] = g->a[k + 1];
      g->a[p->arrays - 1] = first;
    }
}

__attribute__ ((unused)) static int
grid_main (const struct grid_program *p, int argc, char **argv)
{
  static const int default_sizes[][3]
      = { { 1031 }, { 37, 131 }, { 9, 11, 70 } };
  struct bench b;
  struct grid g;

  bench_begin (&b, p->name, p->dims, default_sizes[p->dims - 1], argc, argv);
  g.nx = b.size[p->dims - 1];
  g.ny = p->dims > 1 ? b.size[p->dims - 2] : 1;
  g.nz = p->dims > 2 ? b.size[0] : 1;
  size_t points = (size_t)g.nz * g.ny * g.nx;
  for (int k = 0; k < p->arrays; k++)
    {
      struct grid_array *a = &g.a[k];
      a->id = k;
      a->sum = 0;
      a->host = (real *)bench_alloc (points, sizeof (real));
      grid_fill (a, points);
      if (!b.repeats)
        a->sum = grid_sum (a, points);
      a->device = (real *)device_in (a->host, points * sizeof (real));
    }

  for (int s = b.repeats ? 1 : GRID_STEPS; s > 0; s--)
    grid_step (&b, p, &g);
  while (bench_repeat (&b))
    p->apply (&g);

  for (int k = 0; k < p->arrays; k++)
    {
      device_drop (g.a[k].host, g.a[k].device, points * sizeof (real));
      free (g.a[k].host);
    }
  return bench_end (&b);
}

/* The end of each program: its grid_program, less the two functions.  */
#define GRID_PROGRAM(...)                                                     \
  int main (int argc, char **argv)                                            \
  {                                                                           \
    static const struct grid_program program                                  \
        = { __VA_ARGS__, .apply = apply, .expected = expected };              \
    return grid_main (&program, argc, argv);                                  \
  }

#endif /* GRID_H */
