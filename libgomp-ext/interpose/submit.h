/* Calls of the driver that the runtime makes by itself, and that it makes for
   libgomp's plugin: counted, and followed where others must know (events.def).

   Thread-safe; in the context that is current.  Each returns what the driver
   says, or what it said when something failed before (fault.h).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_SUBMIT_H
#define ACCRETE_SUBMIT_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/cuda-types.h"

/* Whether the pool stands between libgomp's plugin and the driver; constant once
   the driver's table is patched (cuda.c).  */
extern bool acr_pooled;

/* Hand the driver what it was not given yet, before any other call; the same but
   for copies back, which nothing that only reads device memory changes.  */
CUresult acr_submit_ready (void);
CUresult acr_submit_flushed (void);

/* Work was submitted to STREAM.  The NULL stream needs no note, see
   inflight.h.  */
void acr_submitted (CUstream stream);

CUresult acr_cuda_alloc (CUdeviceptr *p, size_t bytes);
CUresult acr_cuda_free (CUdeviceptr p);

/* An asynchronous copy to the device; FROM stays until it is complete.  */
CUresult acr_cuda_write (CUdeviceptr to, const void *from, size_t bytes,
                         CUstream stream);

/* Copies that the host waits for, as the driver makes them.  */
CUresult acr_cuda_send (CUdeviceptr dst, const void *src, size_t n);
CUresult acr_cuda_fetch (void *dst, CUdeviceptr src, size_t n);

/* Wait for STREAM, or for all of the context; ask whether STREAM is done.  */
CUresult acr_cuda_wait (CUstream stream);
CUresult acr_cuda_wait_all (void);
CUresult acr_cuda_query (CUstream stream);

/* FN is called from a thread of the driver's.  */
CUresult acr_cuda_add_callback (CUstream stream, CUstreamCallback fn,
                                void *data);

/* The same of libgomp's plugin's, in whose callbacks the driver refuses calls and
   the plugin relies on being refused.  When the driver will not have it, it is
   called here behind a wait.  */
void acr_cuda_add_plugin_callback (CUstream stream, CUstreamCallback fn,
                                   void *data);
bool acr_cuda_in_callback (void);

/* What a callback of libgomp's plugin's is told when the driver says R: with a
   failure it would end the program, in a thread of the driver's (fault.c).  */
CUresult acr_cuda_callback_status (CUresult r);

#endif /* ACCRETE_SUBMIT_H */
