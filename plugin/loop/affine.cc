/* Affine forms and a little more: sums of products of symbols, so that
   subscripts of linearised arrays (j * stride + i) can be compared.

   Factors are kept far from the limits of their type; whatever would leave
   the bounds is unknown.

   Keeps: exactness: what does not fit is unknown.
   Source: M. Haghighat and C. Polychronopoulos, "Symbolic Analysis for
   Parallelizing Compilers", TOPLAS 18(4), 1996.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"

static const HOST_WIDE_INT largest_factor = HOST_WIDE_INT_1 << 40;

static vec<symbol> symbols;

void
affine_reset (void)
{
  for (unsigned i = 0; i < symbols.length (); i++)
    delete symbols[i].loaded;
  symbols.truncate (0);
}

int
affine_symbol (tree expr, line_loop *counted)
{
  for (unsigned i = 0; i < symbols.length (); i++)
    if (symbols[i].counted == counted && !symbols[i].loaded
	&& (counted || operand_equal_p (symbols[i].expr, expr)))
      return i;
  symbols.safe_push ({ expr, counted, NULL });
  return symbols.length () - 1;
}

int
affine_loaded_symbol (tree ref, const affine *at)
{
  for (unsigned i = 0; i < symbols.length (); i++)
    if (symbols[i].loaded && affine_equal_p (symbols[i].loaded, at)
	&& types_compatible_p (TREE_TYPE (symbols[i].expr), TREE_TYPE (ref)))
      return i;
  symbols.safe_push ({ ref, NULL, new affine (*at) });
  return symbols.length () - 1;
}

const symbol *
affine_symbol_of (int number)
{
  return &symbols[number];
}

int
affine_index_symbol (const line_loop *l)
{
  return affine_symbol (l->index, const_cast<line_loop *> (l));
}

affine
affine_unknown (void)
{
  affine a = {};
  a.n = -1;
  return a;
}

static affine_term
constant_term (HOST_WIDE_INT factor)
{
  affine_term t;
  t.factor = factor;
  for (int i = 0; i < AFFINE_DEGREE; i++)
    t.symbol[i] = -1;
  return t;
}

static affine
of_term (affine_term t)
{
  affine a = {};
  if (t.factor)
    a.term[a.n++] = t;
  return IN_RANGE (t.factor, -largest_factor, largest_factor)
	   ? a
	   : affine_unknown ();
}

affine
affine_constant (HOST_WIDE_INT value)
{
  return of_term (constant_term (value));
}

affine
affine_of_symbol (int number)
{
  affine_term t = constant_term (1);
  t.symbol[AFFINE_DEGREE - 1] = number;
  return of_term (t);
}

static int
compare_terms (const affine_term *a, const affine_term *b)
{
  for (int i = 0; i < AFFINE_DEGREE; i++)
    if (a->symbol[i] != b->symbol[i])
      return a->symbol[i] < b->symbol[i] ? -1 : 1;
  return 0;
}

affine
affine_add (affine a, HOST_WIDE_INT scale, affine b)
{
  if (a.n < 0 || b.n < 0)
    return affine_unknown ();
  affine sum = {};
  for (int i = 0, j = 0; i < a.n || j < b.n;)
    {
      affine_term t;
      int order = i == a.n   ? 1
		  : j == b.n ? -1
			     : compare_terms (&a.term[i], &b.term[j]);
      HOST_WIDE_INT scaled = 0;
      if (order >= 0
	  && __builtin_mul_overflow (b.term[j].factor, scale, &scaled))
	return affine_unknown ();
      t = order <= 0 ? a.term[i] : b.term[j];
      t.factor = (order <= 0 ? a.term[i].factor : 0) + scaled;
      i += order <= 0;
      j += order >= 0;
      if (!IN_RANGE (t.factor, -largest_factor, largest_factor)
	  || (t.factor && sum.n == AFFINE_TERMS))
	return affine_unknown ();
      if (t.factor)
	sum.term[sum.n++] = t;
    }
  return sum;
}

bool
affine_equal_p (const affine *a, const affine *b)
{
  affine difference = affine_add (*a, -1, *b);
  return difference.n == 0;
}

/* The product of two terms; false when there are too many symbols.  */
static bool
multiply_terms (const affine_term *a, const affine_term *b, affine_term *t)
{
  if (__builtin_mul_overflow (a->factor, b->factor, &t->factor))
    return false;
  int i = AFFINE_DEGREE - 1, j = i;
  for (int k = i; k >= 0; k--)
    {
      int x = i < 0 ? -1 : a->symbol[i], y = j < 0 ? -1 : b->symbol[j];
      t->symbol[k] = MAX (x, y);
      x > y ? i-- : j--;
    }
  /* Nothing may be left over.  */
  return (i < 0 || a->symbol[i] < 0) && (j < 0 || b->symbol[j] < 0);
}

affine
affine_multiply (affine a, affine b)
{
  affine product = affine_constant (0);
  if (a.n < 0 || b.n < 0)
    return affine_unknown ();
  for (int i = 0; i < a.n; i++)
    for (int j = 0; j < b.n; j++)
      {
	affine_term t;
	if (!multiply_terms (&a.term[i], &b.term[j], &t))
	  return affine_unknown ();
	product = affine_add (product, 1, of_term (t));
      }
  return product;
}

