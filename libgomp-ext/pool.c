/* The pool of device memory; see pool.h.

   Memory comes from the driver in chunks.  A chunk of small blocks is a slab:
   equal blocks, handed out in order of address; a larger request is a chunk of
   one block.  Free blocks wait in bins by size, and the one at the lowest
   address goes first: a sequence of requests that repeats, and frees what it
   got, meets the same addresses each time, and what is asked for together lies
   together where it can.  While work that may still use that one is in flight
   (inflight.h), the one longest out of use goes first.

   Sizes are rounded up to an eighth of their power of two, at least 512 bytes
   and at most the 2 MiB that the driver itself deals in.  A chunk's blocks
   know the size that was asked for, since libgomp checks every copy against
   it.

   What is kept idle is limited; beyond that, chunks go back to the driver,
   those longest idle first.  cuMemFree waits for work in flight, so a chunk
   may go back at any time.

   Everything is guarded by LOCK, which is never held while the driver is
   called.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "heap.h"
#include "inflight.h"
#include "kept.h"
#include "pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#define GRAIN ((size_t)512)        /* smallest block, and alignment */
#define SLAB_MAX ((size_t)2 << 20) /* also what the driver deals in */
#define SLAB_MIN ((size_t)64 << 10)
#define SMALL_MAX ((size_t)64 << 10)  /* largest block in a slab */
#define FIT_LARGE ((size_t)16 << 20)  /* from here a larger block will do */
#define REQUEST_MAX ((size_t)1 << 47) /* beyond any device */
#define NBINS ((47 - 9) * 8 + 9)      /* see bin_of */

struct block
{
  struct acr_heap_node by_addr; /* in its bin, while free; comes first */
  TAILQ_ENTRY (block) link;     /* likewise */
  struct chunk *chunk;
  CUdeviceptr addr;
  size_t requested; /* 0: free */
  size_t padding;   /* of them, at the end */
  uint64_t freed;   /* when, in time of inflight.h */
};

TAILQ_HEAD (block_queue, block);

struct chunk
{
  TAILQ_ENTRY (chunk) link; /* in context.idle, while nothing is in use */
  struct context *context;
  CUdeviceptr base;
  size_t block_bytes;
  unsigned nblocks;
  unsigned carved; /* blocks that were ever handed out */
  unsigned live;   /* blocks in use */
  struct block blocks[];
};

TAILQ_HEAD (chunk_queue, chunk);

struct bin
{
  struct block_queue free; /* longest out of use first */
  struct acr_heap by_addr;
  struct chunk *open; /* newest slab, may have blocks not handed out yet */
};

