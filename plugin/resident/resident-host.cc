/* What the host does between the regions of a loop, for every thread to do.

   A thread computes what the regions' parts and the tests of the loop depend on:
   numbers, with operations that give the same bits everywhere and never trap:
   arithmetic on integers, and what IEEE 754 rounds correctly, one operation at a
   time (resident-kernel.cc).  All threads begin with the same values, so they take the same way
   through the loop, and meet at the same barriers.  What others see behind the
   loop, the host gets back.

   The rest of the host's code computes operands of clauses (resident-operand.cc),
   which threads leave out, as they do tests that only such code depends on.

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: A. V. Aho et al., "Compilers", 2nd ed., 9.1 (liveness).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/resident.h"
#include "internal-fn.h"
#include "target.h"

/* ---- Variables ---- */

/* Are numbers of TYPE the device's as well, to the last bit?  The host does not round
   a product and a sum at once, nor use more digits than the type has.  */
static bool
number_type_p (tree type)
{
  if (INTEGRAL_TYPE_P (type))
    return TYPE_PRECISION (type) <= 64;
  tree own = TYPE_MAIN_VARIANT (type);
  return (own == float_type_node || own == double_type_node)
	 && !flag_rounding_math && !flag_unsafe_math_optimizations
	 && !direct_internal_fn_supported_p (IFN_FMA, own, OPTIMIZE_FOR_SPEED)
	 && targetm.c.excess_precision (EXCESS_PRECISION_TYPE_IMPLICIT)
	      == FLT_EVAL_METHOD_PROMOTE_TO_FLOAT;
}

/* Is VAR a number that nobody but visible code of the function sets?  */
static bool
scalar_p (tree var)
{
  if (!number_type_p (TREE_TYPE (var)))
    return false;
  if (TREE_CODE (var) == SSA_NAME)
    return true;
  return (VAR_P (var) || TREE_CODE (var) == PARM_DECL)
	 && !TREE_THIS_VOLATILE (var)
	 && DECL_CONTEXT (var) == current_function_decl
	 && !(VAR_P (var)
	      && (TREE_STATIC (var) || DECL_EXTERNAL (var)
		  || DECL_HAS_VALUE_EXPR_P (var)));
}

bool
host_name_p (const_tree t)
{
  return TREE_CODE (t) == SSA_NAME || TREE_CODE (t) == VAR_DECL
	 || TREE_CODE (t) == PARM_DECL || TREE_CODE (t) == RESULT_DECL;
}

/* What is mentioned, of the variables OF.  */
struct mentioned
{
  hash_set<tree> *of, *seen;
  hash_set<gimple *> skip;
};

static tree
see_operand (tree *tp, int *walk_subtrees, void *data)
{
  mentioned *m = (mentioned *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (host_name_p (*tp) && m->of->contains (*tp))
    m->seen->add (*tp);
  return NULL_TREE;
}

static tree
see_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  *handled = ((mentioned *) wi->info)->skip.contains (gsi_stmt (*gsi));
  return NULL_TREE;
}

static void
see (mentioned *m, gimple_seq seq)
{
  struct walk_stmt_info wi = {};
  wi.info = m;
  walk_gimple_seq (seq, see_stmt, see_operand, &wi);
}

/* ---- Statements ---- */

/* Operations that give the same everywhere, on integers and on others.  */
static const tree_code of_integers[] = {
  NOP_EXPR,	CONVERT_EXPR, INTEGER_CST,  VAR_DECL,	 PARM_DECL,
  SSA_NAME,	PLUS_EXPR,    MINUS_EXPR,   MULT_EXPR,	 NEGATE_EXPR,
  BIT_AND_EXPR, BIT_IOR_EXPR, BIT_XOR_EXPR, BIT_NOT_EXPR, MIN_EXPR,
  MAX_EXPR,	EQ_EXPR,      NE_EXPR,	    LT_EXPR,	 LE_EXPR,
  GT_EXPR,	GE_EXPR,
};
static const tree_code of_reals[] = {
  NOP_EXPR,  CONVERT_EXPR, REAL_CST,	VAR_DECL,  PARM_DECL, SSA_NAME,
  PLUS_EXPR, MINUS_EXPR,   MULT_EXPR,	RDIV_EXPR, NEGATE_EXPR,
  ABS_EXPR,  FLOAT_EXPR,   EQ_EXPR,	NE_EXPR,   LT_EXPR,   LE_EXPR,
  GT_EXPR,   GE_EXPR,
};

