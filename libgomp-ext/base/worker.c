/* A thread for what can be done beside the program; see worker.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "base/thread.h"
#include "base/worker.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* It takes a tenth of a CPU from a thread that never sleeps, and whoever has
   to wait for a job, on a machine that is full, no more than ten times as
   long.  */
enum
{
  NICE = 10
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct acr_job *first, **last = &first; /* that wait */
static struct acr_job *running;
static unsigned clearing; /* threads that do */
static bool started, forked, ended;

/* What the parent's thread does, nobody does here.  */
static void
forget (void)
{
  first = running = NULL;
  last = &first;
  forked = true;
}

ACR_FORK_RESETS (lock, forget)

/* J goes behind those that wait.  */
static void
enqueue (struct acr_job *j)
{
  if (j->waits)
    return;
  j->waits = true;
  j->next = NULL;
  *last = j;
  last = &j->next;
}

static struct acr_job *
dequeue (void)
{
  struct acr_job *j = first;
  first = j->next;
  if (!first)
    last = &first;
  j->waits = false;
  return j;
}

static void *
work (void *arg)
{
  (void)arg;
  /* Of this thread alone, on Linux.  */
  setpriority (PRIO_PROCESS, syscall (SYS_gettid), NICE);
  pthread_mutex_lock (&lock);
  for (;;)
    {
      while (!first)
        pthread_cond_wait (&changed, &lock);
      struct acr_job *j = running = dequeue ();
      pthread_mutex_unlock (&lock);
      bool again = j->run (j);
      pthread_mutex_lock (&lock);
      if (again && !clearing)
        enqueue (j);
      running = NULL;
      pthread_cond_broadcast (&changed);
    }
  return NULL;
}

/* With the lock held.  */
static bool
start (void)
{
  pthread_t t;
  if (forked || ended)
    return false;
  if (!started && acr_thread_start_compiler (&t, work, NULL))
    {
      pthread_detach (t);
      started = true;
    }
  return started;
}

bool
acr_worker_give (struct acr_job *j)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, handle_forks);
  pthread_mutex_lock (&lock);
  bool ok = start ();
  if (ok)
    {
      enqueue (j);
      pthread_cond_broadcast (&changed);
    }
  pthread_mutex_unlock (&lock);
  return ok;
}

/* With the lock held.  */
static void
clear (void)
{
  clearing++;
  while (first)
    dequeue ();
  while (running)
    pthread_cond_wait (&changed, &lock);
  clearing--;
}

void
acr_worker_clear (void)
{
  pthread_mutex_lock (&lock);
  clear ();
  pthread_mutex_unlock (&lock);
}

void
acr_worker_end (void)
{
  pthread_mutex_lock (&lock);
  ended = true;
  clear ();
  pthread_mutex_unlock (&lock);
}
