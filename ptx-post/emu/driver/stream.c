/* Streams: queues of operations, each run in order by a thread of its own.

   Order between streams is kept by looking at the heads of their queues.
   Operations are numbered as they are issued, and a queue's head is its
   oldest unfinished one.  So an operation of the NULL stream may start when
   no blocking stream has an older head; one of a blocking stream, when the
   NULL stream has none.

   A worker thread starts with the first operation that needs it.  What the
   caller has to wait for anyway, a synchronous copy say, the calling thread
   runs itself when its turn comes (emu_stream_run).

   ACCRETE_EMU_DELAY=1 holds every asynchronous operation back until a call
   that has to wait for it releases it, together with what it depends on:
   a program that forgets to synchronise then sees old data.  A callback may
   be waited for without any call, so it comes after a while by itself.

   Source: CUDA Driver API, "Stream synchronization behavior" and "API
   synchronization behavior".

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <stdlib.h>

#include "driver/driver.h"

static uint64_t last_seq;
/* An operation or stream has ended, or was released.  */
static pthread_cond_t progress = PTHREAD_COND_INITIALIZER;

bool
emu_delaying (void)
{
  static int delay = -1;
  if (delay < 0)
    delay = emu_env_number (EMU_ENV_DELAY, 1, 0);
  return delay;
}

/* ---- Marks ------------------------------------------------------------- */

struct emu_mark *
emu_mark_new (void)
{
  struct emu_mark *m = calloc (1, sizeof *m);
  if (m)
    m->refs = 1;
  return m;
}

struct emu_mark *
emu_mark_ref (struct emu_mark *m)
{
  m->refs++;
  return m;
}

void
emu_mark_drop (struct emu_mark *m)
{
  if (m && !--m->refs)
    free (m);
}

/* ---- Order ------------------------------------------------------------- */

static bool
is_blocking (const struct CUstream_st *s)
{
  return !(s->flags & CU_STREAM_NON_BLOCKING);
}

/* Whether S has unfinished operations up to number SEQ.  */
static bool
pending (const struct CUstream_st *s, uint64_t seq)
{
  return s->head && s->head->seq <= seq;
}

/* Whether the NULL stream lets operation SEQ of stream S start.  */
static bool
in_turn (const struct CUstream_st *s, uint64_t seq)
{
  const struct CUctx_st *ctx = s->object.ctx;
  if (s != ctx->legacy)
    return !is_blocking (s) || !pending (ctx->legacy, seq);
  for (const struct CUstream_st *t = ctx->streams; t; t = t->next)
    if (t != s && is_blocking (t) && pending (t, seq))
      return false;
  return true;
}

static bool
may_run (const struct CUstream_st *s, const struct emu_op *op)
{
  return op->seq <= s->released && (!op->after || op->after->done)
	 && in_turn (s, op->seq);
}

/* Let the operations of S up to SEQ run, and all they wait for.  */
static void
release (struct CUstream_st *s, uint64_t seq)
{
  if (seq <= s->released)
    return;
  s->released = seq;
  for (struct emu_op *op = s->head; op && op->seq <= seq; op = op->next)
    if (op->after && !op->after->done)
      release (op->after->stream, op->after->seq);
  struct CUctx_st *ctx = s->object.ctx;
  if (s == ctx->legacy)
    {
      for (struct CUstream_st *t = ctx->streams; t; t = t->next)
	if (is_blocking (t))
	  release (t, seq);
    }
  else if (is_blocking (s))
    release (ctx->legacy, seq);
  pthread_cond_broadcast (&progress);
}

/* ---- Running ----------------------------------------------------------- */

void *
emu_op_new (size_t size, CUresult (*run) (struct emu_op *, CUresult))
{
  struct emu_op *op = calloc (1, size);
  if (op)
    op->run = run;
  return op;
}

void
emu_op_free (struct emu_op *op)
{
  emu_mark_drop (op->after);
  emu_mark_drop (op->mark);
  free (op);
}

static void
reach (struct emu_mark *m)
{
  if (!m)
    return;
  m->done = true;
  clock_gettime (CLOCK_MONOTONIC, &m->time);
}

/* Run OP, the head of S, and take it off the queue.  */
static void
run_head (struct CUstream_st *s, struct emu_op *op)
{
  struct CUctx_st *ctx = s->object.ctx;
  if (op->run && (!ctx->error || op->always))
    {
      CUresult status = ctx->error;
      emu_unlock ();
      CUresult r = op->run (op, status);
      emu_lock ();
      if (r && !ctx->error)
	{
	  /* Calls fail before they would wait from now on.  */
	  emu_printf_flush ();
	  ctx->error = r;
	}
    }
  s->head = op->next;
  if (!s->head)
    s->tail = &s->head;
  reach (op->mark);
  pthread_cond_broadcast (&progress);
}

static void
stream_drop (struct CUstream_st *s)
{
  if (--s->refs)
    return;
  pthread_cond_destroy (&s->wake);
  free (s);
}

static void
unlink_stream (struct CUstream_st *s)
{
  struct CUstream_st **p = &s->object.ctx->streams;
  while (*p != s)
    p = &(*p)->next;
  *p = s->next;
}

#define CALLBACK_DELAY 5	/* ms */

/* The head of S may not run: wait for that to change.  */
static void
wait_for_turn (struct CUstream_st *s)
{
  struct emu_op *call = s->head;
  while (call && !(call->called && call->seq > s->released))
    call = call->next;
  uint64_t seq = call ? call->seq : 0;
  if (!call)
    emu_wait (&progress);
  else if (!emu_wait_ms (&progress, CALLBACK_DELAY))
    release (s, seq);
}

