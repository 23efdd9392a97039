/* The pool of device memory; see pool.h.

   Which blocks there are is in a store a context (store.h), and what may still use
   those that were freed in inflight.h.

   What is kept idle is limited; beyond that, chunks go back to the driver,
   those longest idle first.  cuMemFree waits for work in flight, so a chunk
   may go back at any time.

   Everything is guarded by LOCK, which is never held while the driver is
   called.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "interpose/submit.h"
#include "memory/inflight.h"
#include "memory/pool.h"
#include "memory/store.h"

#include <pthread.h>
#include <stdlib.h>

struct context
{
  struct acr_store store; /* comes first: a block leads here */
  struct context *next;
  CUcontext handle;
  uint64_t serial; /* never reused, unlike HANDLE */
  size_t max;      /* bytes that are kept idle */
  struct acr_inflight inflight;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct context *contexts;
static uint64_t serials;

static struct acr_pool_stats stats;

/* Set with the first stream, so that programs without any do not pay.  */
static _Atomic bool follow;

/* ---- Contexts ---------------------------------------------------------- */

static struct context *
context_find (CUcontext handle)
{
  struct context *c = contexts;
  while (c && c->handle != handle)
    c = c->next;
  return c;
}

static struct context *
context_of (const struct acr_block *b)
{
  return (struct context *)b->chunk->store;
}

/* Bytes that are in no use.  */
static size_t
kept (const struct context *c)
{
  return c->store.owned - c->store.live;
}

static void
context_release (struct context **link)
{
  struct context *c = *link;
  *link = c->next;
  acr_store_clear (&c->store);
  acr_inflight_clear (&c->inflight);
  free (c);
}

static void
before_fork (void)
{
  pthread_mutex_lock (&lock);
}

static void
after_fork_parent (void)
{
  pthread_mutex_unlock (&lock);
}

/* The parent's contexts do not work in the child: calls about their memory
   go to the driver, which says so.  */
static void
after_fork_child (void)
{
  while (contexts)
    context_release (&contexts);
  stats = (struct acr_pool_stats){ 0 };
  pthread_mutex_unlock (&lock);
}

static void
handle_forks (void)
{
  pthread_atfork (before_fork, after_fork_parent, after_fork_child);
}

/* The new context HANDLE, which is current; FOREIGN when it is the program's
   own, so that there may be work of the program's in it.  Takes the lock.  */
static struct context *
context_open (CUcontext handle, bool foreign)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  size_t idle, total, max = acr_env.pool_max;
  pthread_once (&once, handle_forks);
  if (max == POOL_MAX_DEFAULT)
    max = acr_driver.mem_get_info (&idle, &total) ? 0 : total / 4;

  pthread_mutex_lock (&lock);
  struct context *c = context_find (handle);
  if (c || !(c = calloc (1, sizeof *c)))
    return c;
  c->handle = handle;
  c->serial = ++serials;
  c->max = max;
  c->inflight.foreign = foreign;
  acr_store_init (&c->store);
  c->next = contexts;
  contexts = c;
  return c;
}

/* The current context, NULL when there is none or memory is out.  Takes the
   lock, which the caller releases in any case.  */
static struct context *
context_current (void)
{
  CUcontext handle = NULL;
  CUresult r = acr_driver.ctx_get_current (&handle);
  pthread_mutex_lock (&lock);
  if (r || !handle)
    return NULL;
  struct context *c = context_find (handle);
  if (c)
    return c;

  pthread_mutex_unlock (&lock);
  return context_open (handle, true);
}

/* ---- Giving back ------------------------------------------------------- */

/* Return the chunks in OUT to the driver; the first error, if any.  */
static CUresult
give_back (struct acr_chunks *out)
{
  CUresult first = CUDA_SUCCESS;
  struct acr_chunk *k;
  while ((k = TAILQ_FIRST (out)))
    {
      CUresult r = acr_cuda_free (k->base);
      if (!first)
        first = r;
      TAILQ_REMOVE (out, k, link);
      free (k);
    }
  return first;
}

void
acr_pool_trim (void)
{
  struct acr_chunks out = TAILQ_HEAD_INITIALIZER (out);
  struct context *c = context_current ();
  if (c)
    acr_store_trim (&c->store, 0, &out);
  pthread_mutex_unlock (&lock);
  give_back (&out);
}

void
acr_pool_trim_of (CUcontext handle)
{
  CUcontext current;
  if (!acr_driver.ctx_get_current (&current) && current == handle)
    acr_pool_trim ();
}

void
acr_pool_context_created (CUcontext handle)
{
  context_open (handle, false);
  pthread_mutex_unlock (&lock);
}

void
acr_pool_context_destroyed (CUcontext handle)
{
  pthread_mutex_lock (&lock);
  for (struct context **link = &contexts; *link; link = &(*link)->next)
    if ((*link)->handle == handle)
      {
        context_release (link);
        break;
      }
  pthread_mutex_unlock (&lock);
}

