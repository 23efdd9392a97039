/* Loads of a variable through its own address name the variable.

   Where one of two operands is const, C++ looks at the other one through a reference:

     c ? limit : in[i]	  p = &limit; x = MEM[(const int &) p];

   The address would be one that is taken in the loop, and LIMIT a variable that its
   threads share and may set.  So that statement becomes

     x = limit;

   which GCC makes of it later.

   The pointer is a temporary of the compiler's.  Its address is forwarded where
   all that a region says of it are such pairs of neighbouring statements: then
   nothing else can get the address, and nothing is between the two that may set
   the variable.

   Needs: GIMPLE before omp-low.  Keeps: clauses, and all values.  Breaks: the
   pairs.
   Source: GCC's tree-ssa-forwprop.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"

/* Two neighbouring statements.  */
struct pair
{
  gimple *address, *load;
};

/* What a region says of temporary pointers.  */
struct search
{
  hash_map<tree, unsigned> mentions;
  auto_vec<pair> pairs;
};

/* The variable of which STMT takes the address for a temporary, or NULL.  */
static tree
addressed (const gimple *stmt)
{
  if (!gimple_assign_single_p (stmt)
      || TREE_CODE (gimple_assign_rhs1 (stmt)) != ADDR_EXPR)
    return NULL_TREE;
  tree pointer = gimple_assign_lhs (stmt);
  tree var = TREE_OPERAND (gimple_assign_rhs1 (stmt), 0);
  return VAR_P (pointer) && decl_temporary_p (pointer)
	     && (TREE_CODE (var) == PARM_DECL
		 || (VAR_P (var) && !DECL_HAS_VALUE_EXPR_P (var)))
	     && is_gimple_reg_type (TREE_TYPE (var)) && !TREE_THIS_VOLATILE (var)
	   ? var
	   : NULL_TREE;
}

/* Does STMT load all of VAR, to which POINTER leads, into a register?  */
static bool
loads_p (const gimple *stmt, tree pointer, tree var)
{
  if (!gimple_assign_single_p (stmt))
    return false;
  tree from = gimple_assign_rhs1 (stmt), to = gimple_assign_lhs (stmt);
  return TREE_CODE (from) == MEM_REF && TREE_OPERAND (from, 0) == pointer
	 && integer_zerop (TREE_OPERAND (from, 1))
	 && !TREE_THIS_VOLATILE (from) && !REF_REVERSE_STORAGE_ORDER (from)
	 && useless_type_conversion_p (TREE_TYPE (from), TREE_TYPE (var))
	 && useless_type_conversion_p (TREE_TYPE (var), TREE_TYPE (from))
	 && DECL_P (to) && register_p (to);
}

static tree
count_mention (tree *tp, int *walk_subtrees, void *data)
{
  search *s = (search *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (VAR_P (*tp) && POINTER_TYPE_P (TREE_TYPE (*tp)))
    s->mentions.get_or_insert (*tp)++;
  return NULL_TREE;
}

static tree
note_pair (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  search *s = (search *) wi->info;
  gimple_stmt_iterator next = *gsi;
  gsi_next (&next);
  pair p = { gsi_stmt (*gsi), gsi_end_p (next) ? NULL : gsi_stmt (next) };
  tree var = p.load ? addressed (p.address) : NULL_TREE;
  if (var && loads_p (p.load, gimple_assign_lhs (p.address), var))
    s->pairs.safe_push (p);
  return NULL_TREE;
}

static void
set_operand (gimple *stmt, tree value)
{
  gimple_assign_set_rhs1 (stmt, value);
  gimple_assign_set_rhs_code (stmt, TREE_CODE (value));
}

/* Let P's load name the variable.  The pointer's value is of no use then.  */
static void
forward (pair p)
{
  set_operand (p.load, TREE_OPERAND (gimple_assign_rhs1 (p.address), 0));
  set_operand (p.address,
	       build_zero_cst (TREE_TYPE (gimple_assign_lhs (p.address))));
}

static tree
visit_region (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  if (!construct_computes_p (stmt))
    return NULL_TREE;
  search s;
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq (gimple_omp_body (stmt), note_pair, count_mention, &wi);
  /* Each pair mentions its pointer twice.  */
  hash_map<tree, unsigned> of_pairs;
  for (unsigned i = 0; i < s.pairs.length (); i++)
    of_pairs.get_or_insert (gimple_assign_lhs (s.pairs[i].address)) += 2;
  for (unsigned i = 0; i < s.pairs.length (); i++)
    {
      tree pointer = gimple_assign_lhs (s.pairs[i].address);
      if (*of_pairs.get (pointer) == *s.mentions.get (pointer))
	forward (s.pairs[i]);
    }
  return NULL_TREE;
}

void
address_forward (function *fun)
{
  struct walk_stmt_info wi = {};
  walk_gimple_seq (gimple_body (fun->decl), visit_region, NULL, &wi);
}
