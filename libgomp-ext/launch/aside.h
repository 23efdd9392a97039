/* A launch beside the one before it in the same queue, where the two are
   independent: on a stream of ours, behind all that the queue had when the
   first one came; what the queue gets from then on is behind both.

   One pair at a time.  Thread-safe: opened and closed by whoever has the pair;
   no lock is held while the driver is called.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_ASIDE_H
#define ACCRETE_ASIDE_H

#include <stdbool.h>

#include "interpose/cuda-types.h"

/* There is to be a pair, from here until acr_aside_close.  False: there is
   another one.  The driver is not called.  */
bool acr_aside_claim (void);

/* Its first launch is about to be made on STREAM.  False: the driver refuses;
   the second one must be behind it.  */
bool acr_aside_open (CUstream stream);

/* The second one is about to be made: on the stream that is returned, or NULL
   when it must be on the queue's.  */
CUstream acr_aside_enter (void);

/* It was, on what acr_aside_enter has returned: let STREAM, the queue's, go on
   behind it.  */
CUresult acr_aside_leave (CUstream stream);

/* There is no pair any more.  The driver is not called.  */
void acr_aside_close (void);

/* CTX is about to be destroyed, or left to the program.  */
void acr_aside_forget (CUcontext ctx);

#endif /* ACCRETE_ASIDE_H */
