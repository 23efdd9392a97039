/* Parallel constructs in parallel constructs: inactive ones.

   A thread of an SPMD kernel that meets a parallel construct is a team of its own, of
   one thread, as on the device under GCC's runtime, where at most one level of nested
   parallel constructs is active.  So the construct is a scope of that thread, with what
   its clauses make private, and a worksharing loop in it has all its iterations.

   The region's other forms, GCC's and the host's, keep the construct: on the host it
   may well have threads.

   Needs: GIMPLE before omp-low, before the form of an SPMD kernel is looked for.
   Keeps: what a team of one thread computes; partial results are added up apart, as
   that thread would.  Breaks: the region, until spmd_restore_inactive.
   Source: OpenMP 5.0, 1.2.2 (inactive parallel region) and 2.6.1 (number of threads);
   gomp_resolve_num_threads in GCC's libgomp/parallel.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* ---- What may be there ---- */

/* Has the thread a variable of its own by the clause C that the language only has to
   declare and to assign?  */
static bool
simple_p (tree c)
{
  tree var = OMP_CLAUSE_DECL (c);
  return DECL_P (var) && !DECL_HAS_VALUE_EXPR_P (var)
	 && !decl_by_reference_p (var) && !spmd_constructed_p (c, var)
	 && poly_int_tree_p (TYPE_SIZE (TREE_TYPE (var)));
}

/* Take what the clauses of a parallel construct make private into SHARING; false:
   there is more to it.  */
static bool
take_clauses (tree clauses, spmd_sharing *sharing)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_DEFAULT:
      case OMP_CLAUSE_IF:
      case OMP_CLAUSE_NUM_THREADS:
      case OMP_CLAUSE_PROC_BIND:
      case OMP_CLAUSE_SHARED:
	break;
      /* The loop that the construct is combined with leaves the last value there.  */
      case OMP_CLAUSE_LASTPRIVATE:
	if (OMP_CLAUSE_LASTPRIVATE_FIRSTPRIVATE (c)
	    || OMP_CLAUSE_LASTPRIVATE_CONDITIONAL (c)
	    || OMP_CLAUSE_LASTPRIVATE_GIMPLE_SEQ (c))
	  return false;
	break;
      case OMP_CLAUSE_REDUCTION:
	if (OMP_CLAUSE_REDUCTION_INSCAN (c) || OMP_CLAUSE_REDUCTION_TASK (c)
	    || !spmd_reduces_scalar_p (c, TREE_TYPE (OMP_CLAUSE_DECL (c))))
	  return false;
	/* FALLTHRU */
      case OMP_CLAUSE_FIRSTPRIVATE:
      case OMP_CLAUSE_PRIVATE:
	{
	  if (!simple_p (c))
	    return false;
	  spmd_private p = {};
	  p.var = OMP_CLAUSE_DECL (c);
	  p.copy_in = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE;
	  p.reduction
	    = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION ? c : NULL_TREE;
	  sharing->privates.safe_push (p);
	  break;
	}
      default:
	return false;
      }
  return true;
}

/* Is the worksharing LOOP an ordinary one for a single thread?  Its reductions and last
   values come about as its iterations follow each other.  */
static bool
serial_p (const gomp_for *loop)
{
  for (tree c = gimple_omp_for_clauses (loop); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_COLLAPSE:
      case OMP_CLAUSE_LASTPRIVATE:
      case OMP_CLAUSE_NOWAIT:
      case OMP_CLAUSE_ORDER:
      case OMP_CLAUSE_REDUCTION:
      case OMP_CLAUSE_SCHEDULE:
	break;
      case OMP_CLAUSE_PRIVATE:
	if (spmd_constructed_p (c, OMP_CLAUSE_DECL (c)))
	  return false;
	break;
      default:
	return false;
      }
  return true;
}

/* ---- Execution ---- */

/* The body of an inactive construct, at so many LEVELS within the active one.  STAYS: it
   has a construct that is not understood, which may not count as one of the active
   construct's threads.  */
struct inactive_body
{
  unsigned levels;
  bool stays;
};

static gimple *make_scope (gomp_parallel *parallel, unsigned levels);

/* Let the call at GSI be what the one thread is told, if it asks where that is, and
   nothing, if it waits for other threads.  What else may be asked, the active construct
   answers.  */
static void
answer_call (gimple_stmt_iterator *gsi, gcall *call, unsigned levels)
{
  tree fn = gimple_call_fndecl (call), lhs = gimple_call_lhs (call);
  gimple_seq seq = NULL;
  code c = &seq;
  if (gimple_call_builtin_p (call, BUILT_IN_GOMP_BARRIER))
    ;
  else if (!fn || !lhs)
    return;
  else
    switch (query_of (fn))
      {
      case QUERY_THREAD_NUM:
	c.set (lhs, build_zero_cst (TREE_TYPE (lhs)));
	break;
      case QUERY_NUM_THREADS:
	c.set (lhs, build_one_cst (TREE_TYPE (lhs)));
	break;
      case QUERY_LEVEL:
	{
	  val level = c.var (TREE_TYPE (lhs), "level");
	  gcall *outer = as_a<gcall *> (gimple_copy (call));
	  gimple_call_set_lhs (outer, level);
	  gimple_seq_add_stmt (&seq, outer);
	  c.set (lhs, level + levels);
	  break;
	}
      default:
	return;
      }
  gsi_replace (gsi, gimple_build_bind (NULL_TREE, seq, NULL), false);
}

