/* Entry points of streams and events.

   An event stands for a mark: the point in a stream where it was recorded
   last.  Recording makes a new mark, so that waits queued before still mean
   the old one.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <stdlib.h>

#include "driver/driver.h"

struct CUevent_st
{
  struct emu_object object;
  unsigned flags;
  struct emu_mark *mark;	/* of the last record, or NULL */
};

/* ---- Streams ----------------------------------------------------------- */

/* The stream CU_STREAM_PER_THREAD of this thread in CTX.  */
static struct CUstream_st *
per_thread_stream (struct CUctx_st *ctx)
{
  for (struct CUstream_st *s = ctx->streams; s; s = s->next)
    if (s->per_thread && pthread_equal (s->owner, pthread_self ()))
      return s;
  struct CUstream_st *s = emu_stream_new (ctx, CU_STREAM_DEFAULT, 0);
  if (s)
    {
      s->per_thread = true;
      s->owner = pthread_self ();
    }
  return s;
}

struct CUstream_st *
emu_stream_of (CUstream handle)
{
  struct CUctx_st *ctx = emu_context ();
  if (!handle)
    handle = emu_per_thread ? CU_STREAM_PER_THREAD : CU_STREAM_LEGACY;
  if (handle == CU_STREAM_LEGACY)
    return ctx->legacy;
  if (handle == CU_STREAM_PER_THREAD)
    return per_thread_stream (ctx);
  return emu_object_is (handle, EMU_STREAM) ? handle : NULL;
}

CUresult
emu_cuStreamCreateWithPriority (CUstream *stream, unsigned flags, int priority)
{
  if (!stream || flags & ~CU_STREAM_NON_BLOCKING)
    return CUDA_ERROR_INVALID_VALUE;
  if (priority > 0)
    priority = 0;
  if (priority < EMU_GREATEST_PRIORITY)
    priority = EMU_GREATEST_PRIORITY;
  *stream = emu_stream_new (emu_context (), flags, priority);
  return *stream ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* Graphs are built by hand: streams are not captured into them.  */
CUresult
emu_cuStreamBeginCapture (CUstream stream, CUstreamCaptureMode mode)
{
  (void) mode;
  return emu_stream_of (stream) ? CUDA_ERROR_NOT_SUPPORTED
				: CUDA_ERROR_INVALID_HANDLE;
}

CUresult
emu_cuStreamEndCapture (CUstream stream, CUgraph *graph)
{
  if (graph)
    *graph = NULL;
  return emu_stream_of (stream) ? CUDA_ERROR_ILLEGAL_STATE
				: CUDA_ERROR_INVALID_HANDLE;
}

CUresult
emu_cuStreamIsCapturing (CUstream stream, CUstreamCaptureStatus *status)
{
  if (!emu_stream_of (stream))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!status)
    return CUDA_ERROR_INVALID_VALUE;
  *status = CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}

CUresult
emu_cuStreamCreate (CUstream *stream, unsigned flags)
{
  return emu_cuStreamCreateWithPriority (stream, flags, 0);
}

CUresult
emu_cuStreamDestroy (CUstream stream)
{
  if (!emu_object_is (stream, EMU_STREAM)
      || stream == stream->object.ctx->legacy)
    return CUDA_ERROR_INVALID_HANDLE;
  emu_stream_close (stream);
  return CUDA_SUCCESS;
}

CUresult
emu_cuStreamGetFlags (CUstream stream, unsigned *flags)
{
  struct CUstream_st *s = emu_stream_of (stream);
  if (!s)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!flags)
    return CUDA_ERROR_INVALID_VALUE;
  *flags = s->flags;
  return CUDA_SUCCESS;
}

CUresult
emu_cuStreamGetPriority (CUstream stream, int *priority)
{
  struct CUstream_st *s = emu_stream_of (stream);
  if (!s)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!priority)
    return CUDA_ERROR_INVALID_VALUE;
  *priority = s->priority;
  return CUDA_SUCCESS;
}

CUresult
emu_cuStreamGetCtx (CUstream stream, CUcontext *ctx)
{
  struct CUstream_st *s = emu_stream_of (stream);
  if (!s)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!ctx)
    return CUDA_ERROR_INVALID_VALUE;
  *ctx = s->object.ctx;
  return CUDA_SUCCESS;
}

CUresult
emu_cuStreamQuery (CUstream stream)
{
  struct CUstream_st *s = emu_stream_of (stream);
  if (!s)
    return CUDA_ERROR_INVALID_HANDLE;
  return emu_stream_poll (s) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult
emu_cuStreamSynchronize (CUstream stream)
{
  struct CUstream_st *s = emu_stream_of (stream);
  return s ? emu_stream_wait (s) : CUDA_ERROR_INVALID_HANDLE;
}

/* ---- Callbacks --------------------------------------------------------- */

struct callback_op
{
  struct emu_op op;
  CUstream stream;		/* as the caller named it */
  CUstreamCallback callback;	/* or */
  CUhostFn fn;
  void *data;
};

static CUresult
run_callback (struct emu_op *op, CUresult status)
{
  struct callback_op *c = (struct callback_op *) op;
  emu_in_callback = true;
  if (c->callback)
    c->callback (c->stream, status, c->data);
  else
    c->fn (c->data);
  emu_in_callback = false;
  return CUDA_SUCCESS;
}

static CUresult
push_callback (CUstream stream, CUstreamCallback callback, CUhostFn fn,
	       void *data)
{
  struct CUstream_st *s = emu_stream_of (stream);
  if (!s)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!callback && !fn)
    return CUDA_ERROR_INVALID_VALUE;
  struct callback_op *c = emu_op_new (sizeof *c, run_callback);
  if (!c)
    return CUDA_ERROR_OUT_OF_MEMORY;
  c->stream = stream;
  c->callback = callback;
  c->fn = fn;
  c->data = data;
  c->op.always = callback != NULL;
  c->op.called = true;
  return emu_stream_push (s, &c->op);
}

