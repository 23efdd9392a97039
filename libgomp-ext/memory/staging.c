/* Pinned host memory; see staging.h.

   Buffers come in powers of two and wait, after use, in a queue for their
   size, first in first out: the one at the head is the one whose work was
   submitted first.  A buffer is never smaller than what the driver pins at a
   time anyway.  To pin memory costs as much as dozens of copies, so that it is
   given back only with its context.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "ext.h"
#include "interpose/cuda-context.h"
#include "memory/staging.h"

#include <pthread.h>
#include <stdlib.h>

enum
{
  MIN_SHIFT = 16, /* 64 KiB */
  NSIZES = 24
};

struct queue
{
  struct acr_staging *head, **tail;
};

struct staging_context
{
  struct staging_context *next;
  _Atomic (CUcontext) handle; /* NULL: left, to be freed with its last buffer */
  bool destroyed;             /* and the driver's part of that one with it */
  unsigned taken;             /* buffers in somebody's hands */
  struct queue idle[NSIZES];
};

/* Guards everything but buffers that are taken.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct staging_context *contexts;
static size_t total; /* bytes of all buffers */

/* The parent's buffers are not pinned here and its context does not work.  */
static void
forget_all (void)
{
  contexts = NULL;
  total = 0;
}

ACR_FORK_RESETS (lock, forget_all)

/* The lock is held.  */
static struct staging_context *
context_of (CUcontext handle)
{
  struct staging_context *c = contexts;
  while (c && c->handle != handle)
    c = c->next;
  if (c || !(c = calloc (1, sizeof *c)))
    return c;
  c->handle = handle;
  for (unsigned i = 0; i < NSIZES; i++)
    c->idle[i].tail = &c->idle[i].head;
  c->next = contexts;
  contexts = c;
  return c;
}

static struct acr_staging *
queue_take (struct queue *q)
{
  struct acr_staging *s = q->head;
  if (s && !(q->head = s->next))
    q->tail = &q->head;
  return s;
}

static void
queue_append (struct queue *q, struct acr_staging *s)
{
  s->next = NULL;
  *q->tail = s;
  q->tail = &s->next;
}

static unsigned
size_index (size_t bytes)
{
  unsigned i = 0;
  while (i < NSIZES && (size_t)1 << (MIN_SHIFT + i) < bytes)
    i++;
  return i;
}

/* Give S back to the driver.  */
static void
release (struct acr_staging *s)
{
  if (s->event)
    acr_driver.event_destroy (s->event);
  if (s->mem)
    acr_driver.mem_free_host (s->mem);
  free (s);
}

/* A buffer of BYTES that already count in TOTAL, or NULL.  */
static struct acr_staging *
create (size_t bytes)
{
  struct acr_staging *s = calloc (1, sizeof *s);
  if (!s)
    return NULL;
  s->bytes = bytes;
  if (acr_driver.mem_host_alloc ((void **)&s->mem, bytes, 0))
    s->mem = NULL;
  if (!s->mem || acr_driver.event_create (&s->event, CU_EVENT_DISABLE_TIMING))
    {
      release (s);
      return NULL;
    }
  acr_debug (1, "staging: %zu bytes pinned", bytes);
  return s;
}

struct acr_staging *
acr_staging_get (size_t bytes)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  unsigned i = size_index (bytes);
  CUcontext handle = NULL;
  if (i == NSIZES || acr_driver.ctx_get_current (&handle) || !handle)
    return NULL;
  pthread_once (&once, handle_forks);
  bytes = (size_t)1 << (MIN_SHIFT + i);

  pthread_mutex_lock (&lock);
  struct staging_context *c = context_of (handle);
  struct acr_staging *s = c ? queue_take (&c->idle[i]) : NULL;
  bool more = c && total <= acr_env.staging_max
              && bytes <= acr_env.staging_max - total;
  if (c)
    c->taken++;
  if (!s && more)
    total += bytes;
  pthread_mutex_unlock (&lock);
  if (!c)
    return NULL;

  /* One that is still at work waits for more company, if there may be.  */
  if (s && s->busy && more
      && acr_driver.event_query (s->event) == CUDA_ERROR_NOT_READY)
    {
      pthread_mutex_lock (&lock);
      queue_append (&c->idle[i], s);
      total += bytes;
      pthread_mutex_unlock (&lock);
      s = NULL;
    }
  else if (s && !acr_staging_wait (s))
    return s;
  else if (s)
    {
      acr_staging_put (s);
      return NULL;
    }
  if (more)
    s = create (bytes);
  pthread_mutex_lock (&lock);
  if (s)
    s->context = c;
  else
    {
      c->taken--;
      if (more)
        total -= bytes;
    }
  pthread_mutex_unlock (&lock);
  return s;
}

