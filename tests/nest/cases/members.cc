/* Functions that host and device call whose regions name members, arrays of
   variable size, or stand inside other constructs.
   NESTED: 10
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>

#pragma omp declare target
struct finder
{
  int at, n;

  void
  find (const int *p, int m, int what)
  {
    at = -1;
#pragma omp target teams distribute parallel for map (tofrom : at)            \
  map (to : p[0 : m])
    for (int i = 0; i < m; i++)
      if (p[i] == what)
        at = i;
#pragma omp target map (tofrom : at)
    at *= 2;
  }
};

static int
variable (int n)
{
  int v[n], r = 0;
  for (int i = 0; i < n; i++)
    v[i] = i;
#pragma omp target map (tofrom : v, r)
  for (int i = 0; i < n; i++)
    r += v[i];
#pragma omp target teams distribute parallel for map (tofrom : v)
  for (int i = 0; i < n; i++)
    v[i] += 3;
  return r + v[n - 1];
}

static int
inside (int n, int *p)
{
  int r = 0;
  try
    {
#pragma omp target map (tofrom : p[0 : n])
#pragma omp parallel for
      for (int i = 0; i < n; i++)
        p[i]++;
    }
  catch (...)
    {
      return 1;
    }
#pragma omp parallel num_threads(1) reduction (+ : r)
  {
#pragma omp target map (tofrom : r) depend (out : r)
    r++;
#pragma omp target enter data map (to : p[0 : n])
    switch (n)
      {
      case 1:
        {
#pragma omp target map (tofrom : p[0 : n])
          p[0] = 5;
        }
        break;
      default:
        break;
      }
#pragma omp target exit data map (from : p[0 : n])
  }
  for (int i = 0; i < 3; i++)
    {
      if (i == n)
        continue;
#pragma omp target nowait depend (inout : p[0]) map (tofrom : p[0 : n])
      p[0] += i;
#pragma omp taskwait
    }
  return r;
}
#pragma omp end declare target

int
main ()
{
  int a[10] = { 1, 2, 3, 4 }, found = 0, sum = 0, ran = 0;
  finder host;
  host.find (a, 10, 4);
  std::printf ("%d %d %d\n", host.at, variable (5), inside (10, a));
#pragma omp target map (tofrom : found, sum, ran, a)
  {
    finder here;
    here.find (a, 4, 3);
    found = here.at;
    sum = variable (7);
    ran = inside (1, a);
    ran += inside (4, a + 2);
  }
  std::printf ("%d %d %d\n", found, sum, ran);
  for (int i = 0; i < 10; i++)
    std::printf ("%d ", a[i]);
  std::printf ("\n");
  return 0;
}
