/* FLAGS: -fopenmp
   KERNELS: 3

   Host loops over regions in C++.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>

template <typename T> struct grid
{
  enum { SIZE = 200 };
  T v[SIZE];
};

template <typename T>
static void
sweep (T *a, T *b, unsigned n, long steps)
{
  long t = 0;
#pragma omp target data map (tofrom: a[0:n], b[0:n])
  for (; t < steps; ++t)
    {
      const unsigned from = t & 1;
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma omp target teams distribute parallel for
      for (unsigned i = from; i < n; i++)
	b[i] = a[n - 1 - i] + T (t);
#pragma omp target teams distribute parallel for
      for (unsigned i = 0; i < n - from; i++)
	a[i] = b[i + from] - a[i];
    }
  printf ("sweep %ld\n", t);
}

int
main ()
{
  static grid<int> g, h;
  static grid<double> x, y;
  for (int i = 0; i < grid<int>::SIZE; i++)
    {
      g.v[i] = x.v[i] = i;
      h.v[i] = y.v[i] = 3 * i;
    }
  sweep (g.v, h.v, 200, 7);
  sweep (g.v, h.v, 150, 2);
  sweep (x.v, y.v, 200, 7);
  sweep (x.v, y.v, 200, 0);
  long long sum = 0;
  for (int i = 0; i < grid<int>::SIZE; i++)
    sum = sum * 3 + g.v[i] + h.v[i] + (long long) (x.v[i] + 5 * y.v[i]);
  printf ("%lld\n", sum);
}
