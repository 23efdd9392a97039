/* The values that scalars have after a nest of a kernels region whose loops
   have run in parallel.

   Nobody but later parts, host code and the program after the region sees
   them: an index gets its last value from the host, which knows the counts of
   all loops; another scalar gets it from the last iteration, where that sets
   it for certain.  What nobody looks at before it is set again is dead.

   Needs: flow_find of the construct's line.  Keeps: all code.
   Source: OpenACC 3.2, 2.6.2.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"

/* Is VAR mentioned in the function outside of the construct?  */
static bool
mentioned_elsewhere_p (const rewrite *w, tree var)
{
  return stmt_mentions_p (gimple_body (current_function_decl), var, w->stmt);
}

/* Does the statement STMT look at VAR?  */
static bool
reads_p (gimple *stmt, tree var)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
    case GIMPLE_CALL:
    case GIMPLE_COND:
    case GIMPLE_SWITCH:
    case GIMPLE_GOTO:
    case GIMPLE_LABEL:
      break;
    default:
      return true;
    }
  for (unsigned i = gimple_get_lhs (stmt) == var; i < gimple_num_ops (stmt);
       i++)
    if (gimple_op (stmt, i) && decl_named_p (gimple_op (stmt, i), var))
      return true;
  return false;
}

/* Do the clauses or the counting of the directive of L name VAR?  Those
   loops that make it private do not look at it.  */
static bool
directive_names_p (const line_loop *l, tree var)
{
  gomp_for *f = l->directive;
  for (tree c = gimple_omp_for_clauses (f); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_PRIVATE && decl_named_p (c, var))
      return true;
  return decl_named_p (gimple_omp_for_initial (f, l->dim), var)
	 || decl_named_p (gimple_omp_for_final (f, l->dim), var);
}

/* Does the outermost loop L look at the value that VAR has in front of it?  */
static bool
takes_p (const line *l, const line_loop *loop, tree var)
{
  if (loop->exposed.contains (var) || (!loop->directive && loop->index == var))
    return true;
  for (unsigned i = 0; i < loop->combined.length (); i++)
    if (loop->combined[i].var == var)
      return true;
  for (unsigned i = 0; i < l->loops.length (); i++)
    if (l->loops[i]->begin >= loop->begin && l->loops[i]->end <= loop->end
	&& l->loops[i]->directive && directive_names_p (l->loops[i], var))
      return true;
  return false;
}

/* A search along the ways that the program may take.  */
struct search
{
  const rewrite *w;
  tree var;
  auto_vec<bool> seen;
};

/* May S's variable be looked at from place AT on, before it is set?  */
static bool
looked_at_p (search *s, unsigned at)
{
  const line *l = &s->w->l;
  for (; at < l->code.length (); at++)
    {
      if (s->seen[at])
	return false;
      s->seen[at] = true;
      gimple *stmt = l->code[at];
      if (line_loop *loop = line_loop_at (l, NULL, at))
	{
	  if (takes_p (l, loop, s->var))
	    return true;
	  /* A loop that ends early may jump further.  */
	  int to;
	  for (unsigned i = loop->begin; i < loop->end; i++)
	    for (unsigned n = 0; (to = line_jump_target (l, i, n)) != -1; n++)
	      if (to >= (int) loop->end && looked_at_p (s, to))
		return true;
	  at = loop->end - 1;
	  continue;
	}
      if (!stmt)
	continue;
      if (reads_p (stmt, s->var))
	return true;
      if (gimple_get_lhs (stmt) == s->var)
	return false;
      int to;
      bool jumps = false;
      for (unsigned n = 0; (to = line_jump_target (l, at, n)) != -1; n++)
	{
	  jumps = true;
	  if (to < 0 || looked_at_p (s, to))
	    return true;
	}
      if (jumps)
	return false;
    }
  return !line_declares_p (l, s->var) && mentioned_elsewhere_p (s->w, s->var);
}

