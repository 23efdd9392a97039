/* Rows of every length, whose sums must not depend on how many of a thread's
   iterations begin together, and a sum over a whole loop.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum
{
  ROWS = 421,
  VALUES = ROWS * (ROWS + 1) / 2 + 64
};

static unsigned value[VALUES];
static int first[ROWS + 1];
static unsigned long sum[ROWS];

/* The bits of value K, an operation that nothing else here needs.  */
#define BITS(k) __builtin_popcount (value[k])

static void
rows (void)
{
#ifdef _OPENACC
# pragma acc parallel loop gang num_gangs (ROWS) num_workers (4)              \
   vector_length (32) copyin (value, first) copyout (sum)
#else
# pragma omp target teams distribute map (to : value, first) map (from : sum)
#endif
  for (int y = 0; y < ROWS; y++)
    {
      unsigned long s = 0;
      int from = first[y], to = first[y + 1];
#ifdef _OPENACC
# pragma acc loop worker vector reduction (+ : s)
#else
# pragma omp parallel for reduction (+ : s)
#endif
      for (int k = from; k < to; k++)
        s += (unsigned long)BITS (k) * (k + 1);
      sum[y] = s;
    }
}

static unsigned long
whole (void)
{
  unsigned long s = 0;
#ifdef _OPENACC
# pragma acc parallel loop copyin (value) reduction (+ : s)
#else
# pragma omp target teams distribute parallel for map (to : value)            \
   reduction (+ : s) map (tofrom : s)
#endif
  for (int k = 0; k < VALUES; k++)
    s += (unsigned long)BITS (k) * (k + 1);
  return s;
}

int
main (void)
{
  int wrong = 0;
  unsigned long all = 0;
  for (int k = 0; k < VALUES; k++)
    {
      value[k] = k * 2654435761u;
      all += (unsigned long)BITS (k) * (k + 1);
    }
  for (int y = 0; y < ROWS; y++)
    first[y + 1] = first[y] + y;
  rows ();
  for (int y = 0; y < ROWS; y++)
    {
      unsigned long want = 0;
      for (int k = first[y]; k < first[y + 1]; k++)
        want += (unsigned long)BITS (k) * (k + 1);
      wrong += sum[y] != want;
    }
  wrong += whole () != all;
  printf ("%d wrong\n", wrong);
  return wrong != 0;
}
