/* Eleven kernels that need nothing of the device's runtime.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#define N 10000

static double a[N], b[N];
int
main (void)
{
  double s = 0;
#pragma omp target enter data map(alloc: a, b)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    {
      a[i] = i;
      b[i] = 1;
    }
  for (int k = 0; k < 9; k++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
        a[i] += k * b[i];
    }
#pragma omp target teams distribute parallel for reduction(+:s) map(tofrom:s)
  for (int i = 0; i < N; i++)
    s += a[i];
#pragma omp target exit data map(delete: a, b)
  printf ("%.1f\n", s);
  return s != 49995000.0 + 36.0 * N;
}
