/* Rows of a split nest that a test leaves out.

   In a loop over teams like

     for (v = 0; v < n; v++)
       if (level[v] == depth)
	 #pragma omp parallel for
	 ...

   a team of 32 threads would test one row at a time.  So each thread tests a
   row, and the team then executes those rows that have passed, one after the
   other, as it would otherwise, with the test at their start.  A row's test is
   earlier than it was, before the rows of other threads in front of it: that is
   so when other teams have those rows.

   Needs: a split nest.  Keeps: rows whose test is true.  Breaks: the order
   in which tests are made.
   Source: OpenMP 5.0, 2.9.4; PTX ISA, vote.sync.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* ---- Is there a test? ---- */

/* Is SEQ from I on empty, but for labels?  */
static bool
nothing_from_p (gimple_stmt_iterator i)
{
  for (; !gsi_end_p (i); gsi_next (&i))
    if (!stmt_empty_p (gsi_stmt (i))
	&& gimple_code (gsi_stmt (i)) != GIMPLE_LABEL)
      return false;
  return true;
}

/* Does the statement at I, a condition, jump over all that follows in its
   sequence when it is false?  */
static bool
guards_rest_p (gimple_stmt_iterator i)
{
  gcond *cond = as_a<gcond *> (gsi_stmt (i));
  gsi_next (&i);
  glabel *next = gsi_end_p (i) ? NULL : dyn_cast<glabel *> (gsi_stmt (i));
  if (!next || gimple_label_label (next) != gimple_cond_true_label (cond))
    return false;
  for (; !gsi_end_p (i); gsi_next (&i))
    if (glabel *label = dyn_cast<glabel *> (gsi_stmt (i)))
      if (gimple_label_label (label) == gimple_cond_false_label (cond))
	return nothing_from_p (i);
  return false;
}

/* The search's state.  */
struct test_search
{
  /* Variables declared on the way.  */
  hash_set<tree> own;
  gcond *cond;
};

/* May STMT be executed once more than the source says, by another thread?  */
static bool
may_repeat_p (test_search *s, gimple *stmt)
{
  if (!is_gimple_assign (stmt) || stmt_volatile_p (stmt))
    return false;
  tree lhs = gimple_assign_lhs (stmt);
  return VAR_P (lhs) && is_gimple_reg (lhs)
	 && (s->own.contains (lhs) || decl_temporary_p (lhs));
}

/* Add to PREFIX copies of what SEQ begins with, up to a test that guards all
   the rest, the last of them.  False when it does not begin like that.  */
static bool
find_test (test_search *s, gimple_seq seq, gimple_seq *prefix)
{
  for (gimple_stmt_iterator i = gsi_start (seq); !gsi_end_p (i); gsi_next (&i))
    {
      gimple *stmt = gsi_stmt (i);
      gimple_stmt_iterator rest = i;
      gsi_next (&rest);
      gimple_seq inside = NULL;
      if (stmt_empty_p (stmt))
	continue;
      if (gbind *bind = dyn_cast<gbind *> (stmt))
	{
	  for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
	    s->own.add (v);
	  if (!nothing_from_p (rest)
	      || !find_test (s, gimple_bind_body (bind), &inside))
	    return false;
	  gimple_seq_add_stmt (prefix,
			       gimple_build_bind (gimple_bind_vars (bind),
						  inside, NULL));
	  return true;
	}
      if (gimple_seq body = stmt_scope_body (stmt))
	return nothing_from_p (rest) && find_test (s, body, prefix);
      if (gimple_code (stmt) == GIMPLE_COND)
	{
	  s->cond = as_a<gcond *> (gimple_copy (stmt));
	  gimple_seq_add_stmt (prefix, s->cond);
	  return guards_rest_p (i);
	}
      if (!may_repeat_p (s, stmt))
	return false;
      gimple_seq_add_stmt (prefix, gimple_copy (stmt));
    }
  return false;
}

/* May rows be tested in another order than they are executed?  */
static bool
any_order_p (const spmd_nest *nest)
{
  return nest->acc
	 || !omp_find_clause (stmt_clauses (spmd_level (nest,
							GIMPLE_OMP_TEAMS)),
			      OMP_CLAUSE_NUM_TEAMS);
}

/* A copy of the test at the start of an iteration of SPACE, in the split NEST,
   that goes to YES or NO; NULL when there is none.  */
static gimple_seq
copy_test (const spmd_nest *nest, const spmd_space *space, tree yes, tree no)
{
  test_search s;
  gimple_seq prefix = NULL;
  if (!any_order_p (nest) || space->trips.length () > 1
      || !find_test (&s, gimple_omp_body (space->loop), &prefix))
    return NULL;
  gimple_cond_set_true_label (s.cond, yes);
  gimple_cond_set_false_label (s.cond, no);
  return spmd_copy (space->sharing, prefix);
}

/* ---- The loops ---- */

/* Add to C: LEFT, a bit for each row from BASE on that is to be executed, loses
   its first; the result is that row's number.  */
static val
take_row (val base, val left, code c)
{
  val bit = c.call (BUILT_IN_CTZ, integer_type_node, "bit", left);
  c.set (left, left & (left - 1));
  return c.let ("k", base + bit);
}

bool
spmd_add_rows (const spmd_nest *nest, spmd_space *space,
	       const spmd_place *place, writer<> body, code c)
{
  tree yes = code_label (), no = code_label ();
  gimple_seq test_of_row = copy_test (nest, space, yes, no);
  if (!test_of_row)
    return false;
  tree n = TREE_TYPE (place->global_id);
  /* Another team tests one row, by all its threads.  */
  test is_warp = val (place->team.size) == SPMD_WARP;
  val count = c.let ("rows", select (is_warp, u32 (SPMD_WARP), 1));
  is_warp.a = unshare_expr (is_warp.a);
  val lane = select (is_warp, place->team.rank, 0);
  lane = c.let ("lane", lane.as (n));
  val wide = c.let ("rows", count.as (n));
  val way = c.let ("way", val (place->all) * wide);
  val base = c.var (n, "base"), left = c.var (unsigned_type_node, "left");
  c.set (base, val (place->global_id) * wide);
  c.while_ (base < space->total, [&] {
    c.set (left, 0);
    val k = c.let ("k", base + lane);
    c.need (k < space->total, no);
    spmd_space_set (space, k, c);
    gimple_seq_add_seq (c, test_of_row);
    c.at (yes);
    c.set (left, 1);
    c.go (no);
    c.at (no);
    c.if_ (count > 1, [&] { c.set (left, spmd_ballot (left, c)); });
    c.while_ (left != 0, [&] {
      spmd_space_set (space, take_row (base, left, c), c);
      body ();
    });
    c.set (base, base + way);
  });
  return true;
}
