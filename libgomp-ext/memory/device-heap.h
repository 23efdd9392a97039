/* Memory that the device's malloc gives out (jit/device-malloc.h).

   A program whose kernels allocate has a heap of chunks a context, beside the
   driver's own, which stays as large as it is: so no malloc fails that would not
   in stock.  All modules of the context know it, as one may free what another
   has allocated.  It goes back when the program is short of memory and nothing
   in it is in use.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_DEVICE_HEAP_H
#define ACCRETE_DEVICE_HEAP_H

#include "interpose/cuda-types.h"
#include "jit/device-malloc.h"

#include <stdbool.h>

/* MODULE, all of whose units are at most LOOK, has been loaded in the current
   context.  */
void acr_device_heap_set_up (CUmodule module, enum acr_device_malloc look);

/* Memory of the current context is short: give back an unused heap.  Whether
   there was one.  */
bool acr_device_heap_release (void);

/* MODULE, or all of CTX, is about to go.  */
void acr_device_heap_unload (CUmodule module);
void acr_device_heap_forget (CUcontext ctx);

#endif /* ACCRETE_DEVICE_HEAP_H */
