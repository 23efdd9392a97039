/* The constructs of an OpenMP region, from the target inward to the loop.

   Combined constructs are several to GCC, one inside the other, each with the
   bounds of the source's loop until omp-low.  Between them stand scopes,
   computations of bounds, and nothing that tells one thread from another; a
   thread of the kernel can do all of that for itself.

   A target, a teams or a parallel construct may hold several loops.  Each is a
   nest of its own then, with the constructs around it.  Threads do anew for each
   what stands before the first of them, so that may not depend on memory.

   A target without constructs is executed by one thread, as a loop of one
   iteration is: it needs no team to be started.

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: OpenMP 5.0, 2.7 and 2.9.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

static bool
local_p (const spmd_nest *nest, tree var)
{
  for (unsigned i = 0; i < nest->locals.length (); i++)
    if (nest->locals[i].var == var)
      return true;
  return false;
}

/* Take CALL, executed before the loop of NEST, such as one that computes a
   bound: every thread may make it for itself when it stores nothing.  */
static const char *
add_call (spmd_nest *nest, gcall *call)
{
  tree to = gimple_call_lhs (call), fn = gimple_call_fndecl (call);
  if (fn && call_query_p (fn))
    return "a question about the thread's place between the constructs";
  if (const char *why = call_why_not (call))
    return why;
  if (!to || !VAR_P (to) || !local_p (nest, to)
      || call_access (call) == ACR_ACCESS_UNKNOWN)
    return "a call between the constructs that may have effects";
  nest->before.safe_push (call);
  return NULL;
}

const char *
spmd_add_before (spmd_nest *nest, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      {
	tree base = get_base_address (gimple_assign_lhs (stmt));
	if (stmt_volatile_p (stmt))
	  return "a volatile access between the constructs";
	if (!base || !VAR_P (base) || !local_p (nest, base))
	  return "an assignment between the constructs";
	break;
      }
    case GIMPLE_CALL:
      return add_call (nest, as_a<gcall *> (stmt));
    case GIMPLE_COND:
    case GIMPLE_LABEL:
    case GIMPLE_GOTO:
      break;
    default:
      return "a statement between the constructs";
    }
  nest->before.safe_push (stmt);
  return NULL;
}

static const char *descend (spmd_nest *nest, gimple_seq seq);

/* Where a loop construct may stand, from outside to inside.  */
static int
rank (const gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_TEAMS:
      return 1;
    case GIMPLE_OMP_PARALLEL:
      return 3;
    case GIMPLE_OMP_FOR:
      switch (gimple_omp_for_kind (stmt))
	{
	case GF_OMP_FOR_KIND_DISTRIBUTE:
	  return 2;
	case GF_OMP_FOR_KIND_FOR:
	  return 4;
	case GF_OMP_FOR_KIND_SIMD:
	  return 5;
	default:
	  return 0;
	}
    default:
      return 0;
    }
}

static bool
load_of_others (gimple *, tree base, tree, void *data)
{
  return spmd_shared_p ((const spmd_nest *) data, base);
}

/* Why what NEST has before a loop that it leaves out cannot be done again behind
   that, or NULL.  */
static const char *
repeat_why_not (spmd_nest *nest)
{
  for (unsigned i = 0; i < nest->before.length (); i++)
    if (!is_gimple_assign (nest->before[i])
	|| walk_stmt_load_store_addr_ops (nest->before[i], nest,
					  load_of_others, NULL, NULL))
      return "a computation before several loops";
  return NULL;
}

static const char *enter_construct (spmd_nest *nest, gimple *stmt);

/* Enter the construct STMT, and leave it when all its loops were skipped.  */
static const char *
enter (spmd_nest *nest, gimple *stmt)
{
  int r = rank (stmt);
  if (!r)
    return "a construct without a form for all threads";
  if (!nest->levels.is_empty () && rank (nest->levels.last ()) >= r)
    return "nested parallelism";
  unsigned levels = nest->levels.length (), before = nest->before.length (),
	   locals = nest->locals.length ();
  nest->levels.safe_push (stmt);
  const char *why = enter_construct (nest, stmt);
  if (why || nest->loop)
    return why;
  nest->levels.truncate (levels);
  nest->before.truncate (before);
  nest->locals.truncate (locals);
  nest->common = MAX (nest->common, levels);
  return repeat_why_not (nest);
}