static bool
among_p (tree_code code, const tree_code *codes, unsigned n)
{
  while (n--)
    if (codes[n] == code)
      return true;
  return false;
}

/* Does the operation CODE, with real numbers when REAL, give the same
   everywhere?  */
static bool
same_everywhere_p (tree_code code, bool real)
{
  return real ? among_p (code, of_reals, ARRAY_SIZE (of_reals))
	      : among_p (code, of_integers, ARRAY_SIZE (of_integers));
}

static bool
scalar_operand_p (tree t)
{
  return TREE_CODE (t) == INTEGER_CST
	 || (TREE_CODE (t) == REAL_CST && number_type_p (TREE_TYPE (t)))
	 || (host_name_p (t) && scalar_p (t));
}

/* Is VAR a pointer of the function's own?  */
static bool
own_pointer_p (tree var)
{
  if (!POINTER_TYPE_P (TREE_TYPE (var)) || TREE_CODE (var) == SSA_NAME)
    return POINTER_TYPE_P (TREE_TYPE (var));
  return (VAR_P (var) || TREE_CODE (var) == PARM_DECL)
	 && TREE_CODE (TREE_TYPE (var)) == POINTER_TYPE
	 && !TREE_THIS_VOLATILE (var)
	 && DECL_CONTEXT (var) == current_function_decl
	 && !(VAR_P (var)
	      && (TREE_STATIC (var) || DECL_EXTERNAL (var)
		  || DECL_HAS_VALUE_EXPR_P (var)));
}

/* Does STMT copy a pointer?  */
static bool
turns_p (gimple *stmt)
{
  return gimple_assign_single_p (stmt)
	 && host_name_p (gimple_assign_lhs (stmt))
	 && host_name_p (gimple_assign_rhs1 (stmt))
	 && own_pointer_p (gimple_assign_lhs (stmt))
	 && own_pointer_p (gimple_assign_rhs1 (stmt));
}

bool
host_loop_turns_p (const host_loop *l, unsigned i)
{
  return turns_p (l->code[i]);
}

/* Can a thread execute STMT, an assignment or a test?  */
static bool
for_threads_p (gimple *stmt)
{
  if (gcond *cond = dyn_cast<gcond *> (stmt))
    return scalar_operand_p (gimple_cond_lhs (cond))
	   && scalar_operand_p (gimple_cond_rhs (cond));
  bool real = false;
  if (turns_p (stmt))
    return true;
  for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
    if (!scalar_operand_p (gimple_op (stmt, i)))
      return false;
    else
      real |= SCALAR_FLOAT_TYPE_P (TREE_TYPE (gimple_op (stmt, i)));
  return same_everywhere_p (gimple_assign_rhs_code (stmt), real);
}

static const char *
scope_bar (host_loop *l, const gbind *bind)
{
  for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
    {
      if (!VAR_P (v) || TREE_STATIC (v) || DECL_EXTERNAL (v)
	  || DECL_HAS_VALUE_EXPR_P (v) || TREE_THIS_VOLATILE (v)
	  || !DECL_SIZE (v) || TREE_CODE (DECL_SIZE (v)) != INTEGER_CST)
	return "a declaration in the loop";
      l->locals.add (v);
    }
  return NULL;
}

