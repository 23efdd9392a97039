/* Loops of constructs as sequential ones.

   Source: OpenMP 5.0, 2.9.1; gimplify_omp_for in GCC's gimplify.cc (canonical
   loops).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested.h"
#include "spmd/spmd.h"

const char *
nested_loop_why_not (const gomp_for *loop)
{
  if (gimple_omp_for_kind (loop) == GF_OMP_FOR_KIND_TASKLOOP)
    return "a taskloop construct";
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    {
      tree type = TREE_TYPE (gimple_omp_for_index (loop, i));
      if (!INTEGRAL_TYPE_P (type) && TREE_CODE (type) != POINTER_TYPE)
	return "the type of a loop variable";
      if (POINTER_TYPE_P (type)
	  && (TREE_CODE (gimple_omp_for_initial (loop, i)) == TREE_VEC
	      || TREE_CODE (gimple_omp_for_final (loop, i)) == TREE_VEC))
	return "a loop over pointers whose bounds depend on another's variable";
      tree incr = gimple_omp_for_incr (loop, i);
      if (!BINARY_CLASS_P (incr) && TREE_CODE (incr) != POINTER_PLUS_EXPR)
	return "the form of a loop's step";
    }
  return NULL;
}

/* The bound EXPR of a loop, of type TYPE.  */
static val
bound (tree expr, tree type, code c)
{
  if (TREE_CODE (expr) == TREE_VEC)
    {
      /* Another loop's variable times a factor, and something.  */
      val factor = TREE_VEC_ELT (expr, 1);
      tree t = TREE_TYPE (factor.t);
      expr = val (TREE_VEC_ELT (expr, 0)).as (t) * factor
	     + TREE_VEC_ELT (expr, 2);
    }
  return c.let ("bound", fold_convert (type, unshare_expr (expr)));
}

/* The step that a loop over VAR with increment INCR and condition COND adds to the
   variable modulo its width, of type U.  *DOWN becomes whether that goes down.  */
static val
step_of (tree var, tree incr, enum tree_code cond, tree u, bool *down)
{
  tree step = TREE_OPERAND (incr, 1);
  /* Signed until it is known which way it goes.  */
  tree add = fold_convert (POINTER_TYPE_P (TREE_TYPE (var)) ? ssizetype
							   : TREE_TYPE (step),
			   step);
  if (TREE_CODE (incr) == MINUS_EXPR)
    add = fold_build1 (NEGATE_EXPR, TREE_TYPE (add), add);
  *down = cond == GT_EXPR || cond == GE_EXPR;
  /* With != the step is that of one element.  */
  if (cond == NE_EXPR)
    *down = TREE_CODE (add) == INTEGER_CST
	    && wi::neg_p (wi::to_wide (add), SIGNED);
  return code_unsigned (u, add);
}

/* Add to C loop I of LOOP and those inside it around the body.  A variable
   goes to its next value modulo its width, and what was left before tells
   whether that is one of the loop: no bound is near enough to the end of the
   type to run over it.  */
static void
add_loop (const gomp_for *loop, unsigned i, code c)
{
  if (i == gimple_omp_for_collapse (loop))
    {
      gimple_seq_add_seq (c, gimple_omp_body (loop));
      return;
    }
  tree var = gimple_omp_for_index (loop, i), type = TREE_TYPE (var);
  tree u = build_nonstandard_integer_type (TYPE_PRECISION (type), 1);
  enum tree_code cond = gimple_omp_for_cond (loop, i);
  bool down, inclusive = cond == GE_EXPR || cond == LE_EXPR;
  val add = step_of (var, gimple_omp_for_incr (loop, i), cond, u, &down);
  add = c.let ("step", add);
  val first = bound (gimple_omp_for_initial (loop, i), type, c);
  val last = bound (gimple_omp_for_final (loop, i), type, c);
  c.set (var, first);
  c.if_ ({ cond, var, last }, [&] {
    tree again = code_label (), end = code_label ();
    c.at (again);
    add_loop (loop, i + 1, c);
    val here = code_unsigned (u, var), there = code_unsigned (u, last);
    val rest = c.let ("rest", down ? here - there : there - here);
    c.set (var, (here + add).as (type));
    val size = down ? fold_build1 (NEGATE_EXPR, u, add) : add.t;
    size = c.let ("size", size);
    c.branch (inclusive ? rest >= size : rest > size, again, end);
    c.at (end);
  });
}

void
nested_add_loops (const gomp_for *loop, gimple_seq *seq)
{
  add_loop (loop, 0, seq);
}
