/* Does the geometry of an SPMD kernel show in its results?

   Each iteration is executed once at every geometry.  But the order in which
   threads add to one place follows the geometry, which floating-point sums
   show, and so do answers about the thread.  Where there is neither, a launch
   may try different geometries from one time to the next.

   Needs: spmd_find_sharing, atomic updates that are not hidden.  Keeps: all
   code.
   Source: OpenMP 5.0, 2.19.5: the order of a reduction is open.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* Functions that work on memory may do anything.  */
static bool
harmless_call_p (const gimple *call)
{
  tree fn = gimple_call_fndecl (call);
  return gimple_call_internal_p (call)
	 || (gimple_call_flags (call) & ECF_CONST)
	 || (fn && fndecl_built_in_p (fn, BUILT_IN_NORMAL)
	     && mathfn_built_in_type (
	       as_combined_fn (DECL_FUNCTION_CODE (fn))));
}

static bool
may_show_p (const gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_ATOMIC_LOAD:
    case GIMPLE_ASM:
      return true;
    case GIMPLE_CALL:
      return !harmless_call_p (stmt);
    default:
      return gimple_has_volatile_ops (stmt)
	     || omp_find_clause (stmt_clauses (stmt), OMP_CLAUSE_REDUCTION);
    }
}

static tree
exact_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *)
{
  *handled = may_show_p (gsi_stmt (*gsi));
  return *handled ? integer_one_node : NULL_TREE;
}

bool
spmd_exact_p (const spmd_nest *nest)
{
  struct walk_stmt_info wi = {};
  return !nest->asks && !nest->tells
	 && !walk_gimple_seq (gimple_omp_body (nest->target), exact_stmt, NULL,
			      &wi);
}
