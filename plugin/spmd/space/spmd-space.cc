/* The iterations of a loop nest, numbered as a loop over them would meet them.

   Counts are unsigned 64-bit numbers whatever the type of the loop variable,
   and values of loop variables are computed modulo their own width, so that
   neither the distance of the bounds nor a step down can overflow.

   A thread that is at iteration K goes on to K + N.  With several loops the
   positions in each follow by division once, for K and for N; from then on a
   step adds the positions of N to those of K, with carry.

   Where a bound depends on the variable of a loop around it, the numbers are
   those of a rectangle that has as many columns as the longest row, and where
   there is no iteration in it, a thread goes on to its next one.  Bounds are
   affine in that variable, and so is their distance: the longest row is that of
   the variable's first or last value.

   Needs: spmd_space_why_not to be NULL.  Keeps: the numbers of iterations.
   Breaks: nothing.
   Source: OpenMP 5.0, 2.9.1 (canonical loop form); omp_extract_for_data in
   GCC's omp-general.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

typedef spmd_range range;

/* The Ith loop of LOOP, with a step that is not negative.  */
static range
range_of (const gomp_for *loop, unsigned i)
{
  range r;
  r.var = gimple_omp_for_index (loop, i);
  r.first = gimple_omp_for_initial (loop, i);
  r.last = gimple_omp_for_final (loop, i);
  tree incr = gimple_omp_for_incr (loop, i);
  r.step = TREE_OPERAND (incr, 1);
  bool minus = TREE_CODE (incr) == MINUS_EXPR;
  enum tree_code cond = gimple_omp_for_cond (loop, i);
  r.inclusive = cond == LE_EXPR || cond == GE_EXPR;
  /* With != the step is 1 or -1 (elements, for a pointer).  */
  if (cond == NE_EXPR)
    r.down = (TREE_CODE (r.step) == INTEGER_CST
	      && wi::neg_p (wi::to_wide (r.step), SIGNED))
	     != minus;
  else
    r.down = cond == GT_EXPR || cond == GE_EXPR;
  tree type = POINTER_TYPE_P (TREE_TYPE (r.var)) ? ssizetype
						 : TREE_TYPE (r.step);
  r.step = fold_convert (type, r.step);
  if (r.down != minus)
    r.step = fold_build1 (NEGATE_EXPR, type, r.step);
  return r;
}

static bool
varies_p (tree bound)
{
  return TREE_CODE (bound) == TREE_VEC;
}

/* The number of the loop whose variable the bounds of LOOP's Ith depend on, or
   -1.  */
static int
depends_on (const gomp_for *loop, unsigned i)
{
  tree bounds[] = { gimple_omp_for_initial (loop, i),
		    gimple_omp_for_final (loop, i) };
  for (unsigned b = 0; b < ARRAY_SIZE (bounds); b++)
    if (varies_p (bounds[b]))
      for (unsigned j = 0; j < i; j++)
	if (gimple_omp_for_index (loop, j) == TREE_VEC_ELT (bounds[b], 0))
	  return j;
  return -1;
}

bool
spmd_space_varies_p (const gomp_for *loop)
{
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    if (depends_on (loop, i) >= 0)
      return true;
  return false;
}

/* May BOUND, of a loop variable of TYPE, be computed where the other variable
   is at its ends only?  An unsigned sum might wrap around in between.  */
static bool
affine_p (tree type, tree bound)
{
  return !varies_p (bound) || !TYPE_UNSIGNED (type)
	 || (integer_onep (TREE_VEC_ELT (bound, 1))
	     && integer_zerop (TREE_VEC_ELT (bound, 2)));
}

/* Why the longest row of LOOP's Ith loop cannot be told, or NULL.  */
static const char *
row_why_not (const gomp_for *loop, unsigned i)
{
  tree type = TREE_TYPE (gimple_omp_for_index (loop, i));
  int around = depends_on (loop, i);
  if (!varies_p (gimple_omp_for_initial (loop, i))
      && !varies_p (gimple_omp_for_final (loop, i)))
    return NULL;
  if (around < 0)
    return "a loop whose bounds depend on another's variable";
  tree other = TREE_TYPE (gimple_omp_for_index (loop, around));
  bool wide = TYPE_PRECISION (type) > 32 || TYPE_PRECISION (other) > 32;
  if (!INTEGRAL_TYPE_P (type) || !INTEGRAL_TYPE_P (other)
      || TYPE_UNSIGNED (type) != TYPE_UNSIGNED (other)
      || !affine_p (type, gimple_omp_for_initial (loop, i))
      || !affine_p (type, gimple_omp_for_final (loop, i))
      || gimple_omp_for_cond (loop, i) == NE_EXPR
      || (wide && depends_on (loop, around) >= 0))
    return "a loop whose bounds depend on another's variable";
  return NULL;
}

