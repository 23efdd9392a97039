/* What two launches take together; see span.h.

   STATE says whose the span is: that of the thread that has made it BUSY, or
   of the one that has its number while it is OPEN; nobody's when it is AWAITED
   or DROPPED.

   Its begin is an event on the NULL stream, which is behind all that was
   launched on other streams (but for those that do not wait for it), and in
   front of what will be.  So what is measured is not another pair's tail.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/span.h"

#include "ext.h"
#include "launch/tune.h"

enum state
{
  FREE,
  BUSY,
  OPEN,
  AWAITED,
  DROPPED
};

static _Atomic enum state state;
static struct
{
  _Atomic unsigned number; /* of the last one */
  struct acr_trial trial;
  CUcontext ctx;
  CUevent from, to[2]; /* NULL: none */
} span;

bool
acr_span_can (void)
{
  return acr_driver.event_create && acr_driver.event_destroy
         && acr_driver.event_record && acr_driver.event_elapsed_time
         && acr_driver.stream_wait_event;
}

static bool
change (enum state from, enum state to)
{
  return atomic_compare_exchange_strong (&state, &from, to);
}

static void
destroy (CUevent event)
{
  if (event)
    acr_driver.event_destroy (event);
}

/* The span, which is BUSY, took so many MICROSECONDS, or nobody will know
   (less than 0).  */
static void
finish (float microseconds)
{
  destroy (span.from);
  destroy (span.to[0]);
  destroy (span.to[1]);
  struct acr_trial trial = span.trial;
  atomic_store (&state, FREE);
  acr_tune_note (&trial, microseconds);
}

static bool
make_events (void)
{
  return !acr_driver.event_create (&span.from, CU_EVENT_DEFAULT)
         && !acr_driver.event_create (&span.to[0], CU_EVENT_DEFAULT)
         && !acr_driver.event_create (&span.to[1], CU_EVENT_DEFAULT);
}

unsigned
acr_span_begin (const struct acr_trial *t, CUstream stream)
{
  if (!change (FREE, BUSY))
    {
      acr_tune_note (t, -1);
      return 0;
    }
  span.trial = *t;
  span.from = span.to[0] = span.to[1] = NULL;
  if (acr_driver.ctx_get_current (&span.ctx) || !make_events ()
      || acr_driver.event_record (span.from, NULL)
      || acr_driver.stream_wait_event (stream, span.from, 0))
    {
      finish (-1);
      return 0;
    }
  unsigned n = span.number + 1;
  n += !n;
  span.number = n;
  atomic_store (&state, OPEN);
  return n;
}

void
acr_span_made (unsigned n, bool second, CUstream stream)
{
  if (!n || atomic_load (&state) != OPEN || n != span.number)
    return;
  bool timed = !acr_driver.event_record (span.to[second], stream);
  if (!timed)
    change (OPEN, DROPPED);
  else if (second)
    change (OPEN, AWAITED);
}

void
acr_span_drop (unsigned n)
{
  if (n && atomic_load (&state) == OPEN && n == span.number)
    change (OPEN, DROPPED);
}

/* Tell the time of the span, which is BUSY, if it is known; else let it be
   AWAITED.  */
static void
ask (void)
{
  CUresult r = CUDA_SUCCESS;
  float ms[2] = { 0, 0 };
  for (unsigned i = 0; i < 2 && !r; i++)
    r = acr_driver.event_query (span.to[i]);
  if (r == CUDA_ERROR_NOT_READY)
    {
      atomic_store (&state, AWAITED);
      return;
    }
  for (unsigned i = 0; i < 2 && !r; i++)
    r = acr_driver.event_elapsed_time (&ms[i], span.from, span.to[i]);
  finish (r ? -1 : 1000 * (ms[0] > ms[1] ? ms[0] : ms[1]));
}

void
acr_span_collect (void)
{
  enum state now = atomic_load_explicit (&state, memory_order_relaxed);
  if (now == AWAITED && change (AWAITED, BUSY))
    ask ();
  else if (now == DROPPED && change (DROPPED, BUSY))
    finish (-1);
}

void
acr_span_forget (CUcontext ctx)
{
  if (!change (AWAITED, BUSY) && !change (DROPPED, BUSY))
    return;
  if (span.ctx == ctx)
    finish (-1);
  else
    atomic_store (&state, DROPPED);
}
