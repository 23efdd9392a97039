/* The device's malloc and free, for all lanes of a warp that call them together.

   Newlib's functions for the device, like those of CUDA, call the driver's
   malloc and free, one thread after the other.  Each unit that does so gets
   functions of ours (malloc.ptx), and calls these: one addition gives a warp the
   memory for all that its lanes ask for, and each piece may be freed by itself,
   by any thread, in any order.  That memory is the runtime's
   (memory/device-heap.h), which a variable of the module leads to; where that
   is 0, what does not fit, and what is large is the driver's, as ever.  An
   address tells which it is.

   All units of a program have to agree, as one may free what another has
   allocated: acr_device_malloc_look says whether they do.

   Source: El Hajj et al., KLAP (MICRO 2016), section II.C (aggregation of
   cudaMalloc).

   Thread-safe: no state.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_DEVICE_MALLOC_H
#define ACCRETE_DEVICE_MALLOC_H

#include "base/text.h"

#include <stdbool.h>

/* A module's variable: three 64-bit words, the address of the heap's head or, when
   nothing is to be taken from it, 0; that of its first chunk, behind the head; and
   the bytes of all chunks.  It ends in the version of this layout.  */
#define ACR_HEAP_NAME "acr_heap_1"
#define ACR_HEAP_WORDS 3

/* Bytes of a chunk, and of the largest piece: a warp's fit.  */
#define ACR_HEAP_CHUNK_BITS 17
#define ACR_HEAP_CHUNK (1u << ACR_HEAP_CHUNK_BITS)
#define ACR_HEAP_PIECE (ACR_HEAP_CHUNK / 32)

/* The head: 64-bit words with how many chunks were ever taken, the list of those
   that are free again, the number of all, and the pieces that were taken from full
   ones; a slot for each multiprocessor;
   two 32-bit words for each chunk, a count and the next of the list, by number
   and 1 more.  A slot has so many bytes that are taken in its lower half, above
   them the pieces (16 bits) and the chunk.  */
enum
{
  ACR_HEAP_TAKEN,
  ACR_HEAP_LIST,
  ACR_HEAP_CHUNKS,
  ACR_HEAP_PIECES,
  ACR_HEAP_SLOTS = 8,
  ACR_HEAP_NSLOTS = 256,
  ACR_HEAP_COUNTS = ACR_HEAP_SLOTS + ACR_HEAP_NSLOTS,
  ACR_HEAP_MOST = 512, /* chunks */
  ACR_HEAP_HEAD = 1024
};

/* Let T, a unit for a GPU of compute capability MAJOR.x, call them, where it
   calls the driver's.  */
void acr_device_malloc_edit (struct acr_text *t, int major);

/* What a unit has to do with the heap.  */
enum acr_device_malloc
{
  ACR_MALLOC_NONE,   /* nothing */
  ACR_MALLOC_LAYER,  /* only by way of malloc.ptx */
  ACR_MALLOC_WANTED, /* and one of its kernels allocates */
  ACR_MALLOC_DRIVER  /* it calls the driver's functions itself */
};
enum acr_device_malloc acr_device_malloc_look (const struct acr_text *t);

#endif /* ACCRETE_DEVICE_MALLOC_H */