const char *
spmd_space_why_not (const gomp_for *loop)
{
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    {
      tree type = TREE_TYPE (gimple_omp_for_index (loop, i));
      if (!INTEGRAL_TYPE_P (type) && TREE_CODE (type) != POINTER_TYPE)
	return "the type of a loop variable";
      if (TYPE_PRECISION (type) > 64)
	return "a loop variable of more than 64 bits";
      if (const char *why = row_why_not (loop, i))
	return why;
      tree incr = gimple_omp_for_incr (loop, i);
      if (!BINARY_CLASS_P (incr) && TREE_CODE (incr) != POINTER_PLUS_EXPR)
	return "the form of a loop's step";
    }
  return NULL;
}

/* The unsigned type in which values of TYPE are computed.  */
static tree
unsigned_of (tree type)
{
  return build_nonstandard_integer_type (TYPE_PRECISION (type), 1);
}

static tree
count_type (void)
{
  return uint64_type_node;
}

/* BOUND where the variable that it may depend on is OTHER; of TYPE.  */
static tree
bound_at (tree bound, tree type, tree other)
{
  if (!varies_p (bound))
    return fold_convert (type, bound);
  tree u = unsigned_of (type);
  val factor = code_unsigned (u, fold_convert (type, TREE_VEC_ELT (bound, 1)));
  val add = code_unsigned (u, fold_convert (type, TREE_VEC_ELT (bound, 2)));
  val way = val (code_unsigned (u, unshare_expr (other))) * factor;
  return (way + add).as (type);
}

tree
spmd_space_bound (tree bound, tree type)
{
  return bound_at (bound, type,
		   varies_p (bound)
		     ? fold_convert (type, TREE_VEC_ELT (bound, 0))
		     : NULL_TREE);
}

/* The trip count of R, computed in TYPE, as an expression; its parts are in
   C.  */
static tree
trip_count (const range *r, tree type, code c)
{
  tree u = unsigned_of (type), n = count_type ();
  val first = c.let ("first", fold_convert (type, r->first));
  val last = c.let ("last", fold_convert (type, r->last));
  val low = r->down ? last : first, high = r->down ? first : last;
  val distance = val (code_unsigned (u, high)) - code_unsigned (u, low);
  distance = c.let ("distance", distance.as (n));
  test some = r->inclusive ? low <= high : low < high;
  /* Widening the step keeps its sign, which is plus.  */
  val step = code_unsigned (n, code_unsigned (u, r->step));
  if (!r->inclusive)
    distance = distance - 1;
  val trips = distance;
  /* In 32 bits where they do: more takes a GPU a call.  */
  tree narrow = TYPE_PRECISION (u) <= 32 ? u : n;
  if (!integer_onep (step))
    trips = (distance.as (narrow) / c.let ("step", step.as (narrow))).as (n);
  trips = c.let ("trips", trips + 1);
  return select (some, trips, 0);
}

/* The first and the last value of a loop variable, or what is below and above
   them.  */
struct ends
{
  tree a, b;
};

/* Those of R, of TRIPS iterations.  */
static ends
ends_of (const range *r, tree trips, code c)
{
  tree type = TREE_TYPE (r->var), u = unsigned_of (type);
  val far = val (code_unsigned (u, trips)) - 1;
  val way = far * code_unsigned (u, r->step);
  val first = code_unsigned (u, r->first);
  val last = r->down ? first - way : first + way;
  return { c.let ("first", fold_convert (type, r->first)),
	   c.let ("last", last.as (type)) };
}

/* The trip count of R's longest row, where the variable that it depends on has
   the ends OUTER; the values that R's bounds have there go into *OWN.  Types of
   up to 32 bits are computed in 64.  */
static tree
longest_row (const range *r, const ends *outer, ends *own, gimple_seq *seq)
{
  tree type = TREE_TYPE (r->var);
  if (TYPE_PRECISION (type) <= 32)
    type = long_long_integer_type_node;
  tree trips = NULL_TREE;
  tree at[] = { outer->a, outer->b };
  *own = {};
  for (unsigned i = 0; i < ARRAY_SIZE (at); i++)
    {
      tree other = fold_convert (type, at[i]);
      range row = *r;
      row.first = code_value (bound_at (r->first, type, other), "first", seq);
      row.last = code_value (bound_at (r->last, type, other), "last", seq);
      tree n = code_value (trip_count (&row, type, seq), "trips", seq);
      trips = trips ? fold_build2 (MAX_EXPR, TREE_TYPE (n), trips, n) : n;
      tree bounds[] = { row.first, row.last };
      for (unsigned b = 0; b < ARRAY_SIZE (bounds); b++)
	{
	  own->a = own->a ? fold_build2 (MIN_EXPR, type, own->a, bounds[b])
			  : bounds[b];
	  own->b = own->b ? fold_build2 (MAX_EXPR, type, own->b, bounds[b])
			  : bounds[b];
	}
    }
  own->a = code_value (own->a, "low", seq);
  own->b = code_value (own->b, "high", seq);
  return trips;
}

/* What BOUND, with the variables of SHARING, is worth now: the body may use
   those that it is made of for something else.  */
static tree
bound_now (const spmd_sharing *sharing, tree bound, code c)
{
  bound = sharing ? spmd_copy_expr (sharing, bound) : unshare_expr (bound);
  if (!varies_p (bound))
    return c.let ("bound", bound);
  for (unsigned i = 1; i < 3; i++)
    TREE_VEC_ELT (bound, i) = c.let ("bound", TREE_VEC_ELT (bound, i));
  return bound;
}

