/* The iterations of a loop nest, numbered as a loop over them would meet them.

   Counts are unsigned 64-bit numbers whatever the type of the loop variable,
   and values of loop variables are computed modulo their own width, so that
   neither the distance of the bounds nor a step down can overflow.

   A thread that is at iteration K goes on to K + N.  With several loops the
   positions in each follow by division once, for K and for N; from then on a
   step adds the positions of N to those of K, with carry.

   Source: OpenMP 5.0, 2.9.1 (canonical loop form); omp_extract_for_data in
   GCC's omp-general.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd.h"

/* One loop of a nest.  */
struct range
{
  tree var, first, last, step;
  bool down;
  /* LAST is in the range.  */
  bool inclusive;
};

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
      if (TREE_CODE (gimple_omp_for_initial (loop, i)) == TREE_VEC
	  || TREE_CODE (gimple_omp_for_final (loop, i)) == TREE_VEC)
	return "a loop whose bounds depend on another's variable";
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

/* EXPR, of any integer or pointer type, modulo the width of TYPE.  */
static tree
as_unsigned (tree type, tree expr)
{
  if (POINTER_TYPE_P (TREE_TYPE (expr)))
    expr = fold_convert (size_type_node, expr);
  return fold_convert (type, expr);
}

/* The trip count of R as an expression; its parts are in SEQ.  */
static tree
trip_count (const range *r, gimple_seq *seq)
{
  tree type = TREE_TYPE (r->var), u = unsigned_of (type), n = count_type ();
  tree first = spmd_value (fold_convert (type, r->first), "first", seq);
  tree last = spmd_value (fold_convert (type, r->last), "last", seq);
  tree low = r->down ? last : first, high = r->down ? first : last;
  tree distance = fold_build2 (MINUS_EXPR, u, as_unsigned (u, high),
			       as_unsigned (u, low));
  distance = spmd_value (fold_convert (n, distance), "distance", seq);
  tree some = fold_build2 (r->inclusive ? LE_EXPR : LT_EXPR, boolean_type_node,
			   low, high);
  /* Widening the step keeps its sign, which is plus.  */
  tree step = as_unsigned (n, as_unsigned (u, r->step));
  if (!r->inclusive)
    distance = fold_build2 (MINUS_EXPR, n, distance, build_one_cst (n));
  tree trips = distance;
  if (!integer_onep (step))
    trips = fold_build2 (TRUNC_DIV_EXPR, n, distance,
			 spmd_value (step, "step", seq));
  trips = fold_build2 (PLUS_EXPR, n, trips, build_one_cst (n));
  trips = spmd_value (trips, "trips", seq);
  return fold_build3 (COND_EXPR, n, some, trips, build_zero_cst (n));
}

/* R with the variables of SHARING.  */
static range
own_range (const spmd_space *space, unsigned i)
{
  range r = range_of (space->loop, i);
  if (space->sharing)
    {
      r.var = spmd_copy_expr (space->sharing, r.var);
      r.first = spmd_copy_expr (space->sharing, r.first);
      r.last = spmd_copy_expr (space->sharing, r.last);
      r.step = spmd_copy_expr (space->sharing, r.step);
    }
  return r;
}

void
spmd_space_count (spmd_space *space, const gomp_for *loop,
		  const spmd_sharing *sharing, gimple_seq *seq)
{
  space->loop = loop;
  space->sharing = sharing;
  space->total = build_one_cst (count_type ());
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    {
      range r = own_range (space, i);
      tree trips = spmd_value (trip_count (&r, seq), "trips", seq);
      space->trips.safe_push (trips);
      space->total = fold_build2 (MULT_EXPR, count_type (), space->total,
				  trips);
      space->total = spmd_value (space->total, "total", seq);
    }
}

/* Add to SEQ: POSITION gets the places of number K in the loops of SPACE.  */
static void
divide (const spmd_space *space, tree k, const vec<tree> &position,
	gimple_seq *seq)
{
  tree type = count_type (), rest = k;
  for (unsigned i = position.length (); --i;)
    {
      tree trips = space->trips[i];
      tree quotient = spmd_value (fold_build2 (TRUNC_DIV_EXPR, type, rest,
					       trips),
				  "quotient", seq);
      spmd_set (position[i],
		fold_build2 (MINUS_EXPR, type, rest,
			     fold_build2 (MULT_EXPR, type, quotient, trips)),
		seq);
      rest = quotient;
    }
  spmd_set (position[0], rest, seq);
}

void
spmd_space_start (spmd_space *space, tree k, tree n, gimple_seq *seq)
{
  unsigned loops = space->trips.length ();
  if (loops == 1)
    return;
  for (unsigned i = 0; i < loops; i++)
    {
      space->at.safe_push (spmd_temp (count_type (), "at"));
      space->by.safe_push (spmd_temp (count_type (), "by"));
    }
  divide (space, k, space->at, seq);
  divide (space, n, space->by, seq);
}

void
spmd_space_set (const spmd_space *space, tree k, gimple_seq *seq)
{
  for (unsigned i = 0; i < space->trips.length (); i++)
    {
      range r = own_range (space, i);
      tree type = TREE_TYPE (r.var), u = unsigned_of (type);
      tree at = space->at.is_empty () ? k : space->at[i];
      tree way = fold_build2 (MULT_EXPR, u, fold_convert (u, at),
			      as_unsigned (u, r.step));
      tree value = fold_build2 (r.down ? MINUS_EXPR : PLUS_EXPR, u,
				as_unsigned (u, r.first), way);
      spmd_set (r.var, fold_convert (type, value), seq);
    }
}

void
spmd_space_step (const spmd_space *space, gimple_seq *seq)
{
  tree type = count_type (), carry = build_zero_cst (type);
  for (unsigned i = space->at.length (); i--;)
    {
      tree to = fold_build2 (PLUS_EXPR, type, space->at[i], space->by[i]);
      to = spmd_value (fold_build2 (PLUS_EXPR, type, to, carry), "to", seq);
      if (i > 0)
	{
	  tree over = fold_build2 (GE_EXPR, boolean_type_node, to,
				   space->trips[i]);
	  carry = spmd_value (fold_convert (type, over), "carry", seq);
	  to = fold_build2 (MINUS_EXPR, type, to,
			    fold_build2 (MULT_EXPR, type, carry,
					 space->trips[i]));
	}
      spmd_set (space->at[i], to, seq);
    }
}

void
spmd_space_leave (const spmd_space *space, gimple_seq *seq)
{
  for (unsigned i = 0; i < space->trips.length (); i++)
    spmd_set (spmd_copy_expr (space->sharing,
			      gimple_omp_for_index (space->loop, i)),
	      spmd_copy_expr (space->sharing,
			      gimple_omp_for_incr (space->loop, i)),
	      seq);
}
