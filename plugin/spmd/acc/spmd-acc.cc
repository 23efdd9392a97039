/* OpenACC regions as SPMD kernels.

   GCC gives a loop to gangs, workers and lanes as its directives say: between
   the loops of a nest it passes every live value on, through shuffles, shared
   memory and barriers, and a gang gets as few threads as the inner loop has
   levels.  Where nothing happens between the loops, they are one iteration
   space, any thread may take any part of it, and the kernel is the same as
   that of an OpenMP region.

   It is no OpenACC to GCC any more, which would hold back all threads but one
   in front of a loop for gangs, workers and lanes, and broadcast what that one
   has computed.  So the host's form of the loops is without directives as well:
   it has one gang, worker and lane in any case.

   A nest is taken when its loops are independent, when each holds, besides
   the next, at most assignments that may be repeated for every iteration of
   that, and when the bounds inside do not depend on the loops outside.
   Sequential loops are part of the body.  A region without others is one
   iteration, for one thread.  Where there is more, the loops outside are rows
   (spmd-acc-rows.cc).

   Needs: access_spread of the region.  Keeps: what each iteration computes.
   Breaks: the order of iterations.
   Source: OpenACC 2.6, 2.5.1, 2.9; nvptx_neuter_pars in GCC's
   config/nvptx/nvptx.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"
#include "internal-fn.h"
#include "langhooks.h"

/* ---- Loops ---- */

static bool
has_clause_p (const gimple *loop, omp_clause_code code)
{
  return omp_find_clause (gimple_omp_for_clauses (loop), code) != NULL_TREE;
}

static bool
acc_loop_p (const gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_OMP_FOR
	 && gimple_omp_for_kind (stmt) == GF_OMP_FOR_KIND_OACC_LOOP;
}

/* Does LOOP say which threads it is for?  */
static bool
partitioned_p (const gimple *loop)
{
  return has_clause_p (loop, OMP_CLAUSE_GANG)
	 || has_clause_p (loop, OMP_CLAUSE_WORKER)
	 || has_clause_p (loop, OMP_CLAUSE_VECTOR);
}

/* Does GCC run LOOP, in a parallel region, on one thread?  */
static bool
sequential_p (const gimple *loop)
{
  return has_clause_p (loop, OMP_CLAUSE_SEQ)
	 || (has_clause_p (loop, OMP_CLAUSE_AUTO)
	     && !has_clause_p (loop, OMP_CLAUSE_INDEPENDENT));
}

/* Do the clauses of LOOP contradict each other, about which GCC complains
   later?  */
static bool
contradictory_p (const gimple *loop)
{
  return partitioned_p (loop)
	 && (has_clause_p (loop, OMP_CLAUSE_SEQ)
	     || has_clause_p (loop, OMP_CLAUSE_AUTO));
}

/* Why LOOP cannot be part of the iteration space, or NULL.  */
static const char *
loop_why_not (const gimple *loop)
{
  if (contradictory_p (loop))
    return "contradictory clauses of a loop";
  if (sequential_p (loop))
    return "a sequential loop";
  for (tree c = gimple_omp_for_clauses (loop); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_GANG:
      case OMP_CLAUSE_WORKER:
      case OMP_CLAUSE_VECTOR:
      case OMP_CLAUSE_AUTO:
      case OMP_CLAUSE_INDEPENDENT:
      case OMP_CLAUSE_COLLAPSE:
      case OMP_CLAUSE_PRIVATE:
      /* The loops that it names are collapsed ones to GCC; in which order
	 their iterations come is ours to choose.  */
      case OMP_CLAUSE_TILE:
	break;
      case OMP_CLAUSE_REDUCTION:
	if (!DECL_P (OMP_CLAUSE_DECL (c)))
	  return "a reduction of an array section";
	break;
      default:
	return "a clause of a loop";
      }
  return NULL;
}

/* ---- What varies ---- */

/* The search's state.  */
struct acc_search
{
  const region *r;
  spmd_nest *nest;
  /* Variables that the outermost loop sets.  */
  hash_set<tree> set;
  /* Of them, those whose value at the place in hand is the same in all
     iterations.  */
  hash_set<tree> steady;
};

static bool
note_set (gimple *, tree base, tree, void *data)
{
  /* It may be an element whose address is taken.  */
  base = get_base_address (base);
  if (base && DECL_P (base))
    ((acc_search *) data)->set.add (base);
  return false;
}

