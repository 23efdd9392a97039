/* target nowait with everything that orders it: taskwait, taskgroup, depend,
   barriers, the end of a parallel region, of a thread and of the program.
   Prints how many results are wrong.
   usage: nowait serial|threads|pthreads|end|fork [STEPS]

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N 1000
#define TASKS 8

static int wrong; /* atomic */
#define CHECK(bad) __atomic_fetch_add (&wrong, (bad), __ATOMIC_RELAXED)


static void
independent (int step)
{
  int a[TASKS][N], bad = 0;
  for (int k = 0; k < TASKS; k++)
    {
      for (int i = 0; i < N; i++)
        a[k][i] = step;
#pragma omp target nowait map(tofrom : a[k])
      for (int i = 0; i < N; i++)
        a[k][i] += k + i;
    }
#pragma omp taskwait
  for (int k = 0; k < TASKS; k++)
    for (int i = 0; i < N; i++)
      bad += a[k][i] != step + k + i;
  CHECK (bad);
}

/* Device, device, ..., host, device: each needs the one before.  */
static void
chain (int step)
{
  int b[N], bad = 0, want = step;
  for (int i = 0; i < N; i++)
    b[i] = step;
  for (int k = 0; k < 5; k++)
    {
#pragma omp target nowait map(tofrom : b) depend(inout : b)
      for (int i = 0; i < N; i++)
        b[i] = b[i] % 1000 * 3 + k;
      want = want % 1000 * 3 + k;
    }
#pragma omp task depend(inout : b) shared(b, bad)
  for (int i = 0; i < N; i++)
    bad += b[i]++ != want;
#pragma omp target nowait map(tofrom : b) depend(in : b)
  for (int i = 0; i < N; i++)
    b[i] += 2;
#pragma omp taskwait depend(inout : b)
  for (int i = 0; i < N; i++)
    bad += b[i] != want + 3;
#pragma omp taskwait
  CHECK (bad);
}

/* Data and kernels in one graph: two readers between two writers.  */
static void
graph (int step)
{
  int x[N], y = 0, z = 0;
  for (int i = 0; i < N; i++)
    x[i] = step;
#pragma omp target enter data map(to : x) nowait depend(out : x)
#pragma omp target nowait map(tofrom : x) depend(inout : x)
  for (int i = 0; i < N; i++)
    x[i] = 2 * x[i] + i;
#pragma omp target nowait map(to : x) map(from : y) depend(in : x)              \
    depend(out : y)
  y = x[7];
#pragma omp target nowait map(to : x) map(from : z) depend(in : x)              \
    depend(out : z)
  z = x[N - 1];
#pragma omp target nowait map(tofrom : x) depend(inout : x)
  for (int i = 0; i < N; i++)
    x[i]++;
#pragma omp target update from(x) nowait depend(inout : x)
#pragma omp target exit data map(release : x) nowait depend(inout : x)
#pragma omp taskwait
  int bad = (y != 2 * step + 7) + (z != 2 * step + N - 1);
  for (int i = 0; i < N; i++)
    bad += x[i] != 2 * step + i + 1;
  CHECK (bad);
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
  CHECK (y != step * 6);
}

/* A pointer that is mapped, and leads to other memory behind the construct.  */
static void
member (int step)
{
  struct
  {
    int n, *p;
  } s;
  int a[TASKS][N], bad = 0;
  for (int k = 0; k < TASKS; k++)
    for (int i = 0; i < N; i++)
      a[k][i] = step;
  for (int k = 0; k < TASKS; k++)
    {
      s.p = a[k];
#pragma omp target nowait map(tofrom : s.p[ : N])
      for (int i = 0; i < N; i++)
        s.p[i] += k + i;
    }
  s.p = NULL;
#pragma omp taskwait
  for (int k = 0; k < TASKS; k++)
    for (int i = 0; i < N; i++)
      bad += a[k][i] != step + k + i;
  CHECK (bad);
}

/* Kernels of other numbers of teams and threads, each of which asks for its own when
   the other may have started.  */
static void
limits (int step)
{
  int teams[TASKS][3], threads[TASKS][3], n = 0, bad = 0;
  for (int k = 0; k < TASKS; k++)
    {
#pragma omp target teams nowait num_teams(3) thread_limit(2)                   \
    map(from : teams[k], threads[k])
      {
        volatile int sum = 0;
        for (int i = 0; i < 300 * (k % 3); i++)
          sum += i;
        teams[k][omp_get_team_num ()] = omp_get_num_teams ();
#pragma omp parallel
#pragma omp single
        threads[k][omp_get_team_num ()] = omp_get_num_threads ();
      }
#pragma omp target teams num_teams(4) thread_limit(5) map(tofrom : n)
      if (omp_get_team_num () == 0)
        {
          volatile int sum = step;
          for (int i = 0; i < 300; i++)
            sum += i;
          n = omp_get_num_teams ();
        }
      bad += n != 4;
    }
#pragma omp taskwait
  for (int k = 0; k < TASKS; k++)
    for (int i = 0; i < 3; i++)
      bad += teams[k][i] != 3 || threads[k][i] > 2;
  CHECK (bad);
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
  CHECK (x != (step + 1) * 2);
}

