/* Kernels on the GPU, in the trace.

   Two events of the driver's stand around each kernel in its stream.  What
   they say is asked for when somebody has waited, so that nobody waits for the
   trace.  A third event, recorded in a stream of its own and waited for at
   once, relates the driver's time to the host's; another one follows every few
   seconds, as the driver counts in floats of milliseconds.

   A stream is a track, on which kernels follow one another and begin behind
   their launch, whatever the error of the relation, some microseconds.

   Nothing is held while the driver may wait.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "trace/trace-int.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK_US 4e6

enum
{
  FIRST_TRACK = 1 << 22 /* no thread has this number (PID_MAX_LIMIT) */
};

/* At EVENT of CTX the host's time was US.  */
struct clock
{
  struct clock *next;
  CUcontext ctx;
  CUstream stream;
  CUevent event;
  double us;
};

struct track
{
  struct track *next;
  CUcontext ctx;
  CUstream stream;
  int tid;
  double end; /* of the last kernel */
};

struct acr_trace_run
{
  struct acr_trace_run *next;
  CUcontext ctx;
  CUevent from, to;
  const struct clock *clock;
  struct track *track;
  double launched;
  char name[ACR_TRACE_TEXT], args[2 * ACR_TRACE_TEXT];
};

struct acr_driver acr_trace_driver;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct clock *clocks; /* the newest first */
static struct track *tracks;
static int ntracks;
static struct acr_trace_run *awaited, **last = &awaited; /* in order */
static struct acr_trace_run *idle;

/* ---- Forks ------------------------------------------------------------- */

/* The parent's contexts are of no use.  */
static void
reset (void)
{
  clocks = NULL;
  tracks = NULL;
  ntracks = 0;
  awaited = idle = NULL;
  last = &awaited;
}

ACR_FORK_RESETS (lock, reset)

/* Events of the trace are added with the lock held: a fork takes this lock
   before the file's, as its handlers are registered later.  */
void
acr_trace_gpu_start (void)
{
  handle_forks ();
}

/* Can the driver time kernels?  */
static bool
can_time (void)
{
  const struct acr_driver *d = &acr_trace_driver;
  return d->event_create && d->event_destroy && d->event_record
         && d->event_elapsed_time;
}

/* ---- Clocks ------------------------------------------------------------ */

/* Record C's event, and note the time; false when that fails.  */
static bool
set_clock (struct clock *c)
{
  const struct acr_driver *d = &acr_trace_driver;
  /* The first is slower.  */
  for (int i = 0; i < 2; i++)
    {
      double begin = acr_now_us ();
      if (d->event_record (c->event, c->stream)
          || d->event_synchronize (c->event))
        return false;
      c->us = (begin + acr_now_us ()) / 2;
    }
  return true;
}

/* A new clock of CTX, with the STREAM of its last one, or NULL.  */
static struct clock *
new_clock (CUcontext ctx, CUstream stream)
{
  const struct acr_driver *d = &acr_trace_driver;
  struct clock *c = calloc (1, sizeof *c);
  if (!c)
    return NULL;
  c->ctx = ctx;
  c->stream = stream;
  if ((stream || !d->stream_create (&c->stream, CU_STREAM_NON_BLOCKING))
      && !d->event_create (&c->event, CU_EVENT_DEFAULT))
    {
      if (set_clock (c))
        return c;
      d->event_destroy (c->event);
    }
  if (!stream && c->stream)
    d->stream_destroy (c->stream);
  free (c);
  return NULL;
}

static struct clock *
newest_clock (CUcontext ctx)
{
  pthread_mutex_lock (&lock);
  struct clock *c = clocks;
  while (c && c->ctx != ctx)
    c = c->next;
  pthread_mutex_unlock (&lock);
  return c;
}

/* The clock of CTX for what is launched now, or NULL.  */
static struct clock *
clock_of (CUcontext ctx)
{
  struct clock *old = newest_clock (ctx);
  if (old && acr_now_us () - old->us < CLOCK_US)
    return old;
  struct clock *c = new_clock (ctx, old ? old->stream : NULL);
  if (!c)
    return old;
  pthread_mutex_lock (&lock);
  c->next = clocks;
  clocks = c;
  pthread_mutex_unlock (&lock);
  return c;
}

/* ---- Tracks ------------------------------------------------------------ */

static struct track *
new_track (CUcontext ctx, CUstream stream)
{
  struct track *t = calloc (1, sizeof *t);
  if (!t)
    return NULL;
  *t = (struct track){ tracks, ctx, stream, FIRST_TRACK + ntracks, 0 };
  acr_trace_event ("\"tid\":%d,\"ph\":\"M\",\"name\":\"thread_name\","
                   "\"args\":{\"name\":\"GPU, %s %d\"}",
                   t->tid, stream ? "stream" : "default stream", ntracks);
  ntracks++;
  return tracks = t;
}

/* The track of STREAM; the lock is held.  */
static struct track *
track_of (CUcontext ctx, CUstream stream)
{
  struct track *t = tracks;
  while (t && (t->ctx != ctx || t->stream != stream))
    t = t->next;
  return t ? t : new_track (ctx, stream);
}

/* ---- Runs -------------------------------------------------------------- */

