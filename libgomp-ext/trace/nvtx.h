/* Constructs as ranges of NVTX, which Nsight and others show.

   Where the environment names a tool (NVTX_INJECTION64_PATH) and NVIDIA's
   library libnvToolsExt.so.1, which tells it, is found.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_NVTX_H
#define ACCRETE_NVTX_H

#include <stdbool.h>

/* Is there a tool?  */
bool acr_nvtx_start (void);
/* The range NAME begins in this thread; or ends.  Do nothing without one.  */
void acr_nvtx_push (const char *name);
void acr_nvtx_pop (void);

#endif /* ACCRETE_NVTX_H */
