/* What two launches on two streams take together, by the driver's events: from
   when the first may begin, alone on the GPU, until both have ended.

   There is one span at a time, as one launch is timed at a time (tune.h).
   Nobody waits for it: it is asked for when the next launch is made.

   Thread-safe; no lock is held while the driver is called.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_SPAN_H
#define ACCRETE_SPAN_H

#include <stdbool.h>

#include "interpose/cuda-types.h"

struct acr_trial;

/* Can the driver time?  */
bool acr_span_can (void);

/* The first launch of T is about to be made on STREAM, of which more is to be
   known: let it begin behind all work of streams that the NULL stream waits
   for.  The span's number; 0, and T's time will not be known: it is not
   timed.  */
unsigned acr_span_begin (const struct acr_trial *t, CUstream stream);

/* The first launch of span N was made on STREAM; or the SECOND one.  */
void acr_span_made (unsigned n, bool second, CUstream stream);

/* Nobody will know the time of span N.  The driver is not called.  */
void acr_span_drop (unsigned n);

/* Tell tune.c what has become known since.  */
void acr_span_collect (void);

/* CTX is about to be destroyed, or left to the program; all spans there are
   made or dropped.  */
void acr_span_forget (CUcontext ctx);

#endif /* ACCRETE_SPAN_H */
