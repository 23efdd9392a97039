/* What the programs here share: sums of the rows of a matrix, which iterations of a
   loop compute into a scalar, and what they are on the host.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { N = 60, K = 37 };

static double a[N * K], y[N];
static int bad;

static void
fill (void)
{
  for (int i = 0; i < N * K; i++)
    a[i] = i % 5;
}

static double
row (int j)
{
  double s = 0;
  for (int k = 0; k < K; k++)
    s += a[j * K + k] * (k % 7);
  return s;
}

static void
check (const char *what, double factor)
{
  int wrong = 0;
  for (int j = 0; j < N; j++)
    {
      wrong += y[j] != factor * row (j);
      y[j] = -1;
    }
  if (wrong)
    printf ("%s: %d rows are wrong\n", what, wrong);
  bad += wrong != 0;
}

static void
left (const char *what, double is, double want)
{
  if (is != want)
    printf ("%s: %g is left, not %g\n", what, is, want);
  bad += is != want;
}