/* The Ith loop of SPACE with the variables of its threads.  */
static range
own_range (const spmd_space *space, unsigned i, code c)
{
  range r = range_of (space->loop, i);
  if (space->sharing)
    r.var = spmd_copy_expr (space->sharing, r.var);
  r.first = bound_now (space->sharing, r.first, c);
  r.last = bound_now (space->sharing, r.last, c);
  r.step = bound_now (space->sharing, r.step, c);
  return r;
}

void
spmd_space_count (spmd_space *space, const gomp_for *loop,
		  const spmd_sharing *sharing, gimple_seq *seq)
{
  space->loop = loop;
  space->sharing = sharing;
  space->total = build_one_cst (count_type ());
  bool varies = spmd_space_varies_p (loop);
  auto_vec<ends, 4> all_ends;
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    {
      range r = own_range (space, i, seq);
      space->ranges.safe_push (r);
      int around = depends_on (loop, i);
      ends own = {};
      tree trips = around < 0
		     ? trip_count (&r, TREE_TYPE (r.var), seq)
		     : longest_row (&r, &all_ends[around], &own, seq);
      trips = code_value (trips, "trips", seq);
      if (varies && around < 0)
	own = ends_of (&r, trips, seq);
      all_ends.safe_push (own);
      space->trips.safe_push (trips);
      space->total = fold_build2 (MULT_EXPR, count_type (), space->total,
				  trips);
      space->total = code_value (space->total, "total", seq);
    }
}

val
spmd_divide (val a, val n, code c)
{
  tree type = count_type (), u = unsigned_type_node;
  val quotient = c.var (type, "quotient");
  val bits = a;
  if (TYPE_PRECISION (TREE_TYPE (n.t)) > TYPE_PRECISION (u))
    bits = c.let ("bits", a | n);
  c.if_ (bits <= TYPE_MAX_VALUE (u),
	 [&] { c.set (quotient, (a.as (u) / n.as (u)).as (type)); },
	 [&] { c.set (quotient, a / n); });
  return quotient;
}

/* Add to C: POSITION gets the places of number K in the loops of SPACE.  */
static void
divide (const spmd_space *space, val k, const vec<tree> &position, code c)
{
  val rest = k;
  for (unsigned i = position.length (); --i;)
    {
      val trips = space->trips[i];
      val quotient = spmd_divide (rest, trips, c);
      c.set (position[i], rest - quotient * trips);
      rest = quotient;
    }
  c.set (position[0], rest);
}

void
spmd_space_start (spmd_space *space, tree k, tree n, gimple_seq *seq)
{
  code c = seq;
  unsigned loops = space->trips.length ();
  if (loops == 1)
    return;
  for (unsigned i = 0; i < loops; i++)
    {
      space->at.safe_push (c.var (count_type (), "at"));
      space->by.safe_push (c.var (count_type (), "by"));
    }
  divide (space, k, space->at, c);
  divide (space, n, space->by, c);
}

void
spmd_space_set (const spmd_space *space, tree k, gimple_seq *seq)
{
  code c = seq;
  for (unsigned i = 0; i < space->trips.length (); i++)
    {
      const range &r = space->ranges[i];
      tree type = TREE_TYPE (r.var), u = unsigned_of (type);
      val at = space->at.is_empty () ? k : space->at[i];
      val way = at.as (u) * code_unsigned (u, r.step);
      val first = code_unsigned (u, spmd_space_bound (r.first, type));
      val value = r.down ? first - way : first + way;
      c.set (r.var, value.as (type));
    }
}

void
spmd_space_inside (const spmd_space *space, tree out, gimple_seq *seq)
{
  code c = seq;
  for (unsigned i = 0; i < space->trips.length (); i++)
    {
      if (depends_on (space->loop, i) < 0)
	continue;
      const range &r = space->ranges[i];
      val last = c.let ("last", spmd_space_bound (r.last, TREE_TYPE (r.var)));
      c.need ({ gimple_omp_for_cond (space->loop, i), r.var, last }, out);
    }
}

void
spmd_space_step (const spmd_space *space, gimple_seq *seq)
{
  code c = seq;
  tree type = count_type ();
  val carry = build_zero_cst (type);
  for (unsigned i = space->at.length (); i--;)
    {
      val to = c.let ("to", val (space->at[i]) + space->by[i] + carry);
      if (i > 0)
	{
	  val trips = space->trips[i];
	  carry = c.let ("carry", val (to >= trips).as (type));
	  to = to - carry * trips;
	}
      c.set (space->at[i], to);
    }
}

void
spmd_space_leave (const spmd_space *space, gimple_seq *seq)
{
  for (unsigned i = 0; i < space->trips.length (); i++)
    code_set (spmd_copy_expr (space->sharing,
			      gimple_omp_for_index (space->loop, i)),
	      spmd_copy_expr (space->sharing,
			      gimple_omp_for_incr (space->loop, i)),
	      seq);
}
