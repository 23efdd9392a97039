/* OpenACC argument blocks by their contents; see args.h.

   A block is memory of the pool's that is written once and freed when it is
   the one longest not asked for and there are many, so that the pool's rule
   (what is freed is handed out again after the work that used it) also holds
   for the kernels that read it.  Its host copy, the source of the transfer,
   lives as long, and at least until the transfer is known complete.

   LOCK guards the blocks; one in use is pinned from being found until its
   launch is submitted, or complete on the NULL stream.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "base/hash.h"
#include "ext.h"
#include "interpose/submit.h"
#include "memory/pool.h"
#include "transfer/args.h"
#include "transfer/gather.h"

#include <stdlib.h>
#include <string.h>
#include <sys/queue.h>

#define KEPT 256 /* blocks, when none is in use; also buckets */

struct block
{
  TAILQ_ENTRY (block) link; /* longest not asked for first */
  struct block *chain;      /* in its bucket */
  uint64_t hash;
  CUcontext ctx;
  CUdeviceptr addr;
  CUstream stream; /* that wrote it */
  struct acr_mark written;
  bool settled; /* known to be written */
  unsigned pins;
  size_t bytes;
  char data[];
};

TAILQ_HEAD (queue, block);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct queue blocks = TAILQ_HEAD_INITIALIZER (blocks);
static struct block *buckets[KEPT];
static unsigned nblocks;

/* Blocks not settled, so that waiting does not pay for what is not there.  */
static _Atomic unsigned long nunsettled;

/* What the plugin takes for the address of its block, in every thread.  */
static char placeholder;

/* This thread's launch.  */
static __thread struct
{
  size_t bytes; /* 0: none */
  CUstream stream;
  bool given; /* the placeholder */
  bool made;  /* BLOCK, by a copy from its data */
  struct block *block;
} current __attribute__ ((tls_model ("initial-exec")));

ACR_FORK_KEEPS (lock)

static bool
is_placeholder (CUdeviceptr p)
{
  return p == (CUdeviceptr)&placeholder;
}

/* ---- Blocks ------------------------------------------------------------ */

static void
unlink_block (struct block *b)
{
  struct block **p = &buckets[b->hash % KEPT];
  while (*p != b)
    p = &(*p)->chain;
  *p = b->chain;
  TAILQ_REMOVE (&blocks, b, link);
  nblocks--;
}

static void
settle (struct block *b)
{
  b->settled = true;
  atomic_fetch_sub_explicit (&nunsettled, 1, memory_order_relaxed);
}

/* Whether what B holds is there for work on STREAM.  The NULL stream is
   ordered with those that write blocks.  */
static bool
is_ready (const struct block *b, CUstream stream)
{
  return b->settled || b->stream == stream || !b->stream || !stream;
}

/* The block of these contents for work on STREAM, pinned, or NULL.  */
static struct block *
find (uint64_t hash, CUcontext ctx, const void *data, size_t bytes,
      CUstream stream)
{
  pthread_mutex_lock (&lock);
  struct block *b = buckets[hash % KEPT];
  while (b
         && (b->hash != hash || b->ctx != ctx || b->bytes != bytes
             || memcmp (b->data, data, bytes) || !is_ready (b, stream)))
    b = b->chain;
  if (b)
    {
      b->pins++;
      TAILQ_REMOVE (&blocks, b, link);
      TAILQ_INSERT_TAIL (&blocks, b, link);
    }
  pthread_mutex_unlock (&lock);
  return b;
}

/* Remember B, which is written and pinned.  When there are many, the first
   that can go is returned for release.  Those in flight stay; the depth of
   the driver's queues limits them.  */
static struct block *
enter (struct block *b)
{
  struct block *old = NULL;
  pthread_mutex_lock (&lock);
  if (nblocks >= KEPT)
    TAILQ_FOREACH (old, &blocks, link)
      if (!old->pins && old->settled)
        {
          unlink_block (old);
          break;
        }
  b->chain = buckets[b->hash % KEPT];
  buckets[b->hash % KEPT] = b;
  TAILQ_INSERT_TAIL (&blocks, b, link);
  nblocks++;
  pthread_mutex_unlock (&lock);
  return old;
}

static void
release (struct block *b)
{
  if (b)
    acr_pool_free (b->addr);
  free (b);
}

/* Make a block of DATA on the device, for work on STREAM.  Where nobody need
   wait for that, it is no news to the launch.  */