bool
kernels_live_p (const rewrite *w, unsigned at, tree var)
{
  search s;
  s.w = w;
  s.var = var;
  s.seen.safe_grow_cleared (w->l.code.length (), true);
  return looked_at_p (&s, at);
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

/* Can the host give L's index its last value?  The last iterations of the
   loops around L must not be ones in which L is not reached.  */
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

/* The value that L's index has when the nest around it has been executed; *RUN
   is whether L was reached at all.  */
static tree
value_after (const line_loop *l, tree *run)
{
  tree value = size_binop (PLUS_EXPR, last_tree (&l->first),
			   size_binop (MULT_EXPR, loop_count (l),
				       ssize_int (l->step)));
  *run = boolean_true_node;
  for (const line_loop *o = l->outer; o; o = o->outer)
    *run = fold_build2 (TRUTH_ANDIF_EXPR, boolean_type_node,
			fold_build2 (GT_EXPR, boolean_type_node,
				     loop_count (o), ssize_int (0)),
			*run);
  return fold_convert (TREE_TYPE (l->index), value);
}

void
kernels_compute_last_values (rewrite *w, auto_vec<last_value> *values,
			     gimple_seq *seq)
{
  part *before = w->now;
  for (unsigned i = 0; i < w->l.loops.length (); i++)
    {
      const line_loop *l = w->l.loops[i];
      w->now = kernels_part_at (w, l->begin);
      if (!w->now->nest || !l->index || l->directive
	  || !kernels_privatized_p (w, l->index)
	  || w->now->stored.contains (l->index)
	  || !kernels_live_p (w, w->now->end, l->index))
	continue;
      tree value = create_tmp_var (TREE_TYPE (l->index));
      tree reached = create_tmp_var (boolean_type_node), run;
      gimplify_assign (value, value_after (l, &run), seq);
      gimplify_assign (reached, run, seq);
      values->safe_push ({ w->now, l->index, value, reached });
    }
  w->now = before;
}

/* Is L a loop of the nest in work?  */
static bool
in_nest_p (const rewrite *w, const line_loop *l)
{
  return l->begin >= w->now->nest->begin && l->end <= w->now->nest->end;
}

/* Is VAR in a clause CODE of any directive of the nest in work?  */
static bool
in_any_clause_p (const rewrite *w, omp_clause_code code, tree var)
{
  for (unsigned i = 0; i < w->l.loops.length (); i++)
    if (in_nest_p (w, w->l.loops[i])
	&& kernels_in_clause_p (w->l.loops[i], code, var))
      return true;
  return false;
}

/* Is every place of the nest in work that sets VAR in a loop whose
   directive has a clause CODE for it, and is there any?  */
static bool
claimed_p (const rewrite *w, omp_clause_code code, tree var)
{
  if (!in_any_clause_p (w, code, var))
    return false;
  for (unsigned at = w->now->nest->begin; at < w->now->nest->end; at++)
    {
      bool claimed = !w->l.code[at] || gimple_get_lhs (w->l.code[at]) != var;
      for (unsigned i = 0; i < w->l.loops.length (); i++)
	claimed |= in_nest_p (w, w->l.loops[i])
		   && at >= w->l.loops[i]->begin && at < w->l.loops[i]->end
		   && kernels_in_clause_p (w->l.loops[i], code, var);
      if (!claimed)
	return false;
    }
  return true;
}

bool
kernels_reduced_p (const rewrite *w, tree var)
{
  const line_loop *nest = w->now->nest;
  for (unsigned i = 0; i < nest->combined.length (); i++)
    if (nest->combined[i].var == var
	&& !kernels_in_clause_p (nest, OMP_CLAUSE_PRIVATE, var))
      return true;
  return in_any_clause_p (w, OMP_CLAUSE_REDUCTION, var);
}

/* Was VAR there before the nest in work?  */
static bool
outer_p (const rewrite *w, tree var)
{
  return !line_declares_p (&w->l, var)
	 || (w->hosted && w->hosted->get (var));
}

bool
kernels_privatized_p (const rewrite *w, tree var)
{
  return outer_p (w, var) && !kernels_reduced_p (w, var)
	 && !claimed_p (w, OMP_CLAUSE_PRIVATE, var);
}

/* Is every assignment to VAR in the nest in work the start of a loop that
   counts it?  */
static bool
only_index_p (const rewrite *w, tree var)
{
  const line *l = &w->l;
  for (unsigned at = w->now->nest->begin; at < w->now->nest->end; at++)
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

/* Is VAR set in the nest in work outside the body of IN?  */
static bool
set_outside_p (const rewrite *w, const line_loop *in, tree var)
{
  for (unsigned at = w->now->nest->begin; at < w->now->nest->end; at++)
    if (w->l.code[at] && gimple_get_lhs (w->l.code[at]) == var
	&& (at < in->body_begin || at >= in->body_end))
      return true;
  return false;
}

const line_loop *
kernels_storing_loop (const rewrite *w, tree var)
{
  for (const line_loop *l = w->now->nest; l;)
    {
      if (!l->cond || set_outside_p (w, l, var))
	return NULL;
      if (l->certain.contains (var))
	return l;
      const line_loop *next = NULL;
      for (unsigned i = 0; i < l->inner.length (); i++)
	if (!set_outside_p (w, l->inner[i], var))
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
  if (kernels_reduced_p (w, var) || claimed_p (w, OMP_CLAUSE_PRIVATE, var))
    return NULL;
  bool declared = line_declares_p (&w->l, var);
  if (!declared && !kernels_map_of (w->stmt, var))
    return NULL;
  bool fresh = declared || kernels_fresh_p (w->stmt, var);
  if (fresh && !kernels_live_p (w, w->now->nest->end, var))
    return NULL;
  bool index = false, known = true, in_order = true;
  for (unsigned i = 0; i < w->l.loops.length (); i++)
    {
      const line_loop *l = w->l.loops[i];
      if (!in_nest_p (w, l) || l->index != var)
	continue;
      index = true;
      known &= last_value_known_p (w, l);
      /* It counts another variable if it becomes a directive.  */
      in_order &= l->broken != NULL;
    }
  if (index && known && fresh && only_index_p (w, var))
    return NULL;
  if ((!index || in_order) && kernels_storing_loop (w, var))
    {
      w->now->stored.safe_push (var);
      return NULL;
    }
  if (index && known && only_index_p (w, var))
    return "it sets a scalar on the device";
  return index ? "the last value of an index is not known"
	       : "the last value of a scalar may be used";
}
