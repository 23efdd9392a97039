/* Large copies between pageable host memory and the device; see bulk.c.

   Both are what the driver's own copies are, cuMemcpyHtoD and cuMemcpyDtoH
   from pageable memory: in the order of the NULL stream, of which all that
   came before is with the driver; SRC has been read, or DST written, when they
   return (CUDA Driver API, "API synchronization behavior").  They are false,
   and nothing is done, where the driver's are as good; else *STATUS is what
   the driver has said.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_BULK_H
#define ACCRETE_BULK_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/cuda-types.h"

struct acr_construct;

bool acr_bulk_send (CUresult *status, CUdeviceptr dst, const void *src,
                    size_t n);
bool acr_bulk_fetch (CUresult *status, void *dst, CUdeviceptr src, size_t n);

/* C parts with its buffers: its thread ends, or the device is closed.  */
void acr_bulk_part (struct acr_construct *c);

#endif /* ACCRETE_BULK_H */
