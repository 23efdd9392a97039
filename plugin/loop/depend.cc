/* Dependence: may the iterations of a loop run in any order?

   Two accesses, one of them a write, must not touch the same byte in two
   different iterations of the loop.  The loops around it are in one iteration,
   those inside it in any.  With the addresses

       a * i + x    and    a * i' + y,

   i and i' the index in the two iterations, the accesses are apart when

       |x - y| < |a * step|    (a range test: Blume and Eigenmann 1994)

   over all values of the inner indices, when the greatest common divisor of
   the factors does not divide the constant part, or when both hold no index
   at all and differ by a constant.  In arrays of several dimensions it is
   enough that the subscripts of one dimension are apart, where GCC itself
   takes subscripts to be within their dimension.  The range test also sees
   through linearised subscripts (j * stride + i).  It wants the largest stride
   to be that of the loop tested; strides in another order (i + j * stride) are
   compared with one another, see sorted_apart.  Where no subscript by itself is apart,
   all of them together may be (subscripts.cc).

   Different objects are apart when alias.cc has proved it.  What is left to be
   true for symbols -- the range test's inequality, or that the bytes accessed
   through two pointers do not overlap -- is a condition for the program to
   check when it runs (Rus, Rauchwerger and Hoeflinger, Hybrid Analysis, 2003).

   Needs: flow_find.  Keeps: all code.
   Source: W. Blume and R. Eigenmann, "The Range Test", Supercomputing 1994;
   S. Rus, L. Rauchwerger and J. Hoeflinger, "Hybrid Analysis", IJPP 31(4),
   2003.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"

/* More conditions than this are not worth their evaluation.  */
static const int most_conditions = 12;

/* Values that places are given by which are stored in every iteration: those of one
   place after the other, with the number of the first of the next.  */
struct stored_places
{
  auto_vec<affine> values;
  auto_vec<unsigned> ends;
  bool found;
};

struct test
{
  line *l;
  const line_loop *what;
  tree guard;
  int conditions;
  /* The condition in hand is about objects, not about iterations.  */
  bool objects;
  /* Where it is about two bodies, whose iterations may be executed in any order; else
     NULL.  */
  stored_places *places;
};

enum verdict
{
  APART,
  /* If a condition holds.  */
  MAYBE,
  TOGETHER
};

/* A condition is true, false or left to run time.  */
static verdict
judge (tree condition)
{
  if (!condition || integer_zerop (condition))
    return TOGETHER;
  return integer_onep (condition) ? APART : MAYBE;
}

/* Require CONDITION, once.  */
static bool
require (test *t, tree condition)
{
  for (tree c = t->guard; c; c = TREE_CODE (c) == TRUTH_ANDIF_EXPR
				   ? TREE_OPERAND (c, 0)
				   : NULL_TREE)
    if (operand_equal_p (c, condition)
	|| (TREE_CODE (c) == TRUTH_ANDIF_EXPR
	    && operand_equal_p (TREE_OPERAND (c, 1), condition)))
      return true;
  if (++t->conditions > most_conditions)
    return false;
  t->guard = integer_onep (t->guard)
	       ? condition
	       : build2 (TRUTH_ANDIF_EXPR, boolean_type_node, t->guard,
			 condition);
  return true;
}

static bool
inside_p (const line_loop *inner, const line_loop *outer)
{
  while (inner && inner != outer)
    inner = inner->outer;
  return inner != NULL;
}

static tree
absolute (tree x)
{
  return fold_build1 (ABS_EXPR, ssizetype, x);
}

/* The greatest common divisor of the factors of what varies in A, with the
   steps of indices that start at a known place.  */
static HOST_WIDE_INT
common_divisor (const affine *a, HOST_WIDE_INT divisor)
{
  for (int i = 0; i < a->n; i++)
    if (a->term[i].symbol[AFFINE_DEGREE - 1] >= 0)
      divisor = gcd (divisor, a->term[i].factor);
  return divisor;
}

/* The constant in A.  */
static HOST_WIDE_INT
constant_part (const affine *a)
{
  return a->n > 0 && a->term[0].symbol[AFFINE_DEGREE - 1] < 0
	   ? a->term[0].factor
	   : 0;
}

/* Is every inner index in A bounded by expressions that hold in all
   iterations?  Then *LOW and *HIGH are the limits of A.  */
