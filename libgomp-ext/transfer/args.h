/* OpenACC argument blocks that stay on the device.

   For each launch, GCC 12's plugin allocates a block, copies the kernel's
   arguments there, launches, waits and frees it.  Kernels only read it, so a
   block of the same contents may serve many launches, at the same time as
   well; in a loop over present data that is nearly all of them.

   Between acr_args_begin and acr_args_end, around the plugin's launch entry,
   the plugin's allocation is answered with a placeholder.  When it writes the
   arguments there, the block that has these contents is found, or made by one
   asynchronous copy in front of the kernel; the launch then gets its address.

   Nothing here applies where memory is not handed out in stream order
   (acr_pool_ordered): the plugin then does as it is used to.

   Thread-safe; no lock is held while the driver is called.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_ARGS_H
#define ACCRETE_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/cuda-types.h"
#include "launch/launch.h"
#include "memory/pool.h"

/* This thread's plugin is about to launch on STREAM, with BYTES of arguments;
   and has launched.  */
void acr_args_begin (size_t bytes, CUstream stream);
void acr_args_end (void);

/* Whether the plugin has been given the placeholder in this launch; and
   whether that stands for a block that is still being made for it.  */
bool acr_args_active (void);
bool acr_args_made (void);

/* Stand-ins for driver entries.  True if handled here: P is the placeholder; of
   alloc: becomes it.  BASE and BYTES may be NULL.  */
bool acr_args_alloc (CUdeviceptr *p, size_t bytes);
bool acr_args_write (CUresult *status, CUdeviceptr p, const void *from,
                     size_t bytes);
bool acr_args_range (CUdeviceptr *base, size_t *bytes, CUdeviceptr p);

/* Launch hook: put the block in place of the placeholder.  */
void acr_args_place (struct acr_launch *l);

/* What is marked up to M is complete.  */
void acr_args_passed (const struct acr_mark *m);

/* Free the blocks of CTX, whose memory is about to go.  */
void acr_args_forget (CUcontext ctx);

#endif /* ACCRETE_ARGS_H */
