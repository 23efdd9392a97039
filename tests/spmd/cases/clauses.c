/* Data-sharing and launch clauses.

   ACCEPT: 17
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum { N = 500 };
static int a[N], want[N];

static void
reset (void)
{
  for (int k = 0; k < N; k++)
    {
      a[k] = -1;
      want[k] = k;
    }
}

struct pair { int x, y[3]; };

static void
data (int n)
{
  int t = 7, f = 5;
  double d = 1.5;
  struct pair p = { 1, { 2, 3, 4 } };
  int array[4] = { 1, 2, 3, 4 };

  reset ();
#pragma omp target teams distribute parallel for private (t) map (tofrom: a)
  for (int i = 0; i < n; i++)
    {
      t = i * 3;
      if (t & 1)
        t++;
      a[i] = t;
    }
  for (int i = 0; i < n; i++)
    want[i] = (i * 3 + 1) / 2 * 2;
  check_ints ("private", a, want, n);

  reset ();
#pragma omp target teams distribute parallel for firstprivate (f, d, p) \
    map (tofrom: a)
  for (int i = 0; i < n; i++)
    a[i] = f + (int)(d * i) + p.x + p.y[i % 3];
  for (int i = 0; i < n; i++)
    want[i] = f + (int)(d * i) + p.x + p.y[i % 3];
  check_ints ("firstprivate", a, want, n);

  /* Every iteration sets what it reads.  */
  reset ();
#pragma omp target teams distribute parallel for firstprivate (array, p) \
    map (tofrom: a)
  for (int i = 0; i < n; i++)
    {
      array[1] = i;
      p.y[2] = array[1] + array[i & 1 ? 1 : 2];
      a[i] = p.y[2] + array[3];
    }
  for (int i = 0; i < n; i++)
    want[i] = (i & 1 ? 2 * i : i + 3) + 4;
  check_ints ("firstprivate arrays, written", a, want, n);
}

static void
launch (int n, int teams, int threads)
{
  reset ();
#pragma omp target teams distribute parallel for num_teams (3) \
    thread_limit (5) map (tofrom: a)
  for (int i = 0; i < n; i++)
    a[i] = i;
  check_ints ("num_teams (3) thread_limit (5)", a, want, N);

  reset ();
#pragma omp target teams distribute parallel for num_teams (teams) \
    num_threads (threads) map (tofrom: a)
  for (int i = 0; i < n; i++)
    a[i] = i;
  check_ints ("num_teams, num_threads of variables", a, want, N);

  /* One thread: each iteration sees the one before.  */
  reset ();
  a[0] = 0;
#pragma omp target teams distribute parallel for num_teams (1) \
    thread_limit (1) map (tofrom: a)
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + 1;
  check_ints ("one thread", a, want, N);

  reset ();
  a[0] = 0;
#pragma omp target teams distribute parallel for num_teams (1) \
    if (parallel: n < 0) map (tofrom: a)
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + 1;
  check_ints ("if (parallel: false)", a, want, N);

  reset ();
#pragma omp target teams distribute parallel for schedule (dynamic, 3) \
    dist_schedule (static, 7) map (tofrom: a) if (target: n > 0) nowait
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma omp taskwait
  check_ints ("schedule, nowait", a, want, N);

  reset ();
#pragma omp target teams distribute parallel for schedule (guided) \
    map (tofrom: a) if (target: n < 0) device (0)
  for (int i = 0; i < n; i++)
    a[i] = i;
  check_ints ("on the host", a, want, N);
}

/* One team without a parallel construct takes its iterations in order, as a
   simd loop does when it is none.  */
static void
in_order (int n, int teams)
{
  reset ();
  a[0] = 0;
#pragma omp target teams distribute num_teams (1) map (tofrom: a)
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + 1;
  check_ints ("one team", a, want, N);

  reset ();
  a[0] = 0;
#pragma omp target teams distribute num_teams (teams) map (tofrom: a)
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + 1;
  check_ints ("num_teams that is 1", a, want, N);

  reset ();
#pragma omp target teams distribute simd num_teams (teams) map (tofrom: a)
  for (int i = 0; i < n; i++)
    a[i] = i;
  check_ints ("one team, simd", a, want, N);

  reset ();
  a[0] = a[1] = a[2] = a[3] = 0;
#pragma omp target simd safelen (4) map (tofrom: a)
  for (int i = 4; i < n; i++)
    a[i] = a[i - 4] + 4;
  for (int i = 0; i < n; i++)
    want[i] = i / 4 * 4;
  check_ints ("safelen (4)", a, want, N);

  reset ();
  a[0] = 0;
#pragma omp target simd if (simd: n < 0) map (tofrom: a)
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + 1;
  check_ints ("if (simd: false)", a, want, N);

  reset ();
  a[0] = 0;
#pragma omp target teams distribute simd num_teams (1) if (simd: n < 0) \
    map (tofrom: a)
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + 1;
  check_ints ("one team, if (simd: false)", a, want, N);

  reset ();
  a[0] = 0;
#pragma omp target parallel for simd num_threads (1) if (simd: n < 0) \
    map (tofrom: a)
  for (int i = 1; i < n; i++)
    a[i] = a[i - 1] + 1;
  check_ints ("one thread, if (simd: false)", a, want, N);
}

/* On the device only while it is mapped.  */
static int linked = 5;
#pragma omp declare target link (linked)
#pragma omp declare target
static int
next (void)
{
  return linked++;
}
#pragma omp end declare target

static void
link (void)
{
  int got = 0;
#pragma omp target map (tofrom: linked) map (from: got)
  {
    got = next ();
    got += 10 * next ();
  }
  check_long ("a linked variable, within", got, 65);
  check_long ("a linked variable, behind", linked, 7);
}

int
main (void)
{
  data (N - 3);
  launch (N, 2, 4);
  in_order (N, 1);
  link ();
  return check_status ();
}
