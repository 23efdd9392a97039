/* What a loop's body may hold, and how a thread executes it.

   A thread executes an iteration alone, so a simd construct in the body, or a
   sequential loop of OpenACC, is an ordinary loop, and a question about the
   thread's place has its answer in the kernel.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* ---- What may be there ---- */

/* Why the construct LOOP in the body bars the form, or NULL.  */
static const char *
loop_why_not (const gomp_for *loop)
{
  /* spmd-acc.cc leaves only sequential OpenACC loops in a body.  */
  if (gimple_omp_for_kind (loop) != GF_OMP_FOR_KIND_SIMD
      && gimple_omp_for_kind (loop) != GF_OMP_FOR_KIND_OACC_LOOP)
    return "a construct in the loop";
  for (tree c = gimple_omp_for_clauses (loop); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION
	&& (OMP_CLAUSE_REDUCTION_INSCAN (c)
	    || OMP_CLAUSE_REDUCTION_PLACEHOLDER (c)))
      return "the reduction of a loop within";
    else if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LASTPRIVATE
	     && (OMP_CLAUSE_LASTPRIVATE_CONDITIONAL (c)
		 || OMP_CLAUSE_LASTPRIVATE_GIMPLE_SEQ (c)))
      return "the last value of a loop within";
  if (spmd_variable_size_p (gimple_omp_for_clauses (loop)))
    return "a private variable of variable size";
  return spmd_space_why_not (loop);
}

const char *
spmd_body_why_not (gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_CALL:
      return spmd_call_why_not (as_a<gcall *> (stmt));
    case GIMPLE_OMP_FOR:
      return loop_why_not (as_a<gomp_for *> (stmt));
    case GIMPLE_BIND:
      for (tree v = gimple_bind_vars (as_a<gbind *> (stmt)); v;
	   v = DECL_CHAIN (v))
	if (VAR_P (v) && DECL_HAS_VALUE_EXPR_P (v))
	  return "a variable that stands for an expression";
      return NULL;
    case GIMPLE_ASSIGN:
    case GIMPLE_COND:
    case GIMPLE_DEBUG:
    case GIMPLE_GOTO:
    case GIMPLE_LABEL:
    case GIMPLE_NOP:
    case GIMPLE_OMP_ATOMIC_LOAD:
    case GIMPLE_OMP_ATOMIC_STORE:
    case GIMPLE_PREDICT:
    case GIMPLE_SWITCH:
    case GIMPLE_TRY:
      return NULL;
    default:
      return is_gimple_omp (stmt) ? "a construct in the loop"
				  : "a statement that is not understood";
    }
}

/* ---- Execution ---- */

/* EXPR, a constant or variable, for use in SEQ.  What a lambda captures is an
   expression to the gimplifier but a variable to the target.  */
static tree
operand (tree expr, gimple_seq *seq)
{
  if (!VAR_P (expr) || !DECL_HAS_VALUE_EXPR_P (expr))
    return expr;
  tree value = spmd_temp (TREE_TYPE (expr), "captured");
  gimple_seq_add_stmt (seq, gimple_build_assign (value, expr));
  return value;
}

/* Add to SEQ an iteration of LOOP.  Where its variable is not the source's, the
   iteration begins by setting that, and should the iteration be the last one,
   the source's is one step further afterwards.  */
static void
add_iteration (const spmd_sharing *sharing, const gomp_for *loop,
	       gimple_seq *seq)
{
  gimple_seq_add_seq (seq, spmd_copy (sharing, gimple_omp_body (loop)));
  for (tree c = gimple_omp_for_clauses (loop); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LINEAR)
      gimple_seq_add_seq (seq, spmd_copy (sharing,
					  OMP_CLAUSE_LINEAR_GIMPLE_SEQ (c)));
}

/* Add to SEQ the loops of LOOP from the Ith inward.  */
static void
add_loops (const spmd_sharing *sharing, const gomp_for *loop, unsigned i,
	   gimple_seq *seq)
{
  if (i == gimple_omp_for_collapse (loop))
    {
      add_iteration (sharing, loop, seq);
      return;
    }
  tree var = spmd_copy_expr (sharing, gimple_omp_for_index (loop, i));
  tree first = spmd_copy_expr (sharing, gimple_omp_for_initial (loop, i));
  tree last = spmd_copy_expr (sharing, gimple_omp_for_final (loop, i));
  tree next = spmd_copy_expr (sharing, gimple_omp_for_incr (loop, i));
  tree test = spmd_label (), body = spmd_label (), end = spmd_label ();
  last = spmd_space_bound (operand (last, seq), TREE_TYPE (var));
  last = spmd_value (last, "last", seq);
  first = spmd_space_bound (operand (first, seq), TREE_TYPE (var));
  spmd_set (var, first, seq);
  next = build2 (TREE_CODE (next), TREE_TYPE (next), TREE_OPERAND (next, 0),
		 operand (TREE_OPERAND (next, 1), seq));
  spmd_add_label (test, seq);
  spmd_add_branch (gimple_omp_for_cond (loop, i), var, last, body, end, seq);
  spmd_add_label (body, seq);
  add_loops (sharing, loop, i + 1, seq);
  spmd_set (var, next, seq);
  spmd_add_goto (test, seq);
  spmd_add_label (end, seq);
}

/* Reductions, last values and linear variables come about as the iterations
   follow each other; only what is private must be another variable.  */
gimple *
spmd_serial_loop (gomp_for *loop)
{
  spmd_sharing sharing;
  for (tree c = gimple_omp_for_clauses (loop); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE)
      {
	spmd_private p = {};
	p.var = OMP_CLAUSE_DECL (c);
	p.by_reference = spmd_by_reference_p (p.var);
	sharing.privates.safe_push (p);
      }
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  spmd_make_own (&sharing, bind, &seq);
  gimple_seq_add_seq (&seq, spmd_copy (&sharing,
				       gimple_omp_for_pre_body (loop)));
  add_loops (&sharing, loop, 0, &seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

struct execution
{
  const spmd_nest *nest;
  const spmd_place *place;
};

static tree
execute_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  const execution *e = (const execution *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (gomp_for *loop = dyn_cast<gomp_for *> (stmt))
    gsi_replace (gsi, spmd_serial_loop (loop), true);
  else if (gcall *call = dyn_cast<gcall *> (stmt))
    {
      tree fn = gimple_call_fndecl (call), lhs = gimple_call_lhs (call);
      if (!fn || !spmd_query_p (fn))
	return NULL_TREE;
      gimple *to = gimple_build_nop ();
      if (lhs)
	{
	  gimple_seq seq = NULL;
	  spmd_set (lhs,
		    fold_convert (TREE_TYPE (lhs),
				  spmd_answer (e->nest, e->place, fn)),
		    &seq);
	  to = gimple_build_bind (NULL_TREE, seq, NULL);
	}
      gsi_replace (gsi, to, false);
    }
  return NULL_TREE;
}

void
spmd_execute (const spmd_nest *nest, const spmd_place *place, gimple_seq *body)
{
  execution e = { nest, place };
  struct walk_stmt_info wi = {};
  wi.info = &e;
  walk_gimple_seq_mod (body, execute_stmt, NULL, &wi);
}
