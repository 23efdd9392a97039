/* Survey propagation for random K-SAT: each clause tells each of its variables
   how likely it depends on that one, from what other clauses tell its others.
   Clauses are parents; the children, K launches in a loop, are the places where
   a variable of the clause stands.  Nested, these multiply in memory, and nobody
   waits for them.
   Sizes: variables, clauses for each, K.  The timed call is one sweep.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "forms.h"
#include "../bench.h"

struct formula
{
  int variables, clauses, k;
  int *literal; /* k * clauses: twice the variable, and 1 when it is negated */
  int *row;     /* variables + 1: where the places of a variable begin */
  int *place;   /* k * clauses: indices into LITERAL */
};

static struct formula
make_formula (int variables, int ratio, int k)
{
  struct formula f
      = { .variables = variables, .clauses = variables * ratio, .k = k };
  int n = f.k * f.clauses;
  f.literal = bench_alloc (n, sizeof *f.literal);
  f.row = bench_alloc (variables + 1, sizeof *f.row);
  f.place = bench_alloc (n, sizeof *f.place);
  for (int i = 0; i < n; i++)
    {
      f.literal[i] = 2 * (int)(bench_uniform (7, i) * variables)
                     + (bench_uniform (8, i) < 0.5);
      f.row[f.literal[i] / 2 + 1]++;
    }
  for (int v = 0; v < variables; v++)
    f.row[v + 1] += f.row[v];
  int *next = bench_alloc (variables, sizeof *next);
  memcpy (next, f.row, variables * sizeof *next);
  for (int i = 0; i < n; i++)
    f.place[next[f.literal[i] / 2]++] = i;
  free (next);
  return f;
}

/* The factor by which place I tells its variable about clauses other than the
   one whose K places begin at FIRST.  */
#define FACTOR(i, first)                                                      \
  ((unsigned)((i) - (first)) < (unsigned)k ? 1 : 1 - from[i])

/* How much a clause depends on a place with that PRODUCT, as below.  */
#pragma acc routine seq
#pragma omp declare target
static inline double
depends (const double *product)
{
  double same = product[0], other = product[1];
  double against = (1 - other) * same, with = (1 - same) * other;
  return against / (against + with + same * other);
}
#pragma omp end declare target

/* The surveys after FROM into TO, by way of PRODUCT, which has two for each
   place: of factors from places with the same sign, and from others.  All is on
   the device.  */
static void
sweep (int variables, int clauses, int k, const int *restrict literal,
       const int *restrict row, const int *restrict place,
       const double *restrict from, double *restrict product,
       double *restrict to)
{
  PARENTS (SECTION (literal, k * clauses) SECTION (row, variables + 1)
             SECTION (place, k * clauses) SECTION (from, k * clauses)
               SECTION (product, 2 * k * clauses))
  for (int c = 0; c < clauses; c++)
    for (int i = k * c; i < k * c + k; i++)
      {
        int here = literal[i], var = here >> 1;
#ifdef NESTED
        product[2 * i] = product[2 * i + 1] = 1;
        CHILDREN (LATER)
        for (int e = row[var]; e < row[var + 1]; e++)
          {
            double factor = FACTOR (place[e], k * c);
            int which = 2 * i + ((literal[place[e]] ^ here) & 1);
            ATOMIC (update)
            product[which] *= factor;
          }
#else
        double same = 1, other = 1;
        CHILDREN_REDUCING (*, same, other)
        for (int e = row[var]; e < row[var + 1]; e++)
          if (((literal[place[e]] ^ here) & 1) == 0)
            same *= FACTOR (place[e], k * c);
          else
            other *= FACTOR (place[e], k * c);
        product[2 * i] = same;
        product[2 * i + 1] = other;
#endif
      }

  /* A survey is about the other places of its clause: before it, behind it.  */
  ALONE (SECTION (product, 2 * k * clauses) SECTION (to, k * clauses))
  for (int c = 0; c < clauses; c++)
    {
      double before = 1, behind = 1;
      for (int i = k * c; i < k * c + k; i++)
        {
          to[i] = before;
          before *= depends (&product[2 * i]);
        }
      for (int i = k * c + k - 1; i >= k * c; i--)
        {
          to[i] *= behind;
          behind *= depends (&product[2 * i]);
        }
    }
}

/* The same for place J of F.  */
static double
expected_survey (const struct formula *f, const double *from, int j)
{
  double survey = 1;
  int first = j - j % f->k, k = f->k;
  for (int i = first; i < first + k; i++)
    if (i != j)
      {
        int here = f->literal[i];
        double product[2] = { 1, 1 };
        for (int e = f->row[here / 2]; e < f->row[here / 2 + 1]; e++)
          product[(f->literal[f->place[e]] ^ here) & 1]
              *= FACTOR (f->place[e], first);
        survey *= depends (product);
      }
  return survey;
}

int
main (int argc, char **argv)
{
  static const int sizes[] = { 301, 4, 3 };
  struct bench b;
  bench_begin (&b, "sp", 3, sizes, argc, argv);
  struct formula f = make_formula (b.size[0], b.size[1], b.size[2]);
  int n = f.k * f.clauses;
  double *from = bench_alloc (n, sizeof *from);
  double *product = bench_alloc (n, 2 * sizeof *product);
  double *to = bench_alloc (n, sizeof *to);
  for (int i = 0; i < n; i++)
    from[i] = 0.9 * bench_uniform (9, i);
  device_in (f.literal, n * sizeof *f.literal);
  device_in (f.row, (f.variables + 1) * sizeof *f.row);
  device_in (f.place, n * sizeof *f.place);
  device_in (from, n * sizeof *from);
  device_in (product, n * 2 * sizeof *product);
  device_in (to, n * sizeof *to);

  bench_take_turn (&b);
  sweep (f.variables, f.clauses, f.k, f.literal, f.row, f.place, from, product,
         to);
  device_out (to, to, n * sizeof *to);
  bench_pass_turn (&b);
  b.any_order = true;
  for (int i = 0; i < n; i++)
    {
      b.checksum += to[i];
      /* A product of some dozens of factors, twice.  */
      bench_check (&b, to[i], expected_survey (&f, from, i), 256,
                   DBL_EPSILON);
    }
  while (bench_repeat (&b))
    sweep (f.variables, f.clauses, f.k, f.literal, f.row, f.place, from,
           product, to);

  device_drop (to, to, n * sizeof *to);
  device_drop (product, product, n * 2 * sizeof *product);
  device_drop (from, from, n * sizeof *from);
  device_drop (f.place, f.place, n * sizeof *f.place);
  device_drop (f.row, f.row, (f.variables + 1) * sizeof *f.row);
  device_drop (f.literal, f.literal, n * sizeof *f.literal);
  free (f.literal);
  free (f.row);
  free (f.place);
  free (product);
  free (from);
  free (to);
  return bench_end (&b);
}
