/* Reallocations that are assumed not to happen.

   To gfortran an assignment to an allocatable array may give it another shape:

       if (c.data == NULL || C's shape is not A's)
	 { ... c.data = realloc (c.data, ...); ... }
       for (...)
	 c.data[...] = a.data[...];

   Later compilers (14.3 and what Debian calls 14.2, then 15) set the bounds of
   an array without memory in front of that:

       if (c.data == NULL)
	 { c.dim[0].lbound = 1; c.dim[0].ubound = 0; ... }

   That leaves no loop nest alone, and a device could not do it to an array
   that the host has mapped.  The host has the same descriptors: where none of
   the tests holds, the construct goes without the blocks behind them.

   Needs: a line of the construct.  Keeps: the construct, which remains for
   when a test holds.
   Source: gfc_alloc_allocatable_for_assignment in GCC's
   fortran/trans-array.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"

/* The search for such blocks.  */
struct cold_search
{
  const line *l;
  const gomp_target *stmt;
  /* Statements that are not executed if GUARD is true.  */
  hash_set<gimple *> *left_out;
  tree guard;
  /* Those of the block in hand.  */
  auto_vec<gimple *> block;
};

/* ---- Values that the host has as well ---- */

/* Expressions are that deep.  */
static const int max_depth = 16;

static tree value_at (const cold_search *s, tree op, unsigned at, int depth);

/* The value that the assignment at place AT gives, or NULL.  */
static tree
value_assigned (const cold_search *s, unsigned at, int depth)
{
  gimple *stmt = s->l->code[at];
  tree_code code = gimple_assign_rhs_code (stmt);
  tree type = TREE_TYPE (gimple_assign_lhs (stmt));
  tree a = gimple_assign_rhs1 (stmt), b = gimple_assign_rhs2 (stmt);
  if (gimple_assign_single_p (stmt))
    return value_at (s, a, at, depth);
  /* Addresses are different; whether there is one is not.  */
  if (POINTER_TYPE_P (TREE_TYPE (a))
      && ((code != EQ_EXPR && code != NE_EXPR) || !integer_zerop (b)))
    return NULL_TREE;
  switch (code)
    {
    CASE_CONVERT:
    case NEGATE_EXPR:
      a = value_at (s, a, at, depth);
      return a ? fold_build1 (code, type, a) : NULL_TREE;
    case PLUS_EXPR:
    case MINUS_EXPR:
    case MULT_EXPR:
    case MAX_EXPR:
    case MIN_EXPR:
    case EQ_EXPR:
    case NE_EXPR:
    case LT_EXPR:
    case LE_EXPR:
    case GT_EXPR:
    case GE_EXPR:
      a = value_at (s, a, at, depth);
      b = value_at (s, b, at, depth);
      return a && b ? fold_build2 (code, type, a, b) : NULL_TREE;
    default:
      return NULL_TREE;
    }
}

/* The value of OP in front of place AT, in terms of what the host has, or
   NULL.  It has been set since the last label or jump.  */
static tree
value_at (const cold_search *s, tree op, unsigned at, int depth)
{
  if (CONSTANT_CLASS_P (op))
    return op;
  if (kernels_host_field_p (s->stmt, op))
    return unshare_expr (op);
  if (!DECL_P (op) || !register_p (op) || depth == max_depth)
    return NULL_TREE;
  while (at-- > 0)
    {
      gimple *stmt = s->l->code[at];
      if (stmt && s->left_out->contains (stmt))
	continue;
      if (!stmt || !is_gimple_assign (stmt))
	return NULL_TREE;
      if (gimple_assign_lhs (stmt) == op)
	return value_assigned (s, at, depth + 1);
    }
  return NULL_TREE;
}

/* ---- Blocks ---- */

static bool
allocates_p (gimple *stmt)
{
  return gimple_call_builtin_p (stmt, BUILT_IN_MALLOC)
	 || gimple_call_builtin_p (stmt, BUILT_IN_REALLOC)
	 || gimple_call_builtin_p (stmt, BUILT_IN_FREE);
}

static bool
in_loop_p (const line *l, unsigned at)
{
  for (unsigned i = 0; i < l->loops.length (); i++)
    if (at >= l->loops[i]->begin && at < l->loops[i]->end)
      return true;
  return false;
}

