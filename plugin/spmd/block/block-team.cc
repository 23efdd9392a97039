/* A team's code, executed by all threads of its block.

   Outside of parallel constructs a team has one thread.  In the block all
   threads go through its code: they compute the same from the same variables,
   so all take the same branches and come to the same constructs.  What touches
   memory that others may change, or has effects, the first thread does alone,
   when all have come there, and tells the others the result; so does it with
   scopes that set nothing the others need.

   Shared memory of the block changes in those places and in parallel
   constructs only, and there are barriers around them; so all may load from
   it.

   Needs: block_place_variables.  Keeps: one execution of what a team executes
   once.  Breaks: constructs in the code.
   Source: OpenMP 5.0, 2.6 and 2.7; spmd-split.cc for rows of threads.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/block/block.h"

struct team_walk
{
  block_region *b;
  const spmd_place *place;
};

/* Add to SEQ that the first thread executes STMTS when all have come there,
   and all go on after that.  */
static void
first_only (const spmd_place *place, gimple_seq stmts, gimple_seq *seq)
{
  code c = seq;
  block_meet (c);
  c.if_ (val (place->id) == 0, [&] { gimple_seq_add_seq (c, stmts); });
  block_meet (c);
}

/* ---- Statements ---- */

static bool
load_of_others (gimple *, tree base, tree ref, void *data)
{
  block_region *b = (block_region *) data;
  return !b->placed.contains (base) && !block_constant_p (b, ref);
}

/* May all threads execute STMT?  */
static bool
all_may_p (block_region *b, gimple *stmt)
{
  tree lhs = gimple_get_lhs (stmt);
  if (gimple_clobber_p (stmt))
    return true;
  if (lhs && !(DECL_P (lhs) && register_p (lhs)
	       && !spmd_shared_on_target_p (&b->team, lhs)))
    return false;
  if (gcall *call = dyn_cast<gcall *> (stmt))
    return lhs && call_without_memory_p (call);
  return !walk_stmt_load_store_addr_ops (stmt, b, load_of_others, NULL, NULL);
}

/* The variable of TYPE in shared memory by which one thread of B tells the
   others something.  Nobody sets it before all have come there again.  */
static tree
slot_of (block_region *b, tree type)
{
  for (unsigned i = 0; i < b->slots.length (); i++)
    if (TREE_TYPE (b->slots[i]) == type)
      return b->slots[i];
  tree slot = block_variable (type, "acr_told");
  b->slots.safe_push (slot);
  b->placed.add (slot);
  return slot;
}

/* What the block executes instead of STMT, which one thread must do.  */
static gimple *
by_first (const team_walk *w, gimple *stmt)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq only = NULL, seq = NULL;
  push_gimplify_context ();
  tree lhs = gimple_get_lhs (stmt);
  gimple_seq_add_stmt (&only, gimple_copy (stmt));
  if (!lhs || !DECL_P (lhs) || !register_p (lhs)
      || spmd_shared_on_target_p (&w->b->team, lhs))
    first_only (w->place, only, &seq);
  else
    {
      tree slot = slot_of (w->b, TYPE_MAIN_VARIANT (TREE_TYPE (lhs)));
      gimple_seq_add_stmt (&only, gimple_build_assign (slot, lhs));
      first_only (w->place, only, &seq);
      gimple_seq_add_stmt (&seq, gimple_build_assign (lhs, slot));
    }
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

static tree
answer_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  const team_walk *w = (const team_walk *) wi->info;
  spmd_answer_call (&w->b->team, w->place, gsi);
  if (gimple_call_builtin_p (gsi_stmt (*gsi), BUILT_IN_GOMP_BARRIER))
    gsi_replace (gsi, gimple_build_nop (), false);
  return NULL_TREE;
}

/* ---- Scopes and constructs ---- */

/* A scope for one thread.  */
static gimple *
scope_by_first (team_walk *w, gbind *scope)
{
  struct walk_stmt_info wi = {};
  wi.info = w;
  walk_gimple_seq_mod (gimple_bind_body_ptr (scope), answer_stmt, NULL, &wi);
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq only = NULL, seq = NULL;
  push_gimplify_context ();
  gimple_seq_add_stmt (&only, gimple_build_bind (gimple_bind_vars (scope),
						 gimple_bind_body (scope),
						 gimple_bind_block (scope)));
  first_only (w->place, only, &seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

static gimple *
loop_of_team (team_walk *w, gomp_for *loop)
{
  block_team_code (w->b, w->place, gimple_omp_for_pre_body_ptr (loop));
  block_team_code (w->b, w->place, gimple_omp_body_ptr (loop));
  return gimple_omp_for_kind (loop) == GF_OMP_FOR_KIND_SIMD
	   ? spmd_serial_loop (loop)
	   : block_teams_loop (w->b, w->place, loop);
}

/* What the block executes instead of STMT, or NULL for the same.  */
static gimple *
team_form (team_walk *w, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_BIND:
      return block_alone_p (w->b, stmt)
	       ? scope_by_first (w, as_a<gbind *> (stmt))
	       : NULL;
    case GIMPLE_OMP_PARALLEL:
      return block_threads (w->b, w->place, stmt);
    case GIMPLE_OMP_FOR:
      return loop_of_team (w, as_a<gomp_for *> (stmt));
    case GIMPLE_ASSIGN:
    case GIMPLE_CALL:
      return all_may_p (w->b, stmt) ? NULL : by_first (w, stmt);
    default:
      return NULL;
    }
}

static tree
team_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  team_walk *w = (team_walk *) wi->info;
  answer_stmt (gsi, NULL, wi);
  if (gimple_code (gsi_stmt (*gsi)) == GIMPLE_BIND
      && gimple_bind_body (as_a<gbind *> (gsi_stmt (*gsi))) == NULL)
    return NULL_TREE;
  gimple *form = team_form (w, gsi_stmt (*gsi));
  *handled = form != NULL;
  if (form)
    gsi_replace (gsi, form, false);
  return NULL_TREE;
}

void
block_team_code (block_region *b, const spmd_place *place, gimple_seq *code)
{
  team_walk w = { b, place };
  struct walk_stmt_info wi = {};
  wi.info = &w;
  walk_gimple_seq_mod (code, team_stmt, NULL, &wi);
}

gimple *
block_teams_loop (const block_region *b, const spmd_place *place,
		  gomp_for *loop)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq seq = NULL;
  spmd_nest inner;
  spmd_sharing sharing;
  const char *why = block_find_loop (b, loop, NULL, &inner, &sharing);
  gcc_assert (!why);
  push_gimplify_context ();
  spmd_make_own (&sharing, bind, &seq);
  gimple_seq_add_seq (&seq, spmd_copy (&sharing,
				       gimple_omp_for_pre_body (loop)));
  spmd_add_loop (&inner, inner.loop, place, &sharing, &seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}