/* What was copied before may still be on its way.  */
static void
copied (int step)
{
  int x[N], bad = 0;
  for (int i = 0; i < N; i++)
    x[i] = step;
#pragma omp target enter data map(to : x)
  for (int k = 0; k < 3; k++)
    {
      for (int i = 0; i < N; i++)
        x[i] = step + i + k;
#pragma omp target update to(x)
#pragma omp target nowait map(tofrom : x)
      for (int i = 0; i < N; i++)
        x[i] *= 2;
#pragma omp taskwait
#pragma omp target update from(x)
      for (int i = 0; i < N; i++)
        bad += x[i] != 2 * (step + i + k);
    }
#pragma omp target exit data map(release : x)
  CHECK (bad);
}

/* A kernel without data is the first that a thread starts.  */
static void
bare (void)
{
  for (int k = 0; k < 3; k++)
    {
#pragma omp target nowait
      {
      }
    }
#pragma omp taskwait
}

/* Barriers wait for tasks, also where there is one thread.  */
static void
barriers (int step)
{
  int x = step, y = step;
#pragma omp target nowait map(tofrom : x)
  x++;
#pragma omp barrier
  CHECK (x != step + 1);
#pragma omp target nowait map(tofrom : y)
  y++;
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 3; i++)
    x++;
  CHECK (y != step + 1);
}

/* A kernel that a parallel region does not wait for, and host threads that
   need the device meanwhile.  */
static void
overlap (int step)
{
  int x[N], sum = 0;
  for (int i = 0; i < N; i++)
    x[i] = step;
#pragma omp target nowait map(tofrom : x)
  for (int i = 0; i < N; i++)
    x[i]++;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  {
    int me = omp_get_thread_num ();
#pragma omp target map(tofrom : me)
    me += 5;
    sum += me;
  }
#pragma omp taskwait
  int bad = sum != 3 + 3 * 5;
  for (int i = 0; i < N; i++)
    bad += x[i] != step + 1;
  CHECK (bad);
}

static void
serial (int steps)
{
  bare ();
  for (int t = 0; t < steps; t++)
    {
      independent (t);
      chain (t);
      graph (t);
      group (t);
      member (t);
      limits (t);
      present (t);
      copied (t);
      barriers (t);
      overlap (t);
    }
}

/* Each thread of a team has tasks of its own.  */
static void
threads (int steps)
{
  int done[4][N] = { { 0 } };
  for (int t = 0; t < steps; t++)
    {
#pragma omp parallel num_threads(4)
      {
        int me = omp_get_thread_num (), mine = 0, other = 0;
#pragma omp target nowait map(tofrom : mine) firstprivate(me)
        mine += me + 1;
#pragma omp target map(tofrom : other) firstprivate(me)
        other += me + 2;
#pragma omp taskwait
        CHECK ((mine != me + 1) + (other != me + 2));
        if (t % 2)
          independent (me);
        chain (t + me);
        graph (t + me);
        group (me);
        /* The barrier at the end completes this one.  */
#pragma omp target nowait firstprivate(me) map(tofrom : done[me])
        done[me][0]++;
      }
      for (int k = 0; k < 4; k++)
        CHECK (done[k][0] != t + 1);
    }
}

static void *
pthread (void *steps)
{
  serial (*(int *)steps);
  return NULL;
}

static int last[N];

/* Threads that are in no team, and end without a wait.  */
static void *
leave (void *unused)
{
#pragma omp target nowait map(tofrom : last)
  for (int i = 0; i < N; i++)
    last[i]++;
  return unused;
}

static void
pthreads (int steps)
{
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create (&t[i], NULL, pthread, &steps);
  for (int i = 0; i < 3; i++)
    pthread_join (t[i], NULL);
  pthread_create (&t[0], NULL, leave, NULL);
  pthread_join (t[0], NULL);
  CHECK (last[0] != 1 || last[N - 1] != 1);
}

static void
print (void)
{
  printf ("%d wrong\n", wrong + (last[N - 1] > 1));
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "serial";
  int steps = argc > 2 ? atoi (argv[2]) : 3;
  atexit (print);
  if (!strcmp (how, "serial"))
    serial (steps);
  else if (!strcmp (how, "threads"))
    threads (steps);
  else if (!strcmp (how, "pthreads"))
    pthreads (steps);
  else if (!strcmp (how, "end"))
    {
      /* Not waited for, but done when the program ends.  */
      wrong++;
      serial (1);
#pragma omp target nowait map(tofrom : wrong)
      wrong--;
    }
  else if (!strcmp (how, "fork"))
    {
      /* A child that does not use the device has nothing to wait for.  */
      serial (1);
      fflush (stdout);
      pid_t child = fork ();
      if (!child)
        {
#pragma omp taskwait
          _exit (0);
        }
      int status = 1;
      waitpid (child, &status, 0);
      CHECK (status != 0);
      serial (1);
    }
  return 0;
}
