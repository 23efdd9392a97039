/* Pinned memory, lent to libgomp for the operands that it merges; see lend.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_LEND_H
#define ACCRETE_LEND_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/construct.h"

/* Stand in for malloc and free in libgomp from now on.  Called once.  */
void acr_lend_follow (void);

/* What libgomp calls then.  Thread-safe.  */
void *acr_lend_malloc (size_t n);
void acr_lend_free (void *p);

/* Whether the memory at P was lent to libgomp in construct C.  */
bool acr_lend_holds (const struct acr_construct *c, const void *p);

/* C parts with its buffer: its thread ends, or the device is closed.  */
void acr_lend_part (struct acr_construct *c);

#endif /* ACCRETE_LEND_H */
