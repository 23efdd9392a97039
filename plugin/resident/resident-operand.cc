/* What regions' clauses are given: addresses and sizes.

   The construct that stands for the loop has them once, so they must be the
   same in each round.  They are computed in front of the loop, by copies of
   the statements that compute them in it: from a region back to where each
   variable is set, in the same round, until all comes from variables that the
   loop does not set.  Where two ways meet that part at one test (gfortran asks
   whether an array is allocated before it computes its size), the test decides
   in front of the loop as well.

   Needs: host_loop_bar.  Keeps: all code.
   Source: A. V. Aho et al., "Compilers", 2nd ed., 9.5 (code motion).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/resident.h"

static tree hoist_name (host_values *v, unsigned at, tree name);

/* ---- Ways back ---- */

static bool
jump_p (const gimple *stmt)
{
  return gimple_code (stmt) == GIMPLE_GOTO
	 || gimple_code (stmt) == GIMPLE_COND;
}

/* Behind which statements of L control comes to the label AT; a number is that
   of the next statement, or of the jump.  False when it comes from further
   down.  */
static bool
find_ways (const host_loop *l, unsigned at, vec<unsigned> *ways)
{
  tree label = gimple_label_label (as_a<glabel *> (l->code[at]));
  if (at && !jump_p (l->code[at - 1]))
    ways->safe_push (at);
  for (unsigned i = 0; i < l->code.length (); i++)
    if (stmt_jumps_to_p (l->code[i], label))
      {
	if (i > at)
	  return false;
	ways->safe_push (i);
      }
  return at > 0;
}

/* The test behind which control comes to AT, in one way, and whether that is
   where it is true; or -1.  */
static int
test_before (const host_loop *l, unsigned at, bool *yes)
{
  while (at-- > 0)
    {
      auto_vec<unsigned> ways;
      glabel *label = dyn_cast<glabel *> (l->code[at]);
      if (jump_p (l->code[at]))
	return -1;
      if (!label)
	continue;
      if (!find_ways (l, at, &ways) || ways.length () != 1)
	return -1;
      if (gcond *cond = dyn_cast<gcond *> (l->code[ways[0]]))
	if (ways[0] < at)
	  {
	    *yes = gimple_cond_true_label (cond) == gimple_label_label (label);
	    return ways[0];
	  }
      at = ways[0];
    }
  return -1;
}

/* ---- Values ---- */

/* What the test AT says, computed in front of the loop, or NULL.  */
static tree
hoist_test (host_values *v, unsigned at)
{
  gcond *cond = as_a<gcond *> (v->l->code[at]);
  tree ops[2] = { gimple_cond_lhs (cond), gimple_cond_rhs (cond) };
  for (unsigned i = 0; i < 2; i++)
    {
      if (host_name_p (ops[i]))
	ops[i] = hoist_name (v, at, ops[i]);
      if (!ops[i])
	return NULL_TREE;
    }
  return code_value (
    build2 (gimple_cond_code (cond), boolean_type_node, ops[0], ops[1]),
    "steady", &v->seq);
}

static tree value_before (host_values *v, unsigned at, tree name);

/* The value that NAME has where the ways A and B meet, which part at one test,
   or NULL.  Both sides are computed, since nothing in them can trap.  */
static tree
merge_ways (host_values *v, unsigned a, unsigned b, tree name)
{
  bool yes, other;
  int test = test_before (v->l, a, &yes);
  if (test < 0 || test_before (v->l, b, &other) != test || yes == other)
    return NULL_TREE;
  tree x = value_before (v, a, name), y = x ? value_before (v, b, name) : x;
  tree says = y ? hoist_test (v, test) : y;
  if (!says)
    return NULL_TREE;
  return code_value (
    build3 (COND_EXPR, TREE_TYPE (name), says, yes ? x : y, yes ? y : x),
    "steady", &v->seq);
}

/* The value that NAME, which the loop sets, has in front of the statement AT,
   computed in front of the loop; NULL where rounds may differ in it.  */
static tree
value_before (host_values *v, unsigned at, tree name)
{
  const host_loop *l = v->l;
  while (at-- > 0)
    {
      auto_vec<unsigned> ways;
      gimple *stmt = l->code[at];
      if (jump_p (stmt))
	return NULL_TREE;
      if (is_gimple_assign (stmt) && gimple_assign_lhs (stmt) == name)
	return host_values_of (v, at);
      if (gomp_target *target = dyn_cast<gomp_target *> (stmt))
	if (region_sets_p (target, name) || construct_stores_p (target, name))
	  return NULL_TREE;
      if (gimple_code (stmt) != GIMPLE_LABEL)
	continue;
      if (!find_ways (l, at, &ways))
	return NULL_TREE;
      if (ways.length () == 2)
	return merge_ways (v, ways[0], ways[1], name);
      if (ways.length () != 1)
	return NULL_TREE;
      at = ways[0];
    }
  return NULL_TREE;
}

/* What the reference with base BASE lies in, or what refers to it, where that
   is there in any case; else NULL.  */
static tree
place_of (tree base)
{
  if (DECL_P (base))
    return base;
  if ((TREE_CODE (base) != MEM_REF && TREE_CODE (base) != INDIRECT_REF)
      || (TREE_CODE (base) == MEM_REF
	  && !integer_zerop (TREE_OPERAND (base, 1))))
    return NULL_TREE;
  tree to = TREE_OPERAND (base, 0);
  return TREE_CODE (to) == PARM_DECL
	     && TREE_CODE (TREE_TYPE (to)) == REFERENCE_TYPE
	   ? to
	   : NULL_TREE;
}

