/* Device directives met on the device: what the files nested*.cc share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_NESTED_H
#define ACCRETE_NESTED_H

#include "accrete.h"

/* A place of a function.  */
struct nested_place
{
  /* The variables that the executing thread has for itself: nobody else
     combines a reduction into them.  */
  auto_vec<tree, 32> own;
  /* The block's other threads wait for it to meet a parallel construct.  */
  bool alone;
  /* The other lanes of its warp wait for it to meet a vector loop.  */
  bool lanes_wait;
};

/* Is STMT a construct that runs its body on the device?  */
static inline bool
nested_region_p (const gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_OMP_TARGET
	 && is_gimple_omp_offloaded (stmt);
}

/* nested-inplace.cc: constructs as sequential code.  */

/* Is the loop construct STMT one of OpenACC that says nothing else about its
   iterations than that they are independent?  */
bool nested_independent_p (const gimple *stmt);

/* Enter in PLACE the variables that clauses of STMT make private.  */
void nested_note_private (const gimple *stmt, nested_place *place);

/* Enter in PLACE the variables that BIND declares.  */
void nested_note_locals (const gbind *bind, nested_place *place);

/* Why the construct STMT cannot be executed by one thread, or NULL.  */
const char *nested_inplace_why_not (gimple *stmt);

/* What the thread that meets STMT at PLACE executes instead of it.  Takes
   STMT's body.  Where PLACE is alone, parallel constructs in STMT stay, and
   where lanes wait, loops that may be theirs; there are no regions in those
   that stay.  */
gbind *nested_inplace (gimple *stmt, nested_place *place);

/* nested-loop.cc: loops of constructs as sequential ones.  */

/* Why LOOP cannot be one, or NULL.  */
const char *nested_loop_why_not (const gomp_for *loop);

/* Add to SEQ the loops of LOOP around its body.  Takes the body.  */
void nested_add_loops (const gomp_for *loop, gimple_seq *seq);

/* Go to YES when A CODE B, else to NO, and go on at FOLLOW, one of them.  */
void nested_branch (enum tree_code code, tree a, tree b, tree yes, tree no,
		    tree follow, gimple_seq *seq);

#endif /* ACCRETE_NESTED_H */
