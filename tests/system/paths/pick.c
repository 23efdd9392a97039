/* Iterations that draw a number and go one of several ways by it, then do what is
   long.  That the first one draws without a round of the loop, jump threading can
   tell, and lets it jump into the middle of what follows.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdint.h>
#include <stdio.h>

enum { N = 3000, M = 64 };
static double table[M];
static int result[N];

static inline uint64_t
draw (uint64_t n)
{
  uint64_t a = 2806196910506780709u, c = 1, to = 1, by = 0;
  for (; n > 0; n >>= 1)
    {
      if (n & 1)
	{
	  to *= a;
	  by = by * a + c;
	}
      c *= a + 1;
      a *= a;
    }
  return to * 1070 + by;
}

static inline int
pick (double x)
{
  if (x < .05)
    return 0;
  if (x < .35)
    return 1;
  if (x < .55)
    return 2;
  if (x < .65)
    return 3;
  if (x < .7)
    return 4;
  if (x < .8)
    return 5;
  return x < .85 ? 6 : 0;
}

static inline int
one (int i, const double *t)
{
  uint64_t seed = draw (2 * i) >> 1;
  int way = pick ((seed & 1023) / 1024.), low = 0;
  for (int j = 0; j < 4 * (way + 1); j++)
    for (int n = M; n > 1; n -= n / 2)
      if (t[low % M] <= (seed & 63) + j)
	low += n / 2;
  return low + way;
}

int
main (void)
{
  int wrong = 0;
  for (int i = 0; i < M; i++)
    table[i] = i;
#ifdef _OPENACC
# pragma acc parallel loop copyin (table) copyout (result)
#else
# pragma omp target teams distribute parallel for map (to : table) \
  map (from : result)
#endif
  for (int i = 0; i < N; i++)
    result[i] = one (i, table);
  for (int i = 0; i < N; i++)
    wrong += result[i] != one (i, table);
  printf ("%d wrong\n", wrong);
  return wrong > 0;
}