static bool
limits (const affine *a, tree *low, tree *high)
{
  *low = affine_extreme (a, false);
  *high = affine_extreme (a, true);
  return *low && *high;
}

/* Remove from A and B what the loops around the one tested contribute to both:
   it is the same.  */
static void
cancel_outer (const line_loop *what, affine *a, affine *b)
{
  for (const line_loop *l = what->outer; l; l = l->outer)
    {
      if (!l->index)
	continue;
      affine in_a, in_b, rest_a, rest_b;
      int index = affine_index_symbol (l);
      if (!affine_split (a, index, &in_a, &rest_a)
	  || !affine_split (b, index, &in_b, &rest_b))
	continue;
      affine difference = affine_add (in_a, -1, in_b);
      if (difference.n == 0)
	{
	  *a = rest_a;
	  *b = rest_b;
	}
    }
}

/* Remove symbols that have one value from both.  */
static void
cancel_fixed (affine *a, affine *b)
{
  affine fixed = affine_constant (0);
  for (int i = 0; i < a->n; i++)
    {
      affine one = {};
      one.n = 1;
      one.term[0] = a->term[i];
      if (affine_varies_p (&one))
	continue;
      for (int j = 0; j < b->n; j++)
	if (!memcmp (b->term[j].symbol, a->term[i].symbol,
		     sizeof a->term[i].symbol)
	    && b->term[j].factor == a->term[i].factor)
	  fixed = affine_add (fixed, 1, one);
    }
  *a = affine_add (*a, -1, fixed);
  *b = affine_add (*b, -1, fixed);
}

/* Is a symbol of one value left in A?  Then the accesses are likely to be whole
   iterations apart, and no test is worth it.  */
static bool
has_fixed_symbol_p (const affine *a)
{
  for (int i = 0; i < a->n; i++)
    {
      affine one = {};
      one.n = 1;
      one.term[0] = a->term[i];
      if (one.term[0].symbol[AFFINE_DEGREE - 1] >= 0 && !affine_varies_p (&one))
	return true;
    }
  return false;
}

/* How far two iterations of a loop are apart at least, and at most.  */
struct stride
{
  tree least, most;
};

/* Add to STRIDES those in A of L and the loops inside.  False when one of them is
   not known.  */
static bool
add_strides (const line_loop *l, const affine *a, auto_vec<stride> *strides)
{
  affine coefficient, rest, index = affine_unknown ();
  if (l->index)
    index = affine_of_symbol (affine_index_symbol (l));
  if (l->index
      && !affine_split (a, affine_index_symbol (l), &coefficient, &rest))
    return false;
  if (l->index && coefficient.n != 0)
    {
      tree low, high;
      if (affine_varies_p (&coefficient) || !limits (&index, &low, &high))
	return false;
      tree factor = absolute (affine_tree (&coefficient, ssizetype));
      tree extent = fold_build2 (MINUS_EXPR, ssizetype, high, low);
      extent = fold_build2 (MAX_EXPR, ssizetype, extent, ssize_int (0));
      strides->safe_push (
	{ fold_build2 (MULT_EXPR, ssizetype, factor,
		       ssize_int (absu_hwi (l->step))),
	  fold_build2 (MULT_EXPR, ssizetype, factor, extent) });
    }
  for (unsigned i = 0; i < l->inner.length (); i++)
    if (!add_strides (l->inner[i], a, strides))
      return false;
  return true;
}

/* The condition that different iterations of WHAT are more than REACH slots
   apart, in a place that A is, whatever the order of the strides; or NULL.

   Take two points of the nest in different iterations of WHAT, and of the loops
   in which they differ the one with the largest stride S.  The others bring them
   together by no more than the extents of the loops whose stride is at most S.  So
   it is enough that S exceeds these and REACH.  S is at least WHAT's stride, and
   its loop has more than one iteration; all other loops need no condition.  */
