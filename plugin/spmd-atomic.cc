/* Atomic updates in plain kernels.

   GCC refuses a target construct that has a teams construct and, outside of
   that, another directive.  So until omp-low is through with it, an atomic
   update in a kernel is a pair of calls to functions that do not exist.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd.h"

static const char load_name[] = "acr_atomic_load";
static const char store_name[] = "acr_atomic_store";

/* A function NAME of any arguments that gives TYPE.  */
static tree
placeholder (const char *name, tree type)
{
  tree fn = build_fn_decl (name, build_function_type (type, NULL_TREE));
  TREE_NOTHROW (fn) = 1;
  return fn;
}

tree
spmd_atomic_load (tree address, tree type, gimple_seq *seq)
{
  tree old = spmd_temp (type, "old");
  gcall *call = gimple_build_call (placeholder (load_name, type), 1, address);
  gimple_call_set_lhs (call, old);
  gimple_seq_add_stmt (seq, call);
  return old;
}

void
spmd_atomic_store (tree value, gimple_seq *seq)
{
  gimple_seq_add_stmt (seq,
		       gimple_build_call (placeholder (store_name,
						       void_type_node),
					  1, value));
}

static bool
calls_p (gimple *stmt, const char *name)
{
  tree fn = is_gimple_call (stmt) ? gimple_call_fndecl (stmt) : NULL_TREE;
  return fn && DECL_NAME (fn) && id_equal (DECL_NAME (fn), name);
}

static tree
finish_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi), *to = NULL;
  if (calls_p (stmt, load_name))
    to = gimple_build_omp_atomic_load (gimple_call_lhs (stmt),
				       gimple_call_arg (stmt, 0),
				       OMP_MEMORY_ORDER_RELAXED);
  else if (calls_p (stmt, store_name))
    to = gimple_build_omp_atomic_store (gimple_call_arg (stmt, 0),
					OMP_MEMORY_ORDER_RELAXED);
  if (to)
    gsi_replace (gsi, to, true);
  return NULL_TREE;
}

void
spmd_atomic_finish (gimple_seq *body)
{
  struct walk_stmt_info wi = {};
  walk_gimple_seq_mod (body, finish_stmt, NULL, &wi);
}
