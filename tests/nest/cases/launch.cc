/* Children of SPMD kernels in C++: pointers as loop variables, templates, and
   an object of the launching thread, which keeps a child in place.
   NESTED: 2
   LAUNCHES: 1
   DEFERS: 1

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>
#include <vector>

template <typename T> struct table
{
  T *data;
  int n;
};

template <typename T>
static void
change (table<T> &t, const int *row, int rows, T &sum)
{
  T *d = t.data, all = 0;
  int n = t.n;
#pragma omp target teams distribute parallel for map(tofrom : d[:n], all)     \
  map(to : row[:rows + 1])
  for (int v = 0; v < rows; v++)
    {
      const int first = row[v], last = row[v + 1];
      T own = 0;
      auto twice = [=] (T x) { return x + x + v; };
#pragma omp target teams distribute parallel for reduction(+ : own)           \
  map(tofrom : own) map(d[:n])
      for (int e = first; e < last; e++)
        {
          d[e] = twice (d[e]);
          own += d[e];
        }
#pragma omp target teams distribute parallel for map(d[:n])                   \
  reduction(+ : all) map(tofrom : all)
      for (T *q = d + first; q < d + last; q += 2)
        {
          *q += own;
          all += 1;
        }
    }
  sum = all;
}

int
main ()
{
  const int rows = 400;
  std::vector<int> row (rows + 1);
  for (int v = 0; v < rows; v++)
    row[v + 1] = row[v] + v * 13 % 23;
  std::vector<long> data (row[rows]);
  for (size_t i = 0; i < data.size (); i++)
    data[i] = i;
  table<long> t = { data.data (), row[rows] };
  long sum;
  change (t, row.data (), rows, sum);
  unsigned long digest = 1;
  for (long x : data)
    digest = digest * 31 + x;
  std::printf ("%lx %ld\n", digest, sum);
}