static const char *
enter_construct (spmd_nest *nest, gimple *stmt)
{
  if (gimple_code (stmt) != GIMPLE_OMP_FOR)
    return descend (nest, gimple_omp_body (stmt));

  if (const char *why = descend (nest, gimple_omp_for_pre_body (stmt)))
    return why;
  if (gimple_omp_for_combined_p (stmt))
    return descend (nest, gimple_omp_body (stmt));
  if (nest->passed++ < nest->skipped)
    return NULL;
  nest->loop = as_a<gomp_for *> (stmt);
  nest->split = gimple_omp_for_kind (stmt) == GF_OMP_FOR_KIND_DISTRIBUTE
		&& spmd_parallel_within_p (gimple_omp_body (stmt));
  return NULL;
}

/* Look for the next construct in SEQ.  */
static const char *
descend (spmd_nest *nest, gimple_seq seq)
{
  unsigned levels = nest->levels.length ();
  for (gimple_stmt_iterator i = gsi_start (seq); !gsi_end_p (i); gsi_next (&i))
    {
      gimple *stmt = gsi_stmt (i);
      const char *why = NULL;
      if (stmt_empty_p (stmt))
	continue;
      if (nest->loop)
	{
	  nest->more = true;
	  nest->common = MAX (nest->common, levels);
	  return NULL;
	}
      if (gbind *bind = dyn_cast<gbind *> (stmt))
	{
	  for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
	    nest->locals.safe_push ({ v, nest->levels.length () });
	  why = descend (nest, gimple_bind_body (bind));
	}
      else if (gimple_seq inside = stmt_scope_body (stmt))
	why = descend (nest, inside);
      else if (is_gimple_omp (stmt))
	why = enter (nest, stmt);
      /* There is one between loops in any case.  */
      else if (gimple_call_builtin_p (stmt, BUILT_IN_GOMP_BARRIER)
	       && !nest->levels.is_empty ()
	       && gimple_code (nest->levels.last ()) == GIMPLE_OMP_PARALLEL)
	continue;
      else
	why = spmd_add_before (nest, stmt);
      if (why)
	return why;
    }
  return NULL;
}

/* Why a clause of the constructs bars the form, or NULL.  Those about data are
   left to spmd-share.cc.  */
static const char *
clauses_why_not (const spmd_nest *nest)
{
  for (unsigned i = 0; i < nest->levels.length (); i++)
    for (tree c = stmt_clauses (nest->levels[i]); c; c = OMP_CLAUSE_CHAIN (c))
      switch (OMP_CLAUSE_CODE (c))
	{
	case OMP_CLAUSE_ORDERED:
	  return "an ordered clause";
	case OMP_CLAUSE_COPYIN:
	  return "a copyin clause";
	case OMP_CLAUSE_ALLOCATE:
	  return "an allocate clause";
	case OMP_CLAUSE_IN_REDUCTION:
	case OMP_CLAUSE_TASK_REDUCTION:
	  return "a task reduction";
	case OMP_CLAUSE_REDUCTION:
	  if (OMP_CLAUSE_REDUCTION_TASK (c) || OMP_CLAUSE_REDUCTION_INSCAN (c))
	    return "a task or scan reduction";
	  if (!spmd_reduction_variable (c))
	    return "a reduction of an array section";
	  break;
	default:
	  break;
	}
  for (tree c = gimple_omp_target_clauses (nest->target); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_IN_REDUCTION)
      return "a task reduction";
  return NULL;
}

const char *
spmd_loop_why_not (const spmd_nest *nest)
{
  const char *why = clauses_why_not (nest);
  return why ? why : spmd_space_why_not (nest->loop);
}

/* Why the constructs of NEST are not one loop whose iterations are shared out,
   or NULL.  */
static const char *
levels_why_not (const spmd_nest *nest)
{
  bool teams = spmd_level (nest, GIMPLE_OMP_TEAMS) != NULL;
  bool parallel = spmd_level (nest, GIMPLE_OMP_PARALLEL) != NULL;
  if (teams && !spmd_loop_level (nest, GF_OMP_FOR_KIND_DISTRIBUTE))
    return "a loop that every team executes";
  if (parallel != (spmd_loop_level (nest, GF_OMP_FOR_KIND_FOR) != NULL))
    return "a loop that every thread executes";
  return NULL;
}

