/* Parallel constructs that the threads of a parallel construct meet: each is a
   team of one.

   ACCEPT: 9
   REJECT: a construct in the loop
   REJECT: a construct in the loop
   REJECT: nested parallelism

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

#include <omp.h>

#define N 700
#define M 37

static int a[N], b[M], want[N];
static double x[N], y[M], want_x[N];

static void
sums (int n, int m)
{
#pragma omp target teams distribute parallel for map(to : y) map(from : x)
  for (int i = 0; i < n; i++)
    {
      double s = i;
#pragma omp parallel for simd reduction(+ : s) num_threads(4)
      for (int k = 0; k < m; k++)
        s += y[k] * i;
      x[i] = s;
    }
  for (int i = 0; i < n; i++)
    {
      want_x[i] = 0;
      for (int k = 0; k < m; k++)
        want_x[i] += y[k] * i;
      want_x[i] += i;
    }
  for (int i = 0; i < n; i++)
    check_double ("a sum of a combined construct", x[i], want_x[i]);

    /* Two results, one by a clause of the loop's.  */
#pragma omp target teams distribute parallel for map(to : b) map(from : a)
  for (int i = 0; i < n; i++)
    {
      int s = 1, most = -1;
#pragma omp parallel reduction(max : most)
      {
#pragma omp for reduction(+ : s) schedule(dynamic, 3)
        for (int k = 0; k < m; k++)
          {
            s += b[k] ^ i;
            most = most < (b[k] ^ i) ? (b[k] ^ i) : most;
          }
      }
      a[i] = s * 1000 + most;
    }
  for (int i = 0; i < n; i++)
    {
      int s = 1, most = -1;
      for (int k = 0; k < m; k++)
        {
          s += b[k] ^ i;
          most = most < (b[k] ^ i) ? (b[k] ^ i) : most;
        }
      want[i] = s * 1000 + most;
    }
  check_ints ("two results", a, want, n);
}

static void
variables (int n, int m)
{
  /* PLUS and K are others inside, and LAST is set there.  */
#pragma omp target teams distribute parallel for map(from : a)
  for (int i = 0; i < n; i++)
    {
      int plus = i, k = 5, last = 0, sum = 0;
#pragma omp parallel firstprivate(plus) private(k) shared(sum)
      {
        plus += 3;
        k = plus * 2;
        sum += k;
#pragma omp for lastprivate(last) collapse(2)
        for (int p = 0; p < m; p++)
          for (int q = 0; q < 2; q++)
            {
              last = p * 10 + q;
              sum += k;
            }
      }
      a[i] = plus + k + last + sum;
    }
  for (int i = 0; i < n; i++)
    want[i] = i + 5 + (m - 1) * 10 + 1 + (1 + 2 * m) * 2 * (i + 3);
  check_ints ("variables", a, want, n);

  /* A variable from in front of the region counts.  */
  int k;
#pragma omp target teams distribute parallel for map(from : a) private(k)
  for (int i = 0; i < n; i++)
    {
      a[i] = 0;
#pragma omp parallel for private(k)
      for (k = i; k < i + m; k += 2)
        a[i] += k;
    }
  for (int i = 0; i < n; i++)
    {
      want[i] = 0;
      for (k = i; k < i + m; k += 2)
        want[i] += k;
    }
  check_ints ("a variable from in front", a, want, n);
}

static void
questions (int n)
{
#pragma omp target teams distribute parallel for map(from : a)
  for (int i = 0; i < n; i++)
    {
      int s = omp_get_level () * 100000;
#pragma omp parallel shared(s) num_threads(2)
      {
        s += omp_get_thread_num () * 10000 + omp_get_num_threads () * 1000
             + (omp_get_level () - 1) * 100;
#pragma omp parallel shared(s)
        s += omp_get_thread_num () * 10000 + omp_get_num_threads () * 10
             + omp_get_level () - 1;
      }
      a[i] = s;
    }
  for (int i = 0; i < n; i++)
    want[i] = 100000 + 1000 + 100 + 10 + 2;
  check_ints ("questions", a, want, n);

  /* Who asks behind it is another thread.  */
#pragma omp target parallel for map(from                                      \
                                    : a) num_threads(64) schedule(static, 1)
  for (int i = 0; i < n; i++)
    {
      int inner = 0;
#pragma omp parallel
      inner = omp_get_thread_num ();
      a[i] = omp_get_thread_num () * 2 + inner;
    }
  int threads = 0;
  for (int i = 0; i < n; i++)
    threads = threads < a[i] / 2 + 1 ? a[i] / 2 + 1 : threads;
  for (int i = 0; i < n; i++)
    want[i] = i % threads * 2;
  check_ints ("the thread around", a, want, n);
}

