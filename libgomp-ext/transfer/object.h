/* Objects: what of the host's memory libgomp has mapped as one, on a block of
   device memory that may hold several.

   A kernel gets the address of an operand, which may be a part of what was mapped
   before; it may then reach all of that object, and nothing else of the block.  What
   was mapped as one is an operand of the construct that allocated the block, as
   libgomp says it once and for all.

   Thread-safe; a directory of recent blocks, that is empty while several threads
   use devices.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_OBJECT_H
#define ACCRETE_OBJECT_H

#include "interpose/construct.h"
#include "memory/pool.h"

/* CALL has got the block at P; the block at P is about to be freed.  */
void acr_object_mapped (const struct acr_call *call, CUdeviceptr p);
void acr_object_freed (CUdeviceptr p);

/* The calling thread is new to devices; the process is a forked child.  */
void acr_object_forget (void);
void acr_object_forked (void);

/* The host memory of the object that has the byte at HOST, which is at P in block M
   of the device; as far as it may reach in that block where it is not known.  C is
   the construct at hand.  */
struct acr_bytes acr_object_around (struct acr_construct *c, const void *host,
                                    CUdeviceptr p, const struct acr_memory *m);

#endif /* ACCRETE_OBJECT_H */
