/* OpenACC loops with statements around parallel loops inside, as teams.

   A loop over rows, whose body has statements besides a parallel loop,

       #pragma acc loop			  #pragma omp distribute
       for (i ...)				  for (i ...)
	 {					    {
	   t = 0;				      t = 0;
	   #pragma acc loop reduction (+:t)  ->	      #pragma omp parallel for
	   for (j ...)				      for (j ...)	reduction (+:t)
	     t += ...;					t += ...;
	   y[i] = t;				      y[i] = t;
	 }					    }

   is what spmd-split.cc makes kernels of: the threads of a team share the
   inner loop, all execute the statements, the first one stores.  So the
   kernel's copy of the body gets OpenMP's constructs; a gang's row is a
   team's.

   Needs: a nest of which spmd-acc.cc has found the loops that can be joined.
   Keeps: the region's own code.
   Source: OpenACC 3.2, 2.9; OpenMP 5.0, 2.7 and 2.9.4.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* The search's state.  */
struct rows_walk
{
  /* Why a loop cannot be taken, or NULL.  */
  const char *(*loop_why_not) (const gimple *loop);
  const char *why;
};

/* Is there a loop construct?  */
static tree
find_loop (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *)
{
  *handled = gimple_code (gsi_stmt (*gsi)) == GIMPLE_OMP_FOR;
  return *handled ? integer_one_node : NULL_TREE;
}

/* Of CLAUSES, copies of those with CODE, in front of REST.  */
static tree
clauses_of (tree clauses, omp_clause_code code, tree rest)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == code)
      {
	tree copy = clause_copy (c);
	OMP_CLAUSE_CHAIN (copy) = rest;
	rest = copy;
      }
  return rest;
}

/* The operand EXPR of a loop, computed for the team by SEQ into a variable
   of its own, one of *VARS: the body may use the gimplifier's for something
   else.  */
static tree
team_value (tree expr, tree *vars, gimple_seq *seq)
{
  if (CONSTANT_CLASS_P (expr))
    return expr;
  tree var = create_tmp_var_raw (TREE_TYPE (expr), "bound");
  DECL_CONTEXT (var) = current_function_decl;
  DECL_SEEN_IN_BIND_EXPR_P (var) = 1;
  DECL_CHAIN (var) = *vars;
  *vars = var;
  gimple_seq_add_stmt (seq, gimple_build_assign (var, expr));
  return var;
}

/* LOOP for all threads of a team, which know its bounds.  */
static gimple *
team_construct (gomp_for *loop)
{
  tree clauses = gimple_omp_for_clauses (loop), vars = NULL_TREE;
  gimple_seq all = gimple_omp_for_pre_body (loop);
  gomp_for *made
    = gimple_build_omp_for (gimple_omp_body (loop), GF_OMP_FOR_KIND_FOR,
			    clauses_of (clauses, OMP_CLAUSE_PRIVATE, NULL_TREE),
			    gimple_omp_for_collapse (loop), NULL);
  gimple_set_location (made, gimple_location (loop));
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    {
      gimple_omp_for_set_index (made, i, gimple_omp_for_index (loop, i));
      gimple_omp_for_set_initial (
	made, i, team_value (gimple_omp_for_initial (loop, i), &vars, &all));
      gimple_omp_for_set_final (
	made, i, team_value (gimple_omp_for_final (loop, i), &vars, &all));
      gimple_omp_for_set_cond (made, i, gimple_omp_for_cond (loop, i));
      gimple_omp_for_set_incr (made, i, gimple_omp_for_incr (loop, i));
    }
  gimple_seq body = NULL;
  gimple_seq_add_stmt (&body, made);
  gimple *parallel
    = gimple_build_omp_parallel (body,
				 clauses_of (clauses, OMP_CLAUSE_REDUCTION,
					     NULL_TREE),
				 NULL_TREE, NULL_TREE);
  gimple_set_location (parallel, gimple_location (loop));
  gimple_seq_add_stmt (&all, parallel);
  return gimple_build_bind (vars, all, NULL_TREE);
}

static tree
make_team_loop (gimple_stmt_iterator *gsi, bool *handled,
		struct walk_stmt_info *wi)
{
  rows_walk *w = (rows_walk *) wi->info;
  gomp_for *loop = dyn_cast<gomp_for *> (gsi_stmt (*gsi));
  *handled = loop != NULL;
  if (!loop)
    return NULL_TREE;
  struct walk_stmt_info inside = {};
  if (const char *why = w->loop_why_not (loop))
    w->why = why;
  else if (omp_find_clause (gimple_omp_for_clauses (loop), OMP_CLAUSE_TILE))
    w->why = "a tiled loop inside the loop";
  else if (walk_gimple_seq (gimple_omp_body (loop), find_loop, NULL, &inside))
    w->why = "loops in a parallel loop inside the loop";
  else
    gsi_replace (gsi, team_construct (loop), false);
  return NULL_TREE;
}

const char *
spmd_acc_make_rows (spmd_nest *nest,
		    const char *(*loop_why_not) (const gimple *))
{
  rows_walk w = { loop_why_not, NULL };
  struct walk_stmt_info wi = {};
  wi.info = &w;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  push_gimplify_context ();
  gimple_seq body = copy_statements (gimple_omp_body (nest->loop));
  walk_gimple_seq_mod (&body, make_team_loop, NULL, &wi);
  gimple_bind_set_body (bind, body);
  pop_gimplify_context (bind);
  if (w.why)
    return w.why;
  gimple_seq all = NULL;
  gimple_seq_add_stmt (&all, bind);
  gimple_omp_set_body (nest->loop, all);
  nest->split = true;
  return NULL;
}
