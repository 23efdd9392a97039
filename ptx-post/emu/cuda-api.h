/* Prototypes of every entry point of the emulated CUDA driver (driver.def).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_CUDA_API_H
#define ACCRETE_CUDA_API_H

#include "cuda-types.h"

#define CU_ENTRY(name, needs, params, args, format) CUresult name params;
#define CU_ENTRY_V2(name, needs, params, args, format)			      \
  CUresult name params;							      \
  CUresult name##_v2 params;
#include "driver.def"

#endif /* ACCRETE_CUDA_API_H */
