/* Copies back to the host that wait until the host looks; see late.c.  Ranks
   (stream.h), and hooks for what a thread does with devices.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_LATE_H
#define ACCRETE_LATE_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/construct.h"
#include "launch/launch.h"

/* libgomp wants N bytes at SRC in host memory at DST.  True when they will be
   there before anybody looks.  */
bool acr_late_copy (void *dst, CUdeviceptr src, size_t n);

/* N bytes at SRC are about to be sent to DST; L is about to be launched.  */
void acr_late_sends (CUdeviceptr dst, const void *src, size_t n);
void acr_late_launch (const struct acr_launch *l);

/* libgomp frees the block of the pool's at P.  True when that is done later.  */
bool acr_late_freed (CUdeviceptr p);

/* Do so now with all of them; false when there are none.  */
bool acr_late_release (void);

/* Whether the program has said that it looks at nothing behind the construct that this
   thread begins now (abi.h, acr_look).  */
bool acr_look_next (void);

/* A construct begins; it ends.  */
void acr_late_begin (const struct acr_call *call);
void acr_late_end (const struct acr_call *call);

#endif /* ACCRETE_LATE_H */
