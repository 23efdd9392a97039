/* Places in arrays of several dimensions, by all of their subscripts together.

   Subscripts are within their dimensions, as GCC itself takes them to be, so two
   accesses to arrays of one shape are to one place only if all subscripts are the
   same.  That is a system of linear equations; unknowns are the values that loop
   indices, and what is loaded from index lists, have in the one iteration and in the
   other.  The accesses are apart in different iterations when the system has no
   solution, or none but with the same index:

       v[l - i - j][j][i]  and  v[l - i' - j'][j' - 1][i']:    0 = -1

   whatever i and j are.  So it is with planes of a wavefront, or colours.

   And of what a body stores in each iteration no two iterations share a place, as
   they may be executed in any order.  So values that such a place is given by, all
   else in it being the same in all iterations, are never all the same in two
   iterations; nor are other places given by these values.  A list may name a place
   twice, though, where all that iterations do is store the same there, which is no
   program, but works; so what is given by a list must be loaded before as well.

   Needs: flow_find.  Keeps: all code.
   Source: U. Banerjee, "Dependence Analysis for Supercomputing", 1988 (systems of
   subscripts, the extended GCD test); L. Lamport, "The Parallel Execution of DO
   Loops", CACM 17(2), 1974.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"

/* ---- Equations ---- */

enum
{
  MOST_UNKNOWNS = 32
};

/* The value of a product of symbols, which in the second of two iterations may be
   another one.  */
struct unknown
{
  const affine_term *product;
  bool second;
};

struct equations
{
  const line_loop *what;
  unsigned n, unknowns;
  unknown of[MOST_UNKNOWNS];
  /* The last column is the constant.  */
  HOST_WIDE_INT factor[ACCESS_DIMS + 1][MOST_UNKNOWNS + 1];
};

/* Has the product of T's symbols one value in all iterations of WHAT, those of the
   loops around it being the same?  */
static bool
fixed_p (const line_loop *what, const affine_term *t)
{
  for (int k = 0; k < AFFINE_DEGREE; k++)
    {
      const symbol *s
	= t->symbol[k] < 0 ? NULL : affine_symbol_of (t->symbol[k]);
      if (s && s->loaded)
	return false;
      const line_loop *l = s && s->counted ? what->outer : NULL;
      while (l && l != s->counted)
	l = l->outer;
      if (s && s->counted && !l)
	return false;
    }
  return true;
}

/* Is A the same in all iterations of WHAT?  */
static bool
same_p (const line_loop *what, const affine *a)
{
  for (int i = 0; i < a->n; i++)
    if (!fixed_p (what, &a->term[i]))
      return false;
  return a->n >= 0;
}

/* The column of T in E, of the SECOND iteration or of the first; -1 when there are too
   many.  */
static int
column_of (equations *e, const affine_term *t, bool second)
{
  if (t->symbol[AFFINE_DEGREE - 1] < 0)
    return MOST_UNKNOWNS;
  second &= !fixed_p (e->what, t);
  for (unsigned i = 0; i < e->unknowns; i++)
    if (e->of[i].second == second
	&& !memcmp (e->of[i].product->symbol, t->symbol, sizeof t->symbol))
      return i;
  if (e->unknowns == MOST_UNKNOWNS)
    return -1;
  e->of[e->unknowns] = { t, second };
  return e->unknowns++;
}

/* Add SIGN * A, in the SECOND iteration or in the first, to equation ROW of E.  */
static bool
add_side (equations *e, unsigned row, const affine *a, int sign, bool second)
{
  for (int i = 0; i < a->n; i++)
    {
      int column = column_of (e, &a->term[i], second);
      if (column < 0)
	return false;
      e->factor[row][column] += sign * a->term[i].factor;
    }
  return a->n >= 0;
}

/* Remove the unknown COLUMN from row TO of E by row FROM, which has it.  */
static bool
eliminate (equations *e, unsigned to, unsigned from, unsigned column)
{
  HOST_WIDE_INT have = e->factor[to][column], by = e->factor[from][column];
  HOST_WIDE_INT divisor = 0;
  if (!have)
    return true;
  for (unsigned i = 0; i <= MOST_UNKNOWNS; i++)
    {
      HOST_WIDE_INT x, y;
      if (__builtin_mul_overflow (e->factor[to][i], by, &x)
	  || __builtin_mul_overflow (e->factor[from][i], have, &y)
	  || __builtin_sub_overflow (x, y, &e->factor[to][i]))
	return false;
      divisor = gcd (divisor, e->factor[to][i]);
    }
  for (unsigned i = 0; divisor && i <= MOST_UNKNOWNS; i++)
    e->factor[to][i] /= divisor;
  return true;
}