void
acr_pool_context_left (void)
{
  struct acr_chunks out = TAILQ_HEAD_INITIALIZER (out);
  struct context *c = context_current ();
  if (c)
    {
      acr_store_trim (&c->store, 0, &out);
      acr_inflight_clear (&c->inflight);
      c->handle = NULL;
      c->max = 0;
    }
  pthread_mutex_unlock (&lock);
  give_back (&out);
}

/* ---- The driver's entries ---------------------------------------------- */

/* A chunk of N blocks of BYTES from the driver, not entered yet.  NULL when
   there is no memory, with the driver's result in *R.  */
static struct acr_chunk *
chunk_new (CUresult *r, size_t bytes, unsigned n)
{
  struct acr_chunk *c = calloc (1, sizeof *c + n * sizeof *c->blocks);
  *r = c ? acr_cuda_alloc (&c->base, bytes * n) : CUDA_ERROR_OUT_OF_MEMORY;
  if (c && *r)
    {
      free (c);
      return NULL;
    }
  if (c)
    {
      c->block_bytes = bytes;
      c->nblocks = n;
    }
  return c;
}

/* A chunk that can hold BYTES.  When memory is out, what is kept goes back
   first, then no byte more than BYTES is asked for.  */
static struct acr_chunk *
chunk_for (CUresult *r, size_t bytes, size_t max)
{
  size_t rounded = acr_store_round (bytes);
  unsigned n = acr_store_blocks (rounded, max);
  struct acr_chunk *c = chunk_new (r, rounded, n);
  if (*r == CUDA_ERROR_OUT_OF_MEMORY)
    {
      pthread_mutex_lock (&lock);
      stats.trims++;
      pthread_mutex_unlock (&lock);
      acr_pool_trim ();
      c = chunk_new (r, rounded, n);
    }
  if (*r == CUDA_ERROR_OUT_OF_MEMORY && rounded * n > bytes)
    c = chunk_new (r, bytes, 1);
  return c;
}

