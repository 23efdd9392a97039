/* Tables that are defined const, mapped without a clause and by every clause that copies
   back: prints how many results are wrong.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { N = 300, M = 8 };

static const int table[M] = { 3, 1, 4, 1, 5, 9, 2, 6 };
const double weights[M] = { .5, .25, 2, 4, 8, 16, .125, 1 };
static const struct { int first, rest[M - 1]; } both = { 7, { 6, 5, 4, 3, 2, 1 } };
static int a[N];

static int
wrong (int (*f) (int))
{
  int n = 0;
  for (int i = 0; i < N; i++)
    {
      n += a[i] != f (i);
      a[i] = i;
    }
  return n;
}

static int by_table (int i) { return i + table[i % M]; }
static int by_weight (int i) { return (int) (i * weights[i % M]); }
static int by_both (int i) { return i + both.first * both.rest[i % (M - 2)]; }
static int by_parts (int i) { return i + table[2 + i % 4]; }

int
main (void)
{
  int n = 0;
  wrong (by_table);

#ifdef _OPENACC
# pragma acc parallel loop copy (a)
#else
# pragma omp target teams distribute parallel for
#endif
  for (int i = 0; i < N; i++)
    a[i] += table[i % M];
  n += wrong (by_table);

#ifdef _OPENACC
# pragma acc kernels loop copy (a, weights)
#else
# pragma omp target teams distribute parallel for map (tofrom: a, weights)
#endif
  for (int i = 0; i < N; i++)
    a[i] = (int) (i * weights[i % M]);
  n += wrong (by_weight);

#ifdef _OPENACC
# pragma acc data copy (a, both)
# pragma acc parallel loop
#else
# pragma omp target data map (tofrom: a, both)
# pragma omp target teams distribute parallel for
#endif
  for (int i = 0; i < N; i++)
    a[i] += both.first * both.rest[i % (M - 2)];
  n += wrong (by_both);

#ifdef _OPENACC
# pragma acc parallel loop copy (a, table[2:4])
#else
# pragma omp target teams distribute parallel for map (always, tofrom: a, table[2:4])
#endif
  for (int i = 0; i < N; i++)
    a[i] += table[2 + i % 4];
  n += wrong (by_parts);

  printf ("%d\n", n);
  return 0;
}
