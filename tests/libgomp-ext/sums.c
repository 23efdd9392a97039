/* Sums of doubles by as many blocks as there are, and by each thread of a block that is
   no whole warps: all are exact, whatever their order.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 20000
};

static double a[N], b[N];

/* Of N products, and of squares; WIDE threads a block.  */
static double
sums (int n, int wide, double *squares)
{
  double s = 0.5, t = 0.25;
#ifdef _OPENACC
#pragma acc parallel loop reduction(+ : s, t) copyin(a, b) copy(s, t)         \
    num_gangs(64) vector_length(wide)
#else
#pragma omp target teams distribute parallel for reduction(+ : s, t)          \
    map(to : a, b) map(tofrom : s, t) num_teams(64) thread_limit(wide)
#endif
  for (int i = 0; i < n; i++)
    {
      s += a[i] * b[i];
      t += a[i] * a[i];
    }
  *squares = t;
  return s;
}

/* Where the program leaves the geometry open.  */
static double
open_sum (void)
{
  double s = 0.5;
#ifdef _OPENACC
#pragma acc parallel loop reduction(+ : s) copyin(a) copy(s)
#else
#pragma omp target teams distribute parallel for reduction(+ : s) map(to : a) \
    map(tofrom : s)
#endif
  for (int i = 0; i < N; i++)
    s += a[i];
  return s;
}

int
main (void)
{
  int wrong = 0;
  for (int i = 0; i < N; i++)
    {
      a[i] = i % 7;
      b[i] = i % 5 - 2;
    }
  for (int n = 0; n <= N; n += 6667)
    for (int wide = 32; wide <= 256; wide *= 8)
      {
        double s, t, want_s = 0.5, want_t = 0.25;
        for (int i = 0; i < n; i++)
          {
            want_s += a[i] * b[i];
            want_t += a[i] * a[i];
          }
        s = sums (n, wide, &t);
        wrong += s != want_s || t != want_t;
      }
  double all = 0.5;
  for (int i = 0; i < N; i++)
    all += a[i];
  wrong += open_sum () != all;
  printf ("%d wrong\n", wrong);
  return wrong > 0;
}
