/* Deferred callbacks and events that are used again; see queue.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "ext.h"
#include "interpose/submit.h"
#include "launch/queue.h"
#include "memory/pool.h"

#include <stdlib.h>
#include <sys/queue.h>

/* A list this long is looked at; one still longer goes to the driver.  */
#define LOOK_AT 64
#define HAND_OVER 512

struct callback
{
  STAILQ_ENTRY (callback) link;
  struct acr_mark mark; /* what was submitted before it */
  CUstreamCallback fn;
  void *data;
};

STAILQ_HEAD (callbacks, callback);

struct queue
{
  struct queue *next;
  CUstream stream;
  CUcontext ctx;
  struct callbacks pending; /* oldest first */
  unsigned n;
};

struct event
{
  struct event *next;
  CUcontext ctx;
  CUevent handle;
};

/* Guards what follows.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct queue *queues;
static struct event *events; /* not in use */

/* Callbacks that wait, so that programs without any do not pay.  */
static _Atomic unsigned long npending;

static __thread bool in_callback __attribute__ ((tls_model ("initial-exec")));

/* This thread's event, between begin and end.  */
static __thread struct
{
  bool open;
  struct event *event;
} ordering __attribute__ ((tls_model ("initial-exec")));

ACR_FORK_KEEPS (lock)

/* ---- Callbacks --------------------------------------------------------- */

bool
acr_queue_in_callback (void)
{
  return in_callback;
}

static struct queue *
queue_find (CUstream stream)
{
  struct queue *q = queues;
  while (q && q->stream != stream)
    q = q->next;
  return q;
}

static void
queue_remove (struct queue *q)
{
  struct queue **p = &queues;
  while (*p != q)
    p = &(*p)->next;
  *p = q->next;
  atomic_fetch_sub_explicit (&npending, q->n, memory_order_relaxed);
}

static void
run (struct callbacks *list, CUstream stream)
{
  struct callback *c;
  bool outer = in_callback;
  in_callback = true;
  while ((c = STAILQ_FIRST (list)))
    {
      STAILQ_REMOVE_HEAD (list, link);
      c->fn (stream, CUDA_SUCCESS, c->data);
      free (c);
    }
  in_callback = outer;
}

/* All of a queue's callbacks as one of the driver's.  */
static void
run_queue (CUstream stream, CUresult status, void *data)
{
  struct queue *q = data;
  struct callback *c;
  while ((c = STAILQ_FIRST (&q->pending)))
    {
      STAILQ_REMOVE_HEAD (&q->pending, link);
      c->fn (stream, acr_cuda_callback_status (status), c->data);
      free (c);
    }
  free (q);
}

/* Let the driver run the callbacks of Q, which is in no list.  */
static void
hand_over (struct queue *q)
{
  if (acr_cuda_add_callback (q->stream, run_queue, q))
    {
      /* What a failed context does not run is lost with it.  */
      run (&q->pending, q->stream);
      free (q);
    }
}

bool
acr_queue_defer (CUstream stream, CUstreamCallback fn, void *data)
{
  struct acr_mark mark = acr_pool_mark (stream);
  struct callback *c = NULL;
  CUcontext ctx;
  if (!mark.context || acr_opt_off (ACR_OPT_queue)
      || acr_driver.ctx_get_current (&ctx) || !(c = malloc (sizeof *c)))
    return false;
  *c = (struct callback){ .mark = mark, .fn = fn, .data = data };

  pthread_mutex_lock (&lock);
  struct queue *q = queue_find (stream);
  if (!q && (q = calloc (1, sizeof *q)))
    {
      q->stream = stream;
      q->ctx = ctx;
      STAILQ_INIT (&q->pending);
      q->next = queues;
      queues = q;
    }
  if (q)
    {
      STAILQ_INSERT_TAIL (&q->pending, c, link);
      q->n++;
      atomic_fetch_add_explicit (&npending, 1, memory_order_relaxed);
      if (q->n >= HAND_OVER)
        queue_remove (q);
    }
  unsigned n = q ? q->n : 0;
  pthread_mutex_unlock (&lock);
  acr_count (callbacks_deferred, q != NULL);

  if (!q)
    free (c);
  else if (n >= HAND_OVER)
    hand_over (q);
  else if (n >= LOOK_AT && n % LOOK_AT == 0)
    acr_cuda_query (stream);
  return q;
}

