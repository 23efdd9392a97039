/* A launch beside the one before it; see aside.h.

   Beside a queue the stream is one that the NULL stream is ordered with, as
   those of queues are.  Beside the NULL stream it is one that is not: it would
   be behind the first kernel.  What comes to the NULL stream, and with it what
   comes to the streams that are ordered with it, waits for the event.

   The streams and events belong to the context in which they were first
   wanted; pairs of another context have none.  They are made once and are the
   pair's from acr_aside_claim to acr_aside_close, which BUSY says.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/aside.h"

#include "ext.h"
#include "interpose/submit.h"
#include "launch/span.h"

static atomic_bool busy;
static struct
{
  CUcontext ctx; /* NULL: nothing is made yet */
  CUstream stream[2]; /* beside a queue, beside the NULL stream; NULL: not made */
  bool beside_null;   /* the pair is */
  CUevent before,
      behind; /* the queue in front of the pair; the second launch */
} aside;

/* Let go of what is made.  */
static void
destroy (void)
{
  if (aside.before)
    acr_driver.event_destroy (aside.before);
  if (aside.behind)
    acr_driver.event_destroy (aside.behind);
  for (unsigned i = 0; i < 2; i++)
    if (aside.stream[i])
      acr_driver.stream_destroy (aside.stream[i]);
  aside.ctx = NULL;
  aside.stream[0] = aside.stream[1] = NULL;
  aside.before = aside.behind = NULL;
}

/* Are the events there in the current context?  */
static bool
make_events (void)
{
  CUcontext ctx;
  if (!acr_span_can () || acr_driver.ctx_get_current (&ctx))
    return false;
  if (aside.ctx)
    return aside.ctx == ctx;
  if (acr_driver.event_create (&aside.before, CU_EVENT_DISABLE_TIMING)
      || acr_driver.event_create (&aside.behind, CU_EVENT_DISABLE_TIMING))
    {
      destroy ();
      return false;
    }
  aside.ctx = ctx;
  return true;
}

enum
{
  /* Less is more; the driver takes the most that there is.  */
  FIRST = -100
};

/* A stream whose blocks come before those that wait for a place, where the driver has
   such: the second kernel begins although the first one has more blocks than the GPU
   holds.  */
static bool
make_stream (CUstream *stream)
{
  unsigned flags
      = aside.beside_null ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT;
  return acr_driver.stream_create_with_priority
             ? !acr_driver.stream_create_with_priority (stream, flags, FIRST)
             : !acr_driver.stream_create (stream, flags);
}

/* And the stream?  */
static bool
make (void)
{
  CUstream *stream = &aside.stream[aside.beside_null];
  return make_events () && (*stream || make_stream (stream));
}

bool
acr_aside_claim (void)
{
  bool no = false;
  return atomic_compare_exchange_strong (&busy, &no, true);
}

bool
acr_aside_open (CUstream stream)
{
  aside.beside_null = !stream;
  return make () && !acr_driver.event_record (aside.before, stream);
}

CUstream
acr_aside_enter (void)
{
  CUcontext ctx;
  CUstream stream = aside.stream[aside.beside_null];
  if (acr_driver.ctx_get_current (&ctx) || ctx != aside.ctx
      || acr_driver.stream_wait_event (stream, aside.before, 0))
    return NULL;
  return stream;
}

CUresult
acr_aside_leave (CUstream stream)
{
  CUstream own = aside.stream[aside.beside_null];
  CUresult r = acr_driver.event_record (aside.behind, own);
  if (!r)
    r = acr_driver.stream_wait_event (stream, aside.behind, 0);
  return r ? acr_cuda_wait (own) : r;
}

void
acr_aside_close (void)
{
  atomic_store (&busy, false);
}

void
acr_aside_forget (CUcontext ctx)
{
  if (!acr_aside_claim ())
    return;
  if (aside.ctx == ctx)
    destroy ();
  acr_aside_close ();
}
