/* What a launch takes; see timer.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "fork.h"
#include "launch.h"
#include "timer.h"

/* The launch that is timed; LOCK guards it.  */
static struct
{
  struct acr_trial trial;
  CUcontext ctx;
  CUevent from, to; /* NULL: none, or failed */
} timed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Whether a time is awaited, so that nobody takes the lock for nothing.  */
static _Atomic bool awaited;

ACR_FORK_KEEPS (lock)

bool
acr_timer_can (void)
{
  return acr_driver.event_create && acr_driver.event_destroy
         && acr_driver.event_record && acr_driver.event_elapsed_time;
}

/* It took so many MICROSECONDS, or nobody will know (less than 0).  */
static void
finish (float microseconds)
{
  if (timed.from)
    acr_driver.event_destroy (timed.from);
  if (timed.to)
    acr_driver.event_destroy (timed.to);
  timed.from = timed.to = NULL;
  atomic_store_explicit (&awaited, false, memory_order_relaxed);
  acr_tune_note (&timed.trial, microseconds);
}

void
acr_timer_start (const struct acr_launch *l)
{
  if (!l->trial.timed)
    return;
  pthread_mutex_lock (&lock);
  timed.trial = l->trial;
  if (acr_driver.ctx_get_current (&timed.ctx)
      || acr_driver.event_create (&timed.from, CU_EVENT_DEFAULT)
      || acr_driver.event_create (&timed.to, CU_EVENT_DEFAULT)
      || acr_driver.event_record (timed.from, l->stream))
    finish (-1);
  pthread_mutex_unlock (&lock);
}

void
acr_timer_stop (const struct acr_launch *l, CUresult r)
{
  if (!l->trial.timed)
    return;
  pthread_mutex_lock (&lock);
  if (timed.to && !r && !acr_driver.event_record (timed.to, l->stream))
    atomic_store_explicit (&awaited, true, memory_order_relaxed);
  else if (timed.to)
    finish (-1);
  pthread_mutex_unlock (&lock);
}

void
acr_timer_collect (void)
{
  if (!atomic_load_explicit (&awaited, memory_order_relaxed))
    return;
  pthread_mutex_lock (&lock);
  CUresult r = CUDA_ERROR_NOT_READY;
  if (atomic_load_explicit (&awaited, memory_order_relaxed))
    r = acr_driver.event_query (timed.to);
  float ms = 0;
  if (r != CUDA_ERROR_NOT_READY)
    finish (r || acr_driver.event_elapsed_time (&ms, timed.from, timed.to)
                ? -1
                : 1000 * ms);
  pthread_mutex_unlock (&lock);
}

void
acr_timer_forget (CUcontext ctx)
{
  pthread_mutex_lock (&lock);
  if (atomic_load_explicit (&awaited, memory_order_relaxed)
      && timed.ctx == ctx)
    finish (-1);
  pthread_mutex_unlock (&lock);
}
