/* Does an address get out of a region?

   Who has the address of mapped data on the device can have it written by other
   means than the region's operands: another region, to which it is passed as a
   number, or CUDA's own functions.  A region has the addresses of its operands
   and passes them on by storing them, or what was computed from them, in memory
   that is not its own.

   The walk does not follow values.  Addresses may be put into variables of the
   region that nothing points to, as they are; what else is done with one counts as
   passing it on.  Only to compare or subtract two is noted apart: who chooses the
   other can find out the first, bit by bit, but loops do this all the time.

   Needs: access_find.  Keeps: all code.
   Source: J.-D. Choi et al., "Escape Analysis for Java", OOPSLA 1999.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"

/* The walk's state.  */
struct leak_walk
{
  const region *r;
  /* Variables declared in the region.  */
  hash_set<tree> locals;
  bool found, compared;
};

static bool
holds_address_p (tree type)
{
  type = strip_array_types (type);
  if (POINTER_TYPE_P (type))
    return true;
  if (RECORD_OR_UNION_TYPE_P (type))
    for (tree f = TYPE_FIELDS (type); f; f = DECL_CHAIN (f))
      if (TREE_CODE (f) == FIELD_DECL && holds_address_p (TREE_TYPE (f)))
	return true;
  return false;
}

/* Is the reference REF in a variable of the region that nothing points to?
   What is declared outside and belongs to no operand is private.  */
static bool
own_p (leak_walk *w, tree ref)
{
  if (TREE_CODE (ref) == SSA_NAME)
    return true;
  while (handled_component_p (ref))
    ref = TREE_OPERAND (ref, 0);
  return VAR_P (ref) && !is_global_var (ref) && !TREE_ADDRESSABLE (ref)
	 && (w->locals.contains (ref) || !object_known_p (w->r, { ref, 0 }));
}

/* Is the value EXPR an address, or has it some?  */
static bool
address_p (tree expr)
{
  return !CONSTANT_CLASS_P (expr) && TREE_CODE (expr) != CONSTRUCTOR
	 && holds_address_p (TREE_TYPE (expr));
}

/* Is EXPR read from a variable that has addresses, but not as the field or element
   that it is?  */
static bool
disguised_p (tree expr)
{
  bool changed = false;
  for (; handled_component_p (expr); expr = TREE_OPERAND (expr, 0))
    changed |= (TREE_CODE (expr) != COMPONENT_REF
		&& TREE_CODE (expr) != ARRAY_REF)
	       || TREE_CODE (TREE_TYPE (TREE_OPERAND (expr, 0))) == UNION_TYPE;
  if (TREE_CODE (expr) == MEM_REF
      && TREE_CODE (TREE_OPERAND (expr, 0)) == ADDR_EXPR)
    {
      expr = TREE_OPERAND (TREE_OPERAND (expr, 0), 0);
      changed = true;
    }
  return changed && DECL_P (expr) && holds_address_p (TREE_TYPE (expr));
}

/* Is A CODE B something about addresses but whether one is null?  */
static bool
compares_p (tree_code code, tree a, tree b)
{
  if (code == POINTER_DIFF_EXPR)
    return true;
  return TREE_CODE_CLASS (code) == tcc_comparison && !integer_zerop (a)
	 && !integer_zerop (b) && (address_p (a) || address_p (b));
}

/* Does STMT compare or subtract addresses?  */
static bool
statement_compares_p (gimple *stmt)
{
  if (gcond *cond = dyn_cast<gcond *> (stmt))
    return compares_p (gimple_cond_code (cond), gimple_cond_lhs (cond),
		       gimple_cond_rhs (cond));
  if (gomp_for *loop = dyn_cast<gomp_for *> (stmt))
    {
      for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
	if (holds_address_p (TREE_TYPE (gimple_omp_for_index (loop, i))))
	  return true;
      return false;
    }
  if (!is_gimple_assign (stmt))
    return false;
  tree first = gimple_assign_rhs1 (stmt);
  if (COMPARISON_CLASS_P (first))
    return compares_p (TREE_CODE (first), TREE_OPERAND (first, 0),
		       TREE_OPERAND (first, 1));
  return gimple_num_ops (stmt) > 2
	 && compares_p (gimple_assign_rhs_code (stmt), first,
			gimple_assign_rhs2 (stmt));
}