static tree
sorted_apart (const line_loop *what, const affine *a, HOST_WIDE_INT reach)
{
  auto_vec<stride> strides;
  if (!add_strides (what, a, &strides) || strides.length () < 2
      || strides.length () > 4)
    return NULL_TREE;
  tree all = boolean_true_node;
  for (unsigned i = 0; i < strides.length (); i++)
    {
      const stride *s = &strides[i];
      tree others = ssize_int (reach);
      for (unsigned j = 0; j < strides.length (); j++)
	if (j != i)
	  others = fold_build2 (
	    PLUS_EXPR, ssizetype, others,
	    fold_build3 (COND_EXPR, ssizetype,
			 fold_build2 (LE_EXPR, boolean_type_node,
				      strides[j].least, s->least),
			 strides[j].most, ssize_int (0)));
      tree apart
	= fold_build2 (TRUTH_ORIF_EXPR, boolean_type_node,
		       fold_build2 (GT_EXPR, boolean_type_node, s->least,
				    others),
		       fold_build2 (GT_EXPR, boolean_type_node, s->least,
				    s->most));
      if (i > 0)
	apart = fold_build2 (TRUTH_ORIF_EXPR, boolean_type_node,
			     fold_build2 (LT_EXPR, boolean_type_node, s->least,
					  strides[0].least),
			     apart);
      all = fold_build2 (TRUTH_ANDIF_EXPR, boolean_type_node, all, apart);
    }
  return all;
}

/* A and B are numbers of slots that WIDTH_A and WIDTH_B slots are accessed at.
   Are they apart in different iterations?  MAYBE: if *CONDITION.  */
static verdict
apart_p (const line_loop *what, affine a, HOST_WIDE_INT width_a, affine b,
	 HOST_WIDE_INT width_b, tree *condition)
{
  affine in_a, in_b, rest_a, rest_b;
  int index = affine_index_symbol (what);
  cancel_outer (what, &a, &b);
  cancel_fixed (&a, &b);
  if (a.n < 0 || b.n < 0 || !affine_split (&a, index, &in_a, &rest_a)
      || !affine_split (&b, index, &in_b, &rest_b))
    return TOGETHER;

  /* Reach of the accesses around their addresses.  */
  HOST_WIDE_INT above = width_b - 1, below = width_a - 1;
  affine difference = affine_add (in_a, -1, in_b);
  HOST_WIDE_INT divisor = common_divisor (&rest_a, 0), factor = 0;
  divisor = common_divisor (&rest_b, divisor);
  if (difference.n == 0 && affine_constant_p (&in_a, &factor))
    divisor = gcd (divisor, factor * what->step);
  else
    {
      divisor = common_divisor (&in_a, divisor);
      divisor = common_divisor (&in_b, divisor);
      divisor = gcd (divisor, constant_part (&in_a));
      divisor = gcd (divisor, constant_part (&in_b));
    }
  HOST_WIDE_INT between = constant_part (&rest_a) - constant_part (&rest_b);
  divisor = absu_hwi (divisor);
  if (divisor == 0)
    {
      if (between > above || -between > below)
	return APART;
    }
  else
    {
      HOST_WIDE_INT remainder = between % divisor;
      if (remainder < 0)
	remainder += divisor;
      if (remainder > above && divisor - remainder > below)
	return APART;
    }

  tree low_a, high_a, low_b, high_b;
  if (difference.n != 0 || in_a.n == 0 || affine_varies_p (&in_a)
      || has_fixed_symbol_p (&rest_a) || has_fixed_symbol_p (&rest_b)
      || !limits (&rest_a, &low_a, &high_a)
      || !limits (&rest_b, &low_b, &high_b))
    return TOGETHER;
  /* -distance < x - y - above and x - y + below < distance.  */
  tree distance
    = absolute (fold_build2 (MULT_EXPR, ssizetype,
			     affine_tree (&in_a, ssizetype),
			     ssize_int (what->step)));
  /* Not even with one iteration of the inner loops.  */
  HOST_WIDE_INT known = absu_hwi (factor * what->step);
  if (known && (between + below >= known || above - between >= known))
    return TOGETHER;
  tree most = fold_build2 (PLUS_EXPR, ssizetype,
			   fold_build2 (MINUS_EXPR, ssizetype, high_a, low_b),
			   ssize_int (below));
  tree least = fold_build2 (PLUS_EXPR, ssizetype,
			    fold_build2 (MINUS_EXPR, ssizetype, high_b, low_a),
			    ssize_int (above));
  *condition
    = fold_build2 (TRUTH_AND_EXPR, boolean_type_node,
		   fold_build2 (LT_EXPR, boolean_type_node, most, distance),
		   fold_build2 (LT_EXPR, boolean_type_node, least, distance));
  affine offset = affine_add (a, -1, b);
  HOST_WIDE_INT constant;
  tree sorted = affine_constant_p (&offset, &constant)
		  ? sorted_apart (what, &a, absu_hwi (constant)
					      + MAX (above, below))
		  : NULL_TREE;
  if (sorted)
    *condition = fold_build2 (TRUTH_ORIF_EXPR, boolean_type_node, *condition,
			      sorted);
  return judge (*condition);
}

