/* Products whose sums the device computes with one rounding.

   The device's compiler contracts a product and a sum to one operation; the
   host's machine may have none.  Where the host executed one of the two, what
   the region computes would differ from what GCC's own code computes by a
   rounding.

   Keeps: all code.
   Source: convert_mult_to_fma in GCC's tree-ssa-math-opts.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"

static bool
copy_p (tree_code code)
{
  return code == VAR_DECL || code == PARM_DECL;
}

/* May CODE's result be a product, or its operand a summand?  Both lead through
   copies and changes of sign.  */
static bool
product_p (tree_code code)
{
  return code == MULT_EXPR || code == NEGATE_EXPR || copy_p (code);
}

static bool
sum_p (tree_code code)
{
  return code == PLUS_EXPR || code == MINUS_EXPR || code == NEGATE_EXPR
	 || copy_p (code);
}

/* May the assignment A's result be a product that B adds to something, or
   hands on?  */
static bool
feeds_p (gimple *a, gimple *b)
{
  tree_code from = gimple_assign_rhs_code (a), to = gimple_assign_rhs_code (b);
  if (!product_p (from) || !sum_p (to) || (copy_p (from) && copy_p (to)))
    return false;
  for (unsigned i = 1; i < gimple_num_ops (b); i++)
    if (gimple_op (b, i) == gimple_assign_lhs (a))
      return true;
  return false;
}

bool
kernels_contracted_p (const rewrite *w, gimple *stmt)
{
  if (flag_fp_contract_mode == FP_CONTRACT_OFF
      || INTEGRAL_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt))))
    return false;
  for (unsigned at = 0; at < w->l.code.length (); at++)
    {
      if (line_loop *l = line_loop_at (&w->l, NULL, at))
	at = l->end - 1;
      gimple *other = w->l.code[at];
      if (other && is_gimple_assign (other)
	  && (feeds_p (stmt, other) || feeds_p (other, stmt)))
	return true;
    }
  return false;
}
