/* Constants in subscripts, moved to the end of the address.

   In Fortran u(x - 1, y), u(x, y) and u(x + 1, y) have subscripts of 32 bits,
   so that the constant is added first, and then come the conversion to 64 bits
   and the other dimensions:

     (long) (x - 1) + (y * stride + offset)

   GCC keeps that order, and each of the three has an address in registers of
   its own.  With the constant last,

     ((long) x + (y * stride + offset)) - 1

   they are one address with three displacements.  The sum of 32 bits cannot
   overflow, in these languages, so the conversion of it is the sum of the
   conversions; what follows is done modulo 2^64, as addresses are.

   Only constants in one run of assignments move.  That is where the gimplifier
   leaves subscripts.

   Needs: runs of assignments as the gimplifier leaves them.  Keeps:
   addresses, modulo 2^64.  Breaks: the order of sums in subscripts.
   Source: GCC's tree-ssa-reassoc.cc, which stops at conversions.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* A variable's value: BASE, a register, and a constant.  */
struct sum
{
  tree var, base;
  HOST_WIDE_INT constant;
};

/* What the statements so far say.  */
struct index_walk
{
  auto_vec<sum, 16> sums;
};

static const sum *
find (const index_walk *w, tree var)
{
  for (unsigned i = 0; i < w->sums.length (); i++)
    if (w->sums[i].var == var)
      return &w->sums[i];
  return NULL;
}

/* VAR is about to be set.  */
static void
forget (index_walk *w, tree var)
{
  for (unsigned i = w->sums.length (); i--;)
    if (w->sums[i].var == var || w->sums[i].base == var)
      w->sums.unordered_remove (i);
}

static bool
wide_p (tree type)
{
  return INTEGRAL_TYPE_P (type) && TYPE_PRECISION (type) == 64;
}

static bool
narrow_p (tree type)
{
  return INTEGRAL_TYPE_P (type) && TYPE_PRECISION (type) < 64
	 && TYPE_OVERFLOW_UNDEFINED (type);
}

/* A register that no pointer leads to.  */
static bool
own_register_p (tree expr)
{
  return VAR_P (expr) && is_gimple_reg (expr);
}

/* Is EXPR a constant?  */
static bool
constant_p (tree expr, HOST_WIDE_INT *value)
{
  if (TREE_CODE (expr) != INTEGER_CST || !cst_and_fits_in_hwi (expr))
    return false;
  *value = int_cst_value (expr);
  return true;
}

/* Insert before GSI: a new unsigned register is A CODE B, where B may be NULL.
   */
static tree
compute (gimple_stmt_iterator *gsi, enum tree_code code, tree a, tree b)
{
  tree value = create_tmp_var (uint64_type_node, "index");
  gimple *stmt = b ? gimple_build_assign (value, code, a, b)
		   : gimple_build_assign (value, code, a);
  gsi_insert_before (gsi, stmt, GSI_SAME_STMT);
  return value;
}

/* A as an unsigned operand without its constant, which goes to *CONSTANT.  */
static tree
base_of (const index_walk *w, gimple_stmt_iterator *gsi, tree a,
	 HOST_WIDE_INT *constant)
{
  const sum *s = find (w, a);
  *constant = s ? s->constant : 0;
  if (s)
    return s->base;
  if (TREE_CODE (a) == INTEGER_CST)
    return fold_convert (uint64_type_node, a);
  return useless_type_conversion_p (uint64_type_node, TREE_TYPE (a))
	   ? a
	   : compute (gsi, NOP_EXPR, a, NULL_TREE);
}

/* Let the assignment at GSI set its variable to BASE + CONSTANT.  */
static void
set_sum (index_walk *w, gimple_stmt_iterator *gsi, tree base,
	 HOST_WIDE_INT constant)
{
  tree lhs = gimple_assign_lhs (gsi_stmt (*gsi));
  tree value = compute (gsi, PLUS_EXPR, base,
			build_int_cst (uint64_type_node, constant));
  gimple_assign_set_rhs_with_ops (gsi, NOP_EXPR, value);
  forget (w, lhs);
  w->sums.safe_push ({ lhs, base, constant });
}