/* Are A and B accesses to arrays of one shape in one place?  */
static bool
same_shape_p (const line_access *a, const line_access *b)
{
  if (a->dims < 2 || a->dims != b->dims || !affine_equal_p (&a->root, &b->root))
    return false;
  tree x = a->ref, y = b->ref;
  for (int i = 0; i < a->dims; i++)
    {
      x = TREE_OPERAND (x, 0);
      y = TREE_OPERAND (y, 0);
      if (TYPE_MAIN_VARIANT (TREE_TYPE (x))
	  != TYPE_MAIN_VARIANT (TREE_TYPE (y)))
	return false;
    }
  return true;
}

/* The addresses of the accesses in the loop to the object OBJECT are [*LOW,
   *HIGH).  Those that differ by a constant are taken together.  */
static bool
span (const test *t, unsigned object, tree *low, tree *high)
{
  struct part
  {
    affine shape;
    HOST_WIDE_INT low, high;
  };
  auto_vec<part> parts;
  for (unsigned i = 0; i < t->l->accesses.length (); i++)
    {
      const line_access *a = &t->l->accesses[i];
      if (a->object != object || !inside_p (a->in, t->what))
	continue;
      if (!a->size || a->address.n < 0)
	return false;
      HOST_WIDE_INT at = constant_part (&a->address);
      part p = { affine_add (a->address, -1, affine_constant (at)), at,
		 at + a->size };
      unsigned j = 0;
      for (; j < parts.length (); j++)
	if (affine_equal_p (&parts[j].shape, &p.shape))
	  break;
      if (j == parts.length ())
	parts.safe_push (p);
      parts[j].low = MIN (parts[j].low, p.low);
      parts[j].high = MAX (parts[j].high, p.high);
    }
  *low = *high = NULL_TREE;
  for (unsigned i = 0; i < parts.length (); i++)
    {
      tree first, last;
      if (!limits (&parts[i].shape, &first, &last))
	return false;
      first = fold_build2 (PLUS_EXPR, ssizetype, first,
			   ssize_int (parts[i].low));
      last = fold_build2 (PLUS_EXPR, ssizetype, last,
			  ssize_int (parts[i].high));
      *low = *low ? fold_build2 (MIN_EXPR, ssizetype, *low, first) : first;
      *high = *high ? fold_build2 (MAX_EXPR, ssizetype, *high, last) : last;
    }
  return *low != NULL_TREE;
}

/* Is X a variable, and Y reached through a pointer that cannot lead there?  */
static bool
variable_apart_p (const object *x, const object *y)
{
  return x->name.depth == 0 && y->name.depth > 0
	 && object_by_name_only_p (x->name.var);
}

bool
depend_objects_apart_p (const line *l, const line_access *a, const line_access *b)
{
  const object *x = &l->r->objects[a->object];
  const object *y = &l->r->objects[b->object];
  if (a->object == anything || b->object == anything)
    return false;
  return (x->group != ACR_ALIAS_ANY && y->group != ACR_ALIAS_ANY
	  && x->group != y->group)
	 || variable_apart_p (x, y) || variable_apart_p (y, x);
}

bool
depend_objects_apart_if_p (const line *l, const line_access *a,
			   const line_access *b)
{
  if (depend_objects_apart_p (l, a, b))
    return true;
  for (unsigned i = 0; i < l->apart.length (); i++)
    {
      const object_pair *p = &l->apart[i];
      if (inside_p (a->in, p->in) && inside_p (b->in, p->in)
	  && ((p->a == a->object && p->b == b->object)
	      || (p->a == b->object && p->b == a->object)))
	return true;
    }
  return false;
}

bool
depend_load_apart_p (const line *l, const line_access *a,
		     const line_access *b)
{
  return depend_objects_apart_p (l, a, b)
	 || (decl_in_descriptor_p (a->ref)
	     && !decl_in_descriptor_p (b->ref))
	 /* The compiler's own pointer to an argument.  */
	 || (DECL_P (a->ref) && reference_base (b->ref) != a->ref
	     && lang_hooks.decls.omp_privatize_by_reference (a->ref));
}

