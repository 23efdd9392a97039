/* Directives that ask the driver for different things, OpenACC or OpenMP, each
   followed by a line of results, so that it shows how far the program came.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))

#ifdef _OPENACC
#include <openacc.h>
#define LOOP(...) DO (acc parallel loop __VA_ARGS__)
#define LATER(q, ...) DO (acc parallel loop async (q) __VA_ARGS__)
#define AND_THEN(q, ...) DO (acc parallel loop async (q) wait (1) __VA_ARGS__)
#define WAIT DO (acc wait)
#define DATA(...) DO (acc data __VA_ARGS__)
#define TO(...) copyin (__VA_ARGS__)
#define FROM(...) copyout (__VA_ARGS__)
#define TOFROM(...) copy (__VA_ARGS__)
#define PRESENT(...) present (__VA_ARGS__)
#define SUM(...) reduction (+ : __VA_ARGS__)
#define ENTER(...) DO (acc enter data copyin (__VA_ARGS__))
#define EXIT(...) DO (acc exit data copyout (__VA_ARGS__))
#define UPDATE_HOST(...) DO (acc update self (__VA_ARGS__))
#define UPDATE_DEVICE(...) DO (acc update device (__VA_ARGS__))
#else
#include <omp.h>
#define LOOP(...) DO (omp target teams distribute parallel for __VA_ARGS__)
#define LATER(q, ...) LOOP (nowait depend (inout : queue[q]) __VA_ARGS__)
#define AND_THEN(q, ...)                                                      \
  LOOP (nowait depend (in : queue[1]) depend (inout : queue[q]) __VA_ARGS__)
#define WAIT DO (omp taskwait)
#define DATA(...) DO (omp target data __VA_ARGS__)
#define TO(...) map (to : __VA_ARGS__)
#define FROM(...) map (from : __VA_ARGS__)
#define TOFROM(...) map (tofrom : __VA_ARGS__)
#define PRESENT(...) map (alloc : __VA_ARGS__)
#define SUM(...) reduction (+ : __VA_ARGS__) map (tofrom : __VA_ARGS__)
#define ENTER(...) DO (omp target enter data map (to : __VA_ARGS__))
#define EXIT(...) DO (omp target exit data map (from : __VA_ARGS__))
#define UPDATE_HOST(...) DO (omp target update from (__VA_ARGS__))
#define UPDATE_DEVICE(...) DO (omp target update to (__VA_ARGS__))
static char queue[3];
#endif

enum
{
  N = 300,
  LARGE = 40000 /* more than goes by way of pinned memory at once */
};

static int a[N], b[N], c[N], large[LARGE];

static void
tell (const char *what, const int *p, int n)
{
  unsigned long h = 5381;
  for (int i = 0; i < n; i++)
    h = h * 33 + (unsigned)p[i];
  printf ("%s %lu\n", what, h % 1000007);
}

static void
set (int *p, int n, int value)
{
  for (int i = 0; i < n; i++)
    p[i] = value + i % 7;
}

/* Kernels of one data region; nobody looks between them.  */
static void
regions (void)
{
  set (a, N, 1);
  set (b, N, 2);
  DATA (TO (a) FROM (c) TOFROM (b))
  {
    for (int turn = 0; turn < 3; turn++)
      {
        LOOP (PRESENT (a, b))
        for (int i = 0; i < N; i++)
          b[i] += a[i] * turn;
        LOOP (PRESENT (b, c))
        for (int i = 0; i < N; i++)
          c[i] = b[i] - i;
      }
  }
  tell ("regions", b, N);
  tell ("regions", c, N);
}

/* Data for each construct, scalars among it.  */
static void
constructs (void)
{
  for (int turn = 0; turn < 3; turn++)
    {
      int sum = 0;
      set (a, N, turn);
      LOOP (TO (a) TOFROM (b) FROM (c))
      for (int i = 0; i < N; i++)
        {
          b[i] = b[i] * 3 + a[i];
          c[i] = b[i] % 11;
        }
      LOOP (TO (c) SUM (sum))
      for (int i = 0; i < N; i++)
        sum += c[i];
      tell ("constructs", b, N);
      printf ("sum %d\n", sum);
    }
}

/* Data that stays, and updates of it.  */
static void
updates (void)
{
  set (a, N, 5);
  set (large, LARGE, 6);
  ENTER (a, b, large)
  for (int turn = 0; turn < 3; turn++)
    {
      a[turn] = turn;
      UPDATE_DEVICE (a[0 : N / 2])
      LOOP (PRESENT (a, b))
      for (int i = 0; i < N; i++)
        b[i] ^= a[i];
      UPDATE_HOST (b[0 : N / 2])
      tell ("updates", b, N / 2);
    }
  LOOP (PRESENT (a, large))
  for (int i = 0; i < LARGE; i++)
    large[i] += a[i % N];
  EXIT (large, b, a)
  tell ("updates", large, LARGE);
  tell ("updates", b, N);
}

/* What is not waited for.  */
static void
queues (void)
{
  set (a, N, 8);
  set (b, N, 9);
  for (int turn = 0; turn < 2; turn++)
    {
      LATER (1, TOFROM (a))
      for (int i = 0; i < N; i++)
        a[i] = a[i] * 5 + i;
      LATER (2, TOFROM (b))
      for (int i = 0; i < N; i++)
        b[i] = b[i] * 7 - i;
      AND_THEN (2, TO (a) TOFROM (b))
      for (int i = 0; i < N; i++)
        b[i] += a[i];
      WAIT
      tell ("queues", b, N);
    }
}

/* Routines, and memory of the program's own.  */
static void
routines (void)
{
#ifdef _OPENACC
  int *p = acc_malloc (sizeof a);
  if (!p)
    exit (1);
  acc_memcpy_to_device (p, a, sizeof a);
  DO (acc parallel loop deviceptr (p))
  for (int i = 0; i < N; i++)
    p[i]++;
  acc_memcpy_from_device (c, p, sizeof c);
  acc_free (p);
#else
  int d = omp_get_default_device (), h = omp_get_initial_device ();
  int *p = omp_target_alloc (sizeof a, d);
  if (!p)
    exit (1);
  if (omp_target_memcpy (p, a, sizeof a, 0, 0, d, h))
    exit (1);
  DO (omp target teams distribute parallel for is_device_ptr (p))
  for (int i = 0; i < N; i++)
    p[i]++;
  if (omp_target_memcpy (c, p, sizeof c, 0, 0, h, d))
    exit (1);
  omp_target_free (p, d);
#endif
  tell ("routines", c, N);
}

int
main (void)
{
  regions ();
  constructs ();
  updates ();
  queues ();
  routines ();
  return 0;
}
