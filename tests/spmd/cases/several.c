/* Several loops in one target construct.

   ACCEPT: 16
   REJECT: several loops with one distribution
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum { N = 2000 };
static int a[N], b[N], want[N];

static void
expect (const char *what)
{
  check_ints (what, a, want, N);
  for (int i = 0; i < N; i++)
    {
      a[i] = b[i] = 0;
      want[i] = 3 * i + 1;
    }
}

/* One team: each loop sees what the one before has done.  */
static void
one_team (int n)
{
#pragma omp target parallel map (tofrom : a, b)
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      b[i] = 3 * i;
#pragma omp for
    for (int i = 0; i < n; i++)
      a[i] = b[n - 1 - i] + 1;
#pragma omp for schedule (static, 1)
    for (int i = 0; i < n / 2; i++)
      {
        int t = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = t;
      }
  }
  expect ("worksharing loops");

#pragma omp target map (tofrom : a, b)
  {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      b[i] = 3 * i;
#pragma omp parallel for num_threads (3)
    for (int i = 0; i < n; i++)
      a[i] = b[n - 1 - i] + 1;
#pragma omp parallel for simd collapse (2)
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < n / 4; j++)
        {
          int k = i * (n / 4) + j, t = a[k];
          a[k] = a[n - 1 - k];
          a[n - 1 - k] = t;
        }
  }
  expect ("parallel loops");

  int sum = 0, most = -1;
#pragma omp target parallel map (tofrom : a, b, sum, most) reduction (+ : sum)
  {
    int m = n / 2;
#pragma omp for nowait
    for (int i = 0; i < m; i++)
      {
        a[i] = 3 * i + 1;
        sum += a[i];
      }
#pragma omp for reduction (max : most)
    for (int i = m; i < n; i++)
      {
        a[i] = 3 * i + 1;
        sum += a[i];
        most = most > i ? most : i;
      }
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < n; i++)
      b[i] = most;
  }
  check_long ("a sum over both", sum, (3LL * (n - 1) + 2) * n / 2);
  check_long ("most", b[n / 3], n - 1);
  expect ("reductions");

  /* The bound is known after the first loop.  */
  int end = 0;
#pragma omp target parallel map (tofrom : a, end)
  {
#pragma omp for
    for (int i = 0; i < 1; i++)
      end = n;
#pragma omp for
    for (int i = 0; i < end; i++)
      a[i] = 3 * i + 1;
  }
  expect ("a bound that a loop sets");

  int last = 0;
#pragma omp target parallel map (tofrom : a, last)
  {
#pragma omp for lastprivate (last)
    for (int i = 0; i < n; i++)
      last = i;
#pragma omp for
    for (int i = 0; i < n; i++)
      a[i] = 3 * i + last - n + 2;
  }
  expect ("a last value");
}

static void
teams (int n)
{
  long sum = 0;
#pragma omp target map (tofrom : a, b, sum)
#pragma omp teams reduction (+ : sum)
  {
#pragma omp distribute parallel for
    for (int i = 0; i < n; i++)
      a[i] = 3 * i + 1;
#pragma omp distribute parallel for simd reduction (+ : sum)
    for (int i = 0; i < n; i++)
      {
        b[i] = 3 * i + 1;
        sum += i;
      }
  }
  check_long ("a sum of teams", sum, (long)n * (n - 1) / 2);
  check_ints ("the second loop of teams", b, want, N);
  expect ("the first loop of teams");

#pragma omp target teams num_teams (5) thread_limit (16) map (tofrom : a, b)
  {
#pragma omp distribute
    for (int i = 0; i < n; i++)
      b[i] = i;
#pragma omp distribute parallel for collapse (2)
    for (int i = 0; i < n / 20; i++)
      for (int j = 0; j < 20; j++)
        a[i * 20 + j] = 3 * (i * 20 + j) + 1;
  }
  expect ("different loops of teams");
}

static void
rejected (int n)
{
#pragma omp target teams map (tofrom : a, b) num_teams (3)
  {
#pragma omp distribute dist_schedule (static, 100)
    for (int i = 0; i < n; i++)
      b[i] = 3 * i;
#pragma omp distribute dist_schedule (static, 100)
    for (int i = 0; i < n; i++)
      a[i] = b[i] + 1;
  }
  expect ("chunks of teams");

  int t = 0;
#pragma omp target parallel map (tofrom : a, b) firstprivate (t)              \
    num_threads (1)
  {
#pragma omp for
    for (int i = 0; i < n; i++)
      t += i == 7;
#pragma omp for
    for (int i = 0; i < n; i++)
      a[i] = 3 * i + t;
  }
  expect ("a thread's variable");

  int end = 5;
#pragma omp target map (tofrom : a, end)
  {
    int m = end;
#pragma omp parallel for
    for (int i = 0; i < 1; i++)
      end = n;
#pragma omp parallel for
    for (int i = m - 5; i < n; i++)
      a[i] = 3 * i + 1;
  }
  expect ("a bound that a loop sets later");

#pragma omp target map (tofrom : a)
  {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      a[i] = 3 * i + 1;
    if (n > 0)
      {
#pragma omp parallel for
        for (int i = 0; i < n; i++)
          a[i] = 3 * i + 1;
      }
  }
  expect ("a condition");

#pragma omp target map (tofrom : a)
  {
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      a[i] = 3 * i;
    for (int i = 0; i < n; i++)
      a[i]++;
  }
  expect ("a loop of one thread");

#pragma omp target map (tofrom : a)
  {
#pragma omp parallel for
    for (int i = 1; i < n; i++)
      a[i] = 3 * i + 1;
    a[0] = a[1] - 3;
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      b[i] = a[0];
  }
  expect ("an assignment");
}

/* What a loop leaves in a variable of the region's own, the next one sees.  */
static void
last_values (int n)
{
  int most = 5, i = 3, j = 1;
#pragma omp target map (tofrom : a, b) firstprivate (most)
  {
#pragma omp parallel for lastprivate (most)
    for (int k = 0; k < 4; k++)
      {
	most = n / 2 + k;
	b[k] = most;
      }
#pragma omp parallel for
    for (int k = 0; k < most; k++)
      a[k] = k + 1;
  }
#pragma omp target map (tofrom : a, b) firstprivate (i)
  {
#pragma omp parallel for simd
    for (i = 0; i < n - 9; i++)
      b[i] = i;
#pragma omp parallel for
    for (int k = n / 2 + 3; k < i; k++)
      a[k] = b[k] + 1;
  }
#pragma omp target map (tofrom : a, b)
  {
    int from = 5;
#pragma omp parallel for lastprivate (from)
    for (int k = 0; k < 4; k++)
      from = n - 12 + k;
#pragma omp parallel for
    for (int k = from; k < n; k++)
      a[k] = k + 1;
  }
#pragma omp target map (tofrom : a, b) private (j)
  {
#pragma omp parallel for simd
    for (j = 0; j < n; j++)
      a[j] *= 3;
#pragma omp parallel for simd
    for (j = 0; j < n; j++)
      a[j] -= 2;
  }
  expect ("last values");
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    want[i] = 0;
  expect ("start");
  one_team (N);
  teams (N);
  rejected (N);
  last_values (N);
  return check_status ();
}
