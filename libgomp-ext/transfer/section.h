/* Regular sections: bytes of device memory at regular places.

   Rows and columns of one array are apart, though the one begins before the other
   ends.  A section is a piece of some bytes, again and again at the strides of some
   loops.

   Thread-safe: no state.

   Source: P. Havlak and K. Kennedy, "An Implementation of Interprocedural Bounded
   Regular Section Analysis", IEEE TPDS 2(3), 1991.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_TRANSFER_SECTION_H
#define ACCRETE_TRANSFER_SECTION_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/abi.h"
#include "interpose/cuda-types.h"

/* Further pieces, LAST of them, each STRIDE behind the one before.  */
struct acr_repeat
{
  size_t stride, last;
};

/* Of the N bytes at BASE: pieces of PIECE bytes, of which the first is at BASE, for
   each value of all NROWS rows; those of the least stride come first.  Without rows all
   of them.  */
struct acr_pieces
{
  CUdeviceptr base;
  size_t n, piece;
  unsigned nrows;
  struct acr_repeat row[ACR_SECTION_LOOPS];
};

/* Where the section S of R is in a launch that passes WORDS, one a slot.  False: not
   known.  *P has no bytes where nothing is accessed.  */
bool acr_section_place (const struct acr_region *r, const struct acr_section *s,
                        const CUdeviceptr *words, struct acr_pieces *p);

/* The N bytes at BASE.  */
static inline struct acr_pieces
acr_pieces_whole (CUdeviceptr base, size_t n)
{
  return (struct acr_pieces){ .base = base, .n = n, .piece = n };
}

/* May A and B, with rows both or one of them, share a byte, where what is around
   them does?  */
bool acr_pieces_meet (const struct acr_pieces *a, const struct acr_pieces *b);

static inline bool
acr_pieces_overlap (const struct acr_pieces *a, const struct acr_pieces *b)
{
  return a->base < b->base + b->n && b->base < a->base + a->n
         && ((!a->nrows && !b->nrows) || acr_pieces_meet (a, b));
}

#endif /* ACCRETE_TRANSFER_SECTION_H */
