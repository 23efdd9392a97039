/* Constructs as sequential code for the thread that meets them.

   One thread may execute all of a region: a league of one team, a team of one
   thread, a gang of one worker are what the standards let an implementation
   choose.  What remains of a construct then is its loops and its private
   variables.  Every construct becomes a scope

     {
       copies of variables;		private, firstprivate, linear ...
       the loops around the body, or the body;
       copies back;			lastprivate, linear, reduction
     }

   in whose body the names stand for the copies.  What clauses map is shared
   with the thread that meets the construct: it is on the device already.

   A reduction uses the variable itself when the thread has it for itself;
   else other threads may be combining into it, so that the thread sums up
   apart and combines atomically, or alone where GPUs have no instruction for
   it.

   A parallel construct without simd stays where the block's other threads have
   nothing else to do: they execute it together with the launching thread.
   So do the lanes of a warp with an OpenACC loop.

   Critical and atomic constructs stay: they are about other launching threads
   as well.

   Needs: nested_inplace_why_not to be NULL.  Keeps: values that one thread
   computes.  Breaks: the construct, whose body moves.
   Source: OpenMP 5.0, 2.9.2, 2.12.5, 2.19; OpenACC 3.2, 2.5, 2.9;
   lower_rec_input_clauses and lower_reduction_clauses in GCC's omp-low.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested.h"
#include "spmd/spmd.h"
#include "gimple-expr.h"

/* ---- What can be executed ---- */

/* Does clause C give the construct STMT a copy of the variable it names?  */
static bool
copying_clause_p (const gimple *stmt, tree c)
{
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_PRIVATE:
      return !OMP_CLAUSE_PRIVATE_DEBUG (c);
    case OMP_CLAUSE_FIRSTPRIVATE:
      return true;
    case OMP_CLAUSE_IS_DEVICE_PTR:
      return POINTER_TYPE_P (TREE_TYPE (OMP_CLAUSE_DECL (c)))
	     && !decl_by_reference_p (OMP_CLAUSE_DECL (c));
    case OMP_CLAUSE_MAP:
      return OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FIRSTPRIVATE_POINTER
	     && DECL_P (OMP_CLAUSE_DECL (c))
	     && POINTER_TYPE_P (TREE_TYPE (OMP_CLAUSE_DECL (c)))
	     && !decl_by_reference_p (OMP_CLAUSE_DECL (c))
	     /* A member: the region around has its copy.  */
	     && !DECL_HAS_VALUE_EXPR_P (OMP_CLAUSE_DECL (c));
    case OMP_CLAUSE_LINEAR:
      return true;
    case OMP_CLAUSE_LASTPRIVATE:
      /* Of a combined construct the loop proper copies back.  */
      return gimple_code (stmt) == GIMPLE_OMP_SECTIONS
	     || (gimple_code (stmt) == GIMPLE_OMP_FOR
		 && !gimple_omp_for_combined_p (stmt));
    default:
      return false;
    }
}

static const char *
clause_why_not (const gimple *stmt, tree c)
{
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_DETACH:
      return "a detach clause";
    case OMP_CLAUSE_DEVICE:
      return OMP_CLAUSE_DEVICE_ANCESTOR (c) ? "a device(ancestor) clause"
					    : NULL;
    case OMP_CLAUSE_IN_REDUCTION:
    case OMP_CLAUSE_TASK_REDUCTION:
      return "a task reduction";
    case OMP_CLAUSE_REDUCTION:
      if (OMP_CLAUSE_REDUCTION_TASK (c))
	return "a task reduction";
      return OMP_CLAUSE_REDUCTION_INSCAN (c)
		 && gimple_code (stmt) == GIMPLE_OMP_FOR
		 && gimple_omp_for_kind (stmt) == GF_OMP_FOR_KIND_SIMD
	       ? "an inscan reduction of a simd construct"
	       : NULL;
    default:
      break;
    }
  if (!copying_clause_p (stmt, c))
    return NULL;
  tree var = OMP_CLAUSE_DECL (c), type = decl_value_type (var);
  if (!TYPE_SIZE (type) || TREE_CODE (TYPE_SIZE (type)) != INTEGER_CST)
    return "a private variable of variable size";
  if (DECL_HAS_VALUE_EXPR_P (var))
    return "a private variable that stands for an expression";
  return NULL;
}