static const char *
assignment_bar (host_loop *l, gimple *stmt)
{
  tree lhs = gimple_assign_lhs (stmt);
  if (gimple_clobber_p (stmt))
    return NULL;
  if (gimple_has_volatile_ops (stmt))
    return "a volatile access of the host";
  if (!host_name_p (lhs) || (!scalar_p (lhs) && !turns_p (stmt) && !(TREE_CODE (lhs) == SSA_NAME
					       || decl_temporary_p (lhs))))
    return "the host stores what is no number of its own";
  l->sets.add (lhs);
  return NULL;
}

static const char *
jump_bar (gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_LABEL:
      {
	tree label = gimple_label_label (as_a<glabel *> (stmt));
	return FORCED_LABEL (label) || DECL_NONLOCAL (label)
		 ? "a label whose address is taken"
		 : NULL;
      }
    case GIMPLE_GOTO:
      return TREE_CODE (gimple_goto_dest (stmt)) == LABEL_DECL
	       ? NULL
	       : "a computed jump";
    default:
      return NULL;
    }
}

static const char *
statement_bar (host_loop *l, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_BIND:
      return scope_bar (l, as_a<gbind *> (stmt));
    case GIMPLE_ASSIGN:
      return assignment_bar (l, stmt);
    case GIMPLE_LABEL:
    case GIMPLE_GOTO:
    case GIMPLE_COND:
      return jump_bar (stmt);
    case GIMPLE_NOP:
    case GIMPLE_DEBUG:
    case GIMPLE_PREDICT:
      return NULL;
    case GIMPLE_CALL:
      return "a call";
    default:
      return construct_computes_p (stmt) || stmt_scope_body (stmt)
	       ? NULL
	       : "a statement that is neither arithmetic nor a region";
    }
}

/* ---- Results ---- */

/* The search for a reduction clause.  */
struct reduction_search
{
  tree var, found;
};

static tree
find_reduction (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  reduction_search *s = (reduction_search *) wi->info;
  for (tree c = stmt_clauses (gsi_stmt (*gsi)); c && !s->found;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION
	&& OMP_CLAUSE_DECL (c) == s->var)
      s->found = c;
  return NULL_TREE;
}

/* The reduction clause about VAR in the region STMT, or NULL.  */
static tree
reduction_of (const gomp_target *stmt, tree var)
{
  reduction_search s = { var, NULL_TREE };
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq (gimple_omp_body (stmt), find_reduction, NULL, &wi);
  return s.found;
}

void
region_results (const gomp_target *stmt, vec<tree> *clauses)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    {
      tree var = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP ? OMP_CLAUSE_DECL (c)
						       : NULL_TREE;
      if (!var || !VAR_P (var) || !scalar_p (var)
	  || OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_TOFROM)
	continue;
      tree reduction = reduction_of (stmt, var);
      if (reduction && spmd_reduces_scalar_p (reduction, TREE_TYPE (var)))
	clauses->safe_push (reduction);
    }
}

bool
region_sets_p (const gomp_target *stmt, tree var)
{
  auto_vec<tree> clauses;
  region_results (stmt, &clauses);
  for (unsigned i = 0; i < clauses.length (); i++)
    if (OMP_CLAUSE_DECL (clauses[i]) == var)
      return true;
  return false;
}

static tree
find_store (gimple_stmt_iterator *gsi, bool *handled,
	    struct walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  tree lhs = gimple_get_lhs (stmt);
  if (gomp_atomic_load *load = dyn_cast<gomp_atomic_load *> (stmt))
    lhs = gimple_omp_atomic_load_lhs (load);
  tree base = lhs ? get_base_address (lhs) : NULL_TREE;
  *handled = base == (tree) wi->info;
  return *handled ? base : NULL_TREE;
}

static tree
find_address (tree *tp, int *walk_subtrees, void *data)
{
  tree var = (tree) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return TREE_CODE (*tp) == ADDR_EXPR
	     && get_base_address (TREE_OPERAND (*tp, 0)) == var
	   ? var
	   : NULL_TREE;
}

