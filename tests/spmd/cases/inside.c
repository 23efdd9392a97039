/* What a loop's body may hold: atomic updates, simd loops, questions about the
   thread's place.

   ACCEPT: 8
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"
#include <omp.h>

enum { N = 2000 };
static int a[N], b[N], want[N];

static void
atomics (int n)
{
  int top = 0, most = -1, seen = 0;
  long sum = 0;
#pragma omp target teams distribute parallel for map (tofrom: top, sum, a)   \
    map (tofrom: most)
  for (int i = 0; i < n; i++)
    {
      int at;
#pragma omp atomic capture
      at = top++;
      a[at] = 1;
#pragma omp atomic
      sum += i;
#pragma omp atomic write seq_cst
      most = n;
    }
#pragma omp target teams distribute parallel for map (tofrom: seen) map (to: a)
  for (int i = 0; i < n; i++)
    {
      int x;
#pragma omp atomic read
      x = a[i];
      if (x)
#pragma omp atomic
        seen++;
    }
  check_long ("atomic capture", top, n);
  check_long ("atomic update", sum, (long) n * (n - 1) / 2);
  check_long ("atomic write", most, n);
  check_long ("atomic read", seen, n);
}

static void
inner (int n)
{
  int t = 77;
#pragma omp target teams distribute parallel for map (from: a) firstprivate (t)
  for (int i = 0; i < n; i++)
    {
      int s = 0, last = 0;
#pragma omp simd reduction (+: s) private (t) lastprivate (last)
      for (int j = 0; j < 10; j++)
        {
          t = i + j;
          s += t;
          last = j;
        }
#pragma omp simd collapse (2)
      for (int j = 4; j >= 0; j -= 2)
        for (long k = 0; k != 3; k++)
          s += j * k;
      a[i] = s + t + last;
    }
  for (int i = 0; i < n; i++)
    want[i] = 10 * i + 45 + 18 + 77 + 9;
  check_ints ("simd in the loop", a, want, n);
}

static int
among_p (int i, int n)
{
  return i >= 0 && i < n;
}

static void
places (int n)
{
#pragma omp target teams distribute parallel for map (from: a, b)            \
    num_teams (3) thread_limit (7)
  for (int i = 0; i < n; i++)
    {
      a[i] = omp_get_team_num () * 7 + omp_get_thread_num ();
      b[i] = omp_get_num_teams () * 100 + omp_get_num_threads ();
    }
  for (int i = 0; i < n; i++)
    {
      check_long ("a thread", among_p (a[i], 21), 1);
      check_long ("as many as allowed",
                  among_p (b[i] / 100, 4) && among_p (b[i] % 100, 8), 1);
    }
#pragma omp target teams distribute map (from: a, b)
  for (int i = 0; i < n; i++)
    {
      a[i] = omp_get_thread_num () + omp_get_level () + omp_in_parallel ();
      b[i] = omp_get_num_threads ();
      if (omp_get_team_num () >= omp_get_num_teams ())
        a[i] = 1000;
    }
  for (int i = 0; i < n; i++)
    {
      check_long ("outside of a parallel region", a[i], 0);
      check_long ("one thread", b[i], 1);
    }
#pragma omp target parallel for num_threads (4) map (from: a, b)             \
    schedule (static, 2)
  for (int i = 0; i < n; i++)
    {
      a[i] = omp_get_thread_num () - i / 2 % omp_get_num_threads ();
      b[i] = omp_get_num_threads () <= 4 && omp_get_team_num () == 0
             && omp_get_num_teams () == 1;
    }
  for (int i = 0; i < n; i++)
    {
      check_long ("the thread that a schedule names", a[i], 0);
      check_long ("num_threads", b[i], 1);
    }
#pragma omp target teams distribute parallel for map (from: a)               \
    num_threads (8) if (parallel: n < 5)
  for (int i = 0; i < n; i++)
    a[i] = omp_get_thread_num () * 10 + omp_get_num_threads ();
  for (int i = 0; i < n; i++)
    check_long ("if (parallel: false)", a[i], 1);
}

static void
host_or_device (void)
{
  int here = 1;
#pragma omp target teams distribute parallel for map (tofrom: here)
  for (int i = 0; i < 1; i++)
    here = omp_is_initial_device ();
  check_long ("where", here, omp_get_num_devices () == 0);
}

int
main (void)
{
  atomics (N);
  inner (N);
  places (N);
  host_or_device ();
  return check_status ();
}
