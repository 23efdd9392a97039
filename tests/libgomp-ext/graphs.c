/* Kernels that are launched often, with scalars and numbers of iterations that change,
   in queues, and by two threads where that is wanted; a copy comes between now and
   then.  Prints how many elements are wrong.
   usage: graphs STEPS THREADS

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define N 300
#define QUEUES 3
#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))
#ifdef _OPENACC
#define ENTER(...) DO (acc enter data copyin (__VA_ARGS__))
#define EXIT(...) DO (acc exit data copyout (__VA_ARGS__))
#define LOOP(p, queue) DO (acc parallel loop present (p [0:N]) async (queue))
#define SYNC(p) DO (acc parallel loop present (p [0:N]))
#define LOOK(p) DO (acc update self (p [0:1]))
#define WAIT DO (acc wait)
#else
#define ENTER(...) DO (omp target enter data map (to : __VA_ARGS__))
#define EXIT(...) DO (omp target exit data map (from : __VA_ARGS__))
#define LOOP(p, queue) DO (omp target teams distribute parallel for)
#define SYNC(p) LOOP (p, 0)
#define LOOK(p) DO (omp target update from (p [0:1]))
#define WAIT
#endif

static int steps, wrong;

static int
differ (const unsigned *p, const unsigned *q)
{
  int n = 0;
  for (int i = 0; i < N; i++)
    n += p[i] != q[i];
  return n;
}

static void *
work (void *arg)
{
  unsigned seed = *(unsigned *)arg;
  unsigned *a = malloc (N * sizeof *a), *b = malloc (N * sizeof *b);
  unsigned *v[QUEUES], want[QUEUES + 2][N];
  int bad = 0;
  for (int i = 0; i < N; i++)
    a[i] = b[i] = want[QUEUES][i] = want[QUEUES + 1][i] = i + seed;
  for (int q = 0; q < QUEUES; q++)
    {
      v[q] = malloc (N * sizeof *v[q]);
      for (int i = 0; i < N; i++)
        v[q][i] = want[q][i] = i * q;
      unsigned *p = v[q];
      ENTER (p [0:N])
    }
  ENTER (a [0:N], b [0:N])
  for (int t = 0; t < steps; t++)
    {
      int n = N - t / 9 % 5, q = t % QUEUES;
      unsigned x = t * t + seed, *p = v[q];
      SYNC (a)
      for (int i = 0; i < n; i++)
        a[i] = a[i] * 3 + x;
      SYNC (b)
      for (int i = 0; i < N; i++)
        b[i] = b[i] * 5 + i;
      LOOP (p, q)
      for (int i = 0; i < n; i++)
        p[i] = p[i] * 7 + x;
      for (int i = 0; i < N; i++)
        {
          if (i < n)
            {
              want[QUEUES][i] = want[QUEUES][i] * 3 + x;
              want[q][i] = want[q][i] * 7 + x;
            }
          want[QUEUES + 1][i] = want[QUEUES + 1][i] * 5 + i;
        }
      if (t % 13 == 12)
        {
          LOOK (a)
          bad += a[0] != want[QUEUES][0];
        }
    }
  WAIT
  EXIT (a [0:N], b [0:N])
  bad += differ (a, want[QUEUES]) + differ (b, want[QUEUES + 1]);
  for (int q = 0; q < QUEUES; q++)
    {
      unsigned *p = v[q];
      EXIT (p [0:N])
      bad += differ (p, want[q]);
      free (p);
    }
  free (a);
  free (b);
  __atomic_fetch_add (&wrong, bad, __ATOMIC_SEQ_CST);
  return NULL;
}

int
main (int argc, char **argv)
{
  steps = argc > 1 ? atoi (argv[1]) : 100;
  int two = argc > 2 && atoi (argv[2]) > 1;
  unsigned seed[] = { 1, 2 };
  pthread_t other;
  if (two && pthread_create (&other, NULL, work, &seed[1]))
    return 1;
  work (&seed[0]);
  if (two)
    pthread_join (other, NULL);
  printf ("%d wrong\n", wrong);
  return wrong != 0;
}
