/* Small copies to the device of what is there already; see same.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_SAME_H
#define ACCRETE_SAME_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/construct.h"

/* libgomp wants N bytes of host memory at SRC at DST on the device.  True when
   they are known to be there.  */
bool acr_same_copy (CUdeviceptr dst, const void *src, size_t n);

/* The N bytes of device memory at P change otherwise.  */
void acr_same_changed (CUdeviceptr p, size_t n);

/* The construct C has got the block at P; this thread's is about to free it.  */
void acr_same_alloc (struct acr_construct *c, CUdeviceptr p);
void acr_same_freed (CUdeviceptr p);

/* A kernel was launched: before the construct knows.  */
void acr_same_launched (void);

#endif /* ACCRETE_SAME_H */
