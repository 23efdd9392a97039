/* Additions of doubles to memory.

   A program's PTX is for old GPUs, where such an addition is a loop that tries
   to exchange what it has seen: all threads that add to one place wait for each
   other, and each for the memory's answer.  From sm_60 on it is an instruction
   (red.add.f64), which the memory executes.  So those loops that ptx-post
   (pass entry) has written become that instruction where the GPU has it.

   Keeps: the rounding, which is to the nearest in both; the order of the additions
   is open in both.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_ADDITION_H
#define ACCRETE_ADDITION_H

#include "base/text.h"

/* The same for T, a unit for a GPU of compute capability MAJOR.x.  How many
   there were.  */
unsigned acr_addition_edit (struct acr_text *t, int major);

#endif /* ACCRETE_ADDITION_H */
