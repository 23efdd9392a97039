/* The grid and block of plain kernels.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_GEOMETRY_H
#define ACCRETE_GEOMETRY_H

struct acr_launch;

/* A hook of acr_launch_adjust: when L is of a plain kernel (abi.h), give it the
   grid and block that its loop and the GPU can use, and no stacks.  */
void acr_geometry_choose (struct acr_launch *l);

#endif /* ACCRETE_GEOMETRY_H */
