/* Regions whose data are present, in a loop: their argument blocks hold nothing but
   arguments.  The data may come and go between rounds; the thread may lose its
   context, as it does where a program uses the driver by itself; several threads may
   do so at once; queues may be used; and data that are not there may be as large as
   arguments.
   Prints how many numbers are wrong.
   usage: stand-in same|comes|cut|threads|queued|sizes ROUNDS
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "directives.h"

#ifdef _OPENACC
#define LOOP(...) DO (acc parallel loop __VA_ARGS__)
#define QUEUED LOOP (present (p [0:N], q [0:N]) async (1))
#define DONE DO (acc wait)
#else
#define LOOP(...) DO (omp target teams distribute parallel for __VA_ARGS__)
#define QUEUED                                                                \
  LOOP (map (tofrom : p [0:N], q [0:N]) nowait depend (inout : p [0:N]))
#define DONE DO (omp taskwait)
#endif

enum
{
  N = 64,
  THREADS = 3
};

struct data
{
  int p[N], q[N], by, rounds, wrong;
  const char *how;
};

static void
add (int *p, int *q, int by)
{
  LOOP (TOFROM (p [0:N], q [0:N]))
  for (int i = 0; i < N; i++)
    {
      p[i] += by;
      q[i] -= by;
    }
}

static void
add_queued (int *p, int *q, int by)
{
  QUEUED
  for (int i = 0; i < N; i++)
    {
      p[i] += by;
      q[i] -= by;
    }
}

/* Operands of all small sizes.  How many bytes are wrong.  */
static int
sizes (int rounds)
{
  enum { MOST = 100 };
  static char s[MOST];
  int wrong = 0;
  for (int n = 1; n <= MOST; n++)
    {
      memset (s, 0, MOST);
      for (int k = 0; k < rounds; k++)
        {
          LOOP (TOFROM (s [0:n]))
          for (int i = 0; i < n; i++)
            s[i] += i % 3;
        }
      for (int i = 0; i < MOST; i++)
        wrong += s[i] != (i < n ? i % 3 * rounds : 0);
    }
  return wrong;
}

/* Take the context from this thread.  */
static void
cut (void)
{
  int (*pop) (void **);
  void *context;
  *(void **)&pop
      = dlsym (dlopen ("libcuda.so.1", RTLD_NOW), "cuCtxPopCurrent_v2");
  if (pop)
    pop (&context);
}

static void *
work (void *arg)
{
  struct data *d = arg;
  int *p = d->p, *q = d->q, comes = !strcmp (d->how, "comes");
  for (int i = 0; i < N; i++)
    p[i] = q[i] = i;
  for (int k = 0; k < d->rounds; k++)
    {
      int here = k / 3 % 2;
      if (k == 0 && !comes)
        {
          ENTER_TO (p [0:N], q [0:N])
        }
      if (comes && here)
        {
          ENTER_TO (p [0:N], q [0:N])
        }
      if (!strcmp (d->how, "cut"))
        cut ();
      if (!strcmp (d->how, "queued"))
        add_queued (p, q, d->by);
      else
        add (p, q, d->by);
      if (comes && here)
        {
          EXIT_FROM (p [0:N], q [0:N])
        }
    }
  DONE
  if (!comes)
    {
      EXIT_FROM (p [0:N], q [0:N])
    }
  for (int i = 0; i < N; i++)
    d->wrong += (p[i] != i + d->by * d->rounds) + (q[i] != i - d->by * d->rounds);
  return NULL;
}

int
main (int argc, char **argv)
{
  static struct data d[THREADS];
  pthread_t t[THREADS];
  if (argc != 3)
    return 2;
  int rounds = atoi (argv[2]);
  int n = strcmp (argv[1], "threads") ? 1 : THREADS, wrong = 0;
  for (int i = 0; i < n; i++)
    {
      d[i].how = argv[1];
      d[i].rounds = rounds;
      d[i].by = i + 2;
    }
  add (d[0].p, d[0].q, 0);
  for (int i = 1; i < n; i++)
    pthread_create (&t[i], NULL, work, &d[i]);
  work (&d[0]);
  for (int i = 1; i < n; i++)
    pthread_join (t[i], NULL);
  for (int i = 0; i < n; i++)
    wrong += d[i].wrong;
  if (!strcmp (argv[1], "sizes"))
    wrong += sizes (rounds);
  printf ("%d wrong\n", wrong);
  return 0;
}