static const char *
stmt_why_not (gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_CALL:
      {
	tree fn = gimple_call_fndecl (stmt);
	if (fn
	    && (fndecl_built_in_p (fn, BUILT_IN_GOMP_CANCEL)
		|| fndecl_built_in_p (fn, BUILT_IN_GOMP_CANCELLATION_POINT)))
	  return "cancellation";
	return NULL;
      }
    case GIMPLE_BIND:
      return stmt_declares_expression_p (as_a<gbind *> (stmt))
	       ? "a variable that stands for an expression"
	       : NULL;
    case GIMPLE_OMP_TARGET:
      if (gimple_omp_target_kind (stmt) == GF_OMP_TARGET_KIND_UPDATE)
	return "a target update construct";
      break;
    case GIMPLE_OMP_TASK:
      if (gimple_omp_task_taskloop_p (stmt))
	return "a taskloop construct";
      break;
    case GIMPLE_OMP_FOR:
      if (const char *why = nested_loop_why_not (as_a<gomp_for *> (stmt)))
	return why;
      break;
    default:
      break;
    }
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (const char *why = clause_why_not (stmt, c))
      return why;
  return NULL;
}

static tree
check_stmt (gimple_stmt_iterator *gsi, bool *handled,
	    struct walk_stmt_info *wi)
{
  const char **why = (const char **) wi->info;
  *why = stmt_why_not (gsi_stmt (*gsi));
  *handled = *why != NULL;
  return *why ? integer_one_node : NULL_TREE;
}

const char *
nested_inplace_why_not (gimple *stmt)
{
  const char *why = stmt_why_not (stmt);
  struct walk_stmt_info wi = {};
  wi.info = &why;
  if (!why && gimple_has_substatements (stmt))
    walk_gimple_seq (gimple_omp_body (stmt), check_stmt, NULL, &wi);
  return why;
}

/* ---- A thread's own variables ---- */

void
nested_note_private (const gimple *stmt, nested_place *place)
{
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (copying_clause_p (stmt, c)
	|| OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
      place->own.safe_push (OMP_CLAUSE_DECL (c));
}

void
nested_note_locals (const gbind *bind, nested_place *place)
{
  for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
    if (VAR_P (v) && !is_global_var (v) && !decl_by_reference_p (v))
      place->own.safe_push (v);
}

/* ---- Scopes ---- */

/* What a construct becomes.  */
struct scope
{
  /* Copies of variables, with their pointers when they are used by
     reference.  */
  tree vars;
  hash_map<tree, tree> *copies;
  nested_place *place;
  /* Before and behind the body or loop; behind the last iteration, if there
     is any, in the body's names and in those outside.  */
  gimple_seq before, behind, last, back;
};

/* A variable of TYPE in S that is otherwise like VAR.  */
static tree
new_copy (scope *s, tree var, tree type)
{
  tree copy = decl_copy (var, type);
  DECL_CHAIN (copy) = s->vars;
  s->vars = copy;
  s->place->own.safe_push (copy);
  return copy;
}

/* The variable proper, of which VAR is the name.  */
static tree
proper (tree var)
{
  return decl_by_reference_p (var) ? build_simple_mem_ref (var) : var;
}

/* Let VAR's name stand for a copy in the body of S.  The result is the copy of
   the variable proper.  */
static tree
copy_variable (scope *s, tree var)
{
  bool existed;
  tree &copy = s->copies->get_or_insert (var, &existed);
  if (existed)
    return proper (copy);
  copy = new_copy (s, var, TREE_TYPE (var));
  if (decl_by_reference_p (var))
    {
      tree pointer = copy;
      tree storage = new_copy (s, var, decl_value_type (var));
      TREE_ADDRESSABLE (storage) = 1;
      code_set (pointer,
	   fold_convert (TREE_TYPE (pointer), build_fold_addr_expr (storage)),
	   &s->before);
      return build_simple_mem_ref (pointer);
    }
  return copy;
}

/* Add the expression that a language wants, if any.  */
static void
add_expr (tree expr, gimple_seq *seq)
{
  if (expr)
    gimplify_and_add (unshare_expr (expr), seq);
}

static void
add_destructor (scope *s, tree c, tree copy)
{
  add_expr (lang_hooks.decls.omp_clause_dtor (c, copy), &s->behind);
}

/* The copy that clause C of STMT asks for.  */
static void
add_copy (scope *s, const gimple *stmt, tree c)
{
  tree var = OMP_CLAUSE_DECL (c), original = proper (var);
  if (s->copies->get (var) && OMP_CLAUSE_CODE (c) == OMP_CLAUSE_PRIVATE)
    return;
  tree copy = copy_variable (s, var);
  /* As in stock GCC, a target construct copies bytes.  */
  if (gimple_code (stmt) == GIMPLE_OMP_TARGET)
    {
      if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_PRIVATE)
	code_set (copy, original, &s->before);
      return;
    }
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_PRIVATE:
      add_expr (lang_hooks.decls.omp_clause_default_ctor (c, copy, original),
		&s->before);
      add_destructor (s, c, copy);
      break;
    case OMP_CLAUSE_FIRSTPRIVATE:
      add_expr (lang_hooks.decls.omp_clause_copy_ctor (c, copy, original),
		&s->before);
      add_destructor (s, c, copy);
      break;
    case OMP_CLAUSE_LASTPRIVATE:
      if (!OMP_CLAUSE_LASTPRIVATE_FIRSTPRIVATE (c))
	{
	  add_expr (lang_hooks.decls.omp_clause_default_ctor (c, copy,
							      original),
		    &s->before);
	  add_destructor (s, c, copy);
	}
      break;
    case OMP_CLAUSE_LINEAR:
      if (!OMP_CLAUSE_LINEAR_NO_COPYIN (c) && !stmt_index_p (stmt, var))
	code_set (copy, original, &s->before);
      break;
    default:
      code_set (copy, original, &s->before);
      break;
    }
}

