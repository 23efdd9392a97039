/* The outlined functions of SPMD kernels, after omp-low.

   Before it is streamed to the device's compiler such a function gets the
   attribute "kernel", upon which the nvptx back end writes a plain entry instead
   of one that starts libgomp's device runtime, or of one with OpenACC's gangs,
   workers and lanes.

   Source: write_omp_entry and nvptx_declare_function_name in GCC's
   config/nvptx/nvptx.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/base.h"

/* The back end's word for an entry.  */
static const char entry_name[] = "kernel";

void
entry_set (tree fn)
{
  tree attributes = DECL_ATTRIBUTES (fn);
  attributes = remove_attribute ("oacc function", attributes);
  attributes = remove_attribute ("omp target entrypoint", attributes);
  /* For the device compiler's passes over offloaded functions: one puts what the
     host has linked in the place of "declare target link" variables.  */
  attributes = tree_cons (get_identifier ("omp declare target"), NULL_TREE,
			  attributes);
  DECL_ATTRIBUTES (fn)
    = tree_cons (get_identifier (entry_name), NULL_TREE, attributes);
}

unsigned
entry_drop_kernel (function *fun)
{
  basic_block bb;
  unsigned todo = 0;
  if (!lookup_attribute (entry_name, DECL_ATTRIBUTES (fun->decl)))
    return todo;
  FOR_EACH_BB_FN (bb, fun)
    {
      gcond *cond = safe_dyn_cast<gcond *> (last_stmt (bb));
      tree test = cond ? gimple_cond_lhs (cond) : NULL_TREE;
      gimple *def = test && TREE_CODE (test) == SSA_NAME
		      ? SSA_NAME_DEF_STMT (test)
		      : NULL;
      if (def && gimple_assign_single_p (def)
	  && integer_zerop (gimple_assign_rhs1 (def))
	  && gimple_cond_code (cond) == NE_EXPR
	  && integer_zerop (gimple_cond_rhs (cond)))
	{
	  gimple_cond_make_false (cond);
	  todo = TODO_cleanup_cfg;
	}
    }
  return todo;
}