bool
affine_constant_p (const affine *a, HOST_WIDE_INT *value)
{
  if (a->n < 0 || a->n > 1 || (a->n && a->term[0].symbol[AFFINE_DEGREE - 1] >= 0))
    return false;
  *value = a->n ? a->term[0].factor : 0;
  return true;
}

bool
affine_split (const affine *a, int symbol, affine *coefficient, affine *rest)
{
  *coefficient = *rest = affine_constant (0);
  if (a->n < 0)
    return false;
  for (int i = 0; i < a->n; i++)
    {
      affine_term t = a->term[i];
      int power = 0;
      for (int k = 0; k < AFFINE_DEGREE; k++)
	if (t.symbol[k] == symbol)
	  {
	    /* The symbol goes, those before it move up.  */
	    for (int m = k; m > 0; m--)
	      t.symbol[m] = t.symbol[m - 1];
	    t.symbol[0] = -1;
	    power++;
	  }
      if (power > 1)
	return false;
      affine *to = power ? coefficient : rest;
      *to = affine_add (*to, 1, of_term (t));
    }
  return coefficient->n >= 0 && rest->n >= 0;
}

/* Does the expression of the symbol NUMBER contain that of PART?  Some symbols
   are operations on others.  */
static bool
contains_p (int number, int part)
{
  tree in = symbols[number].expr, what = symbols[part].expr;
  if (number != part && symbols[number].loaded)
    return affine_mentions_p (symbols[number].loaded, part);
  return number == part
	 || walk_tree_without_duplicates (
	   &in,
	   [] (tree *tp, int *, void *data) -> tree {
	     return operand_equal_p (*tp, (tree) data) ? *tp : NULL_TREE;
	   },
	   what);
}

bool
affine_mentions_p (const affine *a, int symbol)
{
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < AFFINE_DEGREE; k++)
      if (a->term[i].symbol[k] >= 0
	  && contains_p (a->term[i].symbol[k], symbol))
	return true;
  return false;
}

bool
affine_varies_p (const affine *a)
{
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < AFFINE_DEGREE; k++)
      if (a->term[i].symbol[k] >= 0
	  && (symbols[a->term[i].symbol[k]].counted
	      || symbols[a->term[i].symbol[k]].loaded))
	return true;
  return false;
}

tree
affine_tree (const affine *a, tree type)
{
  tree sum = build_zero_cst (type);
  for (int i = 0; i < a->n; i++)
    {
      tree product = build_int_cst (type, a->term[i].factor);
      for (int k = 0; k < AFFINE_DEGREE; k++)
	if (a->term[i].symbol[k] >= 0)
	  product = fold_build2 (
	    MULT_EXPR, type, product,
	    fold_convert (type, unshare_expr (
				  symbols[a->term[i].symbol[k]].expr)));
      sum = fold_build2 (PLUS_EXPR, type, sum, product);
    }
  return sum;
}

/* The highest numbered loop index in A, or -1.  Inner loops come after outer
   ones, and bounds speak of outer loops only.  */
static int
innermost_index (const affine *a)
{
  int found = -1;
  for (int i = 0; i < a->n; i++)
    for (int k = 0; k < AFFINE_DEGREE; k++)
      {
	int s = a->term[i].symbol[k];
	if (s >= 0 && symbols[s].counted
	    && (found < 0
		|| symbols[s].counted->depth > symbols[found].counted->depth))
	  found = s;
      }
  return found;
}

/* The last value that the index of L may have, where UPPER, else the first one
   in the order of numbers.  */
static affine
index_limit (const line_loop *l, bool upper)
{
  if (upper == (l->step < 0))
    return l->first;
  switch (l->cond)
    {
    case LT_EXPR:
      return affine_add (l->bound, -1, affine_constant (1));
    case GT_EXPR:
      return affine_add (l->bound, 1, affine_constant (1));
    default:
      return l->bound;
    }
}

tree
affine_extreme (const affine *a, bool upper)
{
  if (a->n < 0)
    return NULL_TREE;
  int index = innermost_index (a);
  if (index < 0)
    return affine_varies_p (a) ? NULL_TREE : affine_tree (a, ssizetype);
  affine coefficient, rest;
  if (!affine_split (a, index, &coefficient, &rest)
      || affine_varies_p (&coefficient))
    return NULL_TREE;
  const line_loop *l = symbols[index].counted;
  affine at[2];
  for (int up = 0; up < 2; up++)
    at[up] = affine_add (rest, 1,
			 affine_multiply (coefficient, index_limit (l, up)));
  HOST_WIDE_INT factor;
  if (affine_constant_p (&coefficient, &factor))
    return affine_extreme (&at[upper == (factor > 0)], upper);
  /* The coefficient may have either sign.  */
  tree low = affine_extreme (&at[0], upper);
  tree high = affine_extreme (&at[1], upper);
  if (!low || !high)
    return NULL_TREE;
  return fold_build2 (upper ? MAX_EXPR : MIN_EXPR, ssizetype, low, high);
}
