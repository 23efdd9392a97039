/* Values that are the same to all threads of an SPMD kernel.

   What a parent computes of constants and of what the region around has, once,
   need not stand in the records of its launches: who executes a child computes
   it again.  (The paper stores such arguments once a block.)  A variable is such
   when one assignment in the region sets it, or none does and nobody has its
   address: parameters of a function whose body is in the region too, where it
   launches itself with the same ones.  So is memory at an address that is the
   same to all, when no thread of the region stores there.  A load, or a division,
   is made again only where every thread that launches the child has made it.

   Needs: GIMPLE before omp-low, whose children have been rewritten to run in
   place; access_find and alias_find of the region.
   Keeps: all code.
   Source: El Hajj et al., KLAP (MICRO 2016), section II.C, uniform arguments.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested.h"
#include "spmd/spmd.h"
#include "tree-eh.h"

/* Operations of a value that is computed again.  */
static const unsigned most_operations = 8;

/* ---- What sets variables ---- */

static void
note_set (nested_settings *settings, tree var, gimple *stmt)
{
  if (!var || !DECL_P (var))
    return;
  nested_setting &s = settings->get_or_insert (var);
  s.times++;
  s.stmt = stmt;
}

/* VAR is more than what an assignment makes of it.  */
static void
note_unknown (nested_settings *settings, tree var)
{
  note_set (settings, var, NULL);
  note_set (settings, var, NULL);
}

static void
note_clauses (nested_settings *settings, const gimple *stmt)
{
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_LASTPRIVATE:
      case OMP_CLAUSE_REDUCTION:
      case OMP_CLAUSE_LINEAR:
	note_unknown (settings, OMP_CLAUSE_DECL (c));
	break;
      default:
	break;
      }
  if (const gomp_for *loop = dyn_cast<const gomp_for *> (stmt))
    for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
      note_unknown (settings, gimple_omp_for_index (loop, i));
}

static void
note_assembler (nested_settings *settings, gasm *stmt)
{
  for (unsigned i = 0; i < gimple_asm_noutputs (stmt); i++)
    note_unknown (settings,
		  get_base_address (TREE_VALUE (gimple_asm_output_op (stmt,
								      i))));
}

/* Variables that BIND declares have no value of their own.  */
static void
note_declared (nested_settings *settings, const gbind *bind)
{
  for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
    settings->get_or_insert (v);
}

static tree
note_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  nested_settings *settings = (nested_settings *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (is_gimple_call (stmt))
    note_unknown (settings, gimple_call_lhs (stmt));
  else if (gbind *bind = dyn_cast<gbind *> (stmt))
    note_declared (settings, bind);
  else if (gasm *assembler = dyn_cast<gasm *> (stmt))
    note_assembler (settings, assembler);
  else if (gomp_atomic_load *load = dyn_cast<gomp_atomic_load *> (stmt))
    note_unknown (settings, gimple_omp_atomic_load_lhs (load));
  else if (is_gimple_omp (stmt) && gimple_has_substatements (stmt))
    note_clauses (settings, stmt);
  else if (is_gimple_assign (stmt) && !gimple_clobber_p (stmt))
    {
      tree lhs = gimple_assign_lhs (stmt);
      if (DECL_P (lhs))
	note_set (settings, lhs, stmt);
      else
	note_unknown (settings, get_base_address (lhs));
    }
  return NULL_TREE;
}

/* Is EXPR what is in VAR, by way of copies?  */
static bool
copy_of_p (nested_settings *settings, tree expr, tree var)
{
  for (unsigned left = most_operations; left && expr != var; left--)
    {
      const nested_setting *s = DECL_P (expr) ? settings->get (expr) : NULL;
      if (!s || s->times != 1 || !s->stmt || TREE_ADDRESSABLE (expr)
	  || !gimple_assign_single_p (s->stmt))
	return false;
      expr = gimple_assign_rhs1 (s->stmt);
    }
  return expr == var;
}

/* A function that launches itself by a call sets its parameters to the
   arguments.  */
static tree
note_call (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  nested_settings *settings = (nested_settings *) wi->info;
  gcall *call = dyn_cast<gcall *> (gsi_stmt (*gsi));
  const nested_body *body = call ? nested_body_of_call (call) : NULL;
  for (unsigned i = 0; body && i < body->parameters.length (); i++)
    if (i >= gimple_call_num_args (call)
	|| !copy_of_p (settings, gimple_call_arg (call, i),
		       body->parameters[i]))
      note_unknown (settings, body->parameters[i]);
  return NULL_TREE;
}

void
nested_find_settings (const gimple *stmt, nested_settings *settings)
{
  gimple_seq body = gimple_omp_body (CONST_CAST (gimple *, stmt));
  struct walk_stmt_info wi = {};
  wi.info = settings;
  walk_gimple_seq (body, note_stmt, NULL, &wi);
  walk_gimple_seq (body, note_call, NULL, &wi);
}

/* ---- Values ---- */

