/* The grid and block of SPMD kernels.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_GEOMETRY_H
#define ACCRETE_GEOMETRY_H

#include <stdbool.h>

struct acr_launch;

/* A hook of acr_launch_adjust: when L is of an SPMD kernel (abi.h), give it
   the grid and block that its loop and the GPU can use, and no stacks.
   Whether it is.  */
bool acr_geometry_choose (struct acr_launch *l);

/* L is of another kernel, OpenACC's in generic mode, in a form.  Where the program leaves
   the number of gangs open, let it have no more than libgomp would take for that form:
   others would wait for a place, and fill no GPU behind the first.  */
void acr_geometry_limit_gangs (struct acr_launch *l);

/* Blocks of L that fill so many QUARTERS of each multiprocessor, at least one; L's
   kernel is an SPMD one, and the GPU is known.  */
unsigned acr_geometry_part (const struct acr_launch *l, unsigned quarters);

/* Has L's grid no more blocks than that?  Any number of QUARTERS is enough where they are
   0: there is no limit.  */
bool acr_geometry_fits (const struct acr_launch *l, unsigned quarters);

/* Let L, whose threads launch regions that a warp or, where that is WHOLE, a
   block executes together, have as many warps or blocks as its iterations can
   use and the GPU holds.  */
void acr_geometry_spread (struct acr_launch *l, bool whole);

#endif /* ACCRETE_GEOMETRY_H */