/* What follows the last iteration for clause C of STMT.  A linear variable is
   stepped by the program itself, as GCC has it.  */
static void
add_copy_back (scope *s, const gimple *stmt, tree c)
{
  tree var = OMP_CLAUSE_DECL (c);
  bool linear = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LINEAR;
  gimple_seq *final = linear ? &OMP_CLAUSE_LINEAR_GIMPLE_SEQ (c)
			     : &OMP_CLAUSE_LASTPRIVATE_GIMPLE_SEQ (c);
  /* An index has its final value by itself.  */
  if (!stmt_index_p (stmt, var))
    gimple_seq_add_seq (&s->last, *final);
  *final = NULL;
  if (!linear || !OMP_CLAUSE_LINEAR_NO_COPYOUT (c))
    add_expr (lang_hooks.decls.omp_clause_assign_op (
		c, proper (var), proper (*s->copies->get (var))),
	      &s->back);
}

/* ---- Reductions ---- */

/* Combine COPY into ORIGINAL, which other threads may be doing as well.  */
static void
add_combination (tree c, tree original, tree copy, gimple_seq *seq)
{
  enum tree_code code = OMP_CLAUSE_REDUCTION_CODE (c);
  /* Differences are summed up.  */
  if (code == MINUS_EXPR)
    code = PLUS_EXPR;
  tree type = TREE_TYPE (copy);
  tree address = save_expr (build_fold_addr_expr (original));
  tree old = build1 (INDIRECT_REF, type, address), sum;
  if (code == TRUTH_ANDIF_EXPR || code == TRUTH_ORIF_EXPR)
    {
      tree zero = build_zero_cst (type);
      sum = fold_build2 (code, boolean_type_node,
			 fold_build2 (NE_EXPR, boolean_type_node, old, zero),
			 fold_build2 (NE_EXPR, boolean_type_node, copy, zero));
      sum = fold_convert (type, sum);
    }
  else
    sum = fold_build2 (code, type, old, copy);
  tree atomic = build2 (OMP_ATOMIC, void_type_node, address, sum);
  OMP_ATOMIC_MEMORY_ORDER (atomic) = OMP_MEMORY_ORDER_RELAXED;
  gimplify_and_add (atomic, seq);
}

/* Why the reduction P, of what no atomic construct updates, into a variable that
   other threads may be reducing into as well, cannot be done; or NULL.  */
static const char *
object_why_not (const gimple *stmt, const spmd_private *p)
{
  tree c = p->reduction, ref = OMP_CLAUSE_DECL (c);
  tree type = p->section ? TREE_TYPE (ref) : decl_value_type (ref);
  if (is_gimple_omp_oacc (stmt))
    return "a reduction of what is no number into a variable of several "
	   "threads";
  if (!p->var || DECL_HAS_VALUE_EXPR_P (p->var))
    return "a reduction of what stands for an expression";
  if (TREE_ADDRESSABLE (type)
      || lang_hooks.decls.omp_clause_default_ctor (c, ref, ref))
    return "a reduction of an object with constructors";
  return spmd_object_why_not (c, type, false);
}

