/* Copies that would change nothing; see dead.c.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_DEAD_H
#define ACCRETE_DEAD_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/cuda-types.h"

/* libgomp wants N bytes of device memory at SRC in host memory at DST.  True
   when they are known to be there.  */
bool acr_copy_is_dead (const void *dst, CUdeviceptr src, size_t n);

#endif /* ACCRETE_DEAD_H */