static CUresult
make (struct block **to, uint64_t hash, CUcontext ctx, const void *data,
      size_t bytes, CUstream stream)
{
  struct block *b = calloc (1, sizeof *b + bytes);
  CUdeviceptr addr;
  CUresult r = b ? acr_pool_alloc (&addr, bytes) : CUDA_ERROR_OUT_OF_MEMORY;
  if (r)
    {
      free (b);
      /* The plugin would have met this when it allocated.  */
      acr_libgomp.fatal ("cuMemAlloc error: %s", acr_cuda_error (r));
    }
  *b = (struct block){ .hash = hash,
                       .ctx = ctx,
                       .addr = addr,
                       .stream = stream,
                       .pins = 1,
                       .bytes = bytes };
  memcpy (b->data, data, bytes);
  current.made = stream || !acr_gather_copy (addr, data, bytes);
  r = current.made ? acr_cuda_write (addr, b->data, bytes, stream)
                   : CUDA_SUCCESS;
  if (r)
    {
      release (b);
      return r;
    }
  /* On the NULL stream the pin lasts until the plugin has waited.  */
  b->settled = !stream;
  b->written = acr_pool_mark (stream);
  if (stream)
    atomic_fetch_add_explicit (&nunsettled, 1, memory_order_relaxed);
  *to = b;
  release (enter (b));
  return CUDA_SUCCESS;
}

void
acr_args_passed (const struct acr_mark *m)
{
  struct block *b;
  if (!atomic_load_explicit (&nunsettled, memory_order_relaxed))
    return;
  pthread_mutex_lock (&lock);
  TAILQ_FOREACH (b, &blocks, link)
    if (!b->settled && acr_mark_covers (m, &b->written))
      settle (b);
  pthread_mutex_unlock (&lock);
}

void
acr_args_forget (CUcontext ctx)
{
  struct queue gone = TAILQ_HEAD_INITIALIZER (gone);
  pthread_mutex_lock (&lock);
  for (struct block *b = TAILQ_FIRST (&blocks), *next; b; b = next)
    {
      next = TAILQ_NEXT (b, link);
      if (b->ctx == ctx)
        {
          if (!b->settled)
            settle (b);
          unlink_block (b);
          TAILQ_INSERT_TAIL (&gone, b, link);
        }
    }
  pthread_mutex_unlock (&lock);
  for (struct block *b = TAILQ_FIRST (&gone), *next; b; b = next)
    {
      next = TAILQ_NEXT (b, link);
      release (b);
    }
}

/* ---- A launch ---------------------------------------------------------- */

void
acr_args_begin (size_t bytes, CUstream stream)
{
  bool applies = !acr_opt_off (ACR_OPT_args) && !acr_opt_off (ACR_OPT_pool)
                 && acr_pool_ordered (stream);
  current.bytes = applies ? bytes : 0;
  current.stream = stream;
}

void
acr_args_end (void)
{
  if (current.block)
    {
      pthread_mutex_lock (&lock);
      current.block->pins--;
      pthread_mutex_unlock (&lock);
    }
  current.bytes = 0;
  current.given = false;
  current.made = false;
  current.block = NULL;
}

bool
acr_args_active (void)
{
  return current.given;
}

bool
acr_args_made (void)
{
  return current.made;
}

bool
acr_args_alloc (CUdeviceptr *p, size_t bytes)
{
  if (!current.bytes || bytes != current.bytes || current.given)
    return false;
  current.given = true;
  *p = (CUdeviceptr)&placeholder;
  return true;
}

bool
acr_args_write (CUresult *status, CUdeviceptr p, const void *from,
                size_t bytes)
{
  if (!is_placeholder (p) || !current.given || bytes != current.bytes)
    return false;
  CUcontext ctx;
  *status = acr_driver.ctx_get_current (&ctx);
  if (*status)
    return true;
  uint64_t hash = acr_hash ((uintptr_t)ctx, from, bytes);
  current.block = find (hash, ctx, from, bytes, current.stream);
  if (current.block)
    acr_count (args_kept, 1);
  else
    *status = make (&current.block, hash, ctx, from, bytes, current.stream);
  return true;
}

bool
acr_args_range (CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
  if (!is_placeholder (p))
    return false;
  if (base)
    *base = p;
  if (bytes)
    *bytes = current.bytes;
  return true;
}

void
acr_args_place (struct acr_launch *l)
{
  if (!current.block || !l->params
      || !is_placeholder (*(CUdeviceptr *)l->params[0]))
    return;
  l->value[0] = current.block->addr;
  l->pointer[0] = &l->value[0];
  l->params = l->pointer;
  l->words = (const CUdeviceptr *)current.block->data;
  l->nwords = current.block->bytes / sizeof *l->words;
}
