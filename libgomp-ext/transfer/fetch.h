/* Copies from the device by way of pinned memory, neighbours by one DMA.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_FETCH_H
#define ACCRETE_FETCH_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/cuda-types.h"
#include "transfer/dma.h"
#include "transfer/effects.h"

struct acr_staging;
struct acr_tally;

/* N bytes of device memory at SRC, in the driver's allocation at BASE.  */
struct acr_piece
{
  CUdeviceptr src, base;
  size_t n;
  size_t at;            /* in the buffer */
  struct acr_tally *by; /* counts it */
  bool first;           /* of those that one DMA brings */

  /* readback.c */
  bool asked; /* its copy came */
  bool gone;  /* holds something else by now */
  unsigned char wave;

  /* late.c */
  char *dst;
  struct acr_bytes host; /* where the host has what else is in SRC's block, if
                            that is one variable */
};

/* How far a buffer is laid out; zeros at first.  */
struct acr_fetch_layout
{
  struct acr_dma dma; /* the last one */
  size_t at;          /* of its first byte */
  size_t used;        /* of the buffer */
};

/* What N bytes take in a buffer by themselves.  */
size_t acr_fetch_room (size_t n);

/* Give P a place in a buffer of ROOM bytes, behind the last one's.  False when
   there is none.  */
bool acr_fetch_place (struct acr_fetch_layout *l, struct acr_piece *p,
                      size_t room);

/* Fetch the N pieces at V, which have places there, to the buffer TO, in NULL
   stream order.  */
CUresult acr_fetch_issue (const struct acr_piece *v, unsigned n,
                          struct acr_staging *to);

#endif /* ACCRETE_FETCH_H */
