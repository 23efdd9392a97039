/* Where addresses of a thread's own variables go.

   A launch may not pass on what leads to memory that only the launching thread
   has.  So we find the variables in which the address of such a variable may be,
   whatever the order of statements; and whether one may be anywhere else, where
   a child may find it: in memory that is not the thread's own, or with a function
   that keeps it.

   Needs: the parent's body, before omp-low.  Keeps: all code.
   Source: L. O. Andersen, Program Analysis and Specialization for the C
   Programming Language (1994), section 4; the sets are one.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested.h"

namespace {

struct escape_search
{
  nested_own_p own_p;
  void *data;
  /* What stays out of it: the children.  */
  bool (*skip_p) (const gimple *, void *);
  hash_set<tree> *holders;
  bool changed, lost;
};

} // namespace

static bool
own_p (const escape_search *s, tree var)
{
  return var && DECL_P (var) && s->own_p (var, s->data);
}

/* May T, an operand that is read, have such an address in it?  */
static tree
find_address (tree *tp, int *walk_subtrees, void *data)
{
  const escape_search *s = (const escape_search *) data;
  tree t = *tp;
  if (TYPE_P (t))
    *walk_subtrees = 0;
  else if (TREE_CODE (t) == ADDR_EXPR
	   && own_p (s, get_base_address (TREE_OPERAND (t, 0))))
    return t;
  else if ((DECL_P (t) || TREE_CODE (t) == SSA_NAME)
	   && s->holders->contains (t))
    return t;
  return NULL_TREE;
}

/* Does it, where it is used as a value?  What is loaded by way of an address is a
   number, when it is no pointer and no structure.  */
static bool
carries_p (const escape_search *s, tree t)
{
  tree type = TREE_TYPE (t), base = get_base_address (t);
  bool plain = TREE_CODE (type) == BOOLEAN_TYPE || SCALAR_FLOAT_TYPE_P (type)
	       || (base && TREE_CODE (base) == MEM_REF
		   && INTEGRAL_TYPE_P (type) && TYPE_PRECISION (type) < 64);
  return !plain
	 && walk_tree_without_duplicates (&t, find_address,
					  CONST_CAST (escape_search *, s));
}

/* Such an address goes to LHS.  */
static void
note_holder (escape_search *s, tree lhs)
{
  tree base = TREE_CODE (lhs) == SSA_NAME ? lhs : get_base_address (lhs);
  if (base && (TREE_CODE (base) == SSA_NAME || own_p (s, base)))
    s->changed |= !s->holders->add (base);
  else
    s->lost = true;
}

static void
note_call (escape_search *s, const gcall *call)
{
  bool any = false;
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    any |= carries_p (s, gimple_call_arg (call, i));
  tree lhs = gimple_call_lhs (call);
  if (!any)
    return;
  s->lost |= gimple_call_internal_p (call) || call_keeps_p (call);
  if (lhs && (POINTER_TYPE_P (TREE_TYPE (lhs))
	      || AGGREGATE_TYPE_P (TREE_TYPE (lhs))))
    note_holder (s, lhs);
}

static tree
escape_stmt (gimple_stmt_iterator *gsi, bool *handled,
	     struct walk_stmt_info *wi)
{
  escape_search *s = (escape_search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  *handled = s->skip_p (stmt, s->data);
  if (*handled)
    return NULL_TREE;
  if (gcall *call = dyn_cast<gcall *> (stmt))
    note_call (s, call);
  else if (is_gimple_assign (stmt) && !gimple_clobber_p (stmt))
    {
      bool any = false;
      for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
	any |= carries_p (s, gimple_op (stmt, i));
      if (any
	  && TREE_CODE_CLASS (gimple_assign_rhs_code (stmt)) != tcc_comparison)
	note_holder (s, gimple_assign_lhs (stmt));
    }
  else if (gimple_code (stmt) == GIMPLE_ASM)
    s->lost = true;
  else if (gomp_atomic_store *store = dyn_cast<gomp_atomic_store *> (stmt))
    s->lost |= carries_p (s, gimple_omp_atomic_store_val (store));
  return NULL_TREE;
}

bool
nested_find_holders (gimple_seq body, nested_own_p own,
		     bool (*skip_p) (const gimple *, void *), void *data,
		     hash_set<tree> *holders)
{
  escape_search s = { own, data, skip_p, holders, true, false };
  struct walk_stmt_info wi = {};
  wi.info = &s;
  while (s.changed && !s.lost)
    {
      s.changed = false;
      walk_gimple_seq (body, escape_stmt, NULL, &wi);
    }
  return !s.lost;
}