static bool
label_p (const line *l, unsigned at)
{
  return at < l->code.length () && l->code[at]
	 && gimple_code (l->code[at]) == GIMPLE_LABEL;
}

/* The first place from AT on that has no label.  */
static unsigned
past_labels (const line *l, unsigned at)
{
  while (label_p (l, at))
    at++;
  return at;
}

/* Are the jumps from and to the places from BEGIN up to END those of a
   block: from tests in front of it to its beginning, and from it to its
   end?  */
static bool
closed_p (const line *l, unsigned begin, unsigned end)
{
  for (unsigned at = 0; at < l->code.length (); at++)
    {
      int to;
      bool inside = at >= begin && at < end;
      for (unsigned n = 0; (to = line_jump_target (l, at, n)) != -1; n++)
	{
	  bool lands = to >= (int) begin && to < (int) end;
	  bool ends = to >= (int) end && to <= (int) past_labels (l, end);
	  if (inside ? !lands && !ends
		     : lands
			 && (to != (int) begin || at > begin
			     || gimple_code (l->code[at]) != GIMPLE_COND
			     || in_loop_p (l, at)))
	    return false;
	}
    }
  return true;
}

/* Is there nothing in the places from BEGIN up to END but jumps and what sets
   descriptors?  */
static bool
sets_descriptors_p (const line *l, unsigned begin, unsigned end)
{
  bool sets = false;
  for (unsigned at = begin; at < end; at++)
    switch (gimple_code (l->code[at]))
      {
      case GIMPLE_LABEL:
      case GIMPLE_GOTO:
      case GIMPLE_COND:
	break;
      case GIMPLE_ASSIGN:
	if (!decl_in_descriptor_p (gimple_assign_lhs (l->code[at])))
	  return false;
	sets = true;
	break;
      default:
	return false;
      }
  return sets;
}

static bool
allocation_p (const line *l, unsigned begin, unsigned end)
{
  for (unsigned at = begin; at < end; at++)
    if (allocates_p (l->code[at]))
      return true;
  return false;
}

/* Where a jump in front of the label at place BEGIN leads that passes over what
   is there, or -1.  */
static int
passed_over (const line *l, unsigned begin)
{
  if (begin == 0 || !l->code[begin - 1])
    return -1;
  switch (gimple_code (l->code[begin - 1]))
    {
    case GIMPLE_GOTO:
      return line_jump_target (l, begin - 1, 0);
    case GIMPLE_COND:
      {
	bool taken = line_jump_target (l, begin - 1, 0) == (int) begin;
	return line_jump_target (l, begin - 1, taken);
      }
    default:
      return -1;
    }
}

/* Is there a block at the label at place BEGIN that allocates, or gives an
   array bounds, passed over by a jump to *END?  */
static bool
block_p (const line *l, unsigned begin, unsigned *end)
{
  int to = passed_over (l, begin);
  if (to < (int) begin || in_loop_p (l, begin))
    return false;
  for (int at = begin; at < to; at++)
    if (!l->code[at] || is_gimple_omp (l->code[at]))
      return false;
  *end = to;
  bool test = gimple_code (l->code[begin - 1]) == GIMPLE_COND;
  return (test ? sets_descriptors_p (l, begin, to) : allocation_p (l, begin, to))
	 && closed_p (l, begin, to);
}

static void
leave_out (cold_search *s, unsigned at)
{
  if (!s->left_out->add (s->l->code[at]))
    s->block.safe_push (s->l->code[at]);
}

/* Does a jump that remains lead to the label at place AT?  */
static bool
wanted_p (const cold_search *s, unsigned at)
{
  int to;
  for (unsigned from = 0; from < s->l->code.length (); from++)
    if (s->l->code[from] && !s->left_out->contains (s->l->code[from]))
      for (unsigned n = 0; (to = line_jump_target (s->l, from, n)) != -1; n++)
	if (to == (int) at)
	  return true;
  return false;
}

/* From FROM up to TO, leave out the labels that are no longer wanted.  */
static void
leave_out_labels (cold_search *s, unsigned from, unsigned to)
{
  for (unsigned at = from; at < to; at++)
    if (glabel *label = s->l->code[at] ? dyn_cast<glabel *> (s->l->code[at])
				       : NULL)
      if (!FORCED_LABEL (gimple_label_label (label)) && !wanted_p (s, at))
	leave_out (s, at);
}

