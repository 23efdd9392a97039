/* Tasks in parallel regions of the device, made one by one and many at once, by
   one thread while the others are still on their way to the barrier.  Prints how
   many results are wrong.
   usage: tasks [STEPS]

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 64

static int wrong;

static void
check (const int *x, const char *what)
{
  for (int i = 0; i < N; i++)
    if (x[i] != 1 + i)
      {
        printf ("%s: %d at %d\n", what, x[i], i);
        wrong++;
        break;
      }
}

static void
reset (int *x)
{
  for (int i = 0; i < N; i++)
    x[i] = 1;
}

/* LATE: how long threads other than the master work before the barrier.  */
static void
loops (int threads, int late)
{
  int x[N], y[N];
  reset (x);
  reset (y);
#pragma omp target parallel num_threads(threads) map(tofrom : x, y) firstprivate(late)
  {
    volatile int spin = 0;
#pragma omp master
#pragma omp taskloop
    for (int i = 0; i < N; i++)
      x[i] += i;
    for (int k = 0; k < late; k++)
      spin += k;
#pragma omp barrier
#pragma omp single
#pragma omp taskloop num_tasks(3)
    for (int i = 0; i < N; i++)
      y[i] += i;
  }
  check (x, "taskloop");
  check (y, "taskloop num_tasks");
}

static void
single_tasks (int threads, int late)
{
  int x[N], sum = 0;
  reset (x);
#pragma omp target parallel num_threads(threads) map(tofrom : x, sum) firstprivate(late)
  {
    volatile int spin = 0;
    for (int k = 0; k < late; k++)
      spin += k;
#pragma omp single nowait
    {
      for (int i = 0; i < N; i++)
#pragma omp task firstprivate(i)
        x[i] += i;
#pragma omp taskwait
      for (int i = 0; i < 8; i++)
#pragma omp task depend(inout : sum) firstprivate(i)
        sum = sum * 2 + i;
    }
  }
  check (x, "task");
  wrong += sum != 247;
}

static void
groups (int threads)
{
  int x[N];
  reset (x);
#pragma omp target teams num_teams(2) thread_limit(8) map(tofrom : x)
#pragma omp distribute
  for (int half = 0; half < 2; half++)
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp taskgroup
    {
#pragma omp taskloop nogroup grainsize(2)
      for (int i = half * N / 2; i < (half + 1) * N / 2; i++)
        x[i] += i;
    }
  check (x, "taskgroup");
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 2;
  for (int t = 0; t < steps; t++)
    for (int threads = 2; threads <= 8; threads += 3)
      {
        loops (threads, 0);
        loops (threads, 200);
        single_tasks (threads, 0);
        single_tasks (threads, 200);
        groups (threads);
      }
  printf ("%d wrong\n", wrong);
  return wrong != 0;
}