void
acr_staging_put (struct acr_staging *s)
{
  struct staging_context *c = s->context;
  if (s->sent)
    acr_staging_submitted (s);
  pthread_mutex_lock (&lock);
  bool left = !c->handle, destroyed = c->destroyed;
  c->taken--;
  if (!left)
    queue_append (&c->idle[size_index (s->bytes)], s);
  else
    total -= s->bytes;
  bool last = left && !c->taken;
  pthread_mutex_unlock (&lock);
  if (destroyed)
    free (s);
  else if (left)
    release (s);
  if (last)
    free (c);
}

bool
acr_staging_serves (const struct acr_staging *s, size_t bytes)
{
  CUcontext current;
  return s && bytes <= s->bytes && !acr_driver.ctx_get_current (&current)
         && current && s->context->handle == current;
}

struct acr_staging *
acr_staging_keep (struct acr_staging **s, size_t bytes)
{
  if (!acr_staging_serves (*s, bytes))
    {
      acr_staging_part (s);
      *s = acr_staging_get (bytes);
    }
  return *s;
}

void
acr_staging_part (struct acr_staging **s)
{
  if (*s)
    acr_staging_put (*s);
  *s = NULL;
}

CUresult
acr_staging_submitted (struct acr_staging *s)
{
  bool pushed;
  CUcontext context = s->context->handle;
  s->sent = false;
  if (!context || !acr_context_enter (context, &pushed))
    return CUDA_ERROR_INVALID_CONTEXT;
  s->busy = !acr_driver.event_record (s->event, NULL);
  /* Then somebody must have waited before it is used again.  */
  CUresult r = s->busy ? CUDA_SUCCESS : acr_driver.stream_synchronize (NULL);
  acr_context_leave (pushed);
  return r;
}

CUresult
acr_staging_wait (struct acr_staging *s)
{
  if (s->sent)
    acr_staging_submitted (s);
  if (!s->busy)
    return CUDA_SUCCESS;
  if (acr_driver.event_query (s->event))
    {
      acr_count (syncs, 1);
      CUresult r = acr_driver.event_synchronize (s->event);
      if (r)
        return r;
    }
  s->busy = false;
  return CUDA_SUCCESS;
}

void
acr_staging_passed (struct acr_staging *s)
{
  s->busy = s->sent = false;
}

void
acr_staging_drain (void)
{
  enum
  {
    MANY = 64 /* more than there are devices */
  };
  CUcontext handle[MANY];
  unsigned n = 0;
  pthread_mutex_lock (&lock);
  for (struct staging_context *c = contexts; c && n < MANY; c = c->next)
    handle[n++] = c->handle;
  pthread_mutex_unlock (&lock);
  while (n--)
    {
      bool pushed;
      if (!acr_context_enter (handle[n], &pushed))
        continue;
      acr_count (syncs, 1);
      acr_driver.stream_synchronize (NULL);
      acr_context_leave (pushed);
    }
}

void
acr_staging_context_left (CUcontext ctx, bool destroyed)
{
  struct queue out = { NULL, &out.head };
  pthread_mutex_lock (&lock);
  struct staging_context **link = &contexts;
  while (*link && (*link)->handle != ctx)
    link = &(*link)->next;
  struct staging_context *c = *link;
  if (c)
    {
      struct acr_staging *s;
      *link = c->next;
      c->handle = NULL;
      c->destroyed = destroyed;
      for (unsigned i = 0; i < NSIZES; i++)
        while ((s = queue_take (&c->idle[i])))
          {
            total -= s->bytes;
            queue_append (&out, s);
          }
      if (!c->taken)
        free (c);
    }
  pthread_mutex_unlock (&lock);
  struct acr_staging *s;
  while ((s = queue_take (&out)))
    release (s);
}