/* The search for a value.  */
struct value_search
{
  region *r;
  nested_settings *settings;
  const gimple *child;
  unsigned left; /* operations */
};

static tree value_of (value_search *s, tree expr);

/* What STMT, the only assignment, computes.  What may trap, a bad address too, is
   not computed where no thread has done so.  */
static tree
value_of_assign (value_search *s, gimple *stmt)
{
  enum tree_code code = gimple_assign_rhs_code (stmt);
  tree type = TREE_TYPE (gimple_assign_lhs (stmt)), value = NULL_TREE;
  tree one = value_of (s, gimple_assign_rhs1 (stmt)), two;
  if (!one || stmt_volatile_p (stmt))
    return NULL_TREE;
  switch (gimple_assign_rhs_class (stmt))
    {
    case GIMPLE_SINGLE_RHS:
      value = one;
      break;
    case GIMPLE_UNARY_RHS:
      value = build1 (code, type, one);
      break;
    case GIMPLE_BINARY_RHS:
      two = value_of (s, gimple_assign_rhs2 (stmt));
      value = two ? build2 (code, type, one, two) : NULL_TREE;
      break;
    default:
      break;
    }
  if (value && tree_could_trap_p (value)
      && !nested_always_before_p (gimple_omp_body (s->r->stmt), stmt,
				  s->child))
    return NULL_TREE;
  return value;
}

/* Is VAR nobody's own, in memory or not, so that its name means the same to all
   threads?  */
static bool
everybodys_p (tree var)
{
  return (VAR_P (var) || TREE_CODE (var) == PARM_DECL)
	 && !TREE_THIS_VOLATILE (var) && !DECL_HAS_VALUE_EXPR_P (var)
	 && !lang_hooks.decls.omp_privatize_by_reference (var);
}

/* May VAR be read at any time, if nobody sets it?  */
static bool
stays_p (tree var)
{
  tree type = TREE_TYPE (var);
  return everybodys_p (var) && !is_global_var (var) && !TREE_ADDRESSABLE (var)
	 && (INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)
	     || SCALAR_FLOAT_TYPE_P (type));
}

/* REF, part of an object, with values for what it is found by, or NULL.  */
static tree
part_of (value_search *s, tree ref)
{
  tree whole, at;
  switch (TREE_CODE (ref))
    {
    case COMPONENT_REF:
      whole = part_of (s, TREE_OPERAND (ref, 0));
      return whole && !TREE_OPERAND (ref, 2)
	       ? build3 (COMPONENT_REF, TREE_TYPE (ref), whole,
			 TREE_OPERAND (ref, 1), NULL_TREE)
	       : NULL_TREE;
    case ARRAY_REF:
      whole = part_of (s, TREE_OPERAND (ref, 0));
      at = value_of (s, TREE_OPERAND (ref, 1));
      return whole && at && !TREE_OPERAND (ref, 2) && !TREE_OPERAND (ref, 3)
	       ? build4 (ARRAY_REF, TREE_TYPE (ref), whole, at, NULL_TREE,
			 NULL_TREE)
	       : NULL_TREE;
    case MEM_REF:
      at = value_of (s, TREE_OPERAND (ref, 0));
      return at ? build2 (MEM_REF, TREE_TYPE (ref), at, TREE_OPERAND (ref, 1))
		: NULL_TREE;
    default:
      return DECL_P (ref) && everybodys_p (ref) && !s->settings->get (ref)
	       ? ref
	       : NULL_TREE;
    }
}

/* What is in memory at REF, where no thread of the region stores there.  */
static tree
value_in_memory (value_search *s, tree ref)
{
  if (TREE_THIS_VOLATILE (ref) || TREE_SIDE_EFFECTS (ref))
    return NULL_TREE;
  tree part = part_of (s, ref);
  return part && alias_constant_p (s->r, object_of_reference (part)) ? part
								     : NULL_TREE;
}

static tree
value_of (value_search *s, tree expr)
{
  if (CONSTANT_CLASS_P (expr))
    return expr;
  if (s->left == 0)
    return NULL_TREE;
  s->left--;
  if (TREE_CODE (expr) == SSA_NAME)
    {
      gimple *stmt = SSA_NAME_DEF_STMT (expr);
      return stmt && is_gimple_assign (stmt) ? value_of_assign (s, stmt)
					     : NULL_TREE;
    }
  if (handled_component_p (expr) || TREE_CODE (expr) == MEM_REF)
    return value_in_memory (s, expr);
  if (!DECL_P (expr) || !stays_p (expr))
    return NULL_TREE;
  const nested_setting *set = s->settings->get (expr);
  if (!set)
    return expr;
  return set->times == 1 && set->stmt ? value_of_assign (s, set->stmt)
				      : NULL_TREE;
}

tree
nested_uniform_value (region *r, nested_settings *settings, tree var,
		      const gimple *child)
{
  value_search s = { r, settings, child, most_operations };
  return value_of (&s, var);
}
