/* The values that a kernels region's scalars have after it, when its loops have
   run in parallel.

   Nobody but the program after the region sees them: an index gets its last
   value from the host, which knows the counts of all loops; another scalar gets
   it from the last iteration, where that sets it for certain.

   Needs: flow_find of the construct's line.  Keeps: all code.
   Source: OpenACC 3.2, 2.6.2.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"

struct mention
{
  const gimple *except;
  tree var;
  bool found;
};

static tree
mention_stmt (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  *handled = gsi_stmt (*gsi) == ((mention *) wi->info)->except;
  return NULL_TREE;
}

static tree
mention_op (tree *tp, int *walk_subtrees, void *data)
{
  mention *m = (mention *) ((struct walk_stmt_info *) data)->info;
  m->found |= *tp == m->var;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return NULL_TREE;
}

bool
kernels_mentioned_elsewhere_p (const rewrite *w, tree var)
{
  mention m = { w->stmt, var, false };
  struct walk_stmt_info wi = {};
  wi.info = &m;
  walk_gimple_seq (gimple_body (current_function_decl), mention_stmt,
		   mention_op, &wi);
  return m.found;
}

/* The iterations of L, the loops around it being in their last one.  */
static tree loop_count (const line_loop *l);

/* A with all indices as they are in the last iterations.  */
static tree
last_tree (const affine *a)
{
  tree sum = ssize_int (0);
  for (int i = 0; i < a->n; i++)
    {
      tree product = ssize_int (a->term[i].factor);
      for (int k = 0; k < AFFINE_DEGREE; k++)
	{
	  int s = a->term[i].symbol[k];
	  if (s < 0)
	    continue;
	  const symbol *sym = affine_symbol_of (s);
	  tree value = sym->counted
			 ? size_binop (PLUS_EXPR,
				       last_tree (&sym->counted->first),
				       size_binop (
					 MULT_EXPR,
					 size_binop (MINUS_EXPR,
						     loop_count (sym->counted),
						     ssize_int (1)),
					 ssize_int (sym->counted->step)))
			 : fold_convert (ssizetype, unshare_expr (sym->expr));
	  product = size_binop (MULT_EXPR, product, value);
	}
      sum = size_binop (PLUS_EXPR, sum, product);
    }
  return sum;
}

static tree
loop_count (const line_loop *l)
{
  tree first = last_tree (&l->first), bound = last_tree (&l->bound);
  bool up = l->step > 0, inclusive = l->cond == LE_EXPR || l->cond == GE_EXPR;
  tree reach = size_binop (MINUS_EXPR, up ? bound : first, up ? first : bound);
  HOST_WIDE_INT step = up ? l->step : -l->step;
  tree steps = size_binop (PLUS_EXPR, reach,
			   ssize_int (step - 1 + inclusive));
  steps = size_binop (MAX_EXPR, steps, ssize_int (0));
  return size_binop (TRUNC_DIV_EXPR, steps, ssize_int (step));
}

/* Can the host give L's index its last value?  The last iterations of the loops
   around L must not be ones in which L is not reached.  */
static bool
last_value_known_p (rewrite *w, const line_loop *l)
{
  if (l->broken || l->directive || l->first.n < 0 || l->bound.n < 0)
    return false;
  for (const line_loop *o = l; o; o = o->outer)
    {
      if (o->conditional
	  || (o != l
	      && (!o->index || o->first.n < 0 || affine_varies_p (&o->first)
		  || affine_varies_p (&o->bound))))
	return false;
      if (!kernels_host_value_p (w, last_tree (&o->first))
	  || !kernels_host_value_p (w, last_tree (&o->bound)))
	return false;
    }
  return true;
}

void
kernels_emit_last_value (const line_loop *l, gimple_seq *seq)
{
  tree type = TREE_TYPE (l->index);
  tree value = size_binop (PLUS_EXPR, last_tree (&l->first),
			   size_binop (MULT_EXPR, loop_count (l),
				       ssize_int (l->step)));
  value = fold_convert (type, value);
  tree run = boolean_true_node;
  for (const line_loop *o = l->outer; o; o = o->outer)
    run = fold_build2 (TRUTH_ANDIF_EXPR, boolean_type_node,
		       fold_build2 (GT_EXPR, boolean_type_node,
				    loop_count (o), ssize_int (0)),
		       run);
  gimplify_assign (l->index,
		   fold_build3 (COND_EXPR, type, run, value, l->index),
		   seq);
}

