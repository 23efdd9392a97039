/* Neighbours in device memory that one DMA takes together.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_DMA_H
#define ACCRETE_DMA_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/cuda-types.h"

/* The bytes from FROM up to TAIL, in the driver's allocation at BASE, which a
   copy must not leave; 0: another one than any that is known.  */
struct acr_dma
{
  CUdeviceptr from, tail, base;
};

static inline size_t
acr_dma_bytes (const struct acr_dma *d)
{
  return d->tail - d->from;
}

/* Whether D takes the N bytes at P, in the allocation at BASE, as well: they
   do not begin before it, at most GAP bytes behind it, and D gets no longer
   than ROOM.  */
static inline bool
acr_dma_takes (struct acr_dma *d, CUdeviceptr p, size_t n, CUdeviceptr base,
               size_t gap, size_t room)
{
  if (!base || base != d->base || p < d->from || p > d->tail + gap
      || p - d->from > room || n > room - (p - d->from))
    return false;
  if (d->tail < p + n)
    d->tail = p + n;
  return true;
}

#endif /* ACCRETE_DMA_H */
