/* Jobs that a thread of ours does beside the program: each once, in their order,
   none behind acr_worker_clear, and none in a forked child.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/worker.h"
#include "config.h"
#include "tap.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_t self;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static _Atomic unsigned runs[3], order, times = 1, elsewhere;
static struct acr_job jobs[3];

static bool
run (struct acr_job *j)
{
  unsigned n = j - jobs;
  elsewhere += !pthread_equal (pthread_self (), self);
  pthread_mutex_lock (&gate);
  pthread_mutex_unlock (&gate);
  order = order * 4 + n + 1;
  return ++runs[n] < times;
}

static void
until (const _Atomic unsigned *n, unsigned value)
{
  while (*n != value)
    sched_yield ();
}

static void
reset (void)
{
  order = 0;
  for (unsigned i = 0; i < 3; i++)
    runs[i] = 0;
}

static void *
clear (void *unused)
{
  acr_worker_clear ();
  return unused;
}

int
main (void)
{
  self = pthread_self ();
  for (unsigned i = 0; i < 3; i++)
    jobs[i].run = run;
  acr_worker_clear ();
  ok (true, "nothing to clear");

  pthread_mutex_lock (&gate);
  bool given = true;
  for (unsigned i = 0; i < 3; i++)
    given = given && acr_worker_give (&jobs[i]);
  given = given && acr_worker_give (&jobs[2]);
  ok (given && !order, "nobody waits for jobs");
  pthread_mutex_unlock (&gate);
  until (&order, (1 * 4 + 2) * 4 + 3);
  acr_worker_clear ();
  ok (order == (1 * 4 + 2) * 4 + 3, "in their order, once");
  ok (elsewhere == 3, "in another thread");

  reset ();
  times = 2;
  pthread_mutex_lock (&gate);
  acr_worker_give (&jobs[0]);
  acr_worker_give (&jobs[1]);
  pthread_mutex_unlock (&gate);
  until (&runs[1], 2);
  acr_worker_clear ();
  ok (order == ((1 * 4 + 2) * 4 + 1) * 4 + 2, "again, behind the others");

  reset ();
  times = 100;
  pthread_t t;
  pthread_mutex_lock (&gate);
  acr_worker_give (&jobs[0]);
  while (jobs[0].waits)
    sched_yield ();
  acr_worker_give (&jobs[1]);
  if (pthread_create (&t, NULL, clear, NULL))
    return 99;
  while (jobs[1].waits)
    sched_yield ();
  pthread_mutex_unlock (&gate);
  pthread_join (t, NULL);
  ok (runs[0] == 1 && !runs[1], "what runs ends, what waits is forgotten");
  usleep (10000);
  ok (runs[0] == 1, "and does not go on");

  reset ();
  times = 1;
  acr_worker_give (&jobs[1]);
  until (&runs[1], 1);
  ok (true, "others come after that");

  pthread_mutex_lock (&gate);
  acr_worker_give (&jobs[0]);
  pid_t child = fork ();
  if (child == 0)
    {
      acr_worker_clear ();
      _exit (acr_worker_give (&jobs[2]) || runs[2]);
    }
  int status = -1;
  waitpid (child, &status, 0);
  ok (status == 0, "a child has no such thread, and does not wait for it");
  pthread_mutex_unlock (&gate);
  until (&runs[0], 1);
  ok (true, "its parent has");
  return done_testing ();
}