/* Let the worksharing LOOP be all of its iterations, as a simd construct is; false: it
   cannot be.  */
static bool
execute_loop (gomp_for *loop)
{
  if (gimple_omp_for_kind (loop) == GF_OMP_FOR_KIND_SIMD)
    return true;
  if (gimple_omp_for_kind (loop) != GF_OMP_FOR_KIND_FOR || !serial_p (loop))
    return false;
  gimple_omp_for_set_kind (loop, GF_OMP_FOR_KIND_SIMD);
  return true;
}

/* Let the construct at GSI be what the one thread does, if it is one.  */
static tree
execute_stmt (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  inactive_body *body = (inactive_body *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  gimple *scope;
  switch (gimple_code (stmt))
    {
    case GIMPLE_CALL:
      *handled = true;
      answer_call (gsi, as_a<gcall *> (stmt), body->levels);
      break;
    case GIMPLE_OMP_PARALLEL:
      *handled = true;
      scope = make_scope (as_a<gomp_parallel *> (stmt), body->levels + 1);
      body->stays |= !scope;
      if (scope)
	gsi_replace (gsi, scope, true);
      break;
    case GIMPLE_OMP_FOR:
      body->stays |= !execute_loop (as_a<gomp_for *> (stmt));
      break;
    case GIMPLE_OMP_ATOMIC_LOAD:
    case GIMPLE_OMP_ATOMIC_STORE:
      break;
    default:
      body->stays |= is_gimple_omp (stmt);
    }
  return NULL_TREE;
}

/* What the thread that meets PARALLEL, an inactive construct at so many LEVELS, does
   instead, or NULL.  */
static gimple *
make_scope (gomp_parallel *parallel, unsigned levels)
{
  spmd_sharing sharing;
  if (!take_clauses (gimple_omp_parallel_clauses (parallel), &sharing))
    return NULL;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  code c = &seq;
  spmd_make_own (&sharing, bind, &seq);
  for (const spmd_private &p : sharing.privates)
    if (p.reduction)
      c.set (p.own, omp_reduction_init (p.reduction, TREE_TYPE (p.own)));
  gimple_seq stmts = spmd_copy (&sharing, gimple_omp_body (parallel));
  inactive_body body = { levels, false };
  struct walk_stmt_info wi = {};
  wi.info = &body;
  walk_gimple_seq_mod (&stmts, execute_stmt, NULL, &wi);
  gimple_seq_add_seq (&seq, stmts);
  for (const spmd_private &p : sharing.privates)
    if (p.reduction)
      {
	val before = c.let ("before", p.var);
	c.set (p.var, spmd_combine (p.reduction, before, p.own));
      }
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return body.stays ? NULL : bind;
}

/* ---- The region ---- */

static tree
replace_stmt (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  gomp_parallel *parallel = dyn_cast<gomp_parallel *> (gsi_stmt (*gsi));
  if (!parallel)
    return NULL_TREE;
  *handled = true;
  if (gimple *scope = make_scope (parallel, 1))
    {
      ((spmd_inactive *) wi->info)->put (scope, parallel);
      gsi_replace (gsi, scope, true);
    }
  return NULL_TREE;
}

static tree
enter_parallel (gimple_stmt_iterator *gsi, bool *handled,
		struct walk_stmt_info *outer)
{
  gimple *stmt = gsi_stmt (*gsi);
  *handled = gimple_code (stmt) == GIMPLE_OMP_PARALLEL;
  if (*handled)
    {
      struct walk_stmt_info wi = {};
      wi.info = outer->info;
      walk_gimple_seq_mod (gimple_omp_body_ptr (stmt), replace_stmt, NULL, &wi);
    }
  return NULL_TREE;
}

void
spmd_replace_inactive (region *r, spmd_inactive *replaced)
{
  struct walk_stmt_info wi = {};
  wi.info = replaced;
  walk_gimple_seq_mod (gimple_omp_body_ptr (r->stmt), enter_parallel, NULL,
		       &wi);
}

static tree
restore_stmt (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  gimple **parallel = ((spmd_inactive *) wi->info)->get (gsi_stmt (*gsi));
  if (parallel)
    {
      gsi_replace (gsi, *parallel, true);
      *handled = true;
    }
  return NULL_TREE;
}

void
spmd_restore_inactive (region *r, spmd_inactive *replaced)
{
  if (replaced->is_empty ())
    return;
  struct walk_stmt_info wi = {};
  wi.info = replaced;
  walk_gimple_seq_mod (gimple_omp_body_ptr (r->stmt), restore_stmt, NULL, &wi);
}