/* Move what M has passed from a queue to OUT; the queue's stream, or NULL when
   there is nothing.  */
static CUstream
take_due (struct callbacks *out, const struct acr_mark *m)
{
  CUstream stream = NULL;
  struct callback *c;
  STAILQ_INIT (out);
  pthread_mutex_lock (&lock);
  for (struct queue *q = queues; q && !stream; q = q->next)
    while ((c = STAILQ_FIRST (&q->pending))
           && acr_mark_covers (m, &c->mark))
      {
        stream = q->stream;
        STAILQ_REMOVE_HEAD (&q->pending, link);
        STAILQ_INSERT_TAIL (out, c, link);
        q->n--;
        atomic_fetch_sub_explicit (&npending, 1, memory_order_relaxed);
      }
  pthread_mutex_unlock (&lock);
  return stream;
}

void
acr_queue_passed (const struct acr_mark *m)
{
  struct callbacks due;
  CUstream stream;
  while (atomic_load_explicit (&npending, memory_order_relaxed)
         && (stream = take_due (&due, m)))
    run (&due, stream);
}

bool
acr_queue_wait (void)
{
  CUcontext ctx;
  bool any = false;
  if (!atomic_load_explicit (&npending, memory_order_relaxed)
      || acr_driver.ctx_get_current (&ctx))
    return false;
  for (;;)
    {
      CUstream stream = NULL;
      pthread_mutex_lock (&lock);
      for (struct queue *q = queues; q && !stream; q = q->next)
        if (q->n && q->ctx == ctx)
          stream = q->stream;
      pthread_mutex_unlock (&lock);
      if (!stream || acr_cuda_wait (stream))
        return any;
      any = true;
    }
}

void
acr_queue_end (CUstream stream)
{
  pthread_mutex_lock (&lock);
  struct queue *q = queue_find (stream);
  if (q)
    queue_remove (q);
  pthread_mutex_unlock (&lock);
  if (q && q->n)
    hand_over (q);
  else
    free (q);
}

void
acr_queue_profiled (void)
{
  acr_opt_disable (ACR_OPT_queue, "the program is profiled");
}

/* ---- Events ------------------------------------------------------------ */

void
acr_event_begin (void)
{
  ordering.open = !acr_opt_off (ACR_OPT_queue);
}

/* Whoever waits for the event has been told by now which record of it is
   meant.  */
void
acr_event_end (void)
{
  struct event *e = ordering.event;
  if (e)
    {
      pthread_mutex_lock (&lock);
      e->next = events;
      events = e;
      pthread_mutex_unlock (&lock);
    }
  ordering.event = NULL;
  ordering.open = false;
}

CUresult
acr_event_create (CUevent *event, unsigned flags)
{
  CUcontext ctx;
  CUresult r = CUDA_SUCCESS;
  if (!ordering.open || ordering.event || acr_driver.ctx_get_current (&ctx))
    return acr_driver.event_create (event, flags);
  pthread_mutex_lock (&lock);
  struct event **p = &events;
  while (*p && (*p)->ctx != ctx)
    p = &(*p)->next;
  struct event *e = *p;
  if (e)
    *p = e->next;
  pthread_mutex_unlock (&lock);
  if (!e)
    {
      r = acr_driver.event_create (event, flags);
      e = r ? NULL : malloc (sizeof *e);
      if (!e)
        return r;
      *e = (struct event){ NULL, ctx, *event };
    }
  ordering.event = e;
  *event = e->handle;
  return r;
}

CUresult
acr_event_destroy (CUevent event)
{
  if (ordering.event && ordering.event->handle == event)
    return CUDA_SUCCESS;
  return acr_driver.event_destroy (event);
}

void
acr_event_forget (CUcontext ctx)
{
  pthread_mutex_lock (&lock);
  for (struct event **p = &events; *p;)
    {
      struct event *e = *p;
      if (e->ctx == ctx)
        {
          *p = e->next;
          free (e);
        }
      else
        p = &e->next;
    }
  pthread_mutex_unlock (&lock);
}