static void
note_indices (acc_search *s, const gimple *loop)
{
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    s->set.add (gimple_omp_for_index (loop, i));
}

static tree
note_sets (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  acc_search *s = (acc_search *) wi->info;
  walk_stmt_load_store_addr_ops (stmt, s, NULL, note_set, note_set);
  /* That walk takes an operation's result for a register.  */
  tree lhs = gimple_get_lhs (stmt);
  if (lhs && DECL_P (lhs))
    s->set.add (lhs);
  if (gimple_code (stmt) == GIMPLE_OMP_FOR)
    note_indices (s, stmt);
  if (gimple_code (stmt) == GIMPLE_OMP_ATOMIC_LOAD)
    s->set.add (gimple_omp_atomic_load_lhs (as_a<gomp_atomic_load *> (stmt)));
  return NULL_TREE;
}

static void
find_sets (acc_search *s, gomp_for *loop)
{
  struct walk_stmt_info wi = {};
  wi.info = s;
  note_indices (s, loop);
  walk_gimple_seq (gimple_omp_body (loop), note_sets, NULL, &wi);
}

/* May the region write to what REF, no variable, lies in?  */
static bool
may_be_written_p (const acc_search *s, tree ref)
{
  object_name name = object_of_reference (ref);
  if (!name.var || !object_known_p (s->r, name))
    return true;
  const vec<object> &objects = s->r->objects;
  for (unsigned i = 0; i < objects.length (); i++)
    if (objects[i].name.var == name.var && objects[i].name.depth == name.depth)
      return objects[i].access & ACR_ACCESS_WRITE;
  return true;
}

/* Is EXPR, an operand, the same in all iterations?  */
static bool
steady_p (acc_search *s, tree expr)
{
  if (CONSTANT_CLASS_P (expr) || is_gimple_min_invariant (expr))
    return true;
  if (DECL_P (expr))
    return !s->set.contains (expr) || s->steady.contains (expr);
  return spmd_private_reference_p (s->nest, expr)
	 && !s->set.contains (TREE_OPERAND (expr, 0));
}

/* Take STMT, which stands between two loops.  */
static const char *
add_prefix (acc_search *s, gimple *stmt)
{
  if (!is_gimple_assign (stmt) || stmt_volatile_p (stmt)
      || !VAR_P (gimple_assign_lhs (stmt))
      || !is_gimple_reg_type (TREE_TYPE (gimple_assign_lhs (stmt)))
      || is_global_var (gimple_assign_lhs (stmt)))
    return "a statement between the loops";
  bool steady = true;
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    {
      tree op = gimple_op (stmt, i);
      steady &= steady_p (s, op);
      tree base = get_base_address (op);
      if (!CONSTANT_CLASS_P (op) && !is_gimple_min_invariant (op)
	  && (!base || !DECL_P (base) || is_global_var (base))
	  && !spmd_private_reference_p (s->nest, op) && may_be_written_p (s, op))
	return "a load between the loops of what may change";
    }
  tree lhs = gimple_assign_lhs (stmt);
  s->nest->prefix.safe_push (stmt);
  if (steady)
    {
      s->nest->before.safe_push (stmt);
      s->steady.add (lhs);
    }
  else
    s->steady.remove (lhs);
  return NULL;
}

/* ---- The nest ---- */

/* The loops of a nest while it is looked for.  */
typedef auto_vec<gomp_for *, 8> loop_list;

static const char *find_next (acc_search *s, loop_list *found, gimple_seq seq);

/* Are the bounds of LOOP the same in all iterations of those around it?  */
static bool
steady_bounds_p (acc_search *s, const gomp_for *loop)
{
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    if (!steady_p (s, gimple_omp_for_initial (loop, i))
	|| !steady_p (s, gimple_omp_for_final (loop, i))
	|| !steady_p (s, TREE_OPERAND (gimple_omp_for_incr (loop, i), 1)))
      return false;
  return true;
}

