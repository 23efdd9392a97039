/* Small kernels of a list (hold.h) that are independent of each other, launched as one.

   Each of several small kernels, one behind the other, costs the GPU some microseconds in
   which it idles, however little they do.  A batch (jit/batch-code.h) costs as much as one.
   It is made for kernels that come together again and again, beside the program.

   By the thread that has the stream open (transfer/stream.h), but for what the GPU's
   modules and contexts tell.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_BATCH_H
#define ACCRETE_BATCH_H

#include <stdbool.h>

#include "interpose/cuda-types.h"

struct acr_launch;

/* May L be one of a batch, where these are wanted (graph-may.h)?  Not kernels that fill
   half of the GPU, with which nothing is to be gained.  */
bool acr_batch_may (const struct acr_launch *l);

/* Is L known to need more than that?  */
bool acr_batch_fills (const struct acr_launch *l);

/* May L be in one with FIRST, which may be in one?  */
bool acr_batch_agrees (const struct acr_launch *first,
                       const struct acr_launch *l);

/* The N launches of L, from 2 to ACR_BATCH_MOST, which agree with the first one and are
   independent of each other, come together: have them made a batch where they often do.
   Whether they are one.  */
bool acr_batch_comes (const struct acr_launch *const *l, unsigned n);

/* Launch them as one.  False: none of them was launched.  */
bool acr_batch_launch (const struct acr_launch *const *l, unsigned n);

/* MODULE is about to be unloaded; CTX to be destroyed, or left to the program.  */
void acr_batch_unload (CUmodule module);
void acr_batch_forget (CUcontext ctx);

#endif /* ACCRETE_BATCH_H */
