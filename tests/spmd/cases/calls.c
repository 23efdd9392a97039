/* Calls in the body.

   FLAGS: -fopenmp -foffload-options=-lm
   ACCEPT: 11
   REJECT: a recursive function
   REJECT: an indirect call
   REJECT: a function with a construct
   REJECT: a variable of variable size
   REJECT: a function that is not in this file
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { N = 700 };
static int a[N], want[N];
typedef struct { double x, y, z; } vector;

#pragma omp declare target
static int counter;

static int
twice (int x)
{
  return x + x;
}

/* Frames of their own, at several depths.  */
static __attribute__ ((noinline)) int
sorted (int seed, int k)
{
  int v[16];
  for (int i = 0; i < 16; i++)
    v[i] = (seed * 7919 + i * 104729) % 1009;
  for (int i = 1; i < 16; i++)
    for (int j = i; j > 0 && v[j - 1] > v[j]; j--)
      {
        int t = v[j];
        v[j] = v[j - 1];
        v[j - 1] = t;
      }
  return v[k & 15];
}

static __attribute__ ((noinline)) int
median (int i)
{
  int v[3] = { sorted (i, 0), sorted (i + 1, 8), sorted (i + 2, 15) };
  return v[i % 3] + (i % 5 ? sorted (v[1], v[0]) : twice (v[2]));
}

static vector
add (vector a, vector b)
{
  vector c = { a.x + b.x, a.y + b.y, a.z + b.z };
  return c;
}

static __attribute__ ((noinline)) void
put (int *to, int what)
{
  *to = what;
}

static __attribute__ ((noinline)) int
count (int by)
{
  int old;
#pragma omp atomic capture
  {
    old = counter;
    counter += by;
  }
  return old;
}

static int
place (void)
{
  return omp_get_thread_num ();
}

static int
fibonacci (int n)
{
  return n < 2 ? n : fibonacci (n - 1) + fibonacci (n - 2);
}

static int
total (int n)
{
  int sum = 0;
  for (int i = 0; i < n; i++)
#pragma omp critical
    sum += i;
  return sum;
}

static int
in_frame (int n)
{
  int v[n + 1];
  for (int i = 0; i <= n; i++)
    v[i] = i;
  return v[n / 2];
}
#pragma omp end declare target

static void
frames (int n)
{
#pragma omp target teams distribute parallel for map (from: a)
  for (int i = 0; i < n; i++)
    a[i] = twice (i) + 1;
  for (int i = 0; i < n; i++)
    want[i] = 2 * i + 1;
  check_ints ("no frame", a, want, n);

#pragma omp target teams distribute parallel for map (from: a)
  for (int i = 0; i < n; i++)
    a[i] = i % 3 ? median (i) : sorted (i, i);
  for (int i = 0; i < n; i++)
    want[i] = i % 3 ? median (i) : sorted (i, i);
  check_ints ("frames", a, want, n);

  long sum = 0, want_sum = 0;
#pragma omp target teams distribute parallel for reduction (+: sum)           \
    num_teams (5) thread_limit (12)
  for (int i = 0; i < n; i++)
    {
      int t;
      put (&t, median (i));
      sum += t;
    }
  for (int i = 0; i < n; i++)
    want_sum += median (i);
  check_long ("frames and a reduction", sum, want_sum);

#pragma omp target teams distribute map (from: a)
  for (int i = 0; i < n / 10; i++)
    {
      int base = median (i);
#pragma omp parallel for
      for (int j = 0; j < 10; j++)
        a[10 * i + j] = sorted (base, j);
    }
  for (int i = 0; i < n; i++)
    want[i] = sorted (median (i / 10), i % 10);
  check_ints ("frames in teams", a, want, n / 10 * 10);
}

static void
other (int n)
{
  static vector v[N];
#pragma omp target teams distribute parallel for map (from: v)
  for (int i = 0; i < n; i++)
    {
      vector p = { i, i + 1, i + 2 };
      v[i] = add (p, add (p, p));
    }
  for (int i = 0; i < n; i++)
    check_double ("structures", v[i].x + v[i].y * 2 + v[i].z * 4,
                  21.0 * i + 30);

#pragma omp target teams distribute parallel for map (tofrom: a)
  for (int i = 0; i < n; i++)
    {
      int v[4], w[4];
      memset (v, 0, sizeof v);
      v[i % 4] = i;
      memcpy (w, v, sizeof v);
      if (w[i % 4] != i)
        abort ();
      put (&a[i], w[i % 4] + abs (-i));
    }
  for (int i = 0; i < n; i++)
    want[i] = 2 * i;
  check_ints ("library", a, want, n);

  int before = 0, behind = 0;
#pragma omp target map (from: before)
  before = counter;
#pragma omp target teams distribute parallel for map (from: a)
  for (int i = 0; i < n; i++)
    a[i] = count (2) & 1;
#pragma omp target map (from: behind)
  behind = counter;
  memset (want, 0, sizeof want);
  check_ints ("atomic updates in functions: each", a, want, n);
  check_long ("atomic updates in functions: all", behind - before, 2 * n);

  double sum = 0, want_sum = 0;
#pragma omp target teams distribute parallel for reduction (+: sum)
  for (int i = 0; i < n; i++)
    sum += rint (1000 * (sin (i) + pow (i, 0.5)));
  for (int i = 0; i < n; i++)
    want_sum += rint (1000 * (sin (i) + pow (i, 0.5)));
  check_double ("mathematics", sum, want_sum);
}

static void
rejected (int n)
{
#pragma omp target teams distribute parallel for map (from: a)                \
    num_teams (3) thread_limit (8)
  for (int i = 0; i < n; i++)
    a[i] = place () < omp_get_num_threads ();
  for (int i = 0; i < n; i++)
    want[i] = 1;
  check_ints ("a question", a, want, n);

#pragma omp target teams distribute parallel for map (from: a)
  for (int i = 0; i < n; i++)
    a[i] = fibonacci (i % 9);
  for (int i = 0; i < n; i++)
    want[i] = fibonacci (i % 9);
  check_ints ("recursion", a, want, n);

#pragma omp target teams distribute parallel for map (from: a)
  for (int i = 0; i < n; i++)
    {
      int (*f) (int) = i % 2 ? twice : total;
      a[i] = f (i);
    }
  for (int i = 0; i < n; i++)
    want[i] = i % 2 ? twice (i) : total (i);
  check_ints ("an indirect call", a, want, n);

#pragma omp target teams distribute parallel for map (from: a)
  for (int i = 0; i < n; i++)
    a[i] = total (i);
  for (int i = 0; i < n; i++)
    want[i] = total (i);
  check_ints ("a critical section", a, want, n);

#pragma omp target teams distribute parallel for map (from: a)
  for (int i = 0; i < n; i++)
    a[i] = in_frame (i % 20);
  for (int i = 0; i < n; i++)
    want[i] = in_frame (i % 20);
  check_ints ("a frame of variable size", a, want, n);

#pragma omp target teams distribute parallel for map (from: a)
  for (int i = 0; i < n; i++)
    a[i] = omp_get_wtime () < 0;
  memset (want, 0, sizeof want);
  check_ints ("a library's function", a, want, n);
}

int
main (void)
{
  frames (N);
  other (N);
  rejected (N);
  return check_status ();
}
