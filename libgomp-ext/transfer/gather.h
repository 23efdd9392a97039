/* Copies to the device by way of pinned memory; see gather.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_GATHER_H
#define ACCRETE_GATHER_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/construct.h"

/* libgomp wants N bytes of host memory at SRC at DST on the device, in NULL
   stream order.  True when SRC was read and they are, or will be, on their
   way; false when the caller must copy.  */
bool acr_gather_copy (CUdeviceptr dst, const void *src, size_t n);

/* The buffer that this thread's construct C has sent from last in the current
   context, of ACR_STAGING_USUAL bytes, for the driver to write to behind that; or
   NULL.  It is given back when nothing is on its way there any more.

   Data that arrives where other data was sent from finds the lines in the CPU's
   cache, and so does the next that is packed there: to pack 16 arrays of 16 KiB,
   send, fetch and unpack them takes 45 us on an H200, by two buffers 52.  */
struct acr_staging *acr_gather_borrow (struct acr_construct *c);
void acr_gather_give_back (struct acr_construct *c, struct acr_staging *s);

/* All work on the current context's NULL stream up to now is done; or what came
   before the copy that construct.nsent counted NSENT for.  */
void acr_gather_synced (void);
void acr_gather_passed (unsigned nsent);

/* Device memory changes in C: the N bytes at P, or all.  */
void acr_gather_wrote (struct acr_construct *c, CUdeviceptr p, size_t n);
void acr_gather_wrote_all (struct acr_construct *c);

/* The construct C ends.  */
void acr_gather_end (struct acr_construct *c);

/* C parts with its buffer, behind all that is here: its thread ends, or the device is closed.  */
void acr_gather_part (struct acr_construct *c);

#endif /* ACCRETE_GATHER_H */
