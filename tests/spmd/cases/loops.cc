// Loops of C++: pointers, iterators, members, templates, lambdas.
//
// ACCEPT: 5
// SPDX-License-Identifier: GPL-3.0-or-later

#include "check.h"

const int N = 400;
static int a[N], want[N];

static void
reset ()
{
  for (int k = 0; k < N; k++)
    {
      a[k] = -1;
      want[k] = 2 * k;
    }
}

template <typename T, int step>
static void
fill (T *p, T n)
{
#pragma omp target teams distribute parallel for map (tofrom: p[:n])
  for (T i = 0; i < n; i += step)
    for (T k = i; k < i + step && k < n; k++)
      p[k] = 2 * k;
}

struct field
{
  int *data, n;
  void scale (int by)
  {
    int *p = data;
    int m = n;
#pragma omp target teams distribute parallel for map (tofrom: p[:m])
    for (int i = 0; i < m; i++)
      p[i] = by * i;
  }
};

int
main ()
{
  reset ();
  fill<int, 1> (a, N);
  check_ints ("template", a, want, N);
  reset ();
  fill<int, 7> (a, N);
  check_ints ("template, step 7", a, want, N);

  reset ();
  field f = { a, N };
  f.scale (2);
  check_ints ("member", a, want, N);

  reset ();
  int *first = a, *last = a + N;
#pragma omp target teams distribute parallel for map (tofrom: first[:N]) \
    firstprivate (last)
  for (int *p = first; p < first + N; p++)
    *p = 2 * (p - first);
  check_ints ("pointer", a, want, N);
  (void) last;

  reset ();
#pragma omp target teams distribute parallel for map (tofrom: first[:N])
  for (int *p = first + N - 2; p > first - 1; p -= 2)
    {
      p[0] = 2 * (p - first);
      p[1] = p[0] + 2;
    }
  check_ints ("pointer down", a, want, N);
  return check_status ();
}
