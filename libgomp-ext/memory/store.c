/* The blocks of the pool, by size and by address; see store.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "memory/store.h"

#include <stdlib.h>
#include <string.h>

#define GRAIN ((size_t)512)        /* smallest block, and alignment */
#define SLAB_MAX ((size_t)2 << 20) /* also what the driver deals in */
#define SLAB_MIN ((size_t)64 << 10)
#define SMALL_MAX ((size_t)64 << 10) /* largest block in a slab */
#define FIT_LARGE ((size_t)16 << 20) /* from here a larger block will do */

/* Chunks of all stores by address: the driver's addresses are unique among
   devices.  */
static struct
{
  struct acr_chunk **v;
  size_t n, room;
} chunks;

/* ---- Sizes ------------------------------------------------------------- */

static unsigned
log2_floor (size_t n)
{
  return 63 - __builtin_clzll (n);
}

size_t
acr_store_round (size_t bytes)
{
  size_t step = ((size_t)1 << log2_floor (bytes)) / 8;
  step = step < GRAIN ? GRAIN : step > SLAB_MAX ? SLAB_MAX : step;
  return (bytes + step - 1) & -step;
}

unsigned
acr_store_blocks (size_t bytes, size_t max)
{
  size_t slab = 64 * bytes;
  slab = slab < SLAB_MIN ? SLAB_MIN : slab > SLAB_MAX ? SLAB_MAX : slab;
  slab = slab < max ? slab : max;
  return bytes <= SMALL_MAX && slab > bytes ? slab / bytes : 1;
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
chunk_bytes (const struct acr_chunk *c)
{
  return c->block_bytes * c->nblocks;
}

/* ---- Bins -------------------------------------------------------------- */

static void
bin_remove (struct acr_bin *bin, struct acr_block *b)
{
  TAILQ_REMOVE (&bin->free, b, link);
  acr_heap_remove (&bin->by_addr, &b->by_addr);
}

/* The next block of slab C that was never handed out.  */
static struct acr_block *
block_carve (struct acr_chunk *c)
{
  struct acr_block *b = &c->blocks[c->carved];
  b->chunk = c;
  b->addr = c->base + c->carved * c->block_bytes;
  c->carved++;
  return b;
}

/* Let BIN hand out blocks of the new slab C.  When another thread was faster,
   what is left of its slab waits like blocks that were freed long ago.  */
static void
bin_open (struct acr_bin *bin, struct acr_chunk *c)
{
  struct acr_chunk *old = bin->open;
  while (old && old->carved < old->nblocks)
    {
      struct acr_block *b = block_carve (old);
      TAILQ_INSERT_HEAD (&bin->free, b, link);
      acr_heap_insert (&bin->by_addr, &b->by_addr, b->addr);
    }
  bin->open = c;
}

/* Take a block of at least BYTES out of bin BIN, or NULL.  */
static struct acr_block *
bin_take (struct acr_bin *bin, size_t bytes, uint64_t horizon)
{
  struct acr_block *b, *best = (struct acr_block *)bin->by_addr.least;
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

/* C's memory is gone, or about to go.  */
static void
chunk_leave (struct acr_chunk *c)
{
  struct acr_store *s = c->store;
  struct acr_bin *bin = &s->bins[bin_of (c->block_bytes)];
  for (unsigned i = 0; i < c->carved; i++)
    if (!c->blocks[i].requested && !c->reserved)
      bin_remove (bin, &c->blocks[i]);
  if (bin->open == c)
    bin->open = NULL;
  if (!c->live)
    TAILQ_REMOVE (&s->idle, c, link);
  s->live -= c->live * c->block_bytes;

  size_t i = chunk_rank (c->base) - 1;
  chunks.n--;
  memmove (&chunks.v[i], &chunks.v[i + 1], (chunks.n - i) * sizeof *chunks.v);
  s->owned -= chunk_bytes (c);
}

static bool
chunk_enter (struct acr_chunk *c)
{
  /* Addresses that the driver hands out again have died with a context that
     the program destroyed behind libgomp's back.  */
  for (size_t i = chunk_rank (c->base + chunk_bytes (c) - 1);
       i && chunks.v[i - 1]->base + chunk_bytes (chunks.v[i - 1]) > c->base;
       i--)
    {
      struct acr_chunk *dead = chunks.v[i - 1];
      chunk_leave (dead);
      free (dead);
    }

  if (chunks.n == chunks.room)
    {
      size_t room = chunks.room ? 2 * chunks.room : 64;
      struct acr_chunk **v = realloc (chunks.v, room * sizeof *v);
      if (!v)
        return false;
      chunks.v = v;
      chunks.room = room;
    }
  size_t i = chunk_rank (c->base);
  memmove (&chunks.v[i + 1], &chunks.v[i], (chunks.n - i) * sizeof *chunks.v);
  chunks.v[i] = c;
  chunks.n++;
  c->store->owned += chunk_bytes (c);
  return true;
}

/* ---- Stores ------------------------------------------------------------ */

void
acr_store_init (struct acr_store *s)
{
  for (unsigned i = 0; i < ACR_STORE_BINS; i++)
    TAILQ_INIT (&s->bins[i].free);
  TAILQ_INIT (&s->idle);
}

void
acr_store_clear (struct acr_store *s)
{
  for (size_t i = chunks.n; i-- > 0;)
    if (chunks.v[i]->store == s)
      {
        struct acr_chunk *c = chunks.v[i];
        chunk_leave (c);
        free (c);
      }
}

static uint64_t serial;

uint64_t
acr_store_serial (void)
{
  return serial;
}

/* Hand out block B, which is in no queue.  */
static void
block_use (struct acr_block *b, size_t bytes)
{
  struct acr_chunk *c = b->chunk;
  b->requested = bytes;
  b->padding = sizeof (void *) - 1;
  b->before = b->serial;
  b->serial = ++serial;
  c->live++;
  c->store->live += c->block_bytes;
}

/* Hand out block B of a chunk that may be idle.  */
static void
block_wake (struct acr_block *b, size_t bytes)
{
  if (!b->chunk->live)
    TAILQ_REMOVE (&b->chunk->store->idle, b->chunk, link);
  block_use (b, bytes);
}

/* A large block may be up to a quarter larger.  */
struct acr_block *
acr_store_take (struct acr_store *s, size_t bytes, uint64_t horizon)
{
  size_t rounded = acr_store_round (bytes);
  unsigned bin = bin_of (rounded), last = rounded < FIT_LARGE ? bin : bin + 1;
  struct acr_block *b = NULL;
  for (unsigned i = bin; i <= last && i < ACR_STORE_BINS && !b; i++)
    b = bin_take (&s->bins[i], rounded, horizon);
  struct acr_chunk *open = s->bins[bin].open;
  if (!b && open && open->carved < open->nblocks)
    b = block_carve (open);
  if (!b)
    return NULL;
  block_wake (b, bytes);
  return b;
}

bool
acr_store_enter (struct acr_store *s, struct acr_chunk *c, size_t bytes)
{
  c->store = s;
  if (!chunk_enter (c))
    return false;
  if (c->nblocks > 1)
    bin_open (&s->bins[bin_of (c->block_bytes)], c);
  block_use (block_carve (c), bytes);
  return true;
}

/* The block that holds P, in use or not, or NULL.  */
static struct acr_block *
block_at (CUdeviceptr p, bool *ours)
{
  size_t rank = chunk_rank (p);
  struct acr_chunk *c = rank ? chunks.v[rank - 1] : NULL;
  *ours = c && p - c->base < chunk_bytes (c);
  if (!*ours)
    return NULL;
  size_t i = (p - c->base) / c->block_bytes;
  return i < c->carved ? &c->blocks[i] : NULL;
}

struct acr_block *
acr_store_at (CUdeviceptr p, bool *ours)
{
  struct acr_block *b = block_at (p, ours);
  return b && p - b->addr < b->requested ? b : NULL;
}

bool
acr_store_reserve (struct acr_store *s, struct acr_chunk *c)
{
  c->store = s;
  c->reserved = true;
  if (!chunk_enter (c))
    return false;
  while (c->carved < c->nblocks)
    block_carve (c);
  TAILQ_INSERT_TAIL (&s->idle, c, link);
  return true;
}

struct acr_block *
acr_store_take_at (struct acr_store *s, CUdeviceptr p, size_t bytes,
                   uint64_t horizon)
{
  bool ours;
  struct acr_block *b = block_at (p, &ours);
  if (!b || b->addr != p || b->requested || !b->chunk->reserved
      || b->chunk->store != s || bytes > b->chunk->block_bytes
      || b->freed >= horizon)
    return NULL;
  block_wake (b, bytes);
  return b;
}

void
acr_store_release (CUdeviceptr p)
{
  bool ours;
  struct acr_block *b = block_at (p, &ours);
  if (!b || !b->chunk->reserved)
    return;
  struct acr_chunk *c = b->chunk;
  struct acr_bin *bin = &c->store->bins[bin_of (c->block_bytes)];
  c->reserved = false;
  for (unsigned i = 0; i < c->nblocks; i++)
    if (!c->blocks[i].requested)
      {
        b = &c->blocks[i];
        TAILQ_INSERT_TAIL (&bin->free, b, link);
        acr_heap_insert (&bin->by_addr, &b->by_addr, b->addr);
      }
}

void
acr_store_put (struct acr_block *b, uint64_t now, size_t max)
{
  struct acr_chunk *c = b->chunk;
  struct acr_store *s = c->store;
  struct acr_bin *bin = &s->bins[bin_of (c->block_bytes)];
  b->requested = 0;
  b->freed = now;
  if (!c->reserved)
    {
      TAILQ_INSERT_TAIL (&bin->free, b, link);
      acr_heap_insert (&bin->by_addr, &b->by_addr, b->addr);
    }
  s->live -= c->block_bytes;
  if (--c->live)
    return;
  /* One that is too large by itself must not push out all others.  */
  if (chunk_bytes (c) > max)
    TAILQ_INSERT_HEAD (&s->idle, c, link);
  else
    TAILQ_INSERT_TAIL (&s->idle, c, link);
}

void
acr_store_trim (struct acr_store *s, size_t limit, struct acr_chunks *out)
{
  TAILQ_INIT (out);
  struct acr_chunk *c;
  while (s->owned - s->live > limit && (c = TAILQ_FIRST (&s->idle)))
    {
      chunk_leave (c);
      TAILQ_INSERT_TAIL (out, c, link);
    }
}
