/* Nested OpenMP regions in C++: members, references, templates, lambdas.
   NESTED: 4
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>

#pragma omp declare target
template <typename T>
void
fill (T *p, int n, const T &with)
{
#pragma omp target teams distribute parallel for map (tofrom : p[0 : n])
  for (int i = 0; i < n; i++)
    p[i] += with;
}
#pragma omp end declare target

struct graph
{
  int n;
  int rows[33];
  int marks[256];

  void
  mark ()
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      {
        const int &low = rows[i];
        int found = 0;
        int &count = found;
#pragma omp target teams distribute parallel for reduction (+ : count)
        for (int k = low; k < rows[i + 1]; k++)
          {
            marks[k] += i;
            count += k;
          }
        marks[low] += found;
      }
  }
};

int
main ()
{
  static graph g;
  g.n = 32;
  for (int i = 0; i < g.n; i++)
    g.rows[i + 1] = g.rows[i] + 1 + i % 8;
  g.mark ();
  unsigned sum = 0;
  for (int i = 0; i < 256; i++)
    sum = sum * 31 + g.marks[i];
  std::printf ("%u\n", sum);

  double reals[64] = {};
  long longs[64] = {};
#pragma omp target map (tofrom : reals, longs)
  {
    fill (reals, 64, 0.5);
    fill (longs + 8, 16, 7l);
    auto add = [&] (int from) {
#pragma omp target parallel for
      for (int i = from; i < 64; i++)
        longs[i] += from;
    };
    add (10);
    add (60);
  }
  fill (reals, 32, 0.25);

  double real = 0;
  long integer = 0;
  for (int i = 0; i < 64; i++)
    {
      real = real * 1.5 + reals[i];
      integer = integer * 3 + longs[i];
    }
  std::printf ("%g %ld\n", real, integer);
  return 0;
}
