/* Forms of regions: which constructs are combined.

   ACCEPT: 14
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"
#include <omp.h>

enum { N = 3000 };
static int a[N], want[N];

static void
expect (const char *what)
{
  check_ints (what, a, want, N);
  for (int i = 0; i < N; i++)
    {
      a[i] = 0;
      want[i] = 3 * i + 1;
    }
}

static void
forms (int n)
{
#pragma omp target teams loop map (tofrom: a)
  for (int i = 0; i < n; i++)
    a[i] = 3 * i + 1;
  expect ("teams loop");
#pragma omp target parallel for map (tofrom: a)
  for (int i = 0; i < n; i++)
    a[i] = 3 * i + 1;
  expect ("parallel for");
#pragma omp target parallel for simd map (tofrom: a) num_threads (5)
  for (int i = 0; i < n; i++)
    a[i] = 3 * i + 1;
  expect ("parallel for simd");
#pragma omp target parallel loop map (tofrom: a)
  for (int i = 0; i < n; i++)
    a[i] = 3 * i + 1;
  expect ("parallel loop");
#pragma omp target teams distribute map (tofrom: a)
  for (int i = n - 1; i >= 0; i--)
    a[i] = 3 * i + 1;
  expect ("teams distribute");
#pragma omp target teams distribute simd map (tofrom: a)
  for (int i = 0; i < n; i++)
    a[i] = 3 * i + 1;
  expect ("teams distribute simd");
#pragma omp target simd map (tofrom: a)
  for (int i = 0; i < n; i++)
    a[i] = 3 * i + 1;
  expect ("simd");
}

/* A chunk is one thread's: its iterations may depend on each other.  */
static void
chunks (int n, int size)
{
#pragma omp target parallel for map (tofrom: a) schedule (static, size)
  for (int i = 0; i < n; i++)
    a[i] = i % size ? a[i - 1] + 3 : 3 * i + 1;
  expect ("schedule (static, n)");
#pragma omp target teams distribute map (tofrom: a) dist_schedule (static, 60)
  for (int i = 0; i < n; i++)
    a[i] = i % 60 ? a[i - 1] + 3 : 3 * i + 1;
  expect ("dist_schedule (static, 60)");
#pragma omp target parallel for map (tofrom: a) schedule (dynamic, 10)       \
    collapse (2)
  for (int i = 0; i < n / 20; i++)
    for (int j = 0; j < 20; j++)
      a[20 * i + j] = j % 10 ? a[20 * i + j - 1] + 3 : 3 * (20 * i + j) + 1;
  expect ("schedule (dynamic, 10) collapse (2)");
}

static void
last (int n)
{
  int x = -1, i = -1, j = -1, l = 5, k;
  double y = 0;
#pragma omp target teams distribute parallel for map (tofrom: x, y)          \
    lastprivate (x, y)
  for (int i = 0; i < n; i++)
    {
      x = 2 * i;
      y = i * 0.5;
    }
  check_long ("lastprivate int", x, 2 * (n - 1));
  check_double ("lastprivate double", y, (n - 1) * 0.5);
#pragma omp target parallel for simd collapse (2) lastprivate (i, j, x)
  for (i = 3; i < n; i += 4)
    for (j = 20; j > 0; j -= 3)
      x = 100 * i + j;
  check_long ("lastprivate, collapsed", x, 100 * (3 + (n - 4) / 4 * 4) + 2);
  check_long ("the outer loop's variable", i, 3 + (n - 4) / 4 * 4 + 4);
  check_long ("the inner loop's variable", j, -1);
#pragma omp target parallel for firstprivate (l) lastprivate (l)            \
    map (tofrom: a)
  for (int i = 0; i < n; i++)
    {
      a[i] = 3 * i - 4 + l;
      l = i == n - 1 ? 8 : l;
    }
  expect ("firstprivate and lastprivate");
  check_long ("firstprivate, after the loop", l, 8);
#pragma omp target teams distribute parallel for lastprivate (k)             \
    map (tofrom: k, x)
  for (k = 7; k < 7; k++)
    x = 4711;
  check_long ("no last iteration", x, 100 * (3 + (n - 4) / 4 * 4) + 2);
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    want[i] = 0;
  expect ("start");
  forms (N);
  chunks (N, 6);
  last (N);
  return check_status ();
}
