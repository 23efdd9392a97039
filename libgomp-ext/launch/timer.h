/* What a launch takes, by the driver's events.

   Nobody waits for a time: it is asked for when the next launch is made, and
   told to tune.c, of a trial, and to times.c when it is known by then.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_TIMER_H
#define ACCRETE_TIMER_H

#include <stdbool.h>

#include "interpose/cuda-types.h"

struct acr_launch;
struct acr_timer;

/* Can the driver time?  */
bool acr_timer_can (void);

/* L is about to be handed to the driver.  NULL: it is not timed.  */
struct acr_timer *acr_timer_start (const struct acr_launch *l);

/* L, of which acr_timer_start has returned T, has been handed to the driver
   with status R.  */
void acr_timer_stop (struct acr_timer *t, const struct acr_launch *l,
                     CUresult r);

/* Tell what has become known since.  */
void acr_timer_collect (void);

/* CTX is about to be destroyed, or left to the program.  */
void acr_timer_forget (CUcontext ctx);

#endif /* ACCRETE_TIMER_H */