/* Enter LOOP, and those inside that it can be joined with.  */
static const char *
enter_loop (acc_search *s, loop_list *found, gomp_for *loop)
{
  if (const char *why = loop_why_not (loop))
    return why;
  if (const char *why = spmd_space_why_not (loop))
    return why;
  if (const char *why = find_next (s, found, gimple_omp_for_pre_body (loop)))
    return why;
  /* What the outermost one's bounds are made of may be set anew inside: that
     comes later.  */
  if (found->is_empty ())
    find_sets (s, loop);
  else if (!steady_bounds_p (s, loop))
    return "a bound that depends on the loop around it";
  found->safe_push (loop);
  s->nest->levels.safe_push (loop);
  spmd_nest *nest = s->nest;
  unsigned level = found->length (), locals = nest->locals.length (),
	   before = nest->before.length (), prefix = nest->prefix.length ();
  const char *why = find_next (s, found, gimple_omp_body (loop));
  if (why || found->length () == level)
    {
      /* What is inside is its body.  */
      found->truncate (level);
      nest->levels.truncate (level);
      nest->locals.truncate (locals);
      nest->before.truncate (before);
      nest->prefix.truncate (prefix);
    }
  return NULL;
}

/* Does what precedes the loops jump?  Statements between them do not.  */
static bool
jumps_p (const spmd_nest *nest)
{
  for (unsigned i = 0; i < nest->before.length (); i++)
    if (!is_gimple_assign (nest->before[i]))
      return true;
  return false;
}

/* Look for the next loop in SEQ, in front of which stands only what may be
   repeated, and behind it nothing.  */
static const char *
find_next (acc_search *s, loop_list *found, gimple_seq seq)
{
  unsigned level = found->length ();
  for (gimple_stmt_iterator i = gsi_start (seq); !gsi_end_p (i); gsi_next (&i))
    {
      gimple *stmt = gsi_stmt (i);
      const char *why = NULL;
      if (stmt_empty_p (stmt)
	  || (gimple_code (stmt) == GIMPLE_LABEL && !jumps_p (s->nest)))
	continue;
      if (found->length () > level)
	return "a statement after the loop";
      if (gbind *bind = dyn_cast<gbind *> (stmt))
	{
	  for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
	    s->nest->locals.safe_push ({ v, level });
	  why = find_next (s, found, gimple_bind_body (bind));
	}
      else if (gimple_seq inside = stmt_scope_body (stmt))
	why = find_next (s, found, inside);
      else if (acc_loop_p (stmt))
	why = enter_loop (s, found, as_a<gomp_for *> (stmt));
      else
	why = level ? add_prefix (s, stmt) : spmd_add_before (s->nest, stmt);
      if (why)
	return why;
    }
  return NULL;
}

/* One loop in place of all FOUND.  */
static gomp_for *
join (const loop_list *found)
{
  unsigned n = 0, dim = 0;
  for (unsigned i = 0; i < found->length (); i++)
    n += gimple_omp_for_collapse ((*found)[i]);
  gomp_for *all
    = gimple_build_omp_for (gimple_omp_body ((*found)[found->length () - 1]),
			    GF_OMP_FOR_KIND_OACC_LOOP, NULL_TREE, n, NULL);
  for (unsigned i = 0; i < found->length (); i++)
    for (unsigned j = 0; j < gimple_omp_for_collapse ((*found)[i]); j++, dim++)
      {
	const gomp_for *one = (*found)[i];
	gimple_omp_for_set_index (all, dim, gimple_omp_for_index (one, j));
	gimple_omp_for_set_initial (all, dim, gimple_omp_for_initial (one, j));
	gimple_omp_for_set_final (all, dim, gimple_omp_for_final (one, j));
	gimple_omp_for_set_cond (all, dim, gimple_omp_for_cond (one, j));
	gimple_omp_for_set_incr (all, dim, gimple_omp_for_incr (one, j));
      }
  return all;
}

static tree
find_parallel_loop (gimple_stmt_iterator *gsi, bool *handled,
		    struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  *handled = gimple_code (stmt) == GIMPLE_OMP_FOR
	     && (!acc_loop_p (stmt) || !sequential_p (stmt)
		 || contradictory_p (stmt)
		 || has_clause_p (stmt, OMP_CLAUSE_TILE));
  return *handled ? integer_one_node : NULL_TREE;
}

