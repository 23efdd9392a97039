/* The pool: one caching allocator of device memory for libgomp and its
   plugin, mapped data, argument blocks and the OpenMP soft stack alike.

   The functions stand in for the driver entry points of the same names and
   return their results.  Memory is kept a context, so that all of them expect
   the right context to be current, as the driver's do.  Thread-safe; no lock
   is held while the driver is called.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_POOL_H
#define ACCRETE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "interpose/cuda-types.h"

/* cuMemAlloc.  The block is aligned to 256 bytes or better and holds anything.
   Out of memory is reported after everything kept was given back.  */
CUresult acr_pool_alloc (CUdeviceptr *p, size_t bytes);

/* Keep memory for N blocks of BYTES, side by side, from the address that is
   returned on; 0 when there is none.  They are handed out by acr_pool_alloc_at
   alone, each by its address and when it is free, until the first address is
   released, and may go back to the driver like all that is kept.  */
CUdeviceptr acr_pool_reserve (size_t bytes, unsigned n);
bool acr_pool_alloc_at (CUdeviceptr p, size_t bytes);
void acr_pool_unreserve (CUdeviceptr p);

/* cuMemFree.  */
CUresult acr_pool_free (CUdeviceptr p);

/* cuMemGetAddressRange: *FOUND says whether P is in a block in use.  False
   when P is not in memory of the pool's at all, and the driver must be asked.
 */
bool acr_pool_range (bool *found, CUdeviceptr *base, size_t *bytes,
                     CUdeviceptr p);

/* Where a block in use lies: in the driver's allocation at BASE, from BEGIN to
   END, past the BYTES that were asked for; and where data in it ends at the latest.
   It was the SERIAL-th that was handed out, of all, the time before the BEFORE-th (0:
   it is new), and is of CONTEXT.  */
struct acr_memory
{
  CUdeviceptr base, begin, end, data_end;
  size_t bytes;
  uint64_t serial, before;
  CUcontext context;
};

/* Whether the BYTES at P are in one block in use, and then where.  */
bool acr_pool_memory (CUdeviceptr p, size_t bytes, struct acr_memory *m);

/* The serial number of the block that was handed out last.  */
uint64_t acr_pool_serial (void);

/* Of what was asked for at P, the last N bytes or more are there so that data
   can be aligned, which it is without them; by default as for a pointer.  */
void acr_pool_padding (CUdeviceptr p, size_t n);

/* Bytes that are kept for the current context.  */
size_t acr_pool_idle (void);

/* Give what is kept for the current context back to the driver.  */
void acr_pool_trim (void);

/* The same of CTX, if that is the current one.  */
void acr_pool_trim_of (CUcontext ctx);

/* libgomp's plugin made CTX, which is current.  What it did not make is the
   program's: work of the program's may run there unseen, so frees wait as the
   driver's do.  */
void acr_pool_context_created (CUcontext ctx);

/* CTX and all its memory are about to be destroyed.  */
void acr_pool_context_destroyed (CUcontext ctx);

/* libgomp does not use the current context any more, but the program may.
   What is kept goes back, now or when it is freed.  */
void acr_pool_context_left (void);

/* Streams and work on them; see inflight.h.  A mark taken before waiting is
   passed after it.  Marks of what the pool does not follow are empty.  */
struct acr_mark
{
  uint64_t context; /* serial number; 0 an empty mark */
  CUstream stream;  /* NULL: all of the context */
  uint64_t time;
};

void acr_pool_stream_created (CUstream stream);
void acr_pool_stream_destroyed (CUstream stream);
void acr_pool_submit (CUstream stream);
struct acr_mark acr_pool_mark (CUstream stream);
struct acr_mark acr_pool_mark_all (void);
void acr_pool_passed (const struct acr_mark *mark);

/* Whether M, passed, says that what was submitted before EARLIER is complete.
   EARLIER is of a stream.  */
static inline bool
acr_mark_covers (const struct acr_mark *m, const struct acr_mark *earlier)
{
  return m->context && m->context == earlier->context
         && (!m->stream || m->stream == earlier->stream)
         && m->time >= earlier->time;
}

/* Whether memory that is freed now may be handed out to work on STREAM, which
   is NULL or one that libgomp's plugin made in the current context, without
   waiting.  */
bool acr_pool_ordered (CUstream stream);

struct acr_pool_stats
{
  uint64_t hits;         /* allocations served without the driver */
  uint64_t misses;       /* allocations that needed the driver */
  uint64_t trims;        /* times that kept memory had to be given back */
  uint64_t cached_bytes; /* most that a context kept idle at a time */
};

struct acr_pool_stats acr_pool_stats (void);

#endif /* ACCRETE_POOL_H */
