/* What a launch takes, by the driver's events.

   Nobody waits for a time: it is asked for when the next launch is made, and
   told to tune.c when it is known by then.  One launch is timed at a time
   (tune.h).

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_TIMER_H
#define ACCRETE_TIMER_H

#include <stdbool.h>

#include "cuda-types.h"

struct acr_launch;

/* Can the driver time?  */
bool acr_timer_can (void);

/* L, whose trial is timed, is about to be handed to the driver, or has been
   with status R.  */
void acr_timer_start (const struct acr_launch *l);
void acr_timer_stop (const struct acr_launch *l, CUresult r);

/* Tell what has become known since.  */
void acr_timer_collect (void);

/* CTX is about to be destroyed, or left to the program.  */
void acr_timer_forget (CUcontext ctx);

#endif /* ACCRETE_TIMER_H */
