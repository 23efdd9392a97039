/* Lists of kernels that come again: which kernels wait for others to go with them, as
   one graph.

   By the thread that has the stream open (transfer/stream.h).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_PERIOD_H
#define ACCRETE_PERIOD_H

#include <stdbool.h>

#include "interpose/cuda-types.h"

/* A kernel comes: whether it pays to keep it, where N are here.  */
bool acr_period_keeps (unsigned n);

/* Whether the list of N kernels, of which the first is FIRST, ends in front of NEXT,
   which comes; whether it is as long as such lists are.  */
bool acr_period_comes_round (unsigned n, CUfunction first, CUfunction next);
bool acr_period_is_full (unsigned n);

/* The N kernels are handed over, some of them TOGETHER (launch/graph/batch.h).  */
void acr_period_leaves (unsigned n, bool together);

#endif /* ACCRETE_PERIOD_H */
