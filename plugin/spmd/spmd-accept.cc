/* What the body of a loop may hold.

   Needs: GIMPLE before omp-low.
   Source: is_gimple_omp in GCC's gimple.h for the constructs.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

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
  if (stmt_variable_size_p (gimple_omp_for_clauses (loop)))
    return "a private variable of variable size";
  return spmd_space_why_not (loop);
}

call_body_of spmd_body_in_place;

const char *
spmd_body_why_not (gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_CALL:
      return call_why_not (as_a<gcall *> (stmt), spmd_body_in_place);
    case GIMPLE_OMP_FOR:
      return loop_why_not (as_a<gomp_for *> (stmt));
    case GIMPLE_BIND:
      return stmt_declares_expression_p (as_a<gbind *> (stmt))
	       ? "a variable that stands for an expression"
	       : NULL;
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

static tree
find_parallel (gimple_stmt_iterator *gsi, bool *handled,
	       struct walk_stmt_info *)
{
  *handled = gimple_code (gsi_stmt (*gsi)) == GIMPLE_OMP_PARALLEL;
  return *handled ? integer_one_node : NULL_TREE;
}

bool
spmd_parallel_within_p (gimple_seq body)
{
  struct walk_stmt_info wi = {};
  return walk_gimple_seq (body, find_parallel, NULL, &wi) != NULL;
}

bool
spmd_effects_p (const gimple *stmt)
{
  const gcall *call = dyn_cast<const gcall *> (stmt);
  return call && !call_without_memory_p (call)
	 && call_access (call) == ACR_ACCESS_UNKNOWN;
}

/* Why the call STMT between the loops bars the form, or NULL.  */
static const char *
team_call_why_not (gimple *stmt)
{
  tree fn = gimple_call_fndecl (stmt);
  if (fn && call_query_p (fn))
    return "a question about the thread's place between the loops";
  return spmd_body_why_not (stmt);
}

const char *
spmd_team_why_not (gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      return stmt_volatile_p (stmt)
	       ? "a volatile access between the loops"
	       : NULL;
    case GIMPLE_CALL:
      return team_call_why_not (stmt);
    case GIMPLE_OMP_PARALLEL:
    case GIMPLE_OMP_ATOMIC_LOAD:
    case GIMPLE_OMP_ATOMIC_STORE:
      return NULL;
    default:
      return is_gimple_omp (stmt) ? "a construct between the loops"
				  : spmd_body_why_not (stmt);
    }
}