/* Does T, no name, depend on nothing that the loop may change?  */
static bool
steady_p (host_values *v, tree t)
{
  if (is_gimple_min_invariant (t))
    return true;
  tree base = place_of (reference_base (t));
  if (!base || TREE_SIDE_EFFECTS (t) || TREE_THIS_VOLATILE (t))
    return false;
  for (; handled_component_p (t); t = TREE_OPERAND (t, 0))
    if (TREE_CODE (t) != COMPONENT_REF
	&& !(TREE_CODE (t) == ARRAY_REF
	     && TREE_CODE (TREE_OPERAND (t, 1)) == INTEGER_CST))
      return false;
  v->looked.add (base);
  return !v->l->sets.contains (base) && !v->l->locals.contains (base);
}

tree
host_values_of (host_values *v, unsigned at)
{
  gimple *stmt = v->l->code[at];
  if (tree *known = v->known.get (stmt))
    return *known;
  if (stmt_traps_p (stmt))
    return NULL_TREE;
  gimple *copy = gimple_copy (stmt);
  for (unsigned i = 1; i < gimple_num_ops (copy); i++)
    {
      tree t = gimple_op (copy, i);
      if (host_name_p (t))
	t = hoist_name (v, at, t);
      else if (!steady_p (v, t))
	t = NULL_TREE;
      if (!t)
	return NULL_TREE;
      gimple_set_op (copy, i, unshare_expr (t));
    }
  tree value = code_temp (TREE_TYPE (gimple_assign_lhs (stmt)), "steady");
  gimple_set_op (copy, 0, value);
  gimple_seq_add_stmt (&v->seq, copy);
  v->known.put (stmt, value);
  return value;
}

/* The value that NAME has at AT, or NULL when it may vary.  */
static tree
hoist_name (host_values *v, unsigned at, tree name)
{
  /* The construct has what pointers lead to at the loop's beginning.  */
  if (v->l->pointers.contains (name) && v->l->sets.contains (name)
      && DECL_P (name) && !decl_temporary_p (name)
      && !v->l->locals.contains (name))
    return name;
  if (!v->l->sets.contains (name))
    return v->l->locals.contains (name) ? NULL_TREE : name;
  return value_before (v, at, name);
}

struct hoisting
{
  host_values *v;
  unsigned at;
  bool failed;
};

static tree
hoist_operand (tree *tp, int *walk_subtrees, void *data)
{
  hoisting *h = (hoisting *) data;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (host_name_p (*tp))
    {
      tree t = hoist_name (h->v, h->at, *tp);
      h->failed |= !t;
      if (t)
	*tp = t;
    }
  return NULL_TREE;
}

bool
host_values_hoist (host_values *v, unsigned at, tree c)
{
  hoisting h = { v, at, false };
  for (int i = 0; i < omp_clause_num_ops[OMP_CLAUSE_CODE (c)]; i++)
    walk_tree (&OMP_CLAUSE_OPERAND (c, i), hoist_operand, &h, NULL);
  return !h.failed;
}

/* ---- Equal operands ---- */

/* Is T the same whenever it is looked at in L: a constant, or what L does not set; or
   is it set once in L's code, to what is the same, which ONCE says?  */
static bool
same_always_p (const host_loop *l, tree t, hash_set<tree> *once)
{
  if (is_gimple_min_invariant (t))
    return true;
  if (!host_name_p (t))
    return false;
  return once->contains (t)
	 || (!CONST_CAST (host_loop *, l)->sets.contains (t)
	     && !CONST_CAST (host_loop *, l)->locals.contains (t)
	     && (TREE_CODE (t) == SSA_NAME || host_number_p (t)));
}

/* How often L's code sets NAME.  */
static unsigned
times_set (const host_loop *l, tree name)
{
  unsigned n = 0;
  for (unsigned i = 0; i < l->code.length (); i++)
    n += is_gimple_assign (l->code[i])
	 && gimple_assign_lhs (l->code[i]) == name;
  return n;
}

/* Is STMT the one that computes a value of the compiler's, from what is always the
   same?  */
static bool
sets_always_p (const host_loop *l, gimple *stmt, hash_set<tree> *once)
{
  if (!is_gimple_assign (stmt) || gimple_clobber_p (stmt))
    return false;
  tree lhs = gimple_assign_lhs (stmt);
  if ((TREE_CODE (lhs) != SSA_NAME && !decl_temporary_p (lhs))
      || times_set (l, lhs) != 1)
    return false;
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    if (!same_always_p (l, gimple_op (stmt, i), once))
      return false;
  return true;
}

/* Two regions compute equal sizes by statements of their own.  What is computed from
   what is always the same, by a statement that alone sets it, is worth the same in
   whatever order the statements come.  */
void
host_values_number (const host_loop *l, numbering *n,
		    hash_map<tree, unsigned> *numbers)
{
  hash_set<tree> once;
  for (unsigned i = 0; i < l->code.length (); i++)
    if (sets_always_p (l, l->code[i], &once))
      {
	number_statement (n, l->code[i]);
	once.add (gimple_assign_lhs (l->code[i]));
      }
  for (unsigned i = 0; i < l->regions.length (); i++)
    for (tree c = gimple_omp_target_clauses (host_loop_region (l, i)); c;
	 c = OMP_CLAUSE_CHAIN (c))
      for (int k = 0; k < omp_clause_num_ops[OMP_CLAUSE_CODE (c)]; k++)
	{
	  tree t = OMP_CLAUSE_OPERAND (c, k);
	  if (t && host_name_p (t) && same_always_p (l, t, &once))
	    numbers->put (t, number_of_operand (n, t));
	}
}
