/* Objects that only a fused construct reads.

   Whatever is stored in such an object, and not read in the construct, is
   never read.  The object is the function's own: an array of this activation,
   or what one call allocates for one pointer.  Its address goes nowhere but
   into copies of that pointer that are themselves set once, into map clauses,
   and to free.  Outside of the construct the function's statements may store
   there, on the host or on the device; none loads.  So it does not matter how
   it is mapped: what comes back is not looked at either.  A pointer that the
   function is given is another matter: it may lead to what is present for the
   callers, which create and alloc then leave there.

   Needs: object_scan; leak_find of the merged construct.  Keeps: all code.
   Source: J.-D. Choi et al., "Escape Analysis for Java", OOPSLA 1999; OpenACC
   3.2, 2.7.6; OpenMP 5.0, 2.19.7.1.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"

struct search
{
  const fusion *f;
  object_name name;
  bool found;
};

static tree find_mention (tree *tp, int *walk_subtrees, void *data);

/* Is VAR a variable that leads to the object, or is that?  */
static bool
leads_p (const search *s, tree var)
{
  if (var == s->name.var)
    return true;
  if ((!DECL_P (var) && TREE_CODE (var) != SSA_NAME)
      || !POINTER_TYPE_P (TREE_TYPE (var)))
    return false;
  object_name name = object_of_pointer (var);
  return name.var == s->name.var && name.depth == s->name.depth;
}

/* Is the reference REF to the object's memory?  */
static bool
inside_p (const search *s, tree ref)
{
  tree base = reference_base (ref);
  if (DECL_P (base))
    return s->name.depth == 0 && base == s->name.var;
  if (TREE_CODE (base) != MEM_REF && TREE_CODE (base) != INDIRECT_REF)
    return false;
  tree address = TREE_OPERAND (base, 0);
  if (TREE_CODE (address) == ADDR_EXPR)
    return inside_p (s, TREE_OPERAND (address, 0));
  return leads_p (s, address);
}

static bool
mentions_p (search *s, tree *tp)
{
  bool before = s->found;
  s->found = false;
  walk_tree (tp, find_mention, s, NULL);
  bool mentions = s->found;
  s->found = before;
  return mentions;
}

/* Is the object's address, from EXPR, only copied to VAR?  */
static bool
copy_p (const search *s, tree var, tree expr)
{
  if (!POINTER_TYPE_P (TREE_TYPE (var)) || !leads_p (s, var))
    return false;
  return TREE_CODE (expr) == ADDR_EXPR ? inside_p (s, TREE_OPERAND (expr, 0))
				       : leads_p (s, expr);
}

/* Do the subscripts of REF say more of the object than where in it REF is?  */
static bool
subscripts_mention_p (search *s, tree ref)
{
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    for (int i = 1; i < TREE_OPERAND_LENGTH (ref); i++)
      if (TREE_OPERAND (ref, i) && mentions_p (s, &TREE_OPERAND (ref, i)))
	return true;
  return false;
}

/* Does the assignment STMT leave the object unread, and its address where it
   is?  */
static bool
assignment_harmless_p (search *s, gimple *stmt)
{
  if (gimple_clobber_p (stmt))
    return true;
  tree lhs = gimple_assign_lhs (stmt);
  bool copies = copy_p (s, lhs, gimple_assign_rhs1 (stmt));
  if (!copies && (inside_p (s, lhs) ? subscripts_mention_p (s, lhs)
				    : mentions_p (s, gimple_op_ptr (stmt, 0))))
    return false;
  for (unsigned i = copies ? 2 : 1; i < gimple_num_ops (stmt); i++)
    if (mentions_p (s, gimple_op_ptr (stmt, i)))
      return false;
  return true;
}

static bool
call_harmless_p (const search *s, gimple *call)
{
  if (gimple_call_builtin_p (call, BUILT_IN_FREE))
    return true;
  return s->name.depth == 1 && object_allocation (s->name.var) == call;
}

/* Is it only compared with null?  */
static bool
test_harmless_p (gimple *stmt)
{
  tree lhs = gimple_cond_lhs (stmt);
  return integer_zerop (gimple_cond_rhs (stmt))
	 && (DECL_P (lhs) || TREE_CODE (lhs) == SSA_NAME);
}

static tree
find_reader (gimple_stmt_iterator *gsi, bool *handled,
	     struct walk_stmt_info *wi)
{
  search *s = (search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (stmt == s->f->first || stmt == s->f->second || is_gimple_debug (stmt))
    *handled = true;
  else if (is_gimple_assign (stmt))
    *handled = assignment_harmless_p (s, stmt);
  else if (is_gimple_call (stmt))
    *handled = call_harmless_p (s, stmt);
  else if (gimple_code (stmt) == GIMPLE_COND)
    *handled = test_harmless_p (stmt);
  return NULL_TREE;
}

/* Does the clause C say no more than that its variable is there?  */
static bool
clause_harmless_p (tree c)
{
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_MAP:
    case OMP_CLAUSE_FROM:
    case OMP_CLAUSE_TO:
    case OMP_CLAUSE_SHARED:
      return true;
    default:
      return false;
    }
}

static tree
find_mention (tree *tp, int *walk_subtrees, void *data)
{
  search *s = (search *) data;
  tree t = *tp;
  if (TYPE_P (t))
    *walk_subtrees = 0;
  else if (TREE_CODE (t) == OMP_CLAUSE && clause_harmless_p (t))
    {
      *walk_subtrees = 0;
      walk_tree (&OMP_CLAUSE_CHAIN (t), find_mention, data, NULL);
    }
  else if (DECL_P (t) || TREE_CODE (t) == SSA_NAME)
    {
      s->found |= leads_p (s, t);
      if (VAR_P (t) && DECL_HAS_VALUE_EXPR_P (t))
	{
	  tree value = DECL_VALUE_EXPR (t);
	  walk_tree (&value, find_mention, data, NULL);
	}
    }
  return NULL_TREE;
}

static tree
find_operand (tree *tp, int *walk_subtrees, void *data)
{
  return find_mention (tp, walk_subtrees,
		       ((struct walk_stmt_info *) data)->info);
}

/* Does the object NAME begin with this activation of the function, so that it
   is nobody else's?  */
static bool
own_object_p (object_name name)
{
  if (name.var && name.depth == 1)
    return object_allocation (name.var);
  return name.var && VAR_P (name.var) && auto_var_p (name.var)
	 && name.depth == 0 && !TREE_THIS_VOLATILE (name.var)
	 && DECL_CONTEXT (name.var) == current_function_decl
	 && !DECL_HAS_VALUE_EXPR_P (name.var)
	 && TREE_CODE (TREE_TYPE (name.var)) == ARRAY_TYPE;
}

bool
fuse_unread_p (const fusion *f, unsigned o)
{
  if (o == anything || f->r.leaks || !own_object_p (f->r.objects[o].name))
    return false;
  search s = { f, f->r.objects[o].name, false };
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq (gimple_body (current_function_decl), find_reader,
		   find_operand, &wi);
  return !s.found;
}