/* Is VAR in a clause CODE of any directive on the line?  */
static bool
in_any_clause_p (const line *l, omp_clause_code code, tree var)
{
  for (unsigned i = 0; i < l->loops.length (); i++)
    if (kernels_in_clause_p (l->loops[i], code, var))
      return true;
  return false;
}

bool
kernels_reduced_p (const rewrite *w, tree var)
{
  for (unsigned i = 0; i < w->what->combined.length (); i++)
    if (w->what->combined[i].var == var
	&& !kernels_in_clause_p (w->what, OMP_CLAUSE_PRIVATE, var))
      return true;
  return in_any_clause_p (&w->l, OMP_CLAUSE_REDUCTION, var);
}

bool
kernels_privatized_p (const rewrite *w, tree var)
{
  return !line_declares_p (&w->l, var) && !kernels_reduced_p (w, var)
	 && !in_any_clause_p (&w->l, OMP_CLAUSE_PRIVATE, var);
}

/* Is every assignment to VAR the start of a loop that counts it?  */
static bool
only_index_p (const line *l, tree var)
{
  for (unsigned at = 0; at < l->code.length (); at++)
    {
      gimple *stmt = l->code[at];
      if (!stmt || gimple_get_lhs (stmt) != var)
	continue;
      const line_loop *in = NULL;
      bool counted = false, starts = false;
      for (unsigned i = 0; i < l->loops.length (); i++)
	if (at >= l->loops[i]->begin && at < l->loops[i]->end)
	  {
	    in = l->loops[i];
	    counted |= in->index == var;
	  }
      for (unsigned i = 0; i < l->loops.length (); i++)
	starts |= l->loops[i]->index == var && l->loops[i]->outer == in
		  && !l->loops[i]->conditional && l->loops[i]->begin > at;
      if (!counted && !starts)
	return false;
    }
  return true;
}

/* Is VAR set outside the body of L?  */
static bool
set_outside_p (const line *l, const line_loop *in, tree var)
{
  for (unsigned at = 0; at < l->code.length (); at++)
    if (l->code[at] && gimple_get_lhs (l->code[at]) == var
	&& (at < in->body_begin || at >= in->body_end)
	/* The host does what comes before the outermost loop.  */
	&& (in->outer || at >= in->begin))
      return true;
  return false;
}

const line_loop *
kernels_storing_loop (const rewrite *w, tree var)
{
  for (const line_loop *l = w->what; l;)
    {
      if (!l->cond || set_outside_p (&w->l, l, var))
	return NULL;
      if (l->certain.contains (var))
	return l;
      const line_loop *next = NULL;
      for (unsigned i = 0; i < l->inner.length (); i++)
	if (!set_outside_p (&w->l, l->inner[i], var))
	  next = l->inner[i];
      if (next
	  && (next->conditional || next->broken
	      || affine_varies_p (&next->first)
	      || affine_varies_p (&next->bound)))
	return NULL;
      l = next;
    }
  return NULL;
}

const char *
kernels_last_value_bar (rewrite *w, tree var)
{
  if (!kernels_privatized_p (w, var) || !kernels_map_of (w->stmt, var))
    return NULL;
  bool fresh = kernels_fresh_p (w->stmt, var);
  if (fresh && !kernels_mentioned_elsewhere_p (w, var))
    return NULL;
  if (kernels_storing_loop (w, var))
    {
      w->stored.safe_push (var);
      return NULL;
    }
  bool index = false;
  for (unsigned i = 0; i < w->l.loops.length (); i++)
    if (w->l.loops[i]->index == var)
      {
	index = true;
	if (!last_value_known_p (w, w->l.loops[i]))
	  return "the last value of an index is not known";
      }
  if (!index || !only_index_p (&w->l, var))
    return "the last value of a scalar may be used";
  return fresh ? NULL : "it sets a scalar on the device";
}