/* The callback learns of a failed context from its status argument.  */
CUresult
emu_cuStreamAddCallback (CUstream stream, CUstreamCallback fn, void *data,
			 unsigned flags)
{
  return flags ? CUDA_ERROR_INVALID_VALUE
	       : push_callback (stream, fn, NULL, data);
}

/* FN is not called in a failed context.  */
CUresult
emu_cuLaunchHostFunc (CUstream stream, CUhostFn fn, void *data)
{
  return push_callback (stream, NULL, fn, data);
}

/* ---- Events ------------------------------------------------------------ */

void
emu_event_release (struct CUevent_st *e)
{
  emu_object_retire (&e->object);
  emu_mark_drop (e->mark);
  free (e);
}

CUresult
emu_cuEventCreate (CUevent *event, unsigned flags)
{
  const unsigned known
    = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;
  if (!event || flags & ~known)
    return CUDA_ERROR_INVALID_VALUE;
  if (flags & CU_EVENT_INTERPROCESS)
    return flags & CU_EVENT_DISABLE_TIMING ? CUDA_ERROR_NOT_SUPPORTED
					   : CUDA_ERROR_INVALID_VALUE;
  struct CUevent_st *e
    = emu_object_new (EMU_EVENT, sizeof *e, emu_context ());
  if (!e)
    return CUDA_ERROR_OUT_OF_MEMORY;
  e->flags = flags;
  *event = e;
  return CUDA_SUCCESS;
}

CUresult
emu_cuEventDestroy (CUevent event)
{
  if (!emu_object_is (event, EMU_EVENT))
    return CUDA_ERROR_INVALID_HANDLE;
  emu_event_release (event);
  return CUDA_SUCCESS;
}

CUresult
emu_cuEventRecord (CUevent event, CUstream stream)
{
  struct CUstream_st *s = emu_stream_of (stream);
  if (!s || !emu_object_is (event, EMU_EVENT)
      || event->object.ctx != s->object.ctx)
    return CUDA_ERROR_INVALID_HANDLE;
  struct emu_op *op = emu_op_new (sizeof *op, NULL);
  struct emu_mark *mark = emu_mark_new ();
  if (!op || !mark)
    {
      free (op);
      free (mark);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  op->mark = mark;
  emu_mark_ref (mark);
  CUresult r = emu_stream_push (s, op);
  if (r)
    {
      emu_mark_drop (mark);
      return r;
    }
  emu_mark_drop (event->mark);
  event->mark = mark;
  return CUDA_SUCCESS;
}

CUresult
emu_cuEventRecordWithFlags (CUevent event, CUstream stream, unsigned flags)
{
  return flags > 1 ? CUDA_ERROR_INVALID_VALUE
		   : emu_cuEventRecord (event, stream);
}

CUresult
emu_cuStreamWaitEvent (CUstream stream, CUevent event, unsigned flags)
{
  struct CUstream_st *s = emu_stream_of (stream);
  if (!s || !emu_object_is (event, EMU_EVENT))
    return CUDA_ERROR_INVALID_HANDLE;
  if (flags > 1)
    return CUDA_ERROR_INVALID_VALUE;
  if (!event->mark || event->mark->done)
    return CUDA_SUCCESS;
  struct emu_op *op = emu_op_new (sizeof *op, NULL);
  if (!op)
    return CUDA_ERROR_OUT_OF_MEMORY;
  op->after = emu_mark_ref (event->mark);
  return emu_stream_push (s, op);
}

CUresult
emu_cuEventQuery (CUevent event)
{
  if (!emu_object_is (event, EMU_EVENT))
    return CUDA_ERROR_INVALID_HANDLE;
  return !event->mark || emu_mark_poll (event->mark) ? CUDA_SUCCESS
						      : CUDA_ERROR_NOT_READY;
}

CUresult
emu_cuEventSynchronize (CUevent event)
{
  if (!emu_object_is (event, EMU_EVENT))
    return CUDA_ERROR_INVALID_HANDLE;
  struct CUctx_st *ctx = event->object.ctx;
  return event->mark ? emu_mark_wait (event->mark, ctx) : ctx->error;
}

CUresult
emu_cuEventElapsedTime (float *ms, CUevent start, CUevent end)
{
  if (!emu_object_is (start, EMU_EVENT) || !emu_object_is (end, EMU_EVENT))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!ms)
    return CUDA_ERROR_INVALID_VALUE;
  if (!start->mark || !end->mark
      || (start->flags | end->flags) & CU_EVENT_DISABLE_TIMING)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!emu_mark_poll (start->mark) || !emu_mark_poll (end->mark))
    return CUDA_ERROR_NOT_READY;
  const struct timespec *a = &start->mark->time, *b = &end->mark->time;
  *ms = (b->tv_sec - a->tv_sec) * 1e3 + (b->tv_nsec - a->tv_nsec) * 1e-6;
  return CUDA_SUCCESS;
}
