/* Survey propagation for random 3-SAT: each clause tells each of its variables
   how likely it depends on that one, from what other clauses tell its two
   others.  Clauses are parents; the children, three launches in a loop, are the
   places where a variable of the clause stands.  Nested, these multiply in
   memory, and nobody waits for them.
   Sizes: variables, clauses for each.  The timed call is one sweep.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "forms.h"
#include "../bench.h"

struct formula
{
  int variables, clauses;
  int *literal; /* 3 * clauses: twice the variable, and 1 when it is negated */
  int *row;     /* variables + 1: where the places of a variable begin */
  int *place;   /* 3 * clauses: indices into LITERAL */
};

static struct formula
make_formula (int variables, int ratio)
{
  struct formula f = { .variables = variables, .clauses = variables * ratio };
  int n = 3 * f.clauses;
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

/* The factor by which place I tells its variable about clauses other than C.  */
#define FACTOR(i, c) ((i) / 3 == (c) ? 1 : 1 - from[i])

/* The surveys after FROM into TO, by way of PRODUCT, which has two for each
   place: of factors from places with the same sign, and from others.  All is on
   the device.  */
static void
sweep (int variables, int clauses, const int *restrict literal,
       const int *restrict row, const int *restrict place,
       const double *restrict from, double *restrict product,
       double *restrict to)
{
#ifdef NESTED
  ALONE (SECTION (product, 6 * clauses))
  for (int i = 0; i < 6 * clauses; i++)
    product[i] = 1;
#endif

  PARENTS (SECTION (literal, 3 * clauses) SECTION (row, variables + 1)
             SECTION (place, 3 * clauses) SECTION (from, 3 * clauses)
               SECTION (product, 6 * clauses))
  for (int c = 0; c < clauses; c++)
    for (int k = 3 * c; k < 3 * c + 3; k++)
      {
        int here = literal[k], var = here >> 1;
#ifdef NESTED
        CHILDREN (LATER)
        for (int e = row[var]; e < row[var + 1]; e++)
          {
            double factor = FACTOR (place[e], c);
            int which = 2 * k + ((literal[place[e]] ^ here) & 1);
            ATOMIC (update)
            product[which] *= factor;
          }
#else
        double same = 1, other = 1;
        CHILDREN_REDUCING (*, same, other)
        for (int e = row[var]; e < row[var + 1]; e++)
          if (((literal[place[e]] ^ here) & 1) == 0)
            same *= FACTOR (place[e], c);
          else
            other *= FACTOR (place[e], c);
        product[2 * k] = same;
        product[2 * k + 1] = other;
#endif
      }

  ALONE (SECTION (product, 6 * clauses) SECTION (to, 3 * clauses))
  for (int c = 0; c < clauses; c++)
    {
      double depends[3];
      for (int k = 0; k < 3; k++)
        {
          double same = product[6 * c + 2 * k];
          double other = product[6 * c + 2 * k + 1];
          double against = (1 - other) * same, with = (1 - same) * other;
          depends[k] = against / (against + with + same * other);
        }
      to[3 * c] = depends[1] * depends[2];
      to[3 * c + 1] = depends[0] * depends[2];
      to[3 * c + 2] = depends[0] * depends[1];
    }
}

/* The same for place J of clause C of F.  */
static double
expected_survey (const struct formula *f, const double *from, int c, int j)
{
  double survey = 1;
  for (int k = 0; k < 3; k++)
    if (k != j)
      {
        int here = f->literal[3 * c + k];
        double product[2] = { 1, 1 };
        for (int e = f->row[here / 2]; e < f->row[here / 2 + 1]; e++)
          if (f->place[e] / 3 != c)
            product[(f->literal[f->place[e]] ^ here) & 1]
                *= 1 - from[f->place[e]];
        double against = (1 - product[1]) * product[0];
        double with = (1 - product[0]) * product[1];
        survey *= against / (against + with + product[0] * product[1]);
      }
  return survey;
}

int
main (int argc, char **argv)
{
  static const int sizes[] = { 301, 4 };
  struct bench b;
  bench_begin (&b, "sp", 2, sizes, argc, argv);
  struct formula f = make_formula (b.size[0], b.size[1]);
  int n = 3 * f.clauses;
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

  sweep (f.variables, f.clauses, f.literal, f.row, f.place, from, product,
         to);
  device_out (to, to, n * sizeof *to);
  b.any_order = true;
  for (int i = 0; i < n; i++)
    {
      b.checksum += to[i];
      /* A product of some dozens of factors, twice.  */
      bench_check (&b, to[i], expected_survey (&f, from, i / 3, i % 3), 256,
                   DBL_EPSILON);
    }
  while (bench_repeat (&b))
    sweep (f.variables, f.clauses, f.literal, f.row, f.place, from, product,
           to);

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
