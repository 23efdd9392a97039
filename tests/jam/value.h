/* What the cases have in common.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

#define N 64

static void
show (int step, int k, const float *a)
{
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += a[i] * (i + 1);
  printf ("%d %d %.6g\n", step, k, sum);
}