/* Accesses to different objects.  */
static verdict
objects_apart_p (test *t, const line_access *a, const line_access *b,
		 tree *condition)
{
  if (depend_objects_apart_p (t->l, a, b))
    return APART;
  tree low_a, high_a, low_b, high_b;
  if (a->object == anything || b->object == anything
      || !span (t, a->object, &low_a, &high_a)
      || !span (t, b->object, &low_b, &high_b))
    return TOGETHER;
  *condition
    = build2 (TRUTH_OR_EXPR, boolean_type_node,
	      build2 (LE_EXPR, boolean_type_node, high_a, low_b),
	      build2 (LE_EXPR, boolean_type_node, high_b, low_a));
  t->objects = true;
  return MAYBE;
}

bool
depend_accesses_apart_p (line *l, const line_loop *what, const line_access *a,
			 const line_access *b, tree *guard)
{
  test t = { l, what, *guard, 0, false, NULL };
  tree condition;
  if (depend_objects_apart_p (l, a, b))
    return true;
  if (a->object == b->object
      || objects_apart_p (&t, a, b, &condition) != MAYBE
      || !require (&t, condition))
    return false;
  *guard = t.guard;
  return true;
}

/* The innermost loop that the directive of T's loop collapses with it, or that.  */
static const line_loop *
body_of (const test *t)
{
  const line_loop *inner = t->what;
  while (inner->directive && inner->dim + 1
			       < gimple_omp_for_collapse (inner->directive))
    inner = inner->inner[0];
  return inner;
}

/* Find T's places, once.  */
static void
find_places (const test *t)
{
  stored_places *p = t->places;
  for (unsigned i = 0; !p->found && i < t->l->accesses.length (); i++)
    {
      unsigned before = p->values.length ();
      if (subscripts_stored_p (t->l, t->what, body_of (t), &t->l->accesses[i],
			       &p->values))
	p->ends.safe_push (p->values.length ());
      else
	p->values.truncate (before);
    }
  p->found = true;
}

/* Are A and B, of one shape, apart by all of their subscripts; or where there are two
   bodies, by values that a place is given by which one of them stores in every
   iteration?  */
static bool
told_apart_p (const test *t, const line_access *a, const line_access *b)
{
  if (subscripts_apart_p (t->what, a, b))
    return true;
  if (t->places)
    find_places (t);
  for (unsigned i = 0, at = 0; t->places && i < t->places->ends.length (); i++)
    {
      unsigned end = t->places->ends[i];
      if (subscripts_given_p (a, b, &t->places->values[at], end - at))
	return true;
      at = end;
    }
  return false;
}

/* Are A and B, one a write, apart in different iterations?  */
static verdict
accesses_apart_p (test *t, const line_access *a, const line_access *b,
		  tree *condition)
{
  verdict best = TOGETHER;
  affine between = affine_add (a->address, -1, b->address);
  bool same = between.n >= 0;
  for (int i = 0; i < between.n; i++)
    for (int k = 0; k < AFFINE_DEGREE; k++)
      {
	int s = between.term[i].symbol[k];
	same &= s < 0 || !POINTER_TYPE_P (TREE_TYPE (affine_symbol_of (s)->expr));
      }
  if (!same)
    return a->object == b->object && a->object != anything
	     ? TOGETHER
	     : objects_apart_p (t, a, b, condition);
  if (same_shape_p (a, b))
    for (int i = 0; i < a->dims; i++)
      {
	tree if_true = NULL_TREE;
	verdict v = apart_p (t->what, a->subscript[i], 1, b->subscript[i], 1,
			     &if_true);
	if (v < best)
	  {
	    best = v;
	    *condition = if_true;
	  }
      }
  if (best != APART && same_shape_p (a, b) && told_apart_p (t, a, b))
    return APART;
  if (best == APART || !a->size || !b->size)
    return best;
  tree if_true = NULL_TREE;
  verdict v
    = apart_p (t->what, a->address, a->size, b->address, b->size, &if_true);
  if (v < best)
    {
      best = v;
      *condition = if_true;
    }
  return best;
}

