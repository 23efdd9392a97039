/* Which rows of a split nest are columns (spmd-columns.cc): those whose memory lies
   side by side along the outer loop, and nowhere along the loops inside.

   What is the same for all of the outer loop's iterations, or inside, lies well
   either way.  All else must be as simple as that other threads may execute what
   stands around the loops inside for another iteration: straight code without
   calls, which sets registers of the iteration's own, or memory by its stores.

   Needs: spmd_find_sharing of the nest.  Keeps: all code.
   Source: M. Wolf and M. Lam, "A data locality optimizing algorithm", PLDI 1991.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"
#include "opt/columns.h"

/* ---- Memory ---- */

/* Does most of what the loops in OUTER access lie side by side along OUTER, and
   nothing along them?  */
static bool
across_p (const line *l, const line_loop *outer)
{
  bool any = false;
  for (unsigned i = 0; i < l->accesses.length (); i++)
    {
      const line_access *a = &l->accesses[i];
      const line_loop *inner = a->in;
      while (inner && inner != outer && inner->outer != outer)
	inner = inner->outer;
      if (!inner || inner == outer || !l->r->objects[a->object].mapped)
	continue;
      movement over = line_movement (a, outer), along = line_movement (a, inner);
      if (over == MOVE_UNKNOWN || along == MOVE_UNKNOWN
	  || (along == MOVE_NEXT && over != MOVE_NOT))
	return false;
      any |= over == MOVE_NEXT && along == MOVE_FAR;
    }
  return any;
}

bool
columns_lie_across_p (region *r)
{
  /* The walk enters objects that are none of the region's.  */
  unsigned n = r->objects.length ();
  bool across = false;
  affine_reset ();
  line l = {};
  line_make_serial (&l, r);
  if (!l.broken)
    {
      flow_find (&l);
      const line_loop *outer = l.loops.is_empty () ? NULL : l.loops[0];
      across = outer && outer->directive && !outer->inner.is_empty ()
	       && gimple_omp_for_collapse (outer->directive) == 1
	       && across_p (&l, outer);
    }
  line_release (&l);
  r->objects.truncate (n);
  return across;
}

/* ---- Code ---- */

/* May threads execute STMT, around the loops inside, for several iterations at
   once?  */
static bool
straight_p (const spmd_nest *nest, gimple *stmt)
{
  if (gimple_code (stmt) == GIMPLE_BIND || gimple_code (stmt) == GIMPLE_TRY
      || gimple_code (stmt) == GIMPLE_LABEL || stmt_empty_p (stmt))
    return true;
  if (!is_gimple_assign (stmt) || stmt_volatile_p (stmt))
    return false;
  tree lhs = gimple_assign_lhs (stmt);
  return !DECL_P (lhs) || register_p (lhs) || spmd_shared_p (nest, lhs);
}

/* Does the construct PARALLEL leave open how many threads there are?  */
static bool
open_p (const gimple *parallel)
{
  tree clauses = stmt_clauses (parallel);
  return !omp_find_clause (clauses, OMP_CLAUSE_NUM_THREADS)
	 && !omp_find_clause (clauses, OMP_CLAUSE_IF);
}

static tree
find_bar (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  bool parallel = gimple_code (stmt) == GIMPLE_OMP_PARALLEL;
  bool bars = parallel ? !open_p (stmt)
		       : !straight_p ((const spmd_nest *) wi->info, stmt);
  *handled = parallel || bars;
  return bars ? integer_one_node : NULL_TREE;
}

/* Has NEST a clause about how many threads or teams there are?  */
static bool
counted_p (const spmd_nest *nest)
{
  static const omp_clause_code codes[]
    = { OMP_CLAUSE_NUM_TEAMS, OMP_CLAUSE_THREAD_LIMIT, OMP_CLAUSE_NUM_GANGS,
	OMP_CLAUSE_NUM_WORKERS, OMP_CLAUSE_VECTOR_LENGTH };
  gimple *teams = spmd_level (nest, GIMPLE_OMP_TEAMS);
  for (unsigned i = 0; i < ARRAY_SIZE (codes); i++)
    if (omp_find_clause (stmt_clauses (nest->acc ? nest->target : teams),
			 codes[i]))
      return true;
  return false;
}

bool
columns_p (region *r, const spmd_nest *nest, const spmd_sharing *sharing)
{
  struct walk_stmt_info wi = {};
  wi.info = CONST_CAST (spmd_nest *, nest);
  if (!nest->split || nest->asks || nest->branches || nest->several
      || nest->outer || spmd_dealt_p (nest) || spmd_copies_out_p (sharing)
      || !spmd_any_number_p (sharing) || counted_p (nest)
      || gimple_omp_for_collapse (nest->loop) > 1
      || spmd_space_varies_p (nest->loop))
    return false;
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    if (sharing->privates[i].reduction || sharing->privates[i].object)
      return false;
  for (hash_set<tree>::iterator i = nest->team_variables.begin ();
       i != nest->team_variables.end (); ++i)
    if (!register_p (*i) || spmd_address_taken_p (nest, *i))
      return false;
  return !walk_gimple_seq (gimple_omp_body (nest->loop), find_bar, NULL, &wi)
	 && columns_lie_across_p (r);
}
