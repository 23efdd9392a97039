/* What OpenACC's async queues ask of the driver beside work: callbacks that
   free, and events that order two queues.

   libgomp adds a callback to a queue for every async construct, to free what
   the construct needed.  The driver runs callbacks in a thread of its own and
   stops the queue meanwhile, which costs more than a launch.  Here they wait
   in a list and are run by the thread that learns that the queue has come so
   far: by waiting for it, by asking, or by adding many more.  They may still
   come from the driver, together: when a queue ends, and when a long list
   shows that nobody waits.

   Thread-safe; no lock is held while the driver or a callback is called.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_QUEUE_H
#define ACCRETE_QUEUE_H

#include <stdbool.h>

#include "interpose/cuda-types.h"
#include "memory/pool.h"

/* Callbacks that libgomp's plugin adds.  False: STREAM is not followed, or
   memory is out, and the driver must take it.  */
bool acr_queue_defer (CUstream stream, CUstreamCallback fn, void *data);

/* What is marked up to M is complete: run what waited for it.  */
void acr_queue_passed (const struct acr_mark *m);

/* Wait for all queues that have callbacks, and run these.  Whether there were
   any.  */
bool acr_queue_wait (void);

/* STREAM is about to be destroyed.  */
void acr_queue_end (CUstream stream);

/* Whether this thread is in a deferred callback: libgomp's plugin must then
   leave the current context as it is.  */
bool acr_queue_in_callback (void);

/* The program asks libgomp for profiling events.  What handles them may wait for
   a queue with libgomp's profiling lock held, which callbacks take as well; so
   the driver's thread runs them from now on, as in stock.  */
void acr_queue_profiled (void);

/* Events.  Between begin and end, around the plugin's entry that orders two
   queues, an event is one that served before, and is kept at the end.  */
void acr_event_begin (void);
void acr_event_end (void);
CUresult acr_event_create (CUevent *event, unsigned flags);
CUresult acr_event_destroy (CUevent event);

/* CTX and its events are about to be destroyed.  */
void acr_event_forget (CUcontext ctx);

#endif /* ACCRETE_QUEUE_H */
