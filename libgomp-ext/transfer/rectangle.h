/* Rectangles and fills: from GCC 14 on libgomp's plugin copies strided sections and
   what omp_target_memcpy_rect names by one call of the driver, and GCC 16 has
   omp_target_memset.  They are rare: what is owed is done before them, and nothing
   is left out.

   Each is in place of the driver's entry, on the NULL stream.  Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_RECTANGLE_H
#define ACCRETE_RECTANGLE_H

#include "interpose/cuda-types.h"

CUresult acr_rectangle_2d (const CUDA_MEMCPY2D *copy);
CUresult acr_rectangle_2d_unaligned (const CUDA_MEMCPY2D *copy);
CUresult acr_rectangle_3d (const CUDA_MEMCPY3D *copy);
CUresult acr_rectangle_fill (CUdeviceptr p, unsigned char value, size_t n);

#endif /* ACCRETE_RECTANGLE_H */
