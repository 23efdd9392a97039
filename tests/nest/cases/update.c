/* Iterations of children that end with an atomic update, of a few variables by
   many lanes or of many by one each.  Every order gives the same results.
   NESTED: 6
   LAUNCHES: 6
   DEFERS: 4

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum
{
  N = 150,
  CELLS = 97
};

static double product[N], sum[CELLS], difference[CELLS];
static float ratio[CELLS], some[CELLS];
static unsigned word[CELLS];
static unsigned long long wide[CELLS];

/* How many iterations a child has.  */
#pragma omp declare target
static inline int
trips (int v)
{
  return v % 7 ? v % 41 : 100;
}
#pragma omp end declare target

/* A variable for each parent and sign, as in a product of factors.  */
static void
products (double *restrict to)
{
#pragma omp target teams distribute parallel for map(tofrom : to[:N])
  for (int v = 0; v < N; v++)
    {
      int cell = v & ~1;
#pragma omp target teams distribute parallel for map(to[:N])
      for (int e = 0; e < trips (v); e++)
        {
          double factor = e % 2 ? 0.5 : 2;
          int which = cell + (e / 2 & 1);
#pragma omp atomic update
          to[which] *= factor;
        }
    }
}

/* Few variables, many, and only by some lanes.  */
static void
sums (double *restrict to, float *restrict part)
{
#pragma omp target teams distribute parallel for                              \
  map(tofrom : to[:CELLS], part[:CELLS])
  for (int v = 0; v < N; v++)
    if (v % 2)
      {
#pragma omp target teams distribute parallel for map(to[:CELLS])
        for (int e = 0; e < trips (v); e++)
#pragma omp atomic
          to[(v + e) % CELLS] += e;
      }
    else
      {
#pragma omp target teams distribute parallel for map(part[:CELLS])
        for (int e = 0; e < trips (v); e++)
          if (e % 3)
            {
#pragma omp atomic
              part[e % 5] += 1;
            }
      }
}

/* The old value on the left, and divided.  */
static void
others (double *restrict to, float *restrict part)
{
#pragma omp target teams distribute parallel for                              \
  map(tofrom : to[:CELLS], part[:CELLS])
  for (int v = 0; v < N; v++)
    if (v % 2)
      {
#pragma omp target teams distribute parallel for map(to[:CELLS])
        for (int e = 0; e < trips (v); e++)
#pragma omp atomic
          to[e % 3] -= v;
      }
    else
      {
#pragma omp target teams distribute parallel for map(part[:CELLS])
        for (int e = 0; e < trips (v); e++)
          {
            float by = (e ^ e >> 1) & 1 ? 2 : 0.5f;
#pragma omp atomic
            part[e / 4] /= by;
          }
      }
}

/* Integers; a product has no instruction, and another update follows.  */
static void
integers (unsigned *restrict to, unsigned long long *restrict part)
{
#pragma omp target teams distribute parallel for                              \
  map(tofrom : to[:CELLS], part[:CELLS])
  for (int v = 0; v < N; v++)
#pragma omp target teams distribute parallel for map(to[:CELLS], part[:CELLS])
    for (int e = 0; e < trips (v); e++)
      {
#pragma omp atomic
        to[e % 2] *= 2 * v + 1;
#pragma omp atomic
        part[v % 11] *= 2 * e + 3;
      }
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    product[i] = 1 + i;
  for (int i = 0; i < CELLS; i++)
    {
      sum[i] = difference[i] = i;
      ratio[i] = 1 + i;
      word[i] = wide[i] = i + 1;
    }
  products (product);
  sums (sum, some);
  others (difference, ratio);
  integers (word, wide);
  for (int i = 0; i < N; i++)
    printf ("%g ", product[i]);
  for (int i = 0; i < CELLS; i++)
    printf ("\n%g %g %g %g %u %llu", sum[i], some[i], difference[i], ratio[i],
            word[i], wide[i]);
  printf ("\n");
  return 0;
}