CUresult
acr_pool_alloc (CUdeviceptr *p, size_t bytes)
{
  if (!bytes || bytes > ACR_STORE_MOST)
    return acr_cuda_alloc (p, bytes);

  struct context *c = context_current ();
  struct acr_block *b
      = c ? acr_store_take (&c->store, bytes,
                            acr_inflight_horizon (&c->inflight))
          : NULL;
  if (b)
    {
      *p = b->addr;
      stats.hits++;
    }
  else if (c)
    stats.misses++;
  size_t max = c ? c->max : 0;
  pthread_mutex_unlock (&lock);
  if (b)
    return CUDA_SUCCESS;
  if (!c)
    return acr_cuda_alloc (p, bytes);

  CUresult r;
  struct acr_chunk *k = chunk_for (&r, bytes, max);
  if (!k)
    return r;
  *p = k->base;
  c = context_current ();
  /* No memory to remember it: the whole chunk is the program's, and the driver
     will know it.  */
  if (!c || !acr_store_enter (&c->store, k, bytes))
    free (k);
  pthread_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

CUdeviceptr
acr_pool_reserve (size_t bytes, unsigned n)
{
  CUresult r;
  struct acr_chunk *k = chunk_new (&r, bytes, n);
  if (!k)
    return 0;
  CUdeviceptr base = k->base;
  struct context *c = context_current ();
  bool entered = c && acr_store_reserve (&c->store, k);
  pthread_mutex_unlock (&lock);
  if (!entered)
    {
      acr_cuda_free (base);
      free (k);
    }
  return entered ? base : 0;
}

bool
acr_pool_alloc_at (CUdeviceptr p, size_t bytes)
{
  struct context *c = context_current ();
  bool taken = c
               && acr_store_take_at (&c->store, p, bytes,
                                     acr_inflight_horizon (&c->inflight));
  stats.hits += taken;
  pthread_mutex_unlock (&lock);
  return taken;
}

void
acr_pool_unreserve (CUdeviceptr p)
{
  pthread_mutex_lock (&lock);
  acr_store_release (p);
  pthread_mutex_unlock (&lock);
}

CUresult
acr_pool_free (CUdeviceptr p)
{
  if (!p)
    return CUDA_SUCCESS;

  bool ours, waited = false;
  struct acr_block *b;
  for (;;)
    {
      pthread_mutex_lock (&lock);
      b = acr_store_at (p, &ours);
      if (!b || waited || !context_of (b)->inflight.foreign)
        break;
      pthread_mutex_unlock (&lock);
      acr_count (syncs, 1);
      CUresult r = acr_driver.ctx_synchronize ();
      if (r)
        return r;
      waited = true;
    }
  if (!b || b->addr != p)
    {
      pthread_mutex_unlock (&lock);
      return ours ? CUDA_ERROR_INVALID_VALUE : acr_cuda_free (p);
    }

  struct context *c = context_of (b);
  struct acr_chunks out;
  acr_store_put (b, c->inflight.now, c->max);
  acr_store_trim (&c->store, c->max, &out);
  stats.trims += !TAILQ_EMPTY (&out);
  if (kept (c) > stats.cached_bytes)
    stats.cached_bytes = kept (c);
  pthread_mutex_unlock (&lock);
  return give_back (&out);
}

bool
acr_pool_range (bool *found, CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
  bool ours;
  pthread_mutex_lock (&lock);
  const struct acr_block *b = acr_store_at (p, &ours);
  if (b && base)
    *base = b->addr;
  if (b && bytes)
    *bytes = b->requested;
  pthread_mutex_unlock (&lock);
  *found = b;
  return ours;
}

bool
acr_pool_memory (CUdeviceptr p, size_t bytes, struct acr_memory *m)
{
  bool ours;
  pthread_mutex_lock (&lock);
  const struct acr_block *b = acr_store_at (p, &ours);
  bool in_use = b && bytes <= b->requested - (p - b->addr);
  if (in_use)
    *m = (struct acr_memory){ b->chunk->base, b->addr,
                              b->addr + b->chunk->block_bytes,
                              b->addr + b->requested - b->padding,
                              b->requested, b->serial, b->before,
                              context_of (b)->handle };
  pthread_mutex_unlock (&lock);
  return in_use;
}

uint64_t
acr_pool_serial (void)
{
  pthread_mutex_lock (&lock);
  uint64_t serial = acr_store_serial ();
  pthread_mutex_unlock (&lock);
  return serial;
}

void
acr_pool_padding (CUdeviceptr p, size_t n)
{
  bool ours;
  pthread_mutex_lock (&lock);
  struct acr_block *b = acr_store_at (p, &ours);
  if (b && b->padding < n)
    b->padding = n;
  pthread_mutex_unlock (&lock);
}

size_t
acr_pool_idle (void)
{
  struct context *c = context_current ();
  size_t n = c ? kept (c) : 0;
  pthread_mutex_unlock (&lock);
  return n;
}

/* ---- Work in flight ---------------------------------------------------- */

/* The followed stream HANDLE and its context, or NULL.  */
static struct acr_stream *
stream_find (CUstream handle, struct context **context)
{
  struct acr_stream *s = NULL;
  for (*context = contexts; *context; *context = (*context)->next)
    if ((s = acr_inflight_find (&(*context)->inflight, handle)))
      break;
  return s;
}

void
acr_pool_stream_created (CUstream handle)
{
  struct context *c = context_current ();
  if (c && acr_inflight_create (&c->inflight, handle))
    atomic_store_explicit (&follow, true, memory_order_relaxed);
  pthread_mutex_unlock (&lock);
}

void
acr_pool_stream_destroyed (CUstream handle)
{
  struct context *c;
  pthread_mutex_lock (&lock);
  struct acr_stream *s = stream_find (handle, &c);
  if (s)
    acr_inflight_destroy (&c->inflight, s);
  pthread_mutex_unlock (&lock);
}

void
acr_pool_submit (CUstream handle)
{
  struct context *c;
  pthread_mutex_lock (&lock);
  struct acr_stream *s = stream_find (handle, &c);
  if (s)
    acr_inflight_submit (&c->inflight, s);
  pthread_mutex_unlock (&lock);
  if (s)
    return;
  c = context_current ();
  if (c && !c->inflight.foreign)
    {
      c->inflight.foreign = true;
      acr_debug (1, "pool: a stream that libgomp did not make; frees wait");
    }
  pthread_mutex_unlock (&lock);
}

static struct acr_mark
mark_of (const struct context *c, CUstream stream)
{
  return c ? (struct acr_mark){ c->serial, stream, c->inflight.now }
           : (struct acr_mark){ 0 };
}

struct acr_mark
acr_pool_mark (CUstream handle)
{
  struct context *c = NULL;
  if (!handle || !atomic_load_explicit (&follow, memory_order_relaxed))
    return mark_of (NULL, NULL);
  pthread_mutex_lock (&lock);
  struct acr_mark m = mark_of (stream_find (handle, &c) ? c : NULL, handle);
  pthread_mutex_unlock (&lock);
  return m;
}

struct acr_mark
acr_pool_mark_all (void)
{
  if (!atomic_load_explicit (&follow, memory_order_relaxed))
    return mark_of (NULL, NULL);
  struct acr_mark m = mark_of (context_current (), NULL);
  pthread_mutex_unlock (&lock);
  return m;
}

void
acr_pool_passed (const struct acr_mark *m)
{
  if (!m->context)
    return;
  pthread_mutex_lock (&lock);
  struct context *c = contexts;
  while (c && c->serial != m->context)
    c = c->next;
  struct acr_stream *s
      = c && m->stream ? acr_inflight_find (&c->inflight, m->stream) : NULL;
  if (c && !m->stream)
    acr_inflight_passed_all (&c->inflight, m->time);
  else if (s)
    acr_inflight_passed (&c->inflight, s, m->time);
  pthread_mutex_unlock (&lock);
}

bool
acr_pool_ordered (CUstream stream)
{
  struct context *c = context_current ();
  bool ordered
      = c && !c->inflight.foreign
        && (!stream || acr_inflight_find (&c->inflight, stream));
  pthread_mutex_unlock (&lock);
  return ordered;
}

struct acr_pool_stats
acr_pool_stats (void)
{
  pthread_mutex_lock (&lock);
  struct acr_pool_stats s = stats;
  pthread_mutex_unlock (&lock);
  return s;
}
