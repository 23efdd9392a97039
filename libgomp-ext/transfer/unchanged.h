/* Copies between host and device of what the other side has already; see
   unchanged.c.  Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_UNCHANGED_H
#define ACCRETE_UNCHANGED_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/construct.h"

/* libgomp wants N bytes of host memory at SRC at DST on the device.  True when
   they are there.  Else they change, and *KEEP, unless it is NULL, is a copy of
   them that is to be sent in their place and then to be kept.  */
bool acr_unchanged_send (CUdeviceptr dst, const void *src, size_t n,
                         char **keep);

/* libgomp wants N bytes of device memory at SRC at DST on the host.  True when
   they have been copied there.  Else *KEEP, unless it is NULL, is where to fetch
   them to; from there they are to be copied, and then to be kept.  */
bool acr_unchanged_fetch (void *dst, CUdeviceptr src, size_t n, char **keep);

/* COPY, from one of these, is what the N bytes at P are on the device, in the
   order of the NULL stream, if OK.  */
void acr_unchanged_keep (CUdeviceptr p, size_t n, char *copy, bool ok);

/* The N bytes of device memory at P change otherwise; the block at P is about to
   be freed; this thread's construct is about to launch a kernel.  */
void acr_unchanged_changes (CUdeviceptr p, size_t n);
void acr_unchanged_freed (CUdeviceptr p);
void acr_unchanged_launch (void);

/* Anything may change.  */
void acr_unchanged_forget (void);

/* In a forked child.  */
void acr_unchanged_forked (void);

#endif /* ACCRETE_UNCHANGED_H */
