/* Loops of constructs as sequential ones.

   Source: OpenMP 5.0, 2.9.1; gimplify_omp_for in GCC's gimplify.cc (canonical
   loops).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested.h"
#include "spmd/spmd.h"

void
nested_branch (enum tree_code code, tree a, tree b, tree yes, tree no,
	       tree follow, gimple_seq *seq)
{
  code_add_branch (code, a, b, yes, no, seq);
  code_add_label (follow, seq);
}

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
static tree
bound (tree expr, tree type, gimple_seq *seq)
{
  if (TREE_CODE (expr) == TREE_VEC)
    {
      /* Another loop's variable times a factor, and something.  */
      tree factor = TREE_VEC_ELT (expr, 1);
      tree t = TREE_TYPE (factor);
      tree outer = fold_convert (t, TREE_VEC_ELT (expr, 0));
      expr = fold_build2 (PLUS_EXPR, t,
			  fold_build2 (MULT_EXPR, t, outer, factor),
			  fold_convert (t, TREE_VEC_ELT (expr, 2)));
    }
  return code_value (fold_convert (type, unshare_expr (expr)), "bound", seq);
}

/* EXPR, of any integer or pointer type, modulo the width of TYPE.  */
static tree
as_unsigned (tree type, tree expr)
{
  if (POINTER_TYPE_P (TREE_TYPE (expr)))
    expr = fold_convert (size_type_node, expr);
  return fold_convert (type, expr);
}

/* Add to SEQ loop I of LOOP and those inside it around the body.  A variable
   goes to its next value modulo its width, and what was left before tells
   whether that is one of the loop: no bound is near enough to the end of the
   type to run over it.  */
static void
add_loop (const gomp_for *loop, unsigned i, gimple_seq *seq)
{
  if (i == gimple_omp_for_collapse (loop))
    {
      gimple_seq_add_seq (seq, gimple_omp_body (loop));
      return;
    }
  tree var = gimple_omp_for_index (loop, i), type = TREE_TYPE (var);
  tree incr = gimple_omp_for_incr (loop, i), step = TREE_OPERAND (incr, 1);
  enum tree_code cond = gimple_omp_for_cond (loop, i);
  tree u = build_nonstandard_integer_type (TYPE_PRECISION (type), 1);
  /* Signed until it is known which way it goes.  */
  tree add = fold_convert (POINTER_TYPE_P (type) ? ssizetype : TREE_TYPE (step),
			   step);
  if (TREE_CODE (incr) == MINUS_EXPR)
    add = fold_build1 (NEGATE_EXPR, TREE_TYPE (add), add);
  bool down = cond == GT_EXPR || cond == GE_EXPR;
  /* With != the step is that of one element.  */
  if (cond == NE_EXPR)
    down = TREE_CODE (add) == INTEGER_CST
	   && wi::neg_p (wi::to_wide (add), SIGNED);
  add = code_value (as_unsigned (u, add), "step", seq);

  tree first = bound (gimple_omp_for_initial (loop, i), type, seq);
  tree last = bound (gimple_omp_for_final (loop, i), type, seq);
  tree body = code_label (), again = code_label (), end = code_label ();
  code_set (var, first, seq);
  nested_branch (cond, var, last, body, end, body, seq);
  code_add_label (again, seq);
  add_loop (loop, i + 1, seq);
  tree here = as_unsigned (u, var), there = as_unsigned (u, last);
  tree rest = code_value (fold_build2 (MINUS_EXPR, u, down ? here : there,
				       down ? there : here),
			  "rest", seq);
  code_set (var, fold_convert (type, fold_build2 (PLUS_EXPR, u, here, add)),
	    seq);
  tree size = down ? fold_build1 (NEGATE_EXPR, u, add) : add;
  size = code_value (size, "size", seq);
  bool inclusive = cond == GE_EXPR || cond == LE_EXPR;
  nested_branch (inclusive ? GE_EXPR : GT_EXPR, rest, size, again, end, end,
		 seq);
}

void
nested_add_loops (const gomp_for *loop, gimple_seq *seq)
{
  add_loop (loop, 0, seq);
}
