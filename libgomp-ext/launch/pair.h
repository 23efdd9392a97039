/* Kernels that run beside each other (optimisation `pair').

   Two kernels on two streams, OpenACC's queues or OpenMP's target tasks, are
   independent as the program says.  But the blocks of the one launched first
   usually fill the GPU, and the other one's begin when the first one's end;
   where one waits for memory and the other computes, half of the GPU idles all
   the time.  SPMD kernels do the same at every grid, so each can be launched
   with as many blocks as fill a part of each multiprocessor, and both are
   resident at once.

   Which part each gets, if any, is measured (pair-choice.def, tune.h) for each
   pair of kernels and class of iterations, against the two as they are and one
   behind the other.  The first of two must know that the second will come:
   that is foretold (follow.h).

   Two kernels in a row in one queue may be independent as well, as their
   effects say: then the second one is launched beside the first (aside.h),
   where that is faster.  The NULL stream is such a queue where the first one is not
   waited for (defer.h).

   Thread-safe.  Without ACCRETE_PAIR a launch costs a branch.

   Source: A. Li and others, "Automatic Horizontal Fusion for GPU Kernels", CGO
   2022, which partitions threads of blocks; S. Pai and others, "Improving
   GPGPU Concurrency with Elastic Kernels", ASPLOS 2013, which changes grids.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_PAIR_H
#define ACCRETE_PAIR_H

#include <stdint.h>

#include "interpose/cuda-types.h"
#include "launch/tune.h"

struct acr_launch;

/* A launch's part in it.  */
struct acr_pairing
{
  uint64_t key;   /* of its kernel and iterations, even; 0: it has no part */
  uint64_t place; /* of these, and of what was launched before it */
  enum
  {
    ACR_PAIR_LEADS, /* the next one may be beside it */
    ACR_PAIR_FOLLOWS
  } turn;
  uint64_t expects; /* key of the one that is foretold beside it, odd where
                       that is in the same queue, or 0 */
  unsigned choice;  /* of pair-choice.def */
  bool cut;         /* it has fewer blocks than it would have had, at all or at a time */
  bool aside; /* the first: the second one need not be behind it; the second:
                 nor is it */
  bool left;      /* the second one has left QUEUE for that */
  CUstream queue;
  unsigned span;  /* that is measured (span.h), or 0 */
  struct acr_trial trial;
};

/* A hook of acr_launch_adjust, when all else is chosen, unless ACCRETE_PAIR is
   off: let L, if it is one of two, have the grid with which they share the
   GPU.  */
void acr_pair_choose (struct acr_launch *l);

/* L, which has a key, is about to be handed to the driver, in the order of the
   choice; has been, with status R.  */
void acr_pair_begin (struct acr_launch *l);
void acr_pair_end (const struct acr_launch *l, CUresult r);

/* L has the first hook behind it and is launched at another time: without a
   part.  */
void acr_pair_leave (struct acr_launch *l);

/* What is launched from here on, on any stream, may be behind all that was
   launched before; behind what was on STREAM, and where that is NULL on the
   streams that are ordered with it.  The driver is not called.  */
void acr_pair_part (void);
void acr_pair_done (CUstream stream);

/* STREAM got a copy: what is launched there from here on is behind that.  */
void acr_pair_copied (CUstream stream);

/* CTX is about to be destroyed, or left to the program.  */
void acr_pair_forget (CUcontext ctx);

#endif /* ACCRETE_PAIR_H */
