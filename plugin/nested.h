/* Device directives met on the device: what the files nested*.cc share.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_NESTED_H
#define ACCRETE_NESTED_H

#include "accrete.h"

/* The variables that the executing thread has for itself at some place of a
   function: nobody else combines a reduction into them.  */
typedef auto_vec<tree, 32> nested_own;

/* Is STMT a construct that runs its body on the device?  */
static inline bool
nested_region_p (const gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_OMP_TARGET
	 && is_gimple_omp_offloaded (stmt);
}

/* nested-inplace.cc: constructs as sequential code.  */

/* The clauses of the construct STMT, of any kind.  */
tree nested_clauses (const gimple *stmt);

/* Enter in OWN the variables that clauses of STMT make private.  */
void nested_note_private (const gimple *stmt, nested_own *own);

/* Enter in OWN the variables that BIND declares.  */
void nested_note_locals (const gbind *bind, nested_own *own);

/* Why the construct STMT cannot be executed by one thread, or NULL.  */
const char *nested_inplace_why_not (gimple *stmt);

/* What the thread that meets STMT executes instead of it; OWN are its own
   variables there.  Takes STMT's body.  */
gbind *nested_inplace (gimple *stmt, nested_own *own);

#endif /* ACCRETE_NESTED_H */
