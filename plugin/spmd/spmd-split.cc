/* Plain kernels of a loop over teams around loops over a team's threads.

   A team is a row of threads of a block, those with the same tid.y and tid.z:
   all of a block, or a warp of it, as whoever launches likes.  All threads of
   a team execute what stands between the loops: they compute the same, since
   nobody but the first stores to memory, or calls what has effects, and nobody
   goes on before all have seen it.  So they all know the team's variables, and
   take the same branches.

   Where a team has met and nobody has accessed memory since, it need not meet
   again.

   Branches that depend on memory which somebody else changes meanwhile might
   be taken by some threads only, in a program with a data race that does not
   matter to it.  Threads of a warp that load together see the same; those of several
   agree (spmd-agree.cc), or such teams are to be warps.

   Needs: a nest that spmd_find_sharing calls split.  Keeps: one execution
   of what a team executes once.  Breaks: nothing.
   Source: OpenMP 5.0, 2.7 and 2.9.4.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

int
spmd_row_limit (const spmd_nest *nest)
{
  return nest->touches_memory && nest->branches && !nest->agrees ? 32 : 1024;
}

/* ---- Execution ---- */

/* Add to SEQ that the first thread of the team at PLACE, or of each of its columns,
   executes STMTS, when all have come there, and all go on after that.  It tells them
   TOLD, a variable that STMTS set, unless that is NULL.  */
static void
first_only (const spmd_place *place, gimple_seq stmts, tree told, gimple_seq *seq)
{
  code c = seq;
  spmd_meet (&place->team, c);
  test first = place->stores ? val (place->stores) != boolean_false_node
			     : val (place->team.rank) == 0;
  c.if_ (first, [&] { gimple_seq_add_seq (c, stmts); });
  if (told)
    spmd_tell (told, &place->team, c);
  else
    spmd_meet (&place->team, c);
}

/* Add to SEQ that P's partial results, of the threads of the team at PLACE, go
   into the variable.  MEETS: the team meets behind that.  */
static void
reduce_team (const spmd_nest *nest, const spmd_private *p,
	     const spmd_place *place, bool meets, gimple_seq *seq)
{
  tree value = code_temp (TYPE_MAIN_VARIANT (TREE_TYPE (p->value)),
			  "partial");
  code_set (value, p->value, seq);
  if (nest->columns)
    spmd_reduce_columns (p->reduction, value, place, seq);
  else
    spmd_reduce (p->reduction, value, &place->team, seq, meets);
  tree var = p->by_reference ? build_simple_mem_ref (p->var) : p->var;
  gimple_seq update = NULL;
  code_set (var, spmd_combine (p->reduction, unshare_expr (var), value),
	    &update);
  if (spmd_shared_p (nest, get_base_address (var)))
    first_only (place, update, NULL_TREE, seq);
  else
    gimple_seq_add_seq (seq, update);
}

/* The walk over a team's code.  */
struct split_walk
{
  const spmd_nest *nest;
  const spmd_place *place;
  spmd_loop_writer add_loop;
  /* What branches depend on; NULL: anything.  */
  hash_set<tree> *decide;
};

/* What the threads of W's team execute in place of LOAD, on which branches depend.  */
static gimple *
agreed_load (const split_walk *w, gimple *load)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  gimple_seq_add_stmt (&seq, gimple_copy (load));
  code c = &seq;
  c.if_ (val (w->place->team.size) > SPMD_WARP, [&] {
    spmd_tell (gimple_assign_lhs (load), &w->place->team, c);
  });
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

/* What they execute in place of STMTS, which happen once; VALUE is what comes of it, or
   NULL.  */
