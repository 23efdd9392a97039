/* Whether a pair of kernels that shares the GPU makes the program slower.

   What was measured (span.h) is two kernels alone on the GPU.  A program may
   have more on its way: further queues, copies, kernels of the next iteration.
   So the first times that a choice is taken, the time from each of its pairs
   to the next is compared with that of pairs that are as they were, in windows
   by turns.  Of each the shortest window counts: others hold what is not the
   pairs'.  Where the host runs ahead of the GPU both take what launches take,
   and the choice stays.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_WATCH_H
#define ACCRETE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

enum
{
  ACR_WATCH_TIMES = 8, /* from one pair to the next in a window */
  ACR_WATCH_ROUNDS = 5 /* windows with the choice, and as many without */
};

/* A pair of kernels, a hash, is to be launched NOW, in microseconds of any
   clock, for which CHOICE (1 to 31) was found best: whether it takes that, not
   0.  */
bool acr_watch_allows (uint64_t pair, unsigned choice, double now);

#endif /* ACCRETE_WATCH_H */