/* The reduction C of STMT as spmd-object.cc has it.  Each thread sums up apart,
   and then one after the other they combine.  */
static void
add_object_reduction (scope *s, const gimple *stmt, tree c)
{
  spmd_private p = {};
  p.var = spmd_reduction_variable (c);
  p.reduction = c;
  p.section = TREE_CODE (OMP_CLAUSE_DECL (c)) == MEM_REF;
  if (const char *why = object_why_not (stmt, &p))
    {
      s->place->why = why;
      return;
    }
  p.by_reference = p.section ? POINTER_TYPE_P (TREE_TYPE (p.var))
			     : decl_by_reference_p (p.var);
  if (p.section && p.by_reference)
    {
      p.own = new_copy (s, p.var, TREE_TYPE (p.var));
      p.value = new_copy (s, p.var, TREE_TYPE (OMP_CLAUSE_DECL (c)));
      tree section
	= spmd_section_pointer (c, build_fold_addr_expr (p.value));
      code_set (p.own, fold_convert (TREE_TYPE (p.own), section), &s->before);
      s->copies->put (p.var, p.own);
    }
  else
    p.value = copy_variable (s, p.var);
  if (DECL_P (p.value))
    TREE_ADDRESSABLE (p.value) = 1;
  spmd_start_object (&p, p.value, &s->before);
  gimple_seq merge = NULL;
  spmd_merge_object (&p, &merge);
  gimple_seq_add_stmt (&s->behind,
		       gimple_build_omp_critical (
			 merge, get_identifier ("accrete_reduction"),
			 NULL_TREE));
}

static void
add_reduction (scope *s, const gimple *stmt, tree c)
{
  tree ref = OMP_CLAUSE_DECL (c), var = spmd_reduction_variable (c);
  bool pointer = TREE_CODE (ref) == MEM_REF
		 && (!var || POINTER_TYPE_P (TREE_TYPE (var)));
  if (!pointer && s->place->own.contains (var))
    return;
  tree type = DECL_P (ref) && !DECL_HAS_VALUE_EXPR_P (ref) ? decl_value_type (ref)
							   : NULL_TREE;
  bool number = type && (INTEGRAL_TYPE_P (type) || SCALAR_FLOAT_TYPE_P (type))
		&& !OMP_CLAUSE_REDUCTION_PLACEHOLDER (c);
  /* OpenACC has no critical construct.  */
  if (!number
      || (!is_gimple_omp_oacc (stmt) && !spmd_reduces_scalar_p (c, type)))
    {
      add_object_reduction (s, stmt, c);
      return;
    }
  tree copy = copy_variable (s, ref);
  code_set (copy, omp_reduction_init (c, TREE_TYPE (copy)), &s->before);
  add_combination (c, proper (ref), copy, &s->behind);
}

/* ---- Constructs ---- */

static tree
replace_name (tree *tp, int *walk_subtrees, void *data)
{
  hash_map<tree, tree> *copies
    = (hash_map<tree, tree> *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp) || DECL_P (*tp))
    {
      *walk_subtrees = 0;
      if (tree *copy = copies->get (*tp))
	*tp = *copy;
    }
  return NULL_TREE;
}

static void
replace_names (hash_map<tree, tree> *copies, gimple_seq *seq)
{
  struct walk_stmt_info wi = {};
  wi.info = copies;
  if (!copies->is_empty ())
    walk_gimple_seq_mod (seq, NULL, replace_name, &wi);
}

/* What the runtime library says where one thread is all there is, or -1.  */
static int
answer_alone (enum place_query query)
{
  switch (query)
    {
    case QUERY_THREAD_NUM:
    case QUERY_TEAM_NUM:
      return 0;
    case QUERY_NUM_THREADS:
    case QUERY_NUM_TEAMS:
      return 1;
    default:
      return -1;
    }
}

/* Replace the call at GSI when it asks about threads that are not there.  */
static void
answer_call (gimple_stmt_iterator *gsi)
{
  gcall *call = as_a<gcall *> (gsi_stmt (*gsi));
  tree fn = gimple_call_fndecl (call), lhs = gimple_call_lhs (call);
  if (!fn || !DECL_NAME (fn))
    return;
  /* A data construct ends with a call in its body.  */
  if (fndecl_built_in_p (fn, BUILT_IN_GOMP_BARRIER)
      || fndecl_built_in_p (fn, BUILT_IN_GOMP_TARGET_END_DATA)
      || fndecl_built_in_p (fn, BUILT_IN_GOACC_DATA_END))
    {
      gsi_replace (gsi, gimple_build_nop (), false);
      return;
    }
  int value = answer_alone (query_of (fn));
  if (value < 0)
    return;
  gimple *answer = gimple_build_nop ();
  if (lhs)
    answer = gimple_build_assign (lhs, build_int_cst (TREE_TYPE (lhs), value));
  gsi_replace (gsi, answer, false);
}

