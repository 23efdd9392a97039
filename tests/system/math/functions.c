/* Functions of libm, and atomic operations on types that the device has none
   for, in a region; prints how many results differ from the host's.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <math.h>
#include <stdio.h>

enum { N = 100 };

static double
value (int i)
{
  double x = i * 0.01;
  return exp (x) + sin (x) + pow (x + 1, 1.5) + fmaxf (x, 0.5f);
}

static int
differ (double a, double b)
{
  return fabs (a - b) > 1e-9 * fabs (b);
}

int
main (void)
{
  double a[N];
  short count = 0;
  int wrong = 0;
#ifdef _OPENACC
# pragma acc parallel loop copyout(a)
#else
# pragma omp target teams distribute parallel for map(from : a)
#endif
  for (int i = 0; i < N; i++)
    {
      double x = i * 0.01;
      a[i] = exp (x) + sin (x) + pow (x + 1, 1.5) + fmaxf (x, 0.5f);
    }
  for (int i = 0; i < N; i++)
    wrong += differ (a[i], value (i));
#ifndef _OPENACC
# pragma omp target teams distribute parallel for map(tofrom : count)
  for (int i = 0; i < N; i++)
    {
# pragma omp atomic
      count += 2;
    }
  wrong += count != 2 * N;
#endif
  printf ("%d\n", wrong);
  return wrong;
}