bool
region_stores_p (const gomp_target *stmt, tree var)
{
  struct walk_stmt_info wi = {};
  wi.info = var;
  return walk_gimple_seq (gimple_omp_body (stmt), find_store, find_address,
			  &wi);
}

bool
region_points_p (const gomp_target *stmt, tree var)
{
  struct walk_stmt_info wi = {};
  wi.info = var;
  return walk_gimple_seq (gimple_omp_body (stmt), NULL, find_address, &wi);
}

bool
host_loop_number_p (host_loop *l, const gomp_target *stmt, tree c)
{
  tree var = OMP_CLAUSE_DECL (c);
  if (!VAR_P (var) || !l->sets.contains (var) || !scalar_p (var)
      || (OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_TOFROM
	  && OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_TO))
    return false;
  return region_sets_p (stmt, var) || !region_stores_p (stmt, var);
}

/* Other code that may put a result on the device for longer than a region runs,
   where its copies would be no copies.  */
struct exposure
{
  hash_set<tree> *vars;
  const char *why;
};

static tree
exposing_operand (tree *tp, int *walk_subtrees, void *data)
{
  exposure *e = (exposure *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (TREE_CODE (*tp) != ADDR_EXPR)
    return NULL_TREE;
  tree base = get_base_address (TREE_OPERAND (*tp, 0));
  if (base && e->vars->contains (base))
    e->why = "the address of a region's result";
  return NULL_TREE;
}

/* Does STMT call a function of Fortran's library, which looks at what it is
   given?  */
static bool
prints_p (gimple *stmt)
{
  tree fn = is_gimple_call (stmt) ? gimple_call_fndecl (stmt) : NULL_TREE;
  return fn && DECL_NAME (fn)
	 && startswith (IDENTIFIER_POINTER (DECL_NAME (fn)), "_gfortran_");
}

static tree
exposing_stmt (gimple_stmt_iterator *gsi, bool *handled,
	       struct walk_stmt_info *wi)
{
  exposure *e = (exposure *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  gomp_target *target = dyn_cast<gomp_target *> (stmt);
  *handled = prints_p (stmt);
  if (!target || construct_computes_p (stmt))
    return NULL_TREE;
  for (tree c = gimple_omp_target_clauses (target); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (omp_clause_num_ops[OMP_CLAUSE_CODE (c)]
	&& OMP_CLAUSE_OPERAND (c, 0)
	&& e->vars->contains (reference_base (OMP_CLAUSE_OPERAND (c, 0))))
      e->why = "a region's result that stays on the device";
  return NULL_TREE;
}

/* Note in VARS what regions of L map that are threads' numbers.  */
static void
note_numbers (host_loop *l, hash_set<tree> *vars)
{
  for (unsigned i = 0; i < l->regions.length (); i++)
    {
      gomp_target *stmt = host_loop_region (l, i);
      for (tree c = gimple_omp_target_clauses (stmt); c;
	   c = OMP_CLAUSE_CHAIN (c))
	if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	    && host_loop_number_p (l, stmt, c))
	  {
	    vars->add (OMP_CLAUSE_DECL (c));
	    l->needed.add (OMP_CLAUSE_DECL (c));
	  }
    }
}

/* The host's variables that regions of L set become threads' ones.  Why they cannot,
   or NULL.  */
static const char *
take_results (host_loop *l)
{
  for (unsigned i = 0; i < l->regions.length (); i++)
    {
      auto_vec<tree> clauses;
      region_results (host_loop_region (l, i), &clauses);
      for (unsigned k = 0; k < clauses.length (); k++)
	l->sets.add (OMP_CLAUSE_DECL (clauses[k]));
    }
  hash_set<tree> vars;
  note_numbers (l, &vars);
  if (vars.is_empty ())
    return NULL;
  exposure e = { &vars, NULL };
  struct walk_stmt_info wi = {};
  wi.info = &e;
  walk_gimple_seq (gimple_body (current_function_decl), exposing_stmt,
		   exposing_operand, &wi);
  return e.why;
}

/* ---- What is needed ---- */

/* The statements of L that are its top ones.  */
static void
skip_loop (mentioned *m, const host_loop *l)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    m->skip.add (l->code[i]);
}

static int
by_number (const void *a, const void *b)
{
  int m = DECL_UID (*(const tree *) a), n = DECL_UID (*(const tree *) b);
  return (m > n) - (m < n);
}

/* Find what is seen behind L, or before it in the next round of a loop around.  Why
   that cannot be given back, or NULL.  */
static const char *
find_out (host_loop *l)
{
  hash_set<tree> seen;
  mentioned m;
  m.of = &l->sets;
  m.seen = &seen;
  skip_loop (&m, l);
  see (&m, gimple_body (current_function_decl));
  for (hash_set<tree>::iterator i = l->sets.begin (); i != l->sets.end (); ++i)
    {
      tree var = *i;
      if (l->locals.contains (var)
	  || (!seen.contains (var)
	      && !(DECL_P (var) && TREE_ADDRESSABLE (var))))
	continue;
      if (DECL_P (var) && scalar_p (var))
	l->out.safe_push (var);
      else if (DECL_P (var) && own_pointer_p (var)
	       && !decl_temporary_p (var))
	l->out_pointers.safe_push (var);
      else if (!DECL_P (var) || !object_set_once_p (var))
	return "a value of the host that is no number is used behind the loop";
    }
  l->out.qsort (by_number);
  l->out_pointers.qsort (by_number);
  return NULL;
}

/* Need the operands of STMT from the one numbered FROM on.  */
static bool
need_operands (host_loop *l, gimple *stmt, unsigned from)
{
  bool more = false;
  for (unsigned i = from; i < gimple_num_ops (stmt); i++)
    {
      tree t = gimple_op (stmt, i);
      if (t && host_name_p (t) && l->sets.contains (t))
	more |= !l->needed.add (t);
    }
  return more;
}

static void
find_needed (host_loop *l)
{
  mentioned m;
  m.of = &l->sets;
  m.seen = &l->needed;
  for (unsigned i = 0; i < l->out.length (); i++)
    l->needed.add (l->out[i]);
  for (unsigned i = 0; i < l->out_pointers.length (); i++)
    l->needed.add (l->out_pointers[i]);
  for (unsigned i = 0; i < l->regions.length (); i++)
    see (&m, gimple_omp_body (host_loop_region (l, i)));
  bool more;
  do
    {
      more = false;
      for (unsigned i = 0; i < l->code.length (); i++)
	if (gimple_code (l->code[i]) == GIMPLE_COND)
	  more |= for_threads_p (l->code[i])
		  && need_operands (l, l->code[i], 0);
	else if (is_gimple_assign (l->code[i])
		 && l->needed.contains (gimple_assign_lhs (l->code[i])))
	  more |= need_operands (l, l->code[i], 1);
    }
  while (more);
}

bool
host_loop_needs_p (const host_loop *l, unsigned i)
{
  gimple *stmt = l->code[i];
  if (gimple_code (stmt) == GIMPLE_COND)
    return !CONST_CAST (host_loop *, l)->idle.contains (stmt);
  if (!is_gimple_assign (stmt))
    return !stmt_empty_p (stmt);
  return !gimple_clobber_p (stmt)
	 && CONST_CAST (host_loop *, l)->needed.contains (
	   gimple_assign_lhs (stmt));
}

/* ---- Idle tests ---- */

/* Does STMT jump to LABEL?  */
static bool
jumps_to_p (gimple *stmt, tree label)
{
  if (gcond *cond = dyn_cast<gcond *> (stmt))
    return gimple_cond_true_label (cond) == label
	   || gimple_cond_false_label (cond) == label;
  return gimple_code (stmt) == GIMPLE_GOTO && gimple_goto_dest (stmt) == label;
}

/* Where LABEL stands in L.  */
static unsigned
place_of_label (const host_loop *l, tree label)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    if (gimple_code (l->code[i]) == GIMPLE_LABEL
	&& gimple_label_label (as_a<glabel *> (l->code[i])) == label)
      return i;
  return 0;
}