static tree
clear_combined (gimple_stmt_iterator *gsi, bool *handled,
		struct walk_stmt_info *)
{
  gomp_for *loop = dyn_cast<gomp_for *> (gsi_stmt (*gsi));
  *handled = loop != NULL;
  if (loop)
    gimple_omp_for_set_combined_into_p (loop, false);
  return NULL_TREE;
}

static tree
find_simd (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  *handled = gimple_code (stmt) == GIMPLE_OMP_FOR
	     && gimple_omp_for_kind (stmt) == GF_OMP_FOR_KIND_SIMD;
  return *handled ? integer_one_node : NULL_TREE;
}

/* May STMT stay as it is?  The lanes of a simd construct share the stack of
   the functions that they call.  */
static bool
keep_parallel_p (gimple *stmt)
{
  struct walk_stmt_info wi = {};
  return gimple_code (stmt) == GIMPLE_OMP_PARALLEL
	 && !walk_gimple_seq (gimple_omp_body (stmt), find_simd, NULL, &wi);
}

/* Leave the construct STMT, that wakes other threads, as it is.  A loop that
   was one with a distribute construct is for all its iterations now.  */
static void
keep_parallel (gimple *stmt)
{
  struct walk_stmt_info wi = {};
  walk_gimple_seq (gimple_omp_body (stmt), clear_combined, NULL, &wi);
}

bool
nested_independent_p (const gimple *stmt)
{
  if (gimple_code (stmt) != GIMPLE_OMP_FOR
      || gimple_omp_for_kind (stmt) != GF_OMP_FOR_KIND_OACC_LOOP)
    return false;
  tree clauses = gimple_omp_for_clauses (stmt);
  return !omp_find_clause (clauses, OMP_CLAUSE_SEQ)
	 && !omp_find_clause (clauses, OMP_CLAUSE_AUTO)
	 && !omp_find_clause (clauses, OMP_CLAUSE_TILE);
}

static tree
find_loop (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *)
{
  *handled = gimple_code (gsi_stmt (*gsi)) == GIMPLE_OMP_FOR;
  return *handled ? integer_one_node : NULL_TREE;
}

/* Leave LOOP, without loops inside, to the lanes of the warp.  */
static void
keep_vector_loop (gimple *loop)
{
  tree *c = gimple_omp_for_clauses_ptr (loop);
  while (*c)
    switch (OMP_CLAUSE_CODE (*c))
      {
      case OMP_CLAUSE_GANG:
      case OMP_CLAUSE_WORKER:
      case OMP_CLAUSE_VECTOR:
      case OMP_CLAUSE_INDEPENDENT:
	*c = OMP_CLAUSE_CHAIN (*c);
	break;
      default:
	c = &OMP_CLAUSE_CHAIN (*c);
	break;
      }
  *c = build_omp_clause (gimple_location (loop), OMP_CLAUSE_VECTOR);
}

static bool
keep_vector_loop_p (gimple *stmt)
{
  if (!nested_independent_p (stmt))
    return false;
  /* Without optimization, GCC fails for constant bounds of a narrow type.  */
  for (unsigned i = 0; i < gimple_omp_for_collapse (stmt); i++)
    if (TYPE_PRECISION (TREE_TYPE (gimple_omp_for_index (stmt, i)))
	< TYPE_PRECISION (integer_type_node))
      return false;
  struct walk_stmt_info wi = {};
  return !walk_gimple_seq (gimple_omp_body (stmt), find_loop, NULL, &wi);
}