static void *
worker (void *arg)
{
  struct CUstream_st *s = arg;
  emu_lock ();
  while (s->head || !s->closing)
    {
      struct emu_op *op = s->head;
      if (!op)
	emu_wait (&s->wake);
      else if (op->here || !may_run (s, op))
	wait_for_turn (s);
      else
	{
	  run_head (s, op);
	  emu_op_free (op);
	}
    }
  unlink_stream (s);
  stream_drop (s);
  pthread_cond_broadcast (&progress);
  emu_unlock ();
  return NULL;
}

static bool
start_worker (struct CUstream_st *s)
{
  s->has_worker = emu_thread_start (worker, s);
  s->refs += s->has_worker;
  return s->has_worker;
}

static void
enqueue (struct CUstream_st *s, struct emu_op *op)
{
  op->seq = ++last_seq;
  if (op->mark)
    {
      op->mark->stream = s;
      op->mark->seq = op->seq;
    }
  *s->tail = op;
  s->tail = &op->next;
}

bool
emu_stream_ready (struct CUstream_st *s)
{
  return !emu_delaying () && !s->head && in_turn (s, UINT64_MAX);
}

/* A mere mark in an idle stream needs no thread.  */
CUresult
emu_stream_push (struct CUstream_st *s, struct emu_op *op)
{
  if (!op->run && !op->after && emu_stream_ready (s))
    {
      reach (op->mark);
      emu_op_free (op);
      return CUDA_SUCCESS;
    }
  if (!s->has_worker && !start_worker (s))
    {
      emu_op_free (op);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  enqueue (s, op);
  pthread_cond_signal (&s->wake);
  if (op->called)
    pthread_cond_broadcast (&progress);
  return CUDA_SUCCESS;
}

/* The context's error, for a thread that has waited: meanwhile another may
   have destroyed it.  What kernels printed comes out now.  */
static CUresult
status_of (const struct CUctx_st *ctx)
{
  emu_printf_flush ();
  return emu_object_is (ctx, EMU_CONTEXT) ? ctx->error
					  : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult
emu_stream_run (struct CUstream_st *s, struct emu_op *op)
{
  struct CUctx_st *ctx = s->object.ctx;
  op->here = true;
  s->refs++;
  enqueue (s, op);
  release (s, op->seq);
  while (s->head != op || !may_run (s, op))
    emu_wait (&progress);
  run_head (s, op);
  stream_drop (s);
  return status_of (ctx);
}

/* ---- Waiting ----------------------------------------------------------- */

/* Wait for what is queued in CTX: in all streams, or in those that the NULL
   stream waits for.  */
static CUresult
wait_for_streams (struct CUctx_st *ctx, bool all)
{
  uint64_t seq = last_seq;
  for (struct CUstream_st *s = ctx->streams; s; s = s->next)
    if (all || is_blocking (s))
      release (s, seq);
  while (emu_object_is (ctx, EMU_CONTEXT))
    {
      struct CUstream_st *s = ctx->streams;
      while (s && !(pending (s, seq) && (all || is_blocking (s))))
	s = s->next;
      if (!s)
	break;
      emu_wait (&progress);
    }
  return status_of (ctx);
}

CUresult
emu_context_wait (struct CUctx_st *ctx)
{
  return wait_for_streams (ctx, true);
}

CUresult
emu_stream_wait (struct CUstream_st *s)
{
  struct CUctx_st *ctx = s->object.ctx;
  if (s == ctx->legacy)
    return wait_for_streams (ctx, false);
  uint64_t seq = last_seq;
  s->refs++;
  release (s, seq);
  while (pending (s, seq))
    emu_wait (&progress);
  stream_drop (s);
  return status_of (ctx);
}

bool
emu_stream_poll (struct CUstream_st *s)
{
  if (!s->head)
    return true;
  release (s, s->head->seq);
  return false;
}

bool
emu_mark_poll (struct emu_mark *m)
{
  return m->done || (emu_stream_poll (m->stream), false);
}

CUresult
emu_mark_wait (struct emu_mark *m, struct CUctx_st *ctx)
{
  if (!m->done)
    release (m->stream, m->seq);
  emu_mark_ref (m);
  while (!m->done)
    emu_wait (&progress);
  emu_mark_drop (m);
  return status_of (ctx);
}

/* ---- Life of a stream -------------------------------------------------- */

struct CUstream_st *
emu_stream_new (struct CUctx_st *ctx, unsigned flags, int priority)
{
  struct CUstream_st *s = emu_object_new (EMU_STREAM, sizeof *s, ctx);
  if (!s)
    return NULL;
  s->flags = flags;
  s->priority = priority;
  s->tail = &s->head;
  s->released = emu_delaying () ? 0 : UINT64_MAX;
  s->refs = 1;
  pthread_cond_init (&s->wake, NULL);
  s->next = ctx->streams;
  ctx->streams = s;
  return s;
}

void
emu_stream_close (struct CUstream_st *s)
{
  emu_object_retire (&s->object);
  s->closing = true;
  if (s->has_worker)
    pthread_cond_signal (&s->wake);
  else
    unlink_stream (s);
  stream_drop (s);
}

void
emu_streams_join (struct CUctx_st *ctx)
{
  while (ctx->streams)
    emu_wait (&progress);
}