static void
shapes (int n, int m)
{
  /* In a loop of the thread's, under a condition, at the third level.  */
#pragma omp target teams distribute parallel for map(tofrom : a)
  for (int i = 0; i < n; i++)
    {
      a[i] = 0;
      for (int r = 0; r < 3; r++)
        if ((i + r) % 2)
          {
#pragma omp parallel for if (r)
            for (int k = 0; k < m; k++)
              {
#pragma omp parallel for schedule(static, 4)
                for (int l = k; l >= 0; l--)
                  a[i] += l * r;
              }
          }
    }
  for (int i = 0; i < n; i++)
    {
      want[i] = 0;
      for (int r = 0; r < 3; r++)
        if ((i + r) % 2)
          for (int k = 0; k < m; k++)
            for (int l = k; l >= 0; l--)
              want[i] += l * r;
    }
  check_ints ("loops and conditions", a, want, n);

  /* Teams that share out rows, whose threads share out columns.  */
#pragma omp target teams distribute map(tofrom : a)
  for (int t = 0; t < n; t += 70)
    {
#pragma omp parallel for
      for (int i = t; i < t + 70; i++)
        {
          int s = 0;
#pragma omp parallel for reduction(+ : s)
          for (int k = 0; k < m; k++)
            s += k ^ i;
          a[i] = s;
        }
    }
  for (int i = 0; i < n; i++)
    {
      want[i] = 0;
      for (int k = 0; k < m; k++)
        want[i] += k ^ i;
    }
  check_ints ("teams", a, want, n);

  /* Team's code around the parallel constructs.  */
#pragma omp target teams num_teams(5) thread_limit(64) map(tofrom : a)
  {
    int part[64];
#pragma omp parallel
    {
      int me = omp_get_thread_num (), s = 0;
#pragma omp parallel for reduction(+ : s)
      for (int k = 0; k < m; k++)
        s += k * me;
      part[me] = s;
      /* One thread waits for nobody.  */
      if (me >= 32)
        {
#pragma omp parallel shared(part)
          {
            part[me] += 5;
#pragma omp barrier
            for (int k = 0; k < 1000; k++)
              part[me] += k % 2 ? 1 : -1;
            part[me] -= 5;
          }
        }
#pragma omp barrier
      a[omp_get_team_num () * 64 + me]
          = part[(me + 1) % omp_get_num_threads ()]
            + omp_get_num_threads () % 2;
    }
  }
  int each = m * (m - 1) / 2;
  for (int i = 0; i < 5; i++)
    for (int k = 0; k < 64; k++)
      want[i * 64 + k] = (k + 1) % 64 * each;
  if (omp_get_num_devices ())
    check_ints ("blocks", a, want, 5 * 64);
}

/* What more there is to a construct than loops and variables.  */
static void
rejected (int n)
{
#pragma omp target teams distribute parallel for map(from : a)
  for (int i = 0; i < n; i++)
    {
      int s = 0;
#pragma omp parallel
      {
#pragma omp single
        s += i;
#pragma omp single
        s += 2;
      }
      a[i] = s;
    }
  for (int i = 0; i < n; i++)
    want[i] = i + 2;
  check_ints ("single", a, want, n);

#pragma omp target teams distribute parallel for map(from : a)
  for (int i = 0; i < n; i++)
    {
      int s = 0;
#pragma omp parallel for ordered
      for (int k = 0; k < 4; k++)
        {
#pragma omp ordered
          s = s * 2 + k;
        }
      a[i] = s + i;
    }
  for (int i = 0; i < n; i++)
    want[i] = 11 + i;
  check_ints ("ordered", a, want, n);

  /* Each thread's only one, not one of the team's.  */
#pragma omp target teams num_teams(3) map(from : a)
  {
    int each[32];
#pragma omp parallel
    for (int i = omp_get_thread_num (); i < 32; i += omp_get_num_threads ())
      {
        each[i] = i;
#pragma omp parallel shared(each)
#pragma omp single
        each[i]++;
        a[omp_get_team_num () * 32 + i] = each[i];
      }
  }
  for (int i = 0; i < 3 * 32; i++)
    want[i] = i % 32 + 1;
  check_ints ("a single construct of a thread", a, want, 3 * 32);
}

int
main (void)
{
  for (int k = 0; k < M; k++)
    {
      b[k] = k * 7 % 23;
      y[k] = k * .25;
    }
  sums (N, M);
  variables (N, M);
  questions (N);
  shapes (N, M);
  rejected (N);
  return check_status ();
}
