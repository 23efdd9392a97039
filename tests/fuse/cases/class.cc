/* C++: a scalar by reference, and a pointer that only mapping takes the address of.
   FLAGS: -fopenmp
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>

static void
scale (int n, double *__restrict x, double *__restrict y, const double &f)
{
  double g = f;
#pragma omp target data map(tofrom: x[0:n], y[0:n])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      x[i] *= g;
/* REMARK: fused with the one at class.cc:13$ */
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      y[i] += x[i];
  }
}

int
main ()
{
  static double x[100], y[100];
  for (int i = 0; i < 100; i++)
    x[i] = i, y[i] = 100 - i;
  scale (100, x, y, 3.0);
  double sum = 0;
  for (int i = 0; i < 100; i++)
    sum += y[i] * (i % 3);
  std::printf ("%g\n", sum);
  return 0;
}
