/* The device's libgomp, adapted as it is loaded.

   An OpenMP kernel that keeps GCC's form starts teams of the device's libgomp:
   each block allocates its team's structures with CUDA's malloc, which all
   blocks share, and each step of a barrier orders memory with the whole
   system.  The PTX of that library is in every program, apart from the
   program's own, so that what follows serves programs as they are:

   - a team's structures come from the block's dynamic shared memory
     (arena.ptx), which a launch of such a kernel has to provide;
   - what orders only the memory of one team is a fence for the block, and that
     of locks that all teams share one for the device;
   - a barrier wakes no more threads than wait, where GCC 12's locks up.

   From GCC 14 on libgomp's plugin gives each block dynamic shared memory, which
   the device's libgomp makes the low-latency heap of omp_alloc; the teams' is
   behind that.

   Code for launches by the device comes in here as well (nest-ptx.h).

   A unit of PTX is known by a function that it defines; what does not look as
   expected stays as it is.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_DEVLIB_H
#define ACCRETE_DEVLIB_H

#include "interpose/image.h"

#include <stddef.h>

/* The N units at UNIT, adapted for a GPU of compute capability MAJOR.x: an
   array for the caller to give to acr_devlib_release, in which units that are
   not changed are those at UNIT.  NULL when nothing is changed.  Kernels that get
   their arguments as parameters are added to PARAMS (params.h).  */
struct acr_params;
struct acr_unit *acr_devlib_adapt (const struct acr_unit *unit, unsigned n,
                                   int major, struct acr_params *params);
void acr_devlib_release (struct acr_unit *adapted, const struct acr_unit *unit,
                         unsigned n);

/* The dynamic shared memory, in bytes, of a launch in generic mode with teams of
   so many THREADS (warps): the plugin's, and what a team can use where a loaded
   program can.  */
unsigned acr_devlib_shared (unsigned threads);

#endif /* ACCRETE_DEVLIB_H */