/* May teams count on that they find in the loop of NEST what they have left in the
   one before, because each gets the same iterations?  */
static bool
same_teams_p (const spmd_nest *nest)
{
  gomp_for *distribute = spmd_loop_level (nest, GF_OMP_FOR_KIND_DISTRIBUTE);
  tree clauses = distribute ? gimple_omp_for_clauses (distribute) : NULL_TREE;
  tree order = omp_find_clause (clauses, OMP_CLAUSE_ORDER);
  return omp_find_clause (clauses, OMP_CLAUSE_DIST_SCHEDULE)
	 || (order && !OMP_CLAUSE_ORDER_UNCONSTRAINED (order));
}

/* Complete NEST, whose constructs were looked for with the result WHY.  */
static const char *
complete (spmd_nest *nest, const char *why)
{
  if (why)
    return why;
  if (!nest->loop)
    return nest->skipped ? "a statement after the loop"
			 : "no loop construct at its top";
  nest->several = nest->skipped || nest->more;
  if (nest->several && nest->split)
    return "several loops around others";
  if (nest->several && same_teams_p (nest))
    return "several loops with one distribution";
  if (const char *why = levels_why_not (nest))
    return why;
  gimple *thread = spmd_level (nest, GIMPLE_OMP_PARALLEL);
  if (!thread)
    thread = nest->loop;
  nest->thread_depth = 0;
  while (nest->levels[nest->thread_depth++] != thread)
    ;
  return spmd_loop_why_not (nest);
}

static tree
find_construct (gimple_stmt_iterator *gsi, bool *handled,
		struct walk_stmt_info *)
{
  enum gimple_code code = gimple_code (gsi_stmt (*gsi));
  *handled = is_gimple_omp (gsi_stmt (*gsi)) && code != GIMPLE_OMP_ATOMIC_LOAD
	     && code != GIMPLE_OMP_ATOMIC_STORE;
  return *handled ? integer_one_node : NULL_TREE;
}

bool
spmd_serial_p (const gomp_target *target)
{
  struct walk_stmt_info wi = {};
  return !walk_gimple_seq (gimple_omp_body (target), find_construct, NULL,
			   &wi);
}

/* A loop of one iteration, the body of TARGET.  */
static gomp_for *
once (gomp_target *target)
{
  tree type = integer_type_node, index = create_tmp_var (type, "once");
  gomp_for *loop = gimple_build_omp_for (gimple_omp_body (target),
					 GF_OMP_FOR_KIND_SIMD, NULL_TREE, 1,
					 NULL);
  gimple_omp_for_set_index (loop, 0, index);
  gimple_omp_for_set_initial (loop, 0, build_zero_cst (type));
  gimple_omp_for_set_final (loop, 0, build_one_cst (type));
  gimple_omp_for_set_cond (loop, 0, LT_EXPR);
  gimple_omp_for_set_incr (loop, 0, build2 (PLUS_EXPR, type, index,
					    build_one_cst (type)));
  return loop;
}

const char *
spmd_find_nest (gomp_target *target, unsigned skipped, spmd_nest *nest)
{
  nest->target = target;
  nest->outer = NULL;
  nest->loop = NULL;
  nest->split = false;
  nest->skipped = skipped;
  return complete (nest, descend (nest, gimple_omp_body (target)));
}

const char *
spmd_find_serial (gomp_target *target, spmd_nest *nest)
{
  nest->target = target;
  nest->outer = NULL;
  nest->loop = once (target);
  nest->once = true;
  nest->levels.safe_push (nest->loop);
  nest->split = false;
  return complete (nest, NULL);
}

const char *
spmd_find_inner (const spmd_nest *nest, gimple *parallel, spmd_nest *inner)
{
  inner->target = nest->target;
  inner->outer = nest;
  inner->acc = false;
  inner->loop = NULL;
  inner->split = false;
  const char *why = complete (inner, enter (inner, parallel));
  return why ? why : inner->several ? "several loops in a team's construct" : NULL;
}