/* The furthest place that STMT jumps to, or 0; 0 as well when it jumps to FROM or
   further up: then *UP.  */
static unsigned
furthest (const host_loop *l, gimple *stmt, unsigned from, bool *up)
{
  tree to[2] = { NULL_TREE, NULL_TREE };
  unsigned far = 0;
  if (gcond *cond = dyn_cast<gcond *> (stmt))
    {
      to[0] = gimple_cond_true_label (cond);
      to[1] = gimple_cond_false_label (cond);
    }
  else if (gimple_code (stmt) == GIMPLE_GOTO)
    to[0] = gimple_goto_dest (stmt);
  for (unsigned i = 0; i < 2 && to[i]; i++)
    {
      unsigned place = place_of_label (l, to[i]);
      *up |= place <= from;
      far = MAX (far, place);
    }
  return far;
}

/* Is there nothing for threads between the test AT of L and where its ways meet, to
   which control comes but from there?  */
static bool
idle_p (const host_loop *l, unsigned at)
{
  bool up = false;
  unsigned end = furthest (l, l->code[at], at, &up);
  for (unsigned i = at + 1; i < end && !up; i++)
    {
      gimple *stmt = l->code[i];
      end = MAX (end, furthest (l, stmt, at, &up));
      if (construct_computes_p (stmt)
	  || (is_gimple_assign (stmt) && host_loop_needs_p (l, i)))
	return false;
      if (gimple_code (stmt) != GIMPLE_LABEL)
	continue;
      tree label = gimple_label_label (as_a<glabel *> (stmt));
      for (unsigned k = 0; k < l->code.length (); k++)
	if ((k < at || k > end) && jumps_to_p (l->code[k], label))
	  return false;
    }
  return !up;
}

