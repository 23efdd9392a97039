/* A launch beside the one before it; see aside.h.

   The stream is one that the NULL stream is ordered with, as those of queues
   are.  It and the events belong to the context in which they were first
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
  CUstream stream;
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
  if (aside.stream)
    acr_driver.stream_destroy (aside.stream);
  aside.ctx = NULL;
  aside.stream = NULL;
  aside.before = aside.behind = NULL;
}

/* Is all there in the current context?  */
static bool
make (void)
{
  CUcontext ctx;
  if (!acr_span_can () || acr_driver.ctx_get_current (&ctx))
    return false;
  if (aside.ctx)
    return aside.ctx == ctx;
  if (acr_driver.event_create (&aside.before, CU_EVENT_DISABLE_TIMING)
      || acr_driver.event_create (&aside.behind, CU_EVENT_DISABLE_TIMING)
      || acr_driver.stream_create (&aside.stream, CU_STREAM_DEFAULT))
    {
      destroy ();
      return false;
    }
  aside.ctx = ctx;
  return true;
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
  return make () && !acr_driver.event_record (aside.before, stream);
}

CUstream
acr_aside_enter (void)
{
  CUcontext ctx;
  if (acr_driver.ctx_get_current (&ctx) || ctx != aside.ctx
      || acr_driver.stream_wait_event (aside.stream, aside.before, 0))
    return NULL;
  return aside.stream;
}

CUresult
acr_aside_leave (CUstream stream)
{
  CUresult r = acr_driver.event_record (aside.behind, aside.stream);
  if (!r)
    r = acr_driver.stream_wait_event (stream, aside.behind, 0);
  return r ? acr_cuda_wait (aside.stream) : r;
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
