/* Launches by the device: what its code needs of CUDA's device runtime.

   Kernels that may launch children have a comment where the device is to do so
   (plugin/nested/collect/nested-device.cc).  When ACCRETE_NEST wants that and libcudadevrt is
   found, a call of nest.ptx's function takes its place; and such a kernel, when
   the device has launched it, takes its argument from the block that it was
   given.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_NEST_PTX_H
#define ACCRETE_NEST_PTX_H

#include "base/text.h"
#include "interpose/cuda-types.h"

/* Let T, a unit, launch kernels where it would; true if it would.  */
bool acr_nest_ptx_edit (struct acr_text *t);

/* Add to the link STATE what edited units need.  False when nothing was
   needed.  */
bool acr_nest_ptx_link (CUlinkState state);

#endif /* ACCRETE_NEST_PTX_H */