static tree
rewrite_stmt (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  nested_place *place = (nested_place *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  switch (gimple_code (stmt))
    {
    case GIMPLE_BIND:
      nested_note_locals (as_a<gbind *> (stmt), place);
      break;
    case GIMPLE_CALL:
      answer_call (gsi);
      *handled = true;
      break;
    case GIMPLE_OMP_ATOMIC_LOAD:
    case GIMPLE_OMP_ATOMIC_STORE:
    case GIMPLE_OMP_CRITICAL:
      break;
    default:
      if (!is_gimple_omp (stmt))
	break;
      *handled = true;
      if (place->alone && keep_parallel_p (stmt))
	keep_parallel (stmt);
      else if (place->lanes_wait && keep_vector_loop_p (stmt))
	keep_vector_loop (stmt);
      else
	gsi_replace (gsi, nested_inplace (stmt, place), false);
      break;
    }
  return NULL_TREE;
}

/* Add to SEQ what is left of STMT between the copies to and back.  */
static void
add_body (scope *s, gimple *stmt, gimple_seq *seq)
{
  gimple_seq body = NULL;
  gomp_for *loop = dyn_cast<gomp_for *> (stmt);
  tree skip = NULL_TREE;
  if (loop)
    gimple_seq_add_seq (&body, gimple_omp_for_pre_body (loop));
  if (!loop || gimple_omp_for_combined_p (loop))
    gimple_seq_add_seq (&body, gimple_omp_body (stmt));
  else
    {
      tree ran = NULL_TREE;
      if (s->last || s->back)
	{
	  ran = code_temp (boolean_type_node, "ran");
	  code_set (ran, boolean_false_node, &body);
	  code_set (ran, boolean_true_node, gimple_omp_body_ptr (loop));
	}
      nested_add_loops (loop, &body);
      if (ran)
	{
	  skip = code_label ();
	  code (&body).need (val (ran) != boolean_false_node, skip);
	}
    }
  gimple_seq_add_seq (&body, s->last);
  replace_names (s->copies, &body);
  gimple_seq_add_seq (seq, body);
  gimple_seq_add_seq (seq, s->back);
  if (skip)
    code (seq).at (skip);
}

/* A masked construct, of one thread.  */
static void
add_masked (scope *s, gimple *stmt, gimple_seq *seq)
{
  tree c = omp_find_clause (gimple_omp_masked_clauses (stmt),
			    OMP_CLAUSE_FILTER);
  tree filter = c ? OMP_CLAUSE_FILTER_EXPR (c) : integer_zero_node;
  code to = seq;
  to.if_ (to.let ("filter", filter) == 0, [&] { add_body (s, stmt, to); });
}

static void
add_clauses (scope *s, gimple *stmt)
{
  tree clauses = stmt_clauses (stmt);
  /* What precedes a target construct are deferred tasks, of which the thread
     has those that it made itself.  */
  if (nested_region_p (stmt) && omp_find_clause (clauses, OMP_CLAUSE_DEPEND))
    gimple_seq_add_stmt (
      &s->before,
      gimple_build_call (builtin_decl_explicit (BUILT_IN_GOMP_TASKWAIT), 0));
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    {
      if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
	add_reduction (s, stmt, c);
      if (!copying_clause_p (stmt, c))
	continue;
      add_copy (s, stmt, c);
      if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LINEAR
	  || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LASTPRIVATE)
	add_copy_back (s, stmt, c);
    }
  if (gimple_code (stmt) == GIMPLE_OMP_FOR && !gimple_omp_for_combined_p (stmt))
    for (unsigned i = 0; i < gimple_omp_for_collapse (stmt); i++)
      copy_variable (s, gimple_omp_for_index (stmt, i));
}

static void
rewrite_seq (gimple_seq *seq, nested_place *place)
{
  struct walk_stmt_info wi = {};
  wi.info = place;
  walk_gimple_seq_mod (seq, rewrite_stmt, NULL, &wi);
}

gbind *
nested_inplace (gimple *stmt, nested_place *place)
{
  scope s = {};
  hash_map<tree, tree> copies;
  s.copies = &copies;
  s.place = place;
  unsigned outside = place->own.length ();
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  push_gimplify_context ();
  add_clauses (&s, stmt);
  nested_note_private (stmt, place);
  if (gimple_code (stmt) == GIMPLE_OMP_FOR)
    rewrite_seq (gimple_omp_for_pre_body_ptr (stmt), place);
  rewrite_seq (gimple_omp_body_ptr (stmt), place);

  gimple_seq seq = s.before;
  if (gimple_code (stmt) == GIMPLE_OMP_MASKED)
    add_masked (&s, stmt, &seq);
  else
    add_body (&s, stmt, &seq);
  gimple_seq_add_seq (&seq, s.behind);
  gimple_bind_set_vars (bind, s.vars);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  place->own.truncate (outside);
  return bind;
}