static bool
assignment_leaks_p (leak_walk *w, gimple *stmt)
{
  tree lhs = gimple_assign_lhs (stmt);
  tree_code code = gimple_assign_rhs_code (stmt);
  if (gimple_clobber_p (stmt) || code == POINTER_DIFF_EXPR
      || TREE_CODE_CLASS (code) == tcc_comparison)
    return false;
  if (disguised_p (gimple_assign_rhs1 (stmt)))
    return true;
  bool found = false;
  for (unsigned i = 1; i < gimple_num_ops (stmt) && !found; i++)
    found = gimple_op (stmt, i) && address_p (gimple_op (stmt, i));
  return found
	 && (!holds_address_p (TREE_TYPE (lhs)) || !own_p (w, lhs));
}

static bool
call_leaks_p (leak_walk *w, gcall *call)
{
  tree lhs = gimple_call_lhs (call);
  if (!lhs)
    return false;
  if (holds_address_p (TREE_TYPE (lhs)))
    return !own_p (w, lhs);
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    if (address_p (gimple_call_arg (call, i)))
      return true;
  return false;
}

/* Does one of CLAUSES give an address to what is outside its construct?  */
static bool
clauses_leak_p (tree clauses)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_REDUCTION:
      case OMP_CLAUSE_IN_REDUCTION:
      case OMP_CLAUSE_TASK_REDUCTION:
      case OMP_CLAUSE_LASTPRIVATE:
      case OMP_CLAUSE_LINEAR:
      case OMP_CLAUSE_COPYPRIVATE:
	if (holds_address_p (TREE_TYPE (OMP_CLAUSE_DECL (c))))
	  return true;
	break;
      default:
	break;
      }
  return false;
}

static bool
leaks_p (leak_walk *w, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      return assignment_leaks_p (w, stmt);
    case GIMPLE_CALL:
      return call_leaks_p (w, as_a<gcall *> (stmt));
    case GIMPLE_OMP_ATOMIC_STORE:
      return address_p (gimple_omp_atomic_store_val (
	as_a<gomp_atomic_store *> (stmt)));
    case GIMPLE_OMP_FOR:
      return clauses_leak_p (gimple_omp_for_clauses (stmt));
    case GIMPLE_OMP_PARALLEL:
    case GIMPLE_OMP_TASK:
      return clauses_leak_p (gimple_omp_taskreg_clauses (stmt));
    case GIMPLE_OMP_TEAMS:
      return clauses_leak_p (
	gimple_omp_teams_clauses (as_a<gomp_teams *> (stmt)));
    case GIMPLE_OMP_SECTIONS:
      return clauses_leak_p (gimple_omp_sections_clauses (stmt));
    case GIMPLE_OMP_SINGLE:
      return clauses_leak_p (
	gimple_omp_single_clauses (as_a<gomp_single *> (stmt)));
    default:
      return false;
    }
}

static tree
note_locals (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  leak_walk *w = (leak_walk *) wi->info;
  if (gbind *bind = dyn_cast<gbind *> (gsi_stmt (*gsi)))
    for (tree var = gimple_bind_vars (bind); var; var = DECL_CHAIN (var))
      w->locals.add (var);
  return NULL_TREE;
}

static tree
find_leak (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  leak_walk *w = (leak_walk *) wi->info;
  w->found |= leaks_p (w, gsi_stmt (*gsi));
  w->compared |= statement_compares_p (gsi_stmt (*gsi));
  return NULL_TREE;
}

void
leak_find (region *r)
{
  leak_walk w;
  w.r = r;
  w.found = w.compared = false;
  struct walk_stmt_info wi = {};
  wi.info = &w;
  walk_gimple_seq (gimple_omp_body (r->stmt), note_locals, NULL, &wi);
  walk_gimple_seq (gimple_omp_body (r->stmt), find_leak, NULL, &wi);
  r->compares = w.compared;
  r->leaks = w.found || clauses_leak_p (gimple_omp_target_clauses (r->stmt));
}