static gimple *
only_once (const split_walk *w, gimple_seq stmts, tree value)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  first_only (w->place, stmts, spmd_told (w->nest, value), &seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

/* Let them execute the atomic access that begins at GSI, with VALUE, once.  Its halves
   are in one sequence (spmd_once_why_not).  */
static void
access_once (const split_walk *w, tree value, gimple_stmt_iterator *gsi)
{
  gimple_seq access = NULL;
  tree changed;
  while (!spmd_atomic_ends_p (gsi_stmt (*gsi), &changed))
    {
      gimple_seq_add_stmt (&access, gimple_copy (gsi_stmt (*gsi)));
      gsi_remove (gsi, true);
    }
  gimple_seq_add_stmt (&access, gimple_copy (gsi_stmt (*gsi)));
  gsi_replace (gsi, only_once (w, access, value ? value : changed), true);
}

/* What the threads of W's team execute in place of PARALLEL.  */
static gimple *
team_loop (const split_walk *w, gimple *parallel)
{
  const spmd_nest *nest = w->nest;
  const spmd_place *place = w->place;
  spmd_nest inner;
  spmd_sharing sharing;
  /* This has been found to be fine before it was copied.  */
  spmd_find_inner (nest, parallel, &inner);
  spmd_find_sharing (&inner, &sharing);

  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  if (nest->touches_memory)
    spmd_meet (&place->team, &seq);
  spmd_make_own (&sharing, bind, &seq);
  tree idle = code_label ();
  spmd_copy_before (&inner, &sharing, &seq);
  spmd_place own = spmd_find_team_place (&inner, &sharing, place, idle, &seq);
  w->add_loop (&inner, inner.loop, &own, &sharing, &seq);
  code (&seq).at (idle);
  unsigned last = 0;
  for (unsigned i = 0; i < sharing.privates.length (); i++)
    if (sharing.privates[i].reduction)
      last = i;
  for (unsigned i = 0; i <= last && i < sharing.privates.length (); i++)
    if (sharing.privates[i].reduction)
      reduce_team (nest, &sharing.privates[i], place,
		   nest->touches_memory && i == last, &seq);
  if (nest->touches_memory)
    spmd_meet (&place->team, &seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

static tree
split_stmt (gimple_stmt_iterator *gsi, bool *handled,
	    struct walk_stmt_info *wi)
{
  const split_walk *w = (const split_walk *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  tree lhs = gimple_get_lhs (stmt), value;
  if (gimple_code (stmt) == GIMPLE_OMP_PARALLEL)
    {
      gsi_replace (gsi, team_loop (w, stmt), true);
      *handled = true;
    }
  else if (spmd_atomic_begins_p (stmt, &value))
    {
      access_once (w, value, gsi);
      *handled = true;
    }
  else if (w->nest->agrees && spmd_agreed_p (w->nest, stmt, w->decide))
    {
      gsi_replace (gsi, agreed_load (w, stmt), true);
      *handled = true;
    }
  else if (spmd_effects_p (stmt)
	   || (lhs && !gimple_clobber_p (stmt)
	       && spmd_shared_p (w->nest, get_base_address (lhs))))
    {
      gimple_seq only = NULL;
      gimple_seq_add_stmt (&only, gimple_copy (stmt));
      gsi_replace (gsi, only_once (w, only, is_gimple_call (stmt) ? lhs : NULL_TREE),
		   true);
      *handled = true;
    }
  return NULL_TREE;
}

/* ---- Barriers that nobody needs ---- */

/* Whether a team has met and no thread of it has accessed memory since; with DROP,
   a barrier that comes then goes.  */
struct meet_walk
{
  bool met, drop;
};

/* Does STMT only set a register to what others are made of?  */
static bool
registers_only_p (gimple *stmt)
{
  if (!is_gimple_assign (stmt))
    return false;
  for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
    {
      tree op = gimple_op (stmt, i);
      if (op && !CONSTANT_CLASS_P (op) && TREE_CODE (op) != ADDR_EXPR
	  && !(DECL_P (op) && register_p (op) && !DECL_HAS_VALUE_EXPR_P (op)))
	return false;
    }
  return !stmt_volatile_p (stmt);
}

static void
walk_meets (meet_walk *w, gimple_seq *seq)
{
  gimple_stmt_iterator gsi = gsi_start (*seq);
  while (!gsi_end_p (gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (gbind *bind = dyn_cast<gbind *> (stmt))
	walk_meets (w, gimple_bind_body_ptr (bind));
      else if (spmd_meet_p (stmt))
	{
	  if (w->met && w->drop)
	    {
	      gsi_remove (&gsi, true);
	      continue;
	    }
	  w->met = true;
	}
      else if (gimple_code (stmt) != GIMPLE_NOP && !registers_only_p (stmt))
	/* Others may come to a label, and what is inside of other statements is not
	   looked at.  */
	w->met = false;
      gsi_next (&gsi);
    }
}

/* Leave out barriers of BODY, an iteration of NEST's, where a team has met already.
   One iteration begins as the one before has ended, if that is with a barrier; the
   first one when nobody has stored anything yet.  */
static void
drop_meets (const spmd_nest *nest, gimple_seq *body)
{
  meet_walk end = {};
  walk_meets (&end, body);
  meet_walk w = { end.met && !nest->launches && !nest->asks, true };
  walk_meets (&w, body);
}

void
spmd_execute_split (const spmd_nest *nest, const spmd_place *place,
		    spmd_loop_writer add_loop, gimple_seq *body)
{
  /* BODY is a copy of what the answer in NEST is about, with other variables: where these
     cannot be told apart, all is told.  */
  hash_set<tree> decide;
  /* Of an OpenACC region's, which is a copy already, atomic accesses are not hidden.  */
  spmd_atomic_hide (body);
  bool known = nest->agrees && spmd_find_agreed (nest, *body, &decide);
  split_walk w = { nest, place, add_loop, known ? &decide : NULL };
  struct walk_stmt_info wi = {};
  wi.info = &w;
  walk_gimple_seq_mod (body, split_stmt, NULL, &wi);
  drop_meets (nest, body);
}