struct context
{
  struct context *next;
  CUcontext handle;
  uint64_t serial; /* never reused, unlike HANDLE */
  struct bin bins[NBINS];
  struct chunk_queue idle; /* longest idle first */
  size_t owned;            /* bytes from the driver */
  size_t live;             /* bytes of blocks in use */
  size_t max;              /* of OWNED - LIVE */
  struct acr_inflight inflight;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct context *contexts;
static uint64_t serials;

/* Chunks of all contexts by address: the driver's addresses are unique among
   devices.  */
static struct
{
  struct chunk **v;
  size_t n, room;
} chunks;

static struct acr_pool_stats stats;

/* Set with the first stream, so that programs without any do not pay.  */
static _Atomic bool follow;

/* ---- Sizes ------------------------------------------------------------- */

static unsigned
log2_floor (size_t n)
{
  return 63 - __builtin_clzll (n);
}

static size_t
round_up (size_t bytes)
{
  size_t step = ((size_t)1 << log2_floor (bytes)) / 8;
  step = step < GRAIN ? GRAIN : step > SLAB_MAX ? SLAB_MAX : step;
  return (bytes + step - 1) & -step;
}

/* Eight bins a power of two.  From 16 MiB on the sizes in a bin differ.  */
static unsigned
bin_of (size_t bytes)
{
  if (bytes < GRAIN)
    return 0;
  unsigned e = log2_floor (bytes);
  return (e - 9) * 8 + (bytes >> (e - 3) & 7);
}

static size_t
chunk_bytes (const struct chunk *c)
{
  return c->block_bytes * c->nblocks;
}

/* ---- Chunks by address ------------------------------------------------- */

/* Number of chunks that start at or below P.  */
static size_t
chunk_rank (CUdeviceptr p)
{
  size_t lo = 0, hi = chunks.n;
  while (lo < hi)
    {
      size_t mid = (lo + hi) / 2;
      if (chunks.v[mid]->base <= p)
        lo = mid + 1;
      else
        hi = mid;
    }
  return lo;
}

/* The chunk that holds P, or NULL.  */
static struct chunk *
chunk_at (CUdeviceptr p)
{
  size_t i = chunk_rank (p);
  struct chunk *c = i ? chunks.v[i - 1] : NULL;
  return c && p - c->base < chunk_bytes (c) ? c : NULL;
}

static void
bin_remove (struct bin *bin, struct block *b)
{
  TAILQ_REMOVE (&bin->free, b, link);
  acr_heap_remove (&bin->by_addr, &b->by_addr);
}

/* C's memory is gone, or about to go.  */
static void
chunk_leave (struct chunk *c)
{
  struct bin *bin = &c->context->bins[bin_of (c->block_bytes)];
  for (unsigned i = 0; i < c->carved; i++)
    if (!c->blocks[i].requested)
      bin_remove (bin, &c->blocks[i]);
  if (bin->open == c)
    bin->open = NULL;
  if (!c->live)
    TAILQ_REMOVE (&c->context->idle, c, link);
  c->context->live -= c->live * c->block_bytes;

  size_t i = chunk_rank (c->base) - 1;
  chunks.n--;
  memmove (&chunks.v[i], &chunks.v[i + 1], (chunks.n - i) * sizeof *chunks.v);
  c->context->owned -= chunk_bytes (c);
}

static bool
chunk_enter (struct chunk *c)
{
  /* Addresses that the driver hands out again have died with a context that
     the program destroyed behind libgomp's back.  */
  for (size_t i = chunk_rank (c->base + chunk_bytes (c) - 1);
       i && chunks.v[i - 1]->base + chunk_bytes (chunks.v[i - 1]) > c->base;
       i--)
    {
      struct chunk *dead = chunks.v[i - 1];
      chunk_leave (dead);
      free (dead);
    }

  if (chunks.n == chunks.room)
    {
      size_t room = chunks.room ? 2 * chunks.room : 64;
      struct chunk **v = realloc (chunks.v, room * sizeof *v);
      if (!v)
        return false;
      chunks.v = v;
      chunks.room = room;
    }
  size_t i = chunk_rank (c->base);
  memmove (&chunks.v[i + 1], &chunks.v[i], (chunks.n - i) * sizeof *chunks.v);
  chunks.v[i] = c;
  chunks.n++;
  c->context->owned += chunk_bytes (c);
  return true;
}

/* ---- Contexts ---------------------------------------------------------- */

static struct context *
context_find (CUcontext handle)
{
  struct context *c = contexts;
  while (c && c->handle != handle)
    c = c->next;
  return c;
}

static void
context_release (struct context **link)
{
  struct context *c = *link;
  *link = c->next;
  for (size_t i = chunks.n; i-- > 0;)
    if (chunks.v[i]->context == c)
      {
        struct chunk *k = chunks.v[i];
        chunk_leave (k);
        free (k);
      }
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
  for (unsigned i = 0; i < NBINS; i++)
    TAILQ_INIT (&c->bins[i].free);
  TAILQ_INIT (&c->idle);
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

/* ---- Blocks ------------------------------------------------------------ */

/* Hand out block B, which is in no queue.  */
static void
block_use (struct block *b, size_t bytes)
{
  struct chunk *c = b->chunk;
  b->requested = bytes;
  b->padding = sizeof (void *) - 1;
  c->live++;
  c->context->live += c->block_bytes;
}

/* The next block of slab C that was never handed out.  */
static struct block *
block_carve (struct chunk *c)
{
  struct block *b = &c->blocks[c->carved];
  b->chunk = c;
  b->addr = c->base + c->carved * c->block_bytes;
  c->carved++;
  return b;
}

/* Let BIN hand out blocks of the new slab C.  When another thread was faster,
   what is left of its slab waits like blocks that were freed long ago.  */
static void
bin_open (struct bin *bin, struct chunk *c)
{
  struct chunk *old = bin->open;
  while (old && old->carved < old->nblocks)
    {
      struct block *b = block_carve (old);
      TAILQ_INSERT_HEAD (&bin->free, b, link);
      acr_heap_insert (&bin->by_addr, &b->by_addr, b->addr);
    }
  bin->open = c;
}

/* Take a block of at least BYTES out of bin BIN, or NULL.  */
static struct block *
bin_take (struct bin *bin, size_t bytes, uint64_t horizon)
{
  struct block *b, *best = (struct block *)bin->by_addr.least;
  if (best && (best->freed >= horizon || best->chunk->block_bytes != bytes))
    best = NULL;
  if (!best)
    TAILQ_FOREACH (b, &bin->free, link)
    {
      size_t n = b->chunk->block_bytes;
      if (b->freed >= horizon)
        break;
      if (n >= bytes && (!best || n < best->chunk->block_bytes))
        best = b;
      if (n == bytes)
        break;
    }
  if (best)
    bin_remove (bin, best);
  return best;
}

/* A kept block of at least BYTES, which are rounded, or NULL.  A large one may
   be up to a quarter larger.  */
static struct block *
block_take (struct context *c, size_t bytes)
{
  uint64_t horizon = acr_inflight_horizon (&c->inflight);
  unsigned bin = bin_of (bytes), last = bytes < FIT_LARGE ? bin : bin + 1;
  struct block *b = NULL;
  for (unsigned i = bin; i <= last && i < NBINS && !b; i++)
    b = bin_take (&c->bins[i], bytes, horizon);
  struct chunk *open = c->bins[bin].open;
  if (!b && open && open->carved < open->nblocks)
    b = block_carve (open);
  if (b && !b->chunk->live)
    TAILQ_REMOVE (&c->idle, b->chunk, link);
  return b;
}

/* The block in use that holds P, or NULL.  *OURS: whether P is in a chunk.  */
static struct block *
block_at (CUdeviceptr p, bool *ours)
{
  struct chunk *c = chunk_at (p);
  *ours = c;
  if (!c)
    return NULL;
  size_t i = (p - c->base) / c->block_bytes;
  struct block *b = &c->blocks[i];
  return i < c->carved && p - b->addr < b->requested ? b : NULL;
}

/* ---- Giving back ------------------------------------------------------- */

/* Move idle chunks of C into OUT, longest idle first, until at most LIMIT
   bytes are kept.  */
static void
collect_idle (struct context *c, size_t limit, struct chunk_queue *out)
{
  TAILQ_INIT (out);
  struct chunk *k;
  while (c->owned - c->live > limit && (k = TAILQ_FIRST (&c->idle)))
    {
      chunk_leave (k);
      TAILQ_INSERT_TAIL (out, k, link);
    }
}

/* Return the chunks in OUT to the driver; the first error, if any.  */
static CUresult
give_back (struct chunk_queue *out)
{
  CUresult first = CUDA_SUCCESS;
  struct chunk *k;
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
  struct chunk_queue out = TAILQ_HEAD_INITIALIZER (out);
  struct context *c = context_current ();
  if (c)
    collect_idle (c, 0, &out);
  pthread_mutex_unlock (&lock);
  give_back (&out);
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
  struct chunk_queue out = TAILQ_HEAD_INITIALIZER (out);
  struct context *c = context_current ();
  if (c)
    {
      collect_idle (c, 0, &out);
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
static struct chunk *
chunk_new (CUresult *r, size_t bytes, unsigned n)
{
  struct chunk *c = calloc (1, sizeof *c + n * sizeof *c->blocks);
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

/* Blocks of BYTES in a slab, when MAX bytes may be kept idle.  */
static unsigned
slab_blocks (size_t bytes, size_t max)
{
  size_t slab = 64 * bytes;
  slab = slab < SLAB_MIN ? SLAB_MIN : slab > SLAB_MAX ? SLAB_MAX : slab;
  slab = slab < max ? slab : max;
  return bytes <= SMALL_MAX && slab > bytes ? slab / bytes : 1;
}

/* A chunk that can hold BYTES.  When memory is out, what is kept goes back
   first, then no byte more than BYTES is asked for.  */
static struct chunk *
chunk_for (CUresult *r, size_t bytes, size_t max)
{
  size_t rounded = round_up (bytes);
  unsigned n = slab_blocks (rounded, max);
  struct chunk *c = chunk_new (r, rounded, n);
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
  if (!bytes || bytes > REQUEST_MAX)
    return acr_cuda_alloc (p, bytes);

  struct context *c = context_current ();
  struct block *b = c ? block_take (c, round_up (bytes)) : NULL;
  if (b)
    {
      block_use (b, bytes);
      *p = b->addr;
      stats.hits++;
    }
  else if (c)
    stats.misses++;
  size_t max = c ? c->max : 0;
  pthread_mutex_unlock (&lock);
  if (b)
    {
      acr_kept_handed_out (*p);
      return CUDA_SUCCESS;
    }
  if (!c)
    return acr_cuda_alloc (p, bytes);

  CUresult r;
  struct chunk *k = chunk_for (&r, bytes, max);
  if (!k)
    return r;
  *p = k->base;
  c = context_current ();
  k->context = c;
  if (!c || !chunk_enter (k))
    {
      /* No memory to remember it: the whole chunk is the program's, and the
         driver will know it.  */
      free (k);
      k = NULL;
    }
  else
    {
      if (k->nblocks > 1)
        bin_open (&c->bins[bin_of (k->block_bytes)], k);
      block_use (block_carve (k), bytes);
    }
  pthread_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

CUresult
acr_pool_free (CUdeviceptr p)
{
  if (!p)
    return CUDA_SUCCESS;

  bool ours, waited = false;
  struct block *b;
  for (;;)
    {
      pthread_mutex_lock (&lock);
      b = block_at (p, &ours);
      if (!b || waited || !b->chunk->context->inflight.foreign)
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

  struct chunk *k = b->chunk;
  struct context *c = k->context;
  struct chunk_queue out;
  b->requested = 0;
  b->freed = c->inflight.now;
  struct bin *bin = &c->bins[bin_of (k->block_bytes)];
  TAILQ_INSERT_TAIL (&bin->free, b, link);
  acr_heap_insert (&bin->by_addr, &b->by_addr, b->addr);
  c->live -= k->block_bytes;
  if (--k->live == 0)
    {
      /* One that is too large by itself must not push out all others.  */
      if (chunk_bytes (k) > c->max)
        TAILQ_INSERT_HEAD (&c->idle, k, link);
      else
        TAILQ_INSERT_TAIL (&c->idle, k, link);
    }
  collect_idle (c, c->max, &out);
  stats.trims += !TAILQ_EMPTY (&out);
  if (c->owned - c->live > stats.cached_bytes)
    stats.cached_bytes = c->owned - c->live;
  pthread_mutex_unlock (&lock);
  return give_back (&out);
}

bool
acr_pool_range (bool *found, CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
  bool ours;
  pthread_mutex_lock (&lock);
  const struct block *b = block_at (p, &ours);
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
  const struct block *b = block_at (p, &ours);
  bool in_use = b && bytes <= b->requested - (p - b->addr);
  if (in_use)
    *m = (struct acr_memory){ b->chunk->base,
                              b->addr + b->chunk->block_bytes,
                              b->addr + b->requested - b->padding };
  pthread_mutex_unlock (&lock);
  return in_use;
}

void
acr_pool_padding (CUdeviceptr p, size_t n)
{
  bool ours;
  pthread_mutex_lock (&lock);
  struct block *b = block_at (p, &ours);
  if (b && b->padding < n)
    b->padding = n;
  pthread_mutex_unlock (&lock);
}

size_t
acr_pool_idle (void)
{
  struct context *c = context_current ();
  size_t n = c ? c->owned - c->live : 0;
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
