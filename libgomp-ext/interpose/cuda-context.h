/* To work for a while in a context that may not be the thread's current one: a
   program may use several devices, and libgomp's plugin makes the context of the
   one it works on current.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_CUDA_CONTEXT_H
#define ACCRETE_CUDA_CONTEXT_H

#include "ext.h"

/* Is CONTEXT the current one?  */
static inline bool
acr_context_is_current (CUcontext context)
{
  CUcontext current;
  return !acr_driver.ctx_get_current (&current) && current == context;
}

/* Make CONTEXT current; false when the driver will not.  *PUSHED says whether it
   was not, for acr_context_leave, which follows success.  */
static inline bool
acr_context_enter (CUcontext context, bool *pushed)
{
  *pushed = !acr_context_is_current (context);
  return !*pushed || !acr_driver.ctx_push_current (context);
}

static inline void
acr_context_leave (bool pushed)
{
  CUcontext context;
  if (pushed)
    acr_driver.ctx_pop_current (&context);
}

#endif /* ACCRETE_CUDA_CONTEXT_H */
