/* Kernels on OpenACC queues, each with arguments of its own, whose results
   show whether every kernel had its arguments and came in its turn.
   usage: async STEPS [SEED [THREADS]]

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <openacc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef N
#define N 64
#endif
#define QUEUES 3

static unsigned
next (unsigned *seed)
{
  return *seed = *seed * 1103515245 + 12345, *seed >> 16;
}

/* What the kernels do to element I.  */
static unsigned
step (unsigned v, unsigned factor, unsigned add, unsigned i)
{
  return v * factor + add + i;
}

static int
work (int steps, unsigned seed, int first)
{
  unsigned a[QUEUES][N], want[QUEUES][N];
  int wrong = 0;
  for (int q = 0; q < QUEUES; q++)
    for (int i = 0; i < N; i++)
      a[q][i] = want[q][i] = i + q;
#pragma acc data copy(a)
  {
    for (int t = 0; t < steps; t++)
      {
        unsigned q = next (&seed) % QUEUES;
        /* Half of the time what was there before.  */
        unsigned add = next (&seed) % 2 ? t : 1, factor = 2 * (t % 3) + 1;
        unsigned *row = a[q];
        int queue = first + q;
#pragma acc parallel loop present(row[0:N]) async(queue)
        for (int i = 0; i < N; i++)
          row[i] = row[i] * factor + add + i;
        for (int i = 0; i < N; i++)
          want[q][i] = step (want[q][i], factor, add, i);

        unsigned other = (q + 1) % QUEUES;
        unsigned *from = a[other];
        switch (next (&seed) % 16)
          {
          case 0:
            acc_wait (queue);
            break;
          case 1:
            /* The other queue's row, after its kernels, and they after us.  */
            acc_wait_async (first + other, queue);
#pragma acc parallel loop present(row[0:N], from[0:N]) async(queue)
            for (int i = 0; i < N; i++)
              row[i] += from[i];
            acc_wait_async (queue, first + other);
            for (int i = 0; i < N; i++)
              want[q][i] += want[other][i];
            break;
          case 2:
            acc_update_self_async (row, sizeof a[q], queue);
            acc_wait (queue);
            for (int i = 0; i < N; i++)
              wrong += row[i] != want[q][i];
            break;
          case 3:
            acc_async_test (queue);
            break;
          case 4:
            /* In step with all queues.  */
#pragma acc parallel loop present(row[0:N])
            for (int i = 0; i < N; i++)
              row[i] ^= add;
            for (int i = 0; i < N; i++)
              want[q][i] ^= add;
            break;
          case 5:
            {
              /* Data of the construct's own.  */
              unsigned b[N];
              for (int i = 0; i < N; i++)
                b[i] = t + i;
#pragma acc parallel loop present(row[0:N]) copy(b) async(queue)
              for (int i = 0; i < N; i++)
                row[i] += b[i]++;
              acc_wait (queue);
              for (int i = 0; i < N; i++)
                {
                  want[q][i] += t + i;
                  wrong += b[i] != t + i + 1u;
                }
              break;
            }
          }
      }
#pragma acc wait
  }
  for (int q = 0; q < QUEUES; q++)
    for (int i = 0; i < N; i++)
      wrong += a[q][i] != want[q][i];
  return wrong;
}

struct job
{
  pthread_t thread;
  int steps, first, wrong;
  unsigned seed;
};

static void *
run (void *arg)
{
  struct job *j = arg;
  j->wrong = work (j->steps, j->seed, j->first);
  return NULL;
}

#define MAX_THREADS 8

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 100;
  unsigned seed = argc > 2 ? atoi (argv[2]) : 1;
  int threads = argc > 3 ? atoi (argv[3]) : 1, wrong = 0;
  struct job jobs[MAX_THREADS];
  for (int i = 0; i < threads && i < MAX_THREADS; i++)
    {
      jobs[i] = (struct job){ .steps = steps, .first = i * QUEUES,
                              .seed = seed + i };
      if (i)
        pthread_create (&jobs[i].thread, NULL, run, &jobs[i]);
    }
  run (&jobs[0]);
  for (int i = 0; i < threads && i < MAX_THREADS; i++)
    {
      if (i)
        pthread_join (jobs[i].thread, NULL);
      wrong += jobs[i].wrong;
    }
  printf ("%d wrong\n", wrong);
  return 0;
}
