/* The emulated driver: many threads and streams at once.  Each stream counts
   in its own cell; every operation checks that it sees the count its order
   demands.  Meant for ThreadSanitizer as well.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdlib.h>

#include "driver/cuda-api.h"
#include "fake-machine.h"
#include "tap.h"

enum { THREADS = 4, ROUNDS = 150 };

static CUcontext ctx;
static CUfunction f_add;

struct cell { int *expected; int value, wrong; };

static void
check_cell (void *data)
{
  struct cell *c = data;
  c->wrong += *c->expected != c->value;
}

static void
add (CUstream s, CUdeviceptr p, unsigned n)
{
  void *params[] = { &p, &n };
  cuLaunchKernel (f_add, 1, 1, 1, 1, 1, 1, 0, s, params, NULL);
}

/* Two streams hand one counter to each other through events.  */
static void *
ping_pong (void *arg)
{
  unsigned seed = (uintptr_t) arg;
  CUstream s[2];
  CUevent done[2];
  CUdeviceptr p;
  struct cell *cells = calloc (ROUNDS, sizeof *cells);
  int *counts = calloc (ROUNDS, sizeof *counts), wrong = 0;
  void *pinned;
  cuCtxSetCurrent (ctx);
  cuMemAlloc (&p, 4);
  cuMemHostAlloc (&pinned, ROUNDS * sizeof (int), 0);
  cuMemsetD32 (p, 0, 1);
  for (int i = 0; i < 2; i++)
    {
      cuStreamCreate (&s[i], i);
      cuEventCreate (&done[i], CU_EVENT_DISABLE_TIMING);
    }
  cuCtxSynchronize ();
  for (int i = 0; i < ROUNDS; i++)
    {
      CUstream now = s[i & 1];
      cuStreamWaitEvent (now, done[~i & 1], 0);
      add (now, p, 1);
      int *seen = (int *) pinned + i;
      cuMemcpyDtoHAsync (seen, p, 4, now);
      cells[i] = (struct cell) { seen, i + 1, 0 };
      cuLaunchHostFunc (now, check_cell, &cells[i]);
      cuEventRecord (done[i & 1], now);
      switch (rand_r (&seed) % 8)
	{
	case 0:
	  cuStreamQuery (now);
	  break;
	case 1:
	  cuStreamSynchronize (now);
	  break;
	case 2:
	  cuEventQuery (done[i & 1]);
	  break;
	case 3:
	  cuStreamDestroy (now);
	  cuStreamCreate (&s[i & 1], i & 1);
	  cuStreamWaitEvent (s[i & 1], done[i & 1], 0);
	  break;
	default:
	  break;
	}
    }
  cuStreamSynchronize (s[0]);
  cuStreamSynchronize (s[1]);
  cuCtxSynchronize ();
  for (int i = 0; i < ROUNDS; i++)
    wrong += cells[i].wrong + (*cells[i].expected != i + 1);
  for (int i = 0; i < 2; i++)
    {
      cuStreamDestroy (s[i]);
      cuEventDestroy (done[i]);
    }
  cuMemFreeHost (pinned);
  cuMemFree (p);
  free (cells);
  free (counts);
  return (void *) (intptr_t) wrong;
}

int
main (void)
{
  pthread_t thread[THREADS];
  ctx = fake_start ();
  f_add = fake_function ("add");
  for (int i = 0; i < THREADS; i++)
    pthread_create (&thread[i], NULL, ping_pong, (void *) (uintptr_t) (i + 1));
  for (int i = 0; i < THREADS; i++)
    {
      void *wrong;
      pthread_join (thread[i], &wrong);
      ok_int ((intptr_t) wrong, 0, "thread %d: each step saw the one before",
	      i);
    }
  cuCtxDestroy (ctx);
  ok_int (fake_modules + fake_allocations, 0, "nothing is left");
  return done_testing ();
}
