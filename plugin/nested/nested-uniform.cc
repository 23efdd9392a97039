/* Values that are the same to all threads of an SPMD kernel.

   What a parent computes of constants and of what the region around has, once
   and without memory, need not stand in the records of its launches: who
   executes a child computes it again.  (The paper stores such arguments once a
   block.)  A variable is such when one assignment in the region sets it, or
   none does and nobody has its address: parameters of a function whose body is
   in the region too, where it launches itself with the same ones.

   Needs: GIMPLE before omp-low, whose children have been rewritten to run in
   place.
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

static tree value_of (nested_settings *settings, tree expr, unsigned *left);

/* What STMT, the only assignment, computes.  */
static tree
value_of_assign (nested_settings *settings, gimple *stmt, unsigned *left)
{
  enum tree_code code = gimple_assign_rhs_code (stmt);
  tree type = TREE_TYPE (gimple_assign_lhs (stmt));
  tree one = value_of (settings, gimple_assign_rhs1 (stmt), left), two;
  if (!one)
    return NULL_TREE;
  switch (gimple_assign_rhs_class (stmt))
    {
    case GIMPLE_SINGLE_RHS:
      return one;
    case GIMPLE_UNARY_RHS:
      return build1 (code, type, one);
    case GIMPLE_BINARY_RHS:
      two = value_of (settings, gimple_assign_rhs2 (stmt), left);
      return two ? build2 (code, type, one, two) : NULL_TREE;
    default:
      return NULL_TREE;
    }
}

/* May VAR be read at any time, if nobody sets it?  */
static bool
stays_p (tree var)
{
  tree type = TREE_TYPE (var);
  return (VAR_P (var) || TREE_CODE (var) == PARM_DECL)
	 && !is_global_var (var) && !TREE_ADDRESSABLE (var)
	 && !TREE_THIS_VOLATILE (var) && !DECL_HAS_VALUE_EXPR_P (var)
	 && (INTEGRAL_TYPE_P (type) || POINTER_TYPE_P (type)
	     || SCALAR_FLOAT_TYPE_P (type))
	 && !lang_hooks.decls.omp_privatize_by_reference (var);
}

static tree
value_of (nested_settings *settings, tree expr, unsigned *left)
{
  if (CONSTANT_CLASS_P (expr))
    return expr;
  if ((*left)-- == 0)
    {
      *left = 0;
      return NULL_TREE;
    }
  if (TREE_CODE (expr) == SSA_NAME)
    {
      gimple *stmt = SSA_NAME_DEF_STMT (expr);
      return stmt && is_gimple_assign (stmt)
	       ? value_of_assign (settings, stmt, left)
	       : NULL_TREE;
    }
  if (!DECL_P (expr) || !stays_p (expr))
    return NULL_TREE;
  const nested_setting *s = settings->get (expr);
  if (!s)
    return expr;
  return s->times == 1 && s->stmt ? value_of_assign (settings, s->stmt, left)
				  : NULL_TREE;
}

tree
nested_uniform_value (nested_settings *settings, tree var)
{
  unsigned left = most_operations;
  tree value = value_of (settings, var, &left);
  return value && !tree_could_trap_p (value) ? value : NULL_TREE;
}
