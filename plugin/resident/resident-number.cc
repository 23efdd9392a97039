/* What threads compute with in the host's place: numbers, and pointers that
   they only copy.

   Operations must give the same bits everywhere and never trap: arithmetic on
   integers, and what IEEE 754 rounds correctly, one operation at a time
   (resident-kernel.cc).

   Needs: GIMPLE before omp-low.  Keeps: all code.
   Source: IEEE 754-2019, 4.3 and 5.4.1; PTX ISA, "add" (.rn).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/resident.h"
#include "internal-fn.h"
#include "target.h"

/* ---- Variables ---- */

/* Are numbers of TYPE the device's as well, to the last bit?  The host does
   not round a product and a sum at once, nor use more digits than the type
   has.  */
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

/* Is VAR a variable that nobody but visible code of the function sets?  */
static bool
own_variable_p (tree var)
{
  return TREE_CODE (var) != RESULT_DECL && auto_var_p (var)
	 && !TREE_THIS_VOLATILE (var) && !DECL_HAS_VALUE_EXPR_P (var)
	 && DECL_CONTEXT (var) == current_function_decl;
}

bool
host_number_p (tree var)
{
  return number_type_p (TREE_TYPE (var))
	 && (TREE_CODE (var) == SSA_NAME || own_variable_p (var));
}

bool
host_name_p (const_tree t)
{
  return TREE_CODE (t) == SSA_NAME || TREE_CODE (t) == VAR_DECL
	 || TREE_CODE (t) == PARM_DECL || TREE_CODE (t) == RESULT_DECL;
}

/* ---- Operations ---- */

/* Operations that give the same everywhere, on integers and on others.  */
static const tree_code of_integers[] = {
  NOP_EXPR,	CONVERT_EXPR, INTEGER_CST,  VAR_DECL,	  PARM_DECL,
  SSA_NAME,	PLUS_EXPR,    MINUS_EXPR,   MULT_EXPR,	  NEGATE_EXPR,
  BIT_AND_EXPR, BIT_IOR_EXPR, BIT_XOR_EXPR, BIT_NOT_EXPR, MIN_EXPR,
  MAX_EXPR,	EQ_EXPR,      NE_EXPR,	    LT_EXPR,	  LE_EXPR,
  GT_EXPR,	GE_EXPR,
};
static const tree_code of_reals[] = {
  NOP_EXPR,    CONVERT_EXPR, REAL_CST,	 VAR_DECL,  PARM_DECL,
  SSA_NAME,    PLUS_EXPR,    MINUS_EXPR, MULT_EXPR, RDIV_EXPR,
  NEGATE_EXPR, ABS_EXPR,     FLOAT_EXPR, EQ_EXPR,   NE_EXPR,
  LT_EXPR,     LE_EXPR,	     GT_EXPR,	 GE_EXPR,
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
	 || (host_name_p (t) && host_number_p (t));
}

bool
host_pointer_p (tree var)
{
  if (TREE_CODE (var) == SSA_NAME)
    return POINTER_TYPE_P (TREE_TYPE (var));
  return TREE_CODE (TREE_TYPE (var)) == POINTER_TYPE && own_variable_p (var);
}

bool
host_copy_p (gimple *stmt)
{
  return gimple_assign_single_p (stmt)
	 && host_name_p (gimple_assign_lhs (stmt))
	 && host_name_p (gimple_assign_rhs1 (stmt))
	 && host_pointer_p (gimple_assign_lhs (stmt))
	 && host_pointer_p (gimple_assign_rhs1 (stmt));
}

bool
host_thread_stmt_p (gimple *stmt)
{
  if (gcond *cond = dyn_cast<gcond *> (stmt))
    return scalar_operand_p (gimple_cond_lhs (cond))
	   && scalar_operand_p (gimple_cond_rhs (cond));
  bool real = false;
  if (host_copy_p (stmt))
    return true;
  for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
    if (!scalar_operand_p (gimple_op (stmt, i)))
      return false;
    else
      real |= SCALAR_FLOAT_TYPE_P (TREE_TYPE (gimple_op (stmt, i)));
  return same_everywhere_p (gimple_assign_rhs_code (stmt), real);
}
