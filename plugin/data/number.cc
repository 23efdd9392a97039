/* Value numbering of statements that are executed one after the other.

   Every operand and every operation gets a number; what has been numbered
   before is found by a search.  A load, of a variable in memory or through a
   pointer, is a value of its own kind as long as no store or call came between.

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: P. Briggs, K. D. Cooper, L. T. Simpson, "Value Numbering", Software:
   Practice and Experience 27(6), 1997.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "data/number.h"

/* More values than a long list of arrays has; each is compared with all before
   it.  */
static const unsigned max_values = 1000;

/* A new value, which is none of those before.  */
static unsigned
fresh (numbering *n)
{
  n->values.safe_push ({ ERROR_MARK, NULL_TREE, NULL_TREE, 0, 0 });
  return n->values.length () - 1;
}

static bool
same_leaf_p (tree a, tree b)
{
  return a == b || (a && b && operand_equal_p (a, b));
}

static unsigned
number_of_value (numbering *n, const computed &v)
{
  for (unsigned i = 0; i < n->values.length (); i++)
    {
      const computed &o = n->values[i];
      if (o.code == v.code && o.a == v.a && o.b == v.b
	  && same_leaf_p (o.leaf, v.leaf)
	  && useless_type_conversion_p (o.type, v.type)
	  && useless_type_conversion_p (v.type, o.type))
	return i;
    }
  n->values.safe_push (v);
  return n->values.length () - 1;
}

unsigned
number_of_operand (numbering *n, tree expr)
{
  tree type = TREE_TYPE (expr);
  if (CONSTANT_CLASS_P (expr))
    return number_of_value (n, { TREE_CODE (expr), type, expr, 0, 0 });
  if (TREE_CODE (expr) == SSA_NAME || register_p (expr))
    {
      if (history *h = n->variables.get (expr))
	return h->number;
      return number_of_value (n, { VAR_DECL, type, expr, 0, 0 });
    }
  if (VAR_P (expr) && !TREE_THIS_VOLATILE (expr)
      && !DECL_HAS_VALUE_EXPR_P (expr))
    return number_of_value (
      n, { VIEW_CONVERT_EXPR, type, expr, 0, n->changes });
  if (TREE_CODE (expr) == MEM_REF && !TREE_THIS_VOLATILE (expr))
    return number_of_value (n, { MEM_REF, type, TREE_OPERAND (expr, 1),
				 number_of_operand (n, TREE_OPERAND (expr, 0)),
				 n->changes });
  return fresh (n);
}

static unsigned
number_of_assignment (numbering *n, const gimple *stmt)
{
  tree_code code = gimple_assign_rhs_code (stmt);
  computed v = { code, TREE_TYPE (gimple_assign_lhs (stmt)), NULL_TREE, 0, 0 };
  switch (get_gimple_rhs_class (code))
    {
    case GIMPLE_BINARY_RHS:
      v.b = number_of_operand (n, gimple_assign_rhs2 (stmt));
      /* FALLTHRU */
    case GIMPLE_UNARY_RHS:
      v.a = number_of_operand (n, gimple_assign_rhs1 (stmt));
      return number_of_value (n, v);
    case GIMPLE_SINGLE_RHS:
      return number_of_operand (n, gimple_assign_rhs1 (stmt));
    default:
      return fresh (n);
    }
}

static void
set (numbering *n, tree to, unsigned number)
{
  if (TREE_CODE (to) != SSA_NAME && !register_p (to))
    {
      n->changes++;
      return;
    }
  history &h = n->variables.get_or_insert (to);
  h.sets++;
  h.number = number;
}

void
number_statement (numbering *n, gimple *stmt)
{
  if (gimple_code (stmt) == GIMPLE_ASSIGN)
    {
      if (!gimple_clobber_p (stmt))
	set (n, gimple_assign_lhs (stmt), number_of_assignment (n, stmt));
      return;
    }
  n->changes += !call_without_memory_p (as_a<gcall *> (stmt));
  if (tree lhs = gimple_call_lhs (stmt))
    set (n, lhs, fresh (n));
}

void
number_forget (numbering *n, tree var)
{
  set (n, var, fresh (n));
}

bool
number_statements (numbering *n, gimple_seq seq)
{
  for (gimple_stmt_iterator gsi = gsi_start (seq); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (n->values.length () >= max_values)
	return false;
      switch (gimple_code (stmt))
	{
	case GIMPLE_ASSIGN:
	case GIMPLE_CALL:
	  number_statement (n, stmt);
	  break;
	case GIMPLE_BIND:
	  if (!number_statements (n, gimple_bind_body (as_a<gbind *> (stmt))))
	    return false;
	  break;
	case GIMPLE_TRY:
	  number_statements (n, gimple_try_eval (stmt));
	  return false;
	case GIMPLE_DEBUG:
	case GIMPLE_NOP:
	case GIMPLE_PREDICT:
	  break;
	default:
	  return false;
	}
    }
  return true;
}
