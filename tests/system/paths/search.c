/* A search by halves, with a branch at the end of each step.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum
{
  N = 1000
};

static double a[N];
static int at[N];

static int
search (const double *v, double x, long n)
{
  long low = 0, high = n - 1, length = high;
  while (length > 1)
    {
      long middle = low + length / 2;
      if (v[middle] > x)
	high = middle;
      else
	low = middle;
      length = high - low;
    }
  return low;
}

int
main (void)
{
  int bad = 0;
  for (int i = 0; i < N; i++)
    a[i] = 2 * i;
#ifdef _OPENACC
#pragma acc parallel loop copyin (a) copyout (at)
#else
#pragma omp target teams distribute parallel for map (to : a) map (from : at)
#endif
  for (int i = 0; i < N; i++)
    at[i] = search (a, 2 * i + 1, N);
  for (int i = 0; i < N; i++)
    bad += at[i] != (i < N - 1 ? i : N - 2);
  printf ("%d wrong\n", bad);
  return bad > 0;
}