/* Is the memory of A new in each iteration of the loop, or, when that is
   false, the construct's own?  */
static bool
own_memory_p (const test *t, const line_access *a, bool *each_iteration)
{
  tree base = a->object == anything
		? NULL_TREE
		: t->l->r->objects[a->object].name.var;
  if (!base || t->l->r->objects[a->object].name.depth > 0)
    return false;
  for (unsigned i = 0; i < t->l->decls.length (); i++)
    if (t->l->decls[i].var == base)
      {
	*each_iteration = t->l->decls[i].at >= t->what->body_begin
			  && t->l->decls[i].at < t->what->body_end;
	return true;
      }
  return false;
}

bool
depend_iterations_apart_p (line *l, const line_loop *what,
			   const line_access *a, const line_access *b,
			   tree *guard)
{
  test t = { l, what, *guard, 0, false, NULL };
  bool each;
  tree condition = NULL_TREE;
  for (tree c = t.guard; TREE_CODE (c) == TRUTH_ANDIF_EXPR;
       c = TREE_OPERAND (c, 0))
    t.conditions++;
  if (own_memory_p (&t, a, &each) || own_memory_p (&t, b, &each))
    return each;
  switch (accesses_apart_p (&t, a, b, &condition))
    {
    case APART:
      return true;
    case MAYBE:
      if (!require (&t, condition))
	return false;
      *guard = t.guard;
      return true;
    default:
      return false;
    }
}

/* Does the pair of accesses number I and J matter?  Where BORDER is not 0, the
   accesses before that number are a first body's, and only a pair of one
   access of each body does.  */
static bool
counts_p (unsigned border, unsigned i, unsigned j)
{
  return !border || (i < border) != (j < border);
}

/* Do A and B, of two bodies, access the same place, which one of the bodies
   stores in every iteration?  Then no two iterations share a place: else the
   iterations of that body could not be executed in any order, as the directive
   says that they can.  */
static bool
one_place_p (const test *t, const line_access *a, const line_access *b)
{
  const line_loop *inner = body_of (t);
  if (!a->size || a->size != b->size || a->in != inner || b->in != inner
      || !affine_equal_p (&a->address, &b->address))
    return false;
  return (a->write && line_always_p (t->l, a) && subscripts_once_p (t->l, a))
	 || (b->write && line_always_p (t->l, b)
	     && subscripts_once_p (t->l, b));
}

/* The answer to depend_loop or depend_between.  PAIR, unless it is NULL, gets
   the accesses that are in the way.  */
static const char *
depend (line *l, const line_loop *what, unsigned border, tree *guard,
	const line_access **pair)
{
  stored_places places = {};
  test t = { l, what, *guard, 0, false, border ? &places : NULL };
  for (unsigned i = 0; i < l->accesses.length (); i++)
    {
      const line_access *a = &l->accesses[i];
      bool each;
      if (!inside_p (a->in, what))
	continue;
      if (own_memory_p (&t, a, &each))
	{
	  if (!each)
	    return "iterations share an array of the region's own";
	  continue;
	}
      for (unsigned j = 0; a->write && j < l->accesses.length (); j++)
	{
	  const line_access *b = &l->accesses[j];
	  if (!inside_p (b->in, what) || (b->write && j < i)
	      || !counts_p (border, i, j)
	      || (border && one_place_p (&t, a, b)))
	    continue;
	  tree condition = NULL_TREE;
	  t.objects = false;
	  switch (accesses_apart_p (&t, a, b, &condition))
	    {
	    case APART:
	      break;
	    case MAYBE:
	      if (!require (&t, condition))
		return "too many conditions";
	      if (t.objects && !depend_objects_apart_if_p (l, a, b))
		l->apart.safe_push ({ a->object, b->object, what });
	      break;
	    case TOGETHER:
	      if (pair)
		{
		  pair[0] = a;
		  pair[1] = b;
		}
	      return "iterations may touch the same memory";
	    }
	}
    }
  *guard = t.guard;
  return NULL;
}

const char *
depend_loop (line *l, const line_loop *what, tree *guard)
{
  return depend (l, what, 0, guard, NULL);
}

const char *
depend_between (line *l, const line_loop *what, unsigned border, tree *guard,
		const line_access **pair)
{
  /* One body has none.  */
  return border ? depend (l, what, border, guard, pair) : NULL;
}
