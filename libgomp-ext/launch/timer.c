/* What a launch takes; see timer.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "ext.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "launch/timer.h"
#include "launch/times.h"

#include <stdio.h>
#include <string.h>

/* Launches whose times are awaited; others are not timed then, but a trial,
   of which there is one at a time, always is.  */
#define TIMERS 16

struct acr_timer
{
  enum
  {
    FREE,
    STARTED, /* owned by the thread that launches */
    AWAITED
  } state;
  struct acr_trial trial;
  struct acr_times *times; /* of its kernel, NULL: not wanted */
  struct acr_tally *by;    /* of its construct, or NULL */
  CUcontext ctx;
  CUevent from, to; /* NULL: none, or failed */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct acr_timer timers[TIMERS];

/* How many times are awaited, so that nobody takes the lock for nothing.  */
static _Atomic unsigned awaited;

ACR_FORK_KEEPS (lock)

bool
acr_timer_can (void)
{
  return acr_driver.event_create && acr_driver.event_destroy
         && acr_driver.event_record && acr_driver.event_elapsed_time;
}

/* T's launch took so many MICROSECONDS, or nobody will know (less than 0).  */
static void
finish (struct acr_timer *t, float microseconds)
{
  if (t->from)
    acr_driver.event_destroy (t->from);
  if (t->to)
    acr_driver.event_destroy (t->to);
  if (t->state == AWAITED)
    atomic_fetch_sub_explicit (&awaited, 1, memory_order_relaxed);
  if (t->trial.timed)
    acr_tune_note (&t->trial, microseconds);
  if (t->times && microseconds >= 0)
    acr_times_note (t->times, microseconds);
  if (t->by && microseconds >= 0)
    {
      t->by->timed++;
      t->by->gpu_ns += (uint64_t)(1000 * microseconds);
    }
  *t = (struct acr_timer){ .state = FREE };
}

/* The first is left to trials.  */
static struct acr_timer *
free_timer (bool trial)
{
  for (unsigned i = !trial; i < TIMERS; i++)
    if (timers[i].state == FREE)
      return &timers[i];
  return NULL;
}

/* Where L's time is noted.  */
static struct acr_times *
times_of (const struct acr_launch *l)
{
  if (!l->apart)
    return acr_times_of (l->kernel->name);
  char name[strlen (l->kernel->name) + 100];
  snprintf (name, sizeof name, "%s form %u, %u blocks of %ux%u",
            l->kernel->name, l->form, l->grid[0], l->block[0], l->block[1]);
  return acr_times_of (name);
}

struct acr_timer *
acr_timer_start (const struct acr_launch *l)
{
  bool times = acr_env.times && l->kernel && acr_timer_can ();
  if (!l->trial.timed && !times)
    return NULL;
  pthread_mutex_lock (&lock);
  struct acr_timer *t = free_timer (l->trial.timed);
  if (t)
    {
      t->state = STARTED;
      t->trial = l->trial;
      t->times = times ? times_of (l) : NULL;
      t->by = l->by;
      if (acr_driver.ctx_get_current (&t->ctx)
          || acr_driver.event_create (&t->from, CU_EVENT_DEFAULT)
          || acr_driver.event_create (&t->to, CU_EVENT_DEFAULT)
          || acr_driver.event_record (t->from, l->stream))
        {
          finish (t, -1);
          t = NULL;
        }
    }
  pthread_mutex_unlock (&lock);
  return t;
}

void
acr_timer_stop (struct acr_timer *t, const struct acr_launch *l, CUresult r)
{
  if (!t)
    return;
  pthread_mutex_lock (&lock);
  if (!r && !acr_driver.event_record (t->to, l->stream))
    {
      t->state = AWAITED;
      atomic_fetch_add_explicit (&awaited, 1, memory_order_relaxed);
    }
  else
    finish (t, -1);
  pthread_mutex_unlock (&lock);
}

/* Tell T's time if it is known.  */
static void
collect (struct acr_timer *t)
{
  float ms = 0;
  CUresult r = acr_driver.event_query (t->to);
  if (r != CUDA_ERROR_NOT_READY)
    finish (t, r || acr_driver.event_elapsed_time (&ms, t->from, t->to)
                   ? -1
                   : 1000 * ms);
}

void
acr_timer_collect (void)
{
  if (!atomic_load_explicit (&awaited, memory_order_relaxed))
    return;
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < TIMERS; i++)
    if (timers[i].state == AWAITED)
      collect (&timers[i]);
  pthread_mutex_unlock (&lock);
}

void
acr_timer_forget (CUcontext ctx)
{
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < TIMERS; i++)
    {
      struct acr_timer *t = &timers[i];
      if (t->state != AWAITED || t->ctx != ctx)
        continue;
      /* No trial ends here: what it says would be written to disk.  */
      if (!t->trial.timed)
        collect (t);
      if (t->state == AWAITED)
        finish (t, -1);
    }
  pthread_mutex_unlock (&lock);
}
