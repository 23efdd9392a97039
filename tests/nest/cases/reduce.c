/* Reductions of children with none to many iterations, into variables of their
   parents and of all.
   NESTED: 2
   LAUNCHES: 2

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#define PARENTS 120

static int length[PARENTS], most[PARENTS];
static unsigned long bits[PARENTS];
static double sum[PARENTS];
static float product[PARENTS];
static long all;

static void
reduce (void)
{
#pragma omp target teams distribute parallel for map(to : length)             \
  map(from : sum, bits, most) map(tofrom : all)
  for (int i = 0; i < PARENTS; i++)
    {
      double x = i;
      unsigned long y = 0;
      int m = -1;
#pragma omp target teams distribute parallel for map(tofrom : x, y, m, all)   \
  reduction(+ : x, all) reduction(^ : y) reduction(max : m)
      for (int k = 0; k < length[i]; k++)
        {
          x += k;
          y ^= (k + 1) * (i + 77) * 2654435761ul;
          m = k * 37 % 101 > m ? k * 37 % 101 : m;
          all += k;
        }
      sum[i] = x;
      bits[i] = y;
      most[i] = m;
    }
}

/* Children that only some parents have, one after the other.  */
static void
multiply (void)
{
#pragma omp target teams distribute parallel for map(to : length)             \
  map(from : product)
  for (int i = 0; i < PARENTS; i++)
    {
      float p = 1;
      for (int j = 0; j < i % 3; j++)
        {
#pragma omp target teams distribute parallel for map(tofrom : p)              \
  reduction(* : p)
          for (int k = 0; k < length[i]; k++)
            p *= k % 4 == j ? 2 : k % 4 == 3 ? 0.5f : 1;
        }
      product[i] = p;
    }
}

int
main (void)
{
  for (int i = 0; i < PARENTS; i++)
    length[i] = i % 7 == 3 ? i * 3 : i * i % 23;
  reduce ();
  multiply ();
  for (int i = 0; i < PARENTS; i++)
    printf ("%g %lx %d %g\n", sum[i], bits[i], most[i], product[i]);
  printf ("%ld\n", all);
  return 0;
}
