/* Copies between host and device as libgomp's plugin asks for them, each in the
   cheapest way that gives the same.

   A copy goes from file to file, to the first that has a way for it: it need not be
   made (overwrite.h, dead.h, unchanged.h); it is made later, with others (gather.h,
   late.h); it was made before (readback.h); the driver makes it.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_TRANSFER_H
#define ACCRETE_TRANSFER_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/cuda-types.h"

/* cuMemcpyHtoD and cuMemcpyDtoH, on the NULL stream.  */
CUresult acr_transfer_send (CUdeviceptr dst, const void *src, size_t n);
CUresult acr_transfer_fetch (void *dst, CUdeviceptr src, size_t n);

/* Whether the block at P, which libgomp frees, goes back behind copies that are
   not made yet.  */
bool acr_transfer_free (CUdeviceptr p);

#endif /* ACCRETE_TRANSFER_H */