/* The assignment STMT at GSI converts a narrow sum.  */
static bool
widen (index_walk *w, gimple_stmt_iterator *gsi, gassign *stmt)
{
  tree from = gimple_assign_rhs1 (stmt);
  const sum *s = find (w, from);
  if (!s || !narrow_p (TREE_TYPE (from))
      || !wide_p (TREE_TYPE (gimple_assign_lhs (stmt))))
    return false;
  HOST_WIDE_INT constant = s->constant;
  tree base = s->base;
  if (TYPE_PRECISION (TREE_TYPE (base)) < 64)
    base = compute (gsi, NOP_EXPR, base, NULL_TREE);
  set_sum (w, gsi, base, constant);
  return true;
}

/* The assignment STMT at GSI is a wide operation: move constants through it.
   */
static bool
move_through (index_walk *w, gimple_stmt_iterator *gsi, gassign *stmt)
{
  enum tree_code code = gimple_assign_rhs_code (stmt);
  tree a = gimple_assign_rhs1 (stmt), b = gimple_assign_rhs2 (stmt);
  if (!wide_p (TREE_TYPE (a)) || !wide_p (TREE_TYPE (b))
      || (!find (w, a) && !find (w, b)))
    return false;
  HOST_WIDE_INT in_a, in_b, factor;
  if (code == MULT_EXPR && constant_p (b, &factor) && find (w, a))
    {
      tree base = base_of (w, gsi, a, &in_a);
      base = compute (gsi, MULT_EXPR, base,
		      fold_convert (uint64_type_node, b));
      set_sum (w, gsi, base, (unsigned HOST_WIDE_INT) in_a * factor);
      return true;
    }
  if (code != PLUS_EXPR && code != MINUS_EXPR)
    return false;
  tree base = base_of (w, gsi, a, &in_a);
  if (!constant_p (b, &in_b))
    base = compute (gsi, code, base, base_of (w, gsi, b, &in_b));
  unsigned HOST_WIDE_INT sum = in_a;
  set_sum (w, gsi, base, code == PLUS_EXPR ? sum + in_b : sum - in_b);
  return true;
}

/* STMT may be a narrow sum.  */
static bool
note_sum (index_walk *w, gassign *stmt)
{
  enum tree_code code = gimple_assign_rhs_code (stmt);
  tree lhs = gimple_assign_lhs (stmt), a = gimple_assign_rhs1 (stmt);
  HOST_WIDE_INT constant;
  if ((code != PLUS_EXPR && code != MINUS_EXPR) || !narrow_p (TREE_TYPE (lhs))
      || !own_register_p (a) || a == lhs
      || !constant_p (gimple_assign_rhs2 (stmt), &constant))
    return false;
  forget (w, lhs);
  w->sums.safe_push ({ lhs, a, code == PLUS_EXPR ? constant : -constant });
  return true;
}

static tree
index_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  index_walk *w = (index_walk *) wi->info;
  gassign *stmt = dyn_cast<gassign *> (gsi_stmt (*gsi));
  if (!stmt)
    {
      if (gimple_code (gsi_stmt (*gsi)) != GIMPLE_BIND
	  && !stmt_empty_p (gsi_stmt (*gsi)))
	w->sums.truncate (0);
      return NULL_TREE;
    }
  tree lhs = gimple_assign_lhs (stmt);
  if (!own_register_p (lhs))
    return NULL_TREE;
  bool done;
  if (gimple_assign_cast_p (stmt))
    done = widen (w, gsi, stmt);
  else
    done = gimple_num_ops (stmt) == 3
	   && (note_sum (w, stmt) || move_through (w, gsi, stmt));
  if (!done)
    forget (w, lhs);
  return NULL_TREE;
}

void
spmd_move_constants (gimple_seq *body)
{
  index_walk w;
  struct walk_stmt_info wi = {};
  wi.info = &w;
  if (optimize && option_enabled (ACR_OPTION_INDEX))
    walk_gimple_seq_mod (body, index_stmt, NULL, &wi);
}
