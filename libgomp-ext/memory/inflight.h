/* Which work of a context may still be running, so that memory is not handed
   out again under it.

   libgomp's plugin submits work to the NULL stream and, for OpenACC's async
   queues, to streams that it creates.  All of these are ordered against the
   NULL stream by the driver (the legacy default stream: its work waits for
   all work submitted before, and all later work waits for it).  So whoever
   gets memory next, on whatever stream, comes after any NULL stream work that
   still uses it, and only the created streams are followed.  A stream from
   elsewhere (acc_set_cuda_stream) may not be ordered: the context is marked
   and frees then wait for it, as cuMemFree does.

   Time is the number of submissions so far.  Memory that is freed at time T
   may be used again once all submissions up to T are known to be complete: a
   stream was waited for, found idle, or has reached a callback.  A submission
   is noted after the driver has taken it and a mark is taken before the
   driver is asked to wait, so that a race between threads errs on the side of
   "may still run".

   One structure a context.  The caller locks.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_INFLIGHT_H
#define ACCRETE_INFLIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "interpose/cuda-types.h"

struct acr_stream
{
  CUstream handle; /* NULL: destroyed, but still busy */
  uint64_t since;  /* oldest submission not known complete; 0 idle */
  uint64_t last;   /* newest submission */
  struct acr_stream *next;
};

struct acr_inflight
{
  struct acr_stream *streams;
  uint64_t now;  /* submissions so far */
  unsigned busy; /* streams with SINCE */
  bool foreign;  /* has had work on a stream from elsewhere */
};

struct acr_stream *acr_inflight_find (const struct acr_inflight *,
                                      CUstream handle);
/* False when memory is out; the stream then counts as foreign.  */
bool acr_inflight_create (struct acr_inflight *, CUstream handle);
void acr_inflight_destroy (struct acr_inflight *, struct acr_stream *);
void acr_inflight_submit (struct acr_inflight *, struct acr_stream *);

/* Submissions up to MARK are complete: on stream S, or on all streams.  */
void acr_inflight_passed (struct acr_inflight *, struct acr_stream *s,
                          uint64_t mark);
void acr_inflight_passed_all (struct acr_inflight *, uint64_t mark);

/* What was freed before this time may be used again.  */
uint64_t acr_inflight_horizon (const struct acr_inflight *);

/* Release the streams.  */
void acr_inflight_clear (struct acr_inflight *);

#endif /* ACCRETE_INFLIGHT_H */
