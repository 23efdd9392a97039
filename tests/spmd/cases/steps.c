/* Simd loops whose variable has an address: GCC counts with another, from which
   each iteration sets it, and is told of its value after the last one.

   ACCEPT: 6
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum { N = 200 };
static int a[N], want[N];

#pragma omp declare target
static __attribute__ ((noinline)) void
add (int *to, const int *what)
{
  *to += *what;
}
#pragma omp end declare target

static void
within (int n)
{
  /* Of the iteration, and of the function.  */
  int k = 0;
  for (int i = 1; i < n; i++)
    want[i] = (i + 2) / 3 * 3 + i % 7;
#pragma omp target teams distribute parallel for map (from: a)
  for (int i = 1; i < n; i++)
    {
      int j, s = 0;
#pragma omp simd
      for (j = 0; j < i; j += 3)
        ;
      add (&s, &j);
      a[i] = s + i % 7;
    }
  check_ints ("an iteration's", a + 1, want + 1, n - 1);
#pragma omp target teams distribute parallel for map (from: a) private (k)
  for (int i = 1; i < n; i++)
    {
      int s = 0;
#pragma omp simd
      for (k = 0; k < i; k += 3)
        s = 1;
      a[i] = k + i % 7 + s - 1;
    }
  check_ints ("a private one", a + 1, want + 1, n - 1);
  k = 5;
  add (&k, &k);
  check_long ("outside", k, 10);
}

static void
outermost (int n)
{
  int j = 0, sum = 0;
  for (int i = 0; i < n; i++)
    {
      a[i] = 0;
      want[i] = i % 3 ? 0 : 2 * i;
    }
#pragma omp target simd map (tofrom: a, j)
  for (j = 0; j < n; j += 3)
    a[j] = 2 * j;
  check_ints ("simd", a, want, n);
  add (&sum, &j);
  check_long ("after simd", sum, (n + 2) / 3 * 3);

#pragma omp target parallel for simd map (tofrom: a, j) linear (j: 3)
  for (j = 0; j < n; j += 3)
    a[j] -= 2 * j;
  sum = 0;
  add (&sum, &j);
  check_long ("after parallel for simd", sum, (n + 2) / 3 * 3);

#pragma omp target teams distribute simd map (tofrom: a, j) lastprivate (j)
  for (j = n - 1; j >= 0; j -= 4)
    a[j] += 7;
  sum = 0;
  add (&sum, &j);
  check_long ("after teams distribute simd", sum, (n - 1) % 4 - 4);
  for (int i = 0; i < n; i++)
    want[i] = (n - 1 - i) % 4 ? 0 : 7;
  check_ints ("one after the other", a, want, n);

  /* Nothing to be told.  */
#pragma omp target teams distribute parallel for simd map (tofrom: a)
  for (int i = 0; i < n; i++)
    a[i] -= want[i];
  for (int i = 0; i < n; i++)
    want[i] = 0;
  check_ints ("a variable of the loop's own", a, want, n);
}

int
main (void)
{
  within (N);
  outermost (N);
  return check_status ();
}