/* Does the program go on at place TO after AT, but for labels?  */
static bool
follows_p (const cold_search *s, unsigned at, unsigned to)
{
  for (unsigned i = at + 1; i < to; i++)
    if (!s->l->code[i]
	|| (gimple_code (s->l->code[i]) != GIMPLE_LABEL
	    && !s->left_out->contains (s->l->code[i])))
      return false;
  return to > at;
}

/* What is true if the test at place AT does not lead to BEGIN, or NULL.  */
static tree
avoided (const cold_search *s, unsigned at, unsigned begin)
{
  gimple *test = s->l->code[at];
  bool taken = line_jump_target (s->l, at, 0) == (int) begin;
  int other = line_jump_target (s->l, at, taken);
  if (other < 0 || !follows_p (s, at, other))
    return NULL_TREE;
  tree a = gimple_cond_lhs (test), b = gimple_cond_rhs (test);
  if (POINTER_TYPE_P (TREE_TYPE (a)) && !integer_zerop (b))
    return NULL_TREE;
  a = value_at (s, a, at, 0);
  b = value_at (s, b, at, 0);
  if (!a || !b)
    return NULL_TREE;
  tree is = fold_build2 (gimple_cond_code (test), boolean_type_node, a, b);
  return taken ? fold_build1 (TRUTH_NOT_EXPR, boolean_type_node, is) : is;
}

/* Leave out the block from BEGIN up to END and the tests in front of it, if
   the host can make these.  */
static bool
take_block (cold_search *s, unsigned begin, unsigned end)
{
  auto_vec<unsigned> tests;
  int to;
  s->block.truncate (0);
  for (unsigned at = 0; at < begin; at++)
    for (unsigned n = 0; (to = line_jump_target (s->l, at, n)) != -1; n++)
      if (to == (int) begin)
	{
	  tests.safe_push (at);
	  leave_out (s, at);
	}
  for (unsigned at = begin - 1; at < end; at++)
    leave_out (s, at);
  leave_out_labels (s, tests[0], past_labels (s->l, end));
  tree guard = s->guard;
  for (unsigned i = 0; i < tests.length () && guard; i++)
    {
      tree one = avoided (s, tests[i], begin);
      guard = one ? fold_build2 (TRUTH_ANDIF_EXPR, boolean_type_node, guard,
				 one)
		  : NULL_TREE;
    }
  if (guard)
    s->guard = guard;
  else
    for (unsigned i = 0; i < s->block.length (); i++)
      s->left_out->remove (s->block[i]);
  return guard != NULL_TREE;
}

/* May what remains change a descriptor?  */
static bool
descriptor_changes_p (const cold_search *s)
{
  for (unsigned at = 0; at < s->l->code.length (); at++)
    if (gimple *stmt = s->l->code[at])
      if (!s->left_out->contains (stmt)
	  && (allocates_p (stmt)
	      || (is_gimple_call (stmt)
		  && !call_without_memory_p (as_a<gcall *> (stmt)))
	      || (gimple_get_lhs (stmt)
		  && decl_in_descriptor_p (gimple_get_lhs (stmt)))))
	return true;
  return false;
}

tree
kernels_leave_out_cold (const line *l, const gomp_target *stmt,
			hash_set<gimple *> *left_out)
{
  cold_search s;
  s.l = l;
  s.stmt = stmt;
  s.left_out = left_out;
  s.guard = boolean_true_node;
  bool allocates = false;
  for (unsigned at = 0; at < l->code.length (); at++)
    allocates |= l->code[at] && allocates_p (l->code[at]);
  if (!allocates)
    return s.guard;
  for (unsigned at = 0; at < l->code.length (); at++)
    {
      int to;
      unsigned end;
      for (unsigned n = 0; (to = line_jump_target (l, at, n)) != -1; n++)
	if (to > (int) at && !left_out->contains (l->code[at])
	    && gimple_code (l->code[at]) == GIMPLE_COND
	    && block_p (l, to, &end) && take_block (&s, to, end))
	  break;
    }
  if (!integer_onep (s.guard) && !descriptor_changes_p (&s))
    return s.guard;
  left_out->empty ();
  return boolean_true_node;
}