/* Why the clauses of the region or its loops bar the form, or NULL.  */
static const char *
clauses_why_not (const spmd_nest *nest, const loop_list *found)
{
  if (spmd_acc_nested_wrong_p (nest))
    return "gangs, workers and lanes in the wrong order";
  bool gangs = false;
  for (unsigned i = 0; i < found->length (); i++)
    gangs |= has_clause_p ((*found)[i], OMP_CLAUSE_GANG)
	     || (!has_clause_p ((*found)[i], OMP_CLAUSE_WORKER)
		 && !has_clause_p ((*found)[i], OMP_CLAUSE_VECTOR));
  tree clauses = gimple_omp_target_clauses (nest->target);
  tree n = omp_find_clause (clauses, OMP_CLAUSE_NUM_GANGS);
  if (!gangs && n && !integer_onep (OMP_CLAUSE_OPERAND (n, 0)))
    return "all gangs execute the loop";
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
      {
	bool done = false;
	for (unsigned i = 0; i < found->length (); i++)
	  for (tree d = gimple_omp_for_clauses ((*found)[i]); d;
	       d = OMP_CLAUSE_CHAIN (d))
	    done |= OMP_CLAUSE_CODE (d) == OMP_CLAUSE_REDUCTION
		    && OMP_CLAUSE_DECL (d) == OMP_CLAUSE_DECL (c)
		    && (OMP_CLAUSE_REDUCTION_CODE (d)
			== OMP_CLAUSE_REDUCTION_CODE (c));
	if (!done)
	  return "a reduction over gangs";
      }
  return NULL;
}

/* Has TARGET no loop that is shared out?  */
static bool
alone_p (const gomp_target *target)
{
  struct walk_stmt_info wi = {};
  return !walk_gimple_seq (gimple_omp_body (target), find_parallel_loop, NULL,
			   &wi);
}

/* Bring the region of TARGET, which is alone_p, into NEST.  A gang executes it
   on one thread; there is one where the program does not ask for more.  */
static const char *
find_alone (gomp_target *target, spmd_nest *nest)
{
  tree clauses = gimple_omp_target_clauses (target);
  tree n = omp_find_clause (clauses, OMP_CLAUSE_NUM_GANGS);
  if (n && !integer_onep (OMP_CLAUSE_OPERAND (n, 0)))
    return "all gangs execute it";
  if (omp_find_clause (clauses, OMP_CLAUSE_REDUCTION))
    return "a reduction over gangs";
  const char *why = spmd_find_serial (target, nest);
  /* To no axis of the launch does it give work.  */
  nest->levels.truncate (0);
  return why;
}

const char *
spmd_acc_find_nest (const region *r, spmd_nest *nest)
{
  acc_search s;
  s.r = r;
  s.nest = nest;
  nest->target = r->stmt;
  nest->outer = NULL;
  nest->loop = NULL;
  nest->split = false;
  loop_list found;
  /* The numbers that it gives are the device code's.  */
  if (flag_openacc_dims)
    return "-fopenacc-dim";
  if (alone_p (r->stmt))
    return find_alone (r->stmt, nest);
  if (const char *why = find_next (&s, &found, gimple_omp_body (r->stmt)))
    return why;
  if (found.is_empty ())
    return "no loop construct at its top";
  struct walk_stmt_info wi = {};
  bool rows = walk_gimple_seq (gimple_omp_body (found.last ()),
			       find_parallel_loop, NULL, &wi);
  if (const char *why = clauses_why_not (nest, &found))
    return why;
  nest->loop = join (&found);
  nest->thread_depth = found.length ();
  return rows ? spmd_acc_make_rows (nest, loop_why_not) : NULL;
}

/* ---- The host's form ---- */

static tree
make_serial (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  if (acc_loop_p (gsi_stmt (*gsi)))
    gsi_replace (gsi, spmd_serial_loop (as_a<gomp_for *> (gsi_stmt (*gsi))),
		 true);
  return NULL_TREE;
}

void
spmd_acc_host_form (gomp_target *target)
{
  struct walk_stmt_info wi = {};
  walk_gimple_seq_mod (gimple_omp_body_ptr (target), make_serial, NULL, &wi);
}

static tree
drop_marker (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  if (is_gimple_call (stmt)
      && gimple_call_internal_p (stmt, IFN_UNIQUE)
      && tree_to_shwi (gimple_call_arg (stmt, 0)) == IFN_UNIQUE_OACC_PRIVATE)
    gsi_replace (gsi, gimple_build_nop (), false);
  return NULL_TREE;
}

void
spmd_acc_finish (gomp_target *target)
{
  struct walk_stmt_info wi = {};
  walk_gimple_seq_mod (gimple_omp_body_ptr (target), drop_marker, NULL, &wi);
}
