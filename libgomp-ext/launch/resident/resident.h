/* Resident loops: kernels that execute a host loop over regions, and whose blocks
   wait for each other.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_RESIDENT_H
#define ACCRETE_RESIDENT_H

#include "interpose/cuda-types.h"

struct acr_launch;

/* Give L, a launch of such a kernel, a grid that the GPU holds whole, and no
   stacks; or let it be one that is not made.  */
void acr_resident_shape (struct acr_launch *l);

/* The blocks of THREADS that a GPU of so many PROCESSORS holds at once of L's kernel,
   with SHARED bytes of dynamic shared memory, if they may wait for each other; else
   0.  */
unsigned acr_resident_blocks (const struct acr_launch *l, unsigned threads,
                              unsigned shared, int processors);

/* Hand L, of such a kernel, to the driver.  Where that does not take it, the kernel
   does not run, which the program sees.  */
CUresult acr_resident_launch (const struct acr_launch *l);

#endif /* ACCRETE_RESIDENT_H */
