/* Where regions inside plain kernels run.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_NEST_H
#define ACCRETE_NEST_H

#include "cuda-types.h"

/* What executes a child together; ACCRETE_NEST.  The numbers are an interface
   with the device's code (plugin/nested-collect.cc).  */
enum acr_nest
{
  ACR_NEST_INPLACE, /* the thread that launches it */
  ACR_NEST_WARP,
  ACR_NEST_BLOCK,
  ACR_NEST_COUNT
};

/* Tell the device code of MODULE, loaded in the current context, where the
   children of its kernels run: as the program's user says, on GPUs whose
   threads may wait for each other in diverged warps; else in place, as without
   this call.  */
void acr_nest_set_up (CUmodule module);

#endif /* ACCRETE_NEST_H */
