/* How a thread executes the body of a loop.

   A thread executes an iteration alone, so a simd construct in the body, or a
   sequential loop of OpenACC, is an ordinary loop, and a question about the
   thread's place has its answer in the kernel.

   Needs: spmd_body_why_not to be NULL.  Keeps: what an iteration computes.
   Breaks: simd constructs and questions in the body.
   Source: OpenMP 5.0, 2.9.3; OpenACC 3.2, 2.9.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* ---- What may be there ---- */

/* ---- Execution ---- */

/* EXPR, a constant or variable, for use in SEQ.  What a lambda captures is an
   expression to the gimplifier but a variable to the target.  */
static tree
operand (tree expr, gimple_seq *seq)
{
  if (!VAR_P (expr) || !DECL_HAS_VALUE_EXPR_P (expr))
    return expr;
  tree value = code_temp (TREE_TYPE (expr), "captured");
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
  code c = seq;
  last = spmd_space_bound (operand (last, seq), TREE_TYPE (var));
  last = c.let ("last", last);
  first = spmd_space_bound (operand (first, seq), TREE_TYPE (var));
  c.set (var, first);
  next = build2 (TREE_CODE (next), TREE_TYPE (next), TREE_OPERAND (next, 0),
		 operand (TREE_OPERAND (next, 1), seq));
  c.while_ (test{ gimple_omp_for_cond (loop, i), var, last }, [&] {
    add_loops (sharing, loop, i + 1, c);
    c.set (var, next);
  });
}

/* Reductions, last values and linear variables come about as the iterations
   follow each other; only what is private must be another variable.  A loop in this
   one that it is combined with goes over all of the iterations.  */
gimple *
spmd_serial_loop (gomp_for *loop)
{
  spmd_sharing sharing;
  for (tree c = gimple_omp_for_clauses (loop); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE)
      {
	spmd_private p = {};
	p.var = OMP_CLAUSE_DECL (c);
	p.by_reference = decl_by_reference_p (p.var);
	sharing.privates.safe_push (p);
      }
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  spmd_make_own (&sharing, bind, &seq);
  gimple_seq_add_seq (&seq, spmd_copy (&sharing,
				       gimple_omp_for_pre_body (loop)));
  if (gimple_omp_for_combined_p (loop))
    gimple_seq_add_seq (&seq, spmd_copy (&sharing, gimple_omp_body (loop)));
  else
    add_loops (&sharing, loop, 0, &seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

void
spmd_answer_call (const spmd_nest *nest, const spmd_place *place,
		  gimple_stmt_iterator *gsi)
{
  gcall *call = dyn_cast<gcall *> (gsi_stmt (*gsi));
  tree fn = call ? gimple_call_fndecl (call) : NULL_TREE;
  if (!fn || !call_query_p (fn))
    return;
  gimple *to = gimple_build_nop ();
  if (tree lhs = gimple_call_lhs (call))
    {
      gimple_seq seq = NULL;
      code_set (lhs,
		fold_convert (TREE_TYPE (lhs), spmd_answer (nest, place, fn)),
		&seq);
      to = gimple_build_bind (NULL_TREE, seq, NULL);
    }
  gsi_replace (gsi, to, false);
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
  else
    spmd_answer_call (e->nest, e->place, gsi);
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
