/* Scopes of a team's code that one thread goes through for all: what they set
   is their own, or in memory.

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: OpenMP 5.0, 2.6: outside of parallel constructs a team has one
   thread.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/block/block.h"

/* What a scope for one thread may hold: variables of its own, and labels that
   it may jump to.  */
struct scope
{
  hash_set<tree> locals, labels;
  /* Variables in registers that it sets, declared elsewhere.  */
  hash_set<tree> set;
  auto_vec<tree, 16> targets;
  /* It has a construct, or a label that anybody may jump to.  */
  bool common;
};

static void
enter_scope (scope *in, gbind *bind)
{
  for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
    in->locals.add (v);
}

/* Add to IN where STMT, a jump, goes.  */
static void
note_targets (scope *in, gimple *stmt)
{
  unsigned n = 0;
  while (tree label = stmt_jump_target (stmt, n++))
    in->targets.safe_push (label);
}

static tree
scope_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  scope *in = (scope *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  tree lhs = gimple_get_lhs (stmt);
  if (gomp_atomic_load *load = dyn_cast<gomp_atomic_load *> (stmt))
    lhs = gimple_omp_atomic_load_lhs (load);
  if (gbind *bind = dyn_cast<gbind *> (stmt))
    enter_scope (in, bind);
  else if (glabel *label = dyn_cast<glabel *> (stmt))
    {
      tree l = gimple_label_label (label);
      in->labels.add (l);
      in->common |= !DECL_ARTIFICIAL (l);
    }
  note_targets (in, stmt);
  in->common |= is_gimple_omp (stmt) && !block_atomic_p (stmt);
  if (!lhs || !DECL_P (lhs) || !register_p (lhs) || in->locals.contains (lhs))
    return NULL_TREE;
  in->set.add (lhs);
  return NULL_TREE;
}

/* The thread that executes the scope is always the same one, which has the
   values that the variables in SET began with: where nothing else speaks of
   them, the other threads need none.  */
bool
block_alone_p (const block_region *b, gimple *stmt)
{
  gbind *bind = dyn_cast<gbind *> (stmt);
  if (!bind || !gimple_bind_body (bind))
    return false;
  scope in;
  in.common = false;
  enter_scope (&in, bind);
  struct walk_stmt_info wi = {};
  wi.info = &in;
  walk_gimple_seq (gimple_bind_body (bind), scope_stmt, NULL, &wi);
  for (unsigned i = 0; i < in.targets.length (); i++)
    in.common |= !in.labels.contains (in.targets[i]);
  return !in.common
	 && (in.set.is_empty ()
	     || spmd_mentions (&in.set, gimple_bind_body (bind))
		  == spmd_mentions (&in.set, *b->code));
}
