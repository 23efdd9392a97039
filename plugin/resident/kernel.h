/* What kernels of loops are made of: what the files resident-kernel.cc,
   chain-kernel.cc and kernel-part.cc share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_RESIDENT_KERNEL_H
#define ACCRETE_RESIDENT_KERNEL_H

#include "resident/resident.h"

/* The kernel's code for the region TARGET of R; if ALONE, each block executes all
   of it.  */
gimple *kernel_part (region *r, gomp_target *target, bool alone);

/* What a part has of its own, for what comes by value.  */
struct part_values
{
  hash_map<tree, tree> own;
};

/* Add to P copies of what comes by value to the region TARGET of WHOLE that
   GCC does not see through, which C makes.  Compilers fuse products with sums
   depending on who else uses the product, so no value is to be shared by two
   parts, nor to be computed in front of the loop: then each part rounds as its
   region would by itself.  */
void kernel_keep_apart (const gomp_target *whole, const gomp_target *target,
			part_values *p, code c);

/* Let PART have what is P's.  */
void kernel_replace_values (part_values *p, gimple *part);

/* A thread's number in its block.  */
val kernel_rank (code c);

/* Let the host's code in BODY, of X, be rounded as the host does.  */
void kernel_round_as_host (const resident *x, gimple_seq *body);

/* Statements, and what is to stand in their places in BODY.  */
typedef hash_map<gimple *, gimple *> kernel_stmts;
void kernel_replace (gimple_seq *body, kernel_stmts *with);

/* The epilogue of X, for a thread for which T is true.  */
gimple *kernel_epilogue (const resident *x, test t);

#endif /* ACCRETE_RESIDENT_KERNEL_H */
