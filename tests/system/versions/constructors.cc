/* Objects with constructors, destructors and bases: at -O0 they are functions with
   two names.  Prints how many values are wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>

enum
{
  N = 1000
};

struct base
{
  int a[8];
  explicit base (int x)
  {
    int t[8];
    for (int i = 0; i < 8; i++)
      t[i] = x * i;
    for (int i = 0; i < 8; i++)
      a[i] = t[7 - i];
  }
  ~base () { a[0] = 0; }
  int sum () const
  {
    int s = 0;
    for (int i = 0; i < 8; i++)
      s += a[i];
    return s;
  }
};

struct derived : base
{
  int k;
  explicit derived (int x) : base (x + 1), k (x) {}
};

static int a[N], b[N];

int
main ()
{
  int bad = 0;
#pragma omp target teams distribute parallel for map(from : a)
  for (int i = 0; i < N; i++)
    {
      derived x (i);
      a[i] = x.sum () + x.k;
    }
#pragma omp target teams distribute map(from : b)
  for (int i = 0; i < N / 100; i++)
    {
      base w (i);
#pragma omp parallel for
      for (int j = 0; j < 100; j++)
        {
          base v (j);
          b[i * 100 + j] = w.sum () + v.sum ();
        }
    }
  for (int i = 0; i < N; i++)
    bad += (a[i] != 28 * (i + 1) + i) + (b[i] != 28 * (i / 100 + i % 100));
  std::printf ("%d\n", bad);
  return bad != 0;
}