/* Tests that threads cannot make must be of no use to them.  */
static const char *
tests_bar (host_loop *l)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    if (gimple_code (l->code[i]) == GIMPLE_COND
	&& !for_threads_p (l->code[i]))
      {
	if (!idle_p (l, i))
	  return "a test of what is no number of the host";
	l->idle.add (l->code[i]);
      }
  return NULL;
}

/* ---- Pointers ---- */

static void
add_pointer (host_loop *l, tree var)
{
  if (!l->pointers.contains (var))
    l->pointers.safe_push (var);
}

/* Number the pointers that threads copy.  What sets one otherwise, or one that is
   not copied, bars that; the result is why, or NULL.  */
static const char *
number_pointers (host_loop *l)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    {
      gimple *stmt = l->code[i];
      if (!is_gimple_assign (stmt) || !host_loop_needs_p (l, i)
	  || !POINTER_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt))))
	continue;
      if (!turns_p (stmt))
	return "a pointer of the host that is computed";
      add_pointer (l, gimple_assign_lhs (stmt));
      add_pointer (l, gimple_assign_rhs1 (stmt));
    }
  return NULL;
}

/* ---- All ---- */

const char *
host_loop_bar (host_loop *l)
{
  for (unsigned i = 0; i < l->code.length (); i++)
    if (const char *why = statement_bar (l, l->code[i]))
      return why;
  if (const char *why = take_results (l))
    return why;
  if (const char *why = find_out (l))
    return why;
  find_needed (l);
  if (const char *why = number_pointers (l))
    return why;
  return tests_bar (l);
}

bool
host_loop_threads_p (const host_loop *l, unsigned i)
{
  return !is_gimple_assign (l->code[i]) || for_threads_p (l->code[i]);
}
