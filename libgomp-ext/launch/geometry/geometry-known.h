/* What launches of a kernel take, once there is nothing left to find out: model and
   measurement give the same answer to every launch that asks the same question when
   all trials of it have ended.  It stays with the kernel.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_GEOMETRY_KNOWN_H
#define ACCRETE_GEOMETRY_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "interpose/cuda-types.h"

struct acr_launch;

enum
{
  ACR_ANSWERS = 8 /* a kernel; there are few sizes, or too many */
};

/* All that the form and the geometry of a kernel's launch depend on.  */
struct acr_question
{
  unsigned grid[3], block[3];
  int teams, threads, processors;
};

struct acr_answer
{
  struct acr_question question;
  CUfunction fn;
  unsigned form, grid, block[2];
  bool stacks, trips, open;
  int teams, threads, processors, registers;
};

/* The first N answers are constant.  PRINTED: hash of the form and geometry that
   ACCRETE_GEOMETRY=print has said last, 0: none.  */
struct acr_known
{
  _Atomic unsigned n;
  struct acr_answer answer[ACR_ANSWERS];
  _Atomic uint64_t printed;
};

/* What L, as libgomp has it, asks.  */
struct acr_question acr_known_question (const struct acr_launch *l);

/* Let L take the answer to Q; false: it is not known.  */
bool acr_known_take (struct acr_launch *l, const struct acr_question *q);

/* What L takes is the answer to Q, from now on.  */
void acr_known_keep (const struct acr_launch *l, const struct acr_question *q);

#endif /* ACCRETE_GEOMETRY_KNOWN_H */