static void
destroy (struct acr_trace_run *r)
{
  if (r->from)
    acr_trace_driver.event_destroy (r->from);
  if (r->to)
    acr_trace_driver.event_destroy (r->to);
  free (r);
}

/* A run with events of CTX, or NULL.  */
static struct acr_trace_run *
new_run (CUcontext ctx)
{
  struct acr_trace_run *r, **at = &idle;
  pthread_mutex_lock (&lock);
  while (*at && (*at)->ctx != ctx)
    at = &(*at)->next;
  r = *at;
  if (r)
    *at = r->next;
  pthread_mutex_unlock (&lock);
  if (r || !(r = calloc (1, sizeof *r)))
    return r;
  r->ctx = ctx;
  if (!acr_trace_driver.event_create (&r->from, CU_EVENT_DEFAULT)
      && !acr_trace_driver.event_create (&r->to, CU_EVENT_DEFAULT))
    return r;
  destroy (r);
  return NULL;
}

static void
put_idle (struct acr_trace_run *r)
{
  r->next = idle;
  idle = r;
}

struct acr_trace_run *
acr_trace_gpu_begin (CUstream stream, const char *name, const char *args)
{
  CUcontext ctx;
  if (!can_time () || acr_trace_driver.ctx_get_current (&ctx))
    return NULL;
  struct clock *clock = clock_of (ctx);
  struct acr_trace_run *r = clock ? new_run (ctx) : NULL;
  if (!r)
    return NULL;
  pthread_mutex_lock (&lock);
  r->track = track_of (ctx, stream);
  pthread_mutex_unlock (&lock);
  r->clock = clock;
  snprintf (r->name, sizeof r->name, "%s", name);
  snprintf (r->args, sizeof r->args, "%s", args);
  if (r->track && !acr_trace_driver.event_record (r->from, stream))
    {
      r->launched = acr_now_us ();
      return r;
    }
  destroy (r);
  return NULL;
}

void
acr_trace_gpu_end (struct acr_trace_run *run, CUstream stream, CUresult r)
{
  if (!run)
    return;
  bool recorded = !r && !acr_trace_driver.event_record (run->to, stream);
  pthread_mutex_lock (&lock);
  run->next = NULL;
  if (recorded)
    {
      *last = run;
      last = &run->next;
    }
  else
    put_idle (run);
  pthread_mutex_unlock (&lock);
}

static double
later (double a, double b)
{
  return a > b ? a : b;
}

/* Tell about R, which has ended.  An idle stream reaches the first event
   before the kernel is launched.  */
static void
tell (const struct acr_trace_run *r)
{
  float since, took;
  const struct acr_driver *d = &acr_trace_driver;
  if (d->event_elapsed_time (&since, r->clock->event, r->from)
      || d->event_elapsed_time (&took, r->from, r->to))
    return;
  double begin = r->clock->us + 1e3 * since, end = begin + 1e3 * took;
  begin = later (begin, later (r->launched, r->track->end));
  r->track->end = end = later (begin, end);
  acr_trace_event (
      "\"tid\":%d,\"ph\":\"X\",\"cat\":\"kernel\",\"ts\":" ACR_TRACE_US ","
      "\"dur\":" ACR_TRACE_US ",\"name\":\"%s\",\"args\":{%s}",
      r->track->tid, ACR_TRACE_TIME (begin), ACR_TRACE_TIME (end - begin),
      r->name, r->args);
}

/* Take out the run at AT.  */
static void
retire (struct acr_trace_run **at)
{
  struct acr_trace_run *r = *at;
  *at = r->next;
  if (last == &r->next)
    last = at;
  put_idle (r);
}

void
acr_trace_gpu_collect (void)
{
  pthread_mutex_lock (&lock);
  for (struct acr_trace_run **at = &awaited; *at;)
    {
      CUresult r = acr_trace_driver.event_query ((*at)->to);
      if (r == CUDA_ERROR_NOT_READY)
        {
          at = &(*at)->next;
          continue;
        }
      if (!r)
        tell (*at);
      retire (at);
    }
  pthread_mutex_unlock (&lock);
}

static void
forget_runs (CUcontext ctx)
{
  for (struct acr_trace_run **at = &awaited; *at;)
    if ((*at)->ctx == ctx)
      retire (at);
    else
      at = &(*at)->next;
  for (struct acr_trace_run **at = &idle, *r; (r = *at);)
    if (r->ctx == ctx)
      {
        *at = r->next;
        destroy (r);
      }
    else
      at = &r->next;
}

static void
forget_clocks (CUcontext ctx)
{
  CUstream stream = NULL;
  for (struct clock **at = &clocks, *c; (c = *at);)
    if (c->ctx == ctx)
      {
        *at = c->next;
        stream = c->stream;
        acr_trace_driver.event_destroy (c->event);
        free (c);
      }
    else
      at = &c->next;
  if (stream)
    acr_trace_driver.stream_destroy (stream);
}

void
acr_trace_gpu_forget (CUcontext ctx)
{
  acr_trace_gpu_collect ();
  pthread_mutex_lock (&lock);
  forget_runs (ctx);
  forget_clocks (ctx);
  for (struct track **at = &tracks, *t; (t = *at);)
    if (t->ctx == ctx)
      {
        *at = t->next;
        free (t);
      }
    else
      at = &t->next;
  pthread_mutex_unlock (&lock);
}
