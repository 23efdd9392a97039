/* Control variables that libgomp keeps on a device: from GCC 13 on it copies them back
   after each region, as device code may call omp_set_num_teams or
   omp_set_teams_thread_limit.  Where no device code of a program calls these, the
   host has what the copy would bring.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_ICV_H
#define ACCRETE_ICV_H

#include <stdbool.h>
#include <stddef.h>

#include "interpose/cuda-types.h"
#include "interpose/image.h"

/* The plugin has loaded IMAGE, whose variables are the N bytes at P, or nowhere.  */
void acr_icv_loaded (const struct acr_image *image, CUdeviceptr p, size_t n);

/* N bytes at SRC are about to be copied to P.  */
void acr_icv_sent (CUdeviceptr p, const void *src, size_t n);

/* Whether a copy of N bytes from P to DST is of variables that DST holds.  */
bool acr_icv_same (const void *dst, CUdeviceptr p, size_t n);

#endif /* ACCRETE_ICV_H */
