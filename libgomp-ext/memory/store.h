/* The blocks of the pool (pool.h), by size and by address.

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

   One store a context.  The caller locks, for all stores together: chunks are
   looked up by address among those of all.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_STORE_H
#define ACCRETE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>

#include "base/heap.h"
#include "interpose/cuda-types.h"

#define ACR_STORE_MOST ((size_t)1 << 47) /* bytes; beyond any device */

enum
{
  ACR_STORE_BINS = (47 - 9) * 8 + 9 /* eight a power of two, from 512 bytes */
};

struct acr_block
{
  struct acr_heap_node by_addr; /* in its bin, while free; comes first */
  TAILQ_ENTRY (acr_block) link; /* likewise */
  struct acr_chunk *chunk;
  CUdeviceptr addr;
  size_t requested; /* 0: free */
  size_t padding;   /* of them, at the end */
  uint64_t freed;   /* when, in time of inflight.h */
  uint64_t serial;  /* of all that were handed out */
  uint64_t before;  /* SERIAL as it was handed out the time before; 0: never */
};

TAILQ_HEAD (acr_blocks, acr_block);

struct acr_chunk
{
  TAILQ_ENTRY (acr_chunk)
  link; /* in its store's IDLE, while nothing is in use */
  struct acr_store *store;
  CUdeviceptr base;
  size_t block_bytes;
  unsigned nblocks;
  unsigned carved; /* blocks that were ever handed out */
  unsigned live;   /* blocks in use */
  bool reserved;   /* its free blocks are in no bin */
  struct acr_block blocks[];
};

TAILQ_HEAD (acr_chunks, acr_chunk);

struct acr_bin
{
  struct acr_blocks free; /* longest out of use first */
  struct acr_heap by_addr;
  struct acr_chunk *open; /* newest slab, may have blocks not handed out yet */
};

struct acr_store
{
  struct acr_bin bins[ACR_STORE_BINS];
  struct acr_chunks idle; /* longest idle first */
  size_t owned;           /* bytes from the driver */
  size_t live;            /* bytes of blocks in use */
};

/* An empty store: S is all zeros before.  */
void acr_store_init (struct acr_store *s);

/* All chunks of S are gone with their memory, and are freed.  */
void acr_store_clear (struct acr_store *s);

/* The size of a block for BYTES > 0, and how many a chunk of such blocks has
   when MAX bytes may be kept idle.  */
size_t acr_store_round (size_t bytes);
unsigned acr_store_blocks (size_t bytes, size_t max);

/* A kept block for BYTES, in use from here on, which may be used again when it
   was freed before HORIZON; or NULL.  */
struct acr_block *acr_store_take (struct acr_store *s, size_t bytes,
                                  uint64_t horizon);

/* Let C, new from the driver, be of S, and its first block be in use for
   BYTES. False when memory is out: then C is the caller's.  */
bool acr_store_enter (struct acr_store *s, struct acr_chunk *c, size_t bytes);

/* The same of all blocks of C, none of which is in use: they are handed out by
   acr_store_take_at alone, until C is released.  */
bool acr_store_reserve (struct acr_store *s, struct acr_chunk *c);
struct acr_block *acr_store_take_at (struct acr_store *s, CUdeviceptr p,
                                     size_t bytes, uint64_t horizon);
void acr_store_release (CUdeviceptr p);

/* Of the block that was handed out last.  */
uint64_t acr_store_serial (void);

/* The block in use that holds P, or NULL.  *OURS: whether P is in a chunk.  */
struct acr_block *acr_store_at (CUdeviceptr p, bool *ours);

/* B is free since NOW; its chunk goes first when it is larger than the MAX
   bytes that may be kept.  */
void acr_store_put (struct acr_block *b, uint64_t now, size_t max);

/* Move idle chunks of S into OUT, longest idle first, until at most LIMIT
   bytes are kept.  */
void acr_store_trim (struct acr_store *s, size_t limit,
                     struct acr_chunks *out);

#endif /* ACCRETE_STORE_H */