/* Is row ROW of E without unknowns?  */
static bool
known_p (const equations *e, unsigned row)
{
  for (unsigned i = 0; i < e->unknowns; i++)
    if (e->factor[row][i])
      return false;
  return true;
}

/* Do E's equations have no solution, or none with different indices of the loop, of
   which row E->n says that they are the same?  */
static bool
solve (equations *e)
{
  unsigned done = 0;
  for (unsigned column = 0; column < e->unknowns && done < e->n; column++)
    {
      unsigned pivot = done;
      while (pivot < e->n && !e->factor[pivot][column])
	pivot++;
      if (pivot == e->n)
	continue;
      if (pivot != done)
	for (unsigned i = 0; i <= MOST_UNKNOWNS; i++)
	  std::swap (e->factor[pivot][i], e->factor[done][i]);
      for (unsigned row = done + 1; row <= e->n; row++)
	if (!eliminate (e, row, done, column))
	  return false;
      done++;
    }
  for (unsigned row = done; row < e->n; row++)
    if (e->factor[row][MOST_UNKNOWNS])
      return true;
  return known_p (e, e->n) && !e->factor[e->n][MOST_UNKNOWNS];
}

bool
subscripts_apart_p (const line_loop *what, const line_access *a,
		    const line_access *b)
{
  equations e = {};
  e.what = what;
  if (!same_p (what, &a->root))
    return false;
  for (int i = 0; i < a->dims; i++)
    if (a->subscript[i].n >= 0 && b->subscript[i].n >= 0)
      {
	if (!add_side (&e, e.n, &a->subscript[i], 1, false)
	    || !add_side (&e, e.n, &b->subscript[i], -1, true))
	  return false;
	e.n++;
      }
  affine index = affine_of_symbol (affine_index_symbol (what));
  return add_side (&e, e.n, &index, 1, false)
	 && add_side (&e, e.n, &index, -1, true) && solve (&e);
}

/* ---- Places that are stored in every iteration ---- */

/* Does the loop L have an iteration whenever it is met?  */
static bool
begins_p (const line_loop *l)
{
  affine distance = affine_add (l->bound, -1, l->first);
  HOST_WIDE_INT constant;
  if (l->broken || l->conditional || l->directive
      || !affine_constant_p (&distance, &constant))
    return false;
  switch (l->cond)
    {
    case LT_EXPR:
      return constant > 0;
    case LE_EXPR:
      return constant >= 0;
    case GT_EXPR:
      return constant < 0;
    case GE_EXPR:
      return constant <= 0;
    default:
      return false;
    }
}

bool
subscripts_once_p (const line *l, const line_access *a)
{
  bool listed = false;
  for (int i = 0; i < a->address.n; i++)
    for (int k = 0; k < AFFINE_DEGREE; k++)
      listed |= a->address.term[i].symbol[k] >= 0
		&& affine_symbol_of (a->address.term[i].symbol[k])->loaded;
  for (unsigned i = 0; listed && i < l->accesses.length (); i++)
    {
      const line_access *load = &l->accesses[i];
      if (load == a)
	break;
      if (!load->write && load->in == a->in
	  && affine_equal_p (&load->address, &a->address))
	return true;
    }
  return !listed && a->address.n >= 0;
}

/* Let *A be what it is in the first iteration of L.  */
static bool
at_first (affine *a, const line_loop *l)
{
  affine factor, rest;
  if (!affine_split (a, affine_index_symbol (l), &factor, &rest))
    return false;
  *a = affine_add (rest, 1, affine_multiply (factor, l->first));
  /* What is loaded may depend on it still.  */
  return a->n >= 0 && !affine_mentions_p (a, affine_index_symbol (l));
}

bool
subscripts_stored_p (const line *l, const line_loop *what,
		     const line_loop *body, const line_access *a,
		     vec<affine> *given)
{
  unsigned before = given->length ();
  if (!a->write || !a->dims || !a->in || !same_p (what, &a->root)
      || !line_always_p (l, a) || !subscripts_once_p (l, a))
    return false;
  for (int i = 0; i < a->dims; i++)
    {
      affine at = a->subscript[i];
      const line_loop *in = a->in;
      for (; in && in != body; in = in->outer)
	if (!begins_p (in) || !at_first (&at, in))
	  return false;
      if (!in || at.n < 0)
	return false;
      if (!same_p (what, &at))
	given->safe_push (at);
    }
  return given->length () > before;
}

bool
subscripts_given_p (const line_access *a, const line_access *b,
		    const affine *given, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    {
      int d = 0;
      while (d < a->dims
	     && !(affine_equal_p (&a->subscript[d], &given[i])
		  && affine_equal_p (&b->subscript[d], &given[i])))
	d++;
      if (d == a->dims)
	return false;
    }
  return true;
}
