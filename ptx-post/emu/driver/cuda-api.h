/* Prototypes of every entry point of the emulated CUDA driver (driver.def).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_CUDA_API_H
#define ACCRETE_CUDA_API_H

#include "interpose/cuda-types.h"

/* The forms of STREAM and NULL_STREAM entries for per-thread streams.  */
#define CU_PER_THREAD_NOTHING(name, params)
#define CU_PER_THREAD_INIT(name, params)
#define CU_PER_THREAD_CONTEXT(name, params)
#define CU_PER_THREAD_WORK(name, params)
#define CU_PER_THREAD_NULL_STREAM(name, params) CUresult name##_ptds params;
#define CU_PER_THREAD_HANDLE(operand) CU_PER_THREAD_NOTHING
#define CU_PER_THREAD_MEMORY(operand) CU_PER_THREAD_NOTHING
#define CU_PER_THREAD_STREAM(operand) CU_PER_THREAD_PTSZ
#define CU_PER_THREAD_PTSZ(name, params) CUresult name##_ptsz params;

#define CU_ENTRY(name, needs, params, args, format)			      \
  CUresult name params;							      \
  CU_PER_THREAD_##needs (name, params)
#define CU_ENTRY_V2(name, needs, params, args, format)			      \
  CUresult name params;							      \
  CUresult name##_v2 params;						      \
  CU_PER_THREAD_##needs (name##_v2, params)
#include "driver/driver.def"

#endif /* ACCRETE_CUDA_API_H */
