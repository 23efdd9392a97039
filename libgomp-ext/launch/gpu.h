/* The GPUs whose devices libgomp has started.

   Thread-safe; what is known of a device stays.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_GPU_H
#define ACCRETE_GPU_H

#include <stdbool.h>

#include "interpose/cuda-types.h"

struct acr_gpu
{
  _Atomic int processors, registers; /* REGISTERS of one multiprocessor */
  CUcontext ctx; /* libgomp's; NULL once it is gone */
  _Atomic bool left; /* libgomp's plugin itself launches OpenMP's kernels */
};

/* Device N has started; its context is current.  */
void acr_gpu_opened (int n);

/* From here on libgomp's plugin launches on device N.  */
void acr_gpu_leave (int n);

/* Do all GPUs that have been opened add doubles to memory by an instruction?  */
bool acr_gpu_adds (void);

/* What is known of device N, or NULL.  */
const struct acr_gpu *acr_gpu (int n);

/* The multiprocessors of the current context's device, and the registers of one;
   false when they are not known.  */
bool acr_gpu_current (int *processors, int *registers);

/* VALUE becomes ATTRIBUTE of the current context's device; false when that is not
   known.  */
bool acr_gpu_attribute (int *value, CUdevice_attribute attribute);

/* CTX is about to go.  */
void acr_gpu_forget (CUcontext ctx);

#endif /* ACCRETE_GPU_H */
