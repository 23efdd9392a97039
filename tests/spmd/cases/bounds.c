/* Bounds and steps that functions compute.

   ACCEPT: 5
   REJECT: a call between the constructs that may have effects
   REJECT: a recursive function
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"
#include <omp.h>

enum { N = 900 };
static int a[N], want[N];

#pragma omp declare target
static int calls;

static int
half (int x)
{
  int y[2] = { x, x / 2 };
  return y[x > 100];
}

static int
first_of (const int *p)
{
  return p[0];
}

static int
counted (int x)
{
  calls++;
  return x;
}

static int
sum_to (int x)
{
  return x < 1 ? 0 : x + sum_to (x - 1);
}
#pragma omp end declare target

static void
expect (const char *what)
{
  check_ints (what, a, want, N);
  for (int i = 0; i < N; i++)
    a[i] = want[i] = 0;
}

int
main (void)
{
  int n = N, from[1] = { 5 };

#pragma omp target teams distribute parallel for map(tofrom : a)             \
    map(to : from)
  for (int i = first_of (from); i < half (n); i += half (3))
    a[i] = i;
  for (int i = 5; i < N / 2; i += 3)
    want[i] = i;
  expect ("all of a loop's bounds");

#pragma omp target parallel for simd map(tofrom : a) num_threads(half (9))
  for (int i = half (n); i > half (50); i--)
    a[i] = i;
  for (int i = N / 2; i > 50; i--)
    want[i] = i;
  expect ("down");

#pragma omp target teams distribute parallel for collapse(2)                 \
    map(tofrom : a)
  for (int i = 0; i < half (30); i++)
    for (int j = 0; j < half (30); j++)
      a[i * 30 + j] = i + j;
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 30; j++)
      want[i * 30 + j] = i + j;
  expect ("collapsed");

#pragma omp target teams distribute map(tofrom : a)
  for (int i = 0; i < half (30); i++)
    {
#pragma omp parallel for
      for (int j = 0; j < half (30); j++)
        a[i * 30 + j] = i + j;
    }
  for (int i = 0; i < 30; i++)
    for (int j = 0; j < 30; j++)
      want[i * 30 + j] = i + j;
  expect ("split");

#pragma omp target teams distribute parallel for map(tofrom : a)
  for (int i = 0; i < counted (n); i++)
    a[i] = i;
  for (int i = 0; i < N; i++)
    want[i] = i;
  expect ("a call with an effect");

#pragma omp target parallel for map(tofrom : a)
  for (int i = omp_get_num_threads () > 0; i < n; i++)
    a[i] = i;
  for (int i = 1; i < N; i++)
    want[i] = i;
  expect ("a call that asks");

#pragma omp target teams distribute parallel for map(tofrom : a)
  for (int i = 0; i < sum_to (4); i++)
    a[i] = i;
  for (int i = 0; i < 10; i++)
    want[i] = i;
  expect ("a recursive call");
  return check_status ();
}
