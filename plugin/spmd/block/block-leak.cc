/* May another thread find the address of a thread's own variable?

   A thread's variables lie where no other thread can reach them, in the
   device's local memory, while GCC's device runtime has them in memory that
   all threads see.  So an address of one must not get to another thread: it
   must not be stored to memory of others, nor be left there by a function.
   Which variables may hold such an address is found without regard to the
   order of statements.

   Needs: block_find.  Keeps: all code.
   Source: Andersen's analysis, with one class of addresses.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/block/block.h"

struct leak_search
{
  const block_region *b;
  /* Variables of threads whose addresses are taken.  */
  const hash_set<tree> *addressed;
  /* Variables that may hold such an address.  */
  hash_set<tree> holders;
  bool changed, leaks;
};

/* May a value of TYPE be an address, or hold one?  */
static bool
may_hold_p (tree type)
{
  tree size = TYPE_SIZE_UNIT (type);
  return !FLOAT_TYPE_P (type)
	 && (!size || TREE_CODE (size) != INTEGER_CST
	     || tree_to_uhwi (size) >= POINTER_SIZE_UNITS);
}

static tree
find_holder (tree *tp, int *walk_subtrees, void *data)
{
  leak_search *s = (leak_search *) data;
  tree t = *tp;
  if (TYPE_P (t))
    *walk_subtrees = 0;
  else if (TREE_CODE (t) == ADDR_EXPR)
    {
      tree base = get_base_address (TREE_OPERAND (t, 0));
      if (base && DECL_P (base)
	  && CONST_CAST (hash_set<tree> *, s->addressed)->contains (base))
	return t;
    }
  return DECL_P (t) && s->holders.contains (t) ? t : NULL_TREE;
}

/* May EXPR give an address?  */
static bool
gives_p (leak_search *s, tree expr)
{
  return expr && walk_tree_without_duplicates (&expr, find_holder, s);
}

/* The place LHS gets one.  */
static void
give (leak_search *s, tree lhs)
{
  tree base = get_base_address (lhs);
  block_region *b = CONST_CAST (block_region *, s->b);
  if (!base || !VAR_P (base) || is_global_var (base)
      || b->shared.contains (base) || block_memory_p (b, base))
    s->leaks = true;
  else
    s->changed |= !s->holders.add (base);
}

static void
look_at_call (leak_search *s, gcall *call)
{
  bool gets = false, lends = call_lends_p (call);
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    {
      tree arg = gimple_call_arg (call, i);
      gets |= gives_p (s, arg);
      /* What it points to may hold one.  */
      tree base = TREE_CODE (arg) == ADDR_EXPR
		    ? get_base_address (TREE_OPERAND (arg, 0))
		    : NULL_TREE;
      s->leaks |= base && s->holders.contains (base) && !lends;
    }
  if (!gets)
    return;
  s->leaks |= call_keeps_p (call);
  tree lhs = gimple_call_lhs (call);
  if (lhs && may_hold_p (TREE_TYPE (lhs)))
    give (s, lhs);
}

static void
look_at (leak_search *s, gimple *stmt)
{
  if (gcall *call = dyn_cast<gcall *> (stmt))
    look_at_call (s, call);
  else if (gomp_atomic_store *store = dyn_cast<gomp_atomic_store *> (stmt))
    s->leaks |= gives_p (s, gimple_omp_atomic_store_val (store));
  else if (is_gimple_assign (stmt))
    {
      tree lhs = gimple_assign_lhs (stmt);
      bool gives = false;
      for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
	gives |= gives_p (s, gimple_op (stmt, i));
      if (gives && may_hold_p (TREE_TYPE (lhs)))
	give (s, lhs);
    }
}

static tree
leak_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  leak_search *s = (leak_search *) wi->info;
  look_at (s, gsi_stmt (*gsi));
  *handled = s->leaks;
  return s->leaks ? integer_one_node : NULL_TREE;
}

bool
block_leaks_p (const block_region *b, gimple_seq body,
	       const hash_set<tree> *addressed)
{
  leak_search s;
  s.b = b;
  s.addressed = addressed;
  s.leaks = false;
  struct walk_stmt_info wi = {};
  wi.info = &s;
  do
    {
      s.changed = false;
      walk_gimple_seq (body, leak_stmt, NULL, &wi);
    }
  while (s.changed && !s.leaks);
  return s.leaks;
}
