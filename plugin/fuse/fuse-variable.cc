/* The variables of bodies that are about to become one: what a statement sets.

   Needs: nothing.  Keeps: all code.  Breaks: nothing.
   Source: none.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"

void
fuse_add_sets (gimple *stmt, hash_set<tree> *set)
{
  tree lhs = gimple_get_lhs (stmt);
  if (lhs && DECL_P (lhs))
    set->add (lhs);
  if (gimple_code (stmt) == GIMPLE_OMP_FOR)
    for (size_t k = 0; k < gimple_omp_for_collapse (stmt); k++)
      set->add (gimple_omp_for_index (stmt, k));
}
