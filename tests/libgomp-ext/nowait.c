/* target nowait with everything that orders it: taskwait, taskgroup, depend,
   the end of a parallel region.  Prints how many results are wrong.
   usage: nowait STEPS

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#define N 1000
#define TASKS 8

static int a[TASKS][N], b[N], wrong;

static void
independent (int step)
{
  for (int k = 0; k < TASKS; k++)
#pragma omp target nowait map(tofrom : a[k])
    for (int i = 0; i < N; i++)
      a[k][i] += k + i;
#pragma omp taskwait
  for (int k = 0; k < TASKS; k++)
    for (int i = 0; i < N; i++)
      wrong += a[k][i] != (step + 1) * (k + i);
}

/* Device, device, ..., host, device: each needs the one before.  */
static void
chain (void)
{
  int before = b[0], bad = 0, want = before;
  for (int k = 0; k < 5; k++)
    {
#pragma omp target nowait map(tofrom : b) depend(inout : b)
      for (int i = 0; i < N; i++)
        b[i] = b[i] % 1000 * 3 + k;
      want = want % 1000 * 3 + k;
    }
#pragma omp task depend(inout : b) shared(bad)
  for (int i = 0; i < N; i++)
    bad += b[i]++ != want;
#pragma omp target nowait map(tofrom : b) depend(in : b)
  for (int i = 0; i < N; i++)
    b[i] += 2;
#pragma omp taskwait
  for (int i = 0; i < N; i++)
    bad += b[i] != want + 3;
  wrong += bad;
}

static void
group (int step)
{
  int x = step, y = 0;
#pragma omp taskgroup
  {
#pragma omp target nowait map(from : y) firstprivate(x)
    y = x * 6;
    x = -1;
  }
  wrong += y != step * 6;
}

/* The data stays on the device; another construct waits for the kernel.  */
static void
present (int step)
{
  int x = step;
#pragma omp target data map(tofrom : x)
  {
#pragma omp target nowait map(tofrom : x) depend(out : x)
    x++;
#pragma omp target map(tofrom : x) depend(in : x)
    x *= 2;
  }
#pragma omp taskwait
  wrong += x != (step + 1) * 2;
}

static void
threads (void)
{
#pragma omp parallel num_threads(4) reduction(+ : wrong)
  {
    int me = omp_get_thread_num (), mine = 0, other = 0;
#pragma omp target nowait map(tofrom : mine) firstprivate(me)
    mine += me + 1;
#pragma omp target map(tofrom : other) firstprivate(me)
    other += me + 2;
#pragma omp taskwait
    wrong += (mine != me + 1) + (other != me + 2);
    /* The barrier at the end completes this one.  */
#pragma omp target nowait firstprivate(me) map(tofrom : a[me])
    a[me][0]++;
  }
  for (int k = 0; k < 4; k++)
    wrong += a[k][0]-- < 1;
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 4;
  for (int t = 0; t < steps; t++)
    {
      independent (t);
      chain ();
      group (t);
      present (t);
      threads ();
    }
  printf ("%d wrong\n", wrong);
  return 0;
}
