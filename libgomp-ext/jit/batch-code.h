/* Code of kernels of which several can be launched as one: a batch, of which each block
   is one kernel's, the first blocks the first one's.

   A kernel's code stands in the batch as it is, but for the number of its block and of
   all its blocks, which are those that it would have alone, and for its parameters'
   names.  So it does what it does alone, with the blocks that it would have.  Left out
   are kernels of which that is not seen at once

   - those that call functions, or have shared memory, which may be other units';
   - those that read more of where they are than the numbers of threads and blocks along
     x, y and z: all blocks are along x;
   - those with products and sums of floating-point numbers that have no rounding mode:
     the driver's compiler may make one operation of both, as it likes, and elsewhere
     otherwise (PTX ISA, "mul").

   Thread-safe.

   Source: A. Li and others, "Automatic Horizontal Fusion for GPU Kernels", CGO 2022,
   for whole blocks; as ptx-post's --partition=block (docs/pairing.md).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_JIT_BATCH_H
#define ACCRETE_JIT_BATCH_H

#include "base/fact.h"
#include "interpose/image.h"
#include "jit/key.h"

#include <stddef.h>

enum
{
  ACR_BATCH_MOST = 8 /* kernels */
};

#define ACR_BATCH_NAME "acr_batch"

/* The code of a kernel, as a link of a list.  */
struct acr_batch_code
{
  struct acr_batch_code *next;
  char *name;
  const char *preamble; /* of its unit */
  size_t preamble_n;
  const char *params; /* in parentheses */
  size_t params_n;
  const char *body; /* in braces */
  size_t body_n;
  unsigned nparams;
  struct acr_jit_conditions conditions; /* of its link; cleared by acr_batch_read */
  _Atomic enum acr_fact may; /* what acr_batch_can has said */
  char text[]; /* what these point to */
};

/* Those of all kernels of N units, as they are linked.  A copy: no more is looked at as
   a program starts.  */
struct acr_batch_code *acr_batch_read (const struct acr_unit *u, unsigned n);

/* May C be one of a batch?  Looked at the first time.  */
bool acr_batch_can (struct acr_batch_code *c);

/* Take that of KERNEL out of LIST, NULL where there is none.  */
struct acr_batch_code *acr_batch_pick (struct acr_batch_code **list,
                                       const char *kernel);

void acr_batch_free (struct acr_batch_code *list);

/* A unit with the kernel ACR_BATCH_NAME for N kernels C that may be in one, from 2 to
   ACR_BATCH_MOST, of which no two need be different.  Its parameters are those of each,
   and then the numbers of their blocks, unsigned; its grid is as large as all of
   theirs, along x.  Its code is NULL where there can be none; else it is the
   caller's.  */
struct acr_unit acr_batch_make (const struct acr_batch_code *const *c,
                                unsigned n);

#endif /* ACCRETE_JIT_BATCH_H */
