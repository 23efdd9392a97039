/* Which loops of a nest in a kernels construct run in parallel.

   Where the directives do not say so, dependence decides (loop/depend.cc);
   what that leaves open is the part's guard.  What does not hold for the loops
   inside may hold for the outermost, which then runs in parallel alone.

   Needs: flow_find of the construct's line.  Keeps: all code.
   Source: OpenACC 3.2, 2.5.3 and 2.9.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"

/* Loops of no more iterations stay in their order inside of parallel ones.  */
static const int few_iterations = 4;

static bool
has_clause_p (const line_loop *l, omp_clause_code code)
{
  return l->directive
	 && omp_find_clause (gimple_omp_for_clauses (l->directive), code);
}

/* May values of TYPE be combined by OP in any order?  */
static bool
any_order_p (tree type, tree_code op)
{
  if (op == ERROR_MARK)
    return false;
  if (INTEGRAL_TYPE_P (type))
    return TREE_CODE (type) == INTEGER_TYPE && !TYPE_OVERFLOW_TRAPS (type);
  if (!SCALAR_FLOAT_TYPE_P (type))
    return false;
  if (op == MIN_EXPR || op == MAX_EXPR)
    return !HONOR_NANS (type) && !HONOR_SIGNED_ZEROS (type);
  return flag_associative_math;
}

/* Is there a reduction clause for VAR on L or around it?  */
static bool
reduction_clause_p (const line_loop *l, tree var)
{
  for (; l; l = l->outer)
    if (kernels_in_clause_p (l, OMP_CLAUSE_REDUCTION, var))
      return true;
  return false;
}

/* Is VAR declared in the body of L?  */
static bool
declared_in_p (const line *l, const line_loop *in, tree var)
{
  for (unsigned i = 0; i < l->decls.length (); i++)
    if (l->decls[i].var == var)
      return l->decls[i].at >= in->body_begin
	     && l->decls[i].at < in->body_end;
  return false;
}

/* What keeps the scalars from letting iterations of L run in parallel?  */
static const char *
scalars_bar (const rewrite *w, const line_loop *l)
{
  for (unsigned i = 0; i < l->assigned.length (); i++)
    {
      tree var = l->assigned[i];
      if (l->exposed.contains (var)
	  && !kernels_in_clause_p (l, OMP_CLAUSE_PRIVATE, var)
	  && !reduction_clause_p (l, var))
	return "an iteration uses a scalar of the one before";
    }
  for (unsigned i = 0; i < l->combined.length (); i++)
    {
      const combination *c = &l->combined[i];
      if (kernels_in_clause_p (l, OMP_CLAUSE_PRIVATE, c->var)
	  || reduction_clause_p (l, c->var))
	continue;
      if (l->assigned.contains (c->var) || l->exposed.contains (c->var)
	  || declared_in_p (&w->l, l, c->var))
	return "an iteration uses a scalar of the one before";
      if (!any_order_p (TREE_TYPE (c->var), c->op))
	return "the order of a sum or the like matters";
    }
  return NULL;
}

/* Is the value of WHAT's index used where WHAT has been left, in the same
   nest of L?  */
static bool
index_outlives_p (const line *l, const line_loop *what)
{
  const line_loop *nest = what;
  while (nest->outer)
    nest = nest->outer;
  for (unsigned at = nest->begin; at < nest->end; at++)
    {
      gimple *stmt = l->code[at];
      bool counted = !stmt;
      for (unsigned i = 0; i < l->loops.length (); i++)
	counted |= l->loops[i]->index == what->index
		   && at >= l->loops[i]->begin && at < l->loops[i]->end;
      if (counted)
	continue;
      for (unsigned i = is_gimple_assign (stmt); i < gimple_num_ops (stmt);
	   i++)
	if (decl_named_p (gimple_op (stmt, i), what->index))
	  return true;
    }
  return false;
}

/* Why can L's iterations not run in parallel?  NULL if they can.  *GUARD gets
   what must be true in addition.  */
static const char *
bar (rewrite *w, line_loop *l, tree *guard)
{
  if (l->broken)
    return l->broken;
  if (has_clause_p (l, OMP_CLAUSE_SEQ))
    return "it is marked seq";
  if (has_clause_p (l, OMP_CLAUSE_TILE))
    return "it is tiled";
  if (const char *why = scalars_bar (w, l))
    return why;
  if (!l->directive && index_outlives_p (&w->l, l))
    return "its index is used after it";
  if (has_clause_p (l, OMP_CLAUSE_INDEPENDENT))
    return NULL;
  if (l->dependent)
    return l->dependent;
  tree more = *guard;
  if (const char *why = depend_loop (&w->l, l, &more))
    return why;
  if (!integer_onep (more) && !kernels_host_value_p (w, more))
    return "it depends on values that only the device knows";
  *guard = more;
  return NULL;
}

/* BAR for all loops that the directive of L collapses.  */
static const char *
bar_collapsed (rewrite *w, line_loop *l, tree *guard)
{
  for (line_loop *each = l;; each = each->inner[0])
    {
      if (const char *why = bar (w, each, guard))
	return why;
      if (!l->directive
	  || each->dim + 1 == gimple_omp_for_collapse (l->directive))
	break;
    }
  return NULL;
}

/* The outermost level that L's directive names, or with INNERMOST the
   innermost one; LEVELS, or -1, when it names none.  */
static int
named_level (const line_loop *l, bool innermost)
{
  int found = innermost ? -1 : LEVELS;
  for (int i = 0; i < LEVELS; i++)
    if (has_clause_p (l, kernels_levels[i]))
      found = innermost ? i : MIN (found, i);
  return found;
}

/* The outermost level that a directive inside L names, or LEVELS.  */
static int
level_named_inside (const line_loop *l)
{
  int found = LEVELS;
  for (unsigned i = 0; i < l->inner.length (); i++)
    {
      int here = MIN (named_level (l->inner[i], false),
		      level_named_inside (l->inner[i]));
      found = MIN (found, here);
    }
  return found;
}

bool
kernels_named_twice_p (const line_loop *l)
{
  for (const line_loop *around = l->outer; around; around = around->outer)
    for (int i = 0; i < LEVELS; i++)
      if (around->directive != l->directive
	  && has_clause_p (l, kernels_levels[i])
	  && has_clause_p (around, kernels_levels[i]))
	return true;
  return false;
}

static bool
parallel_inside_p (const line_loop *l)
{
  for (unsigned i = 0; i < l->inner.length (); i++)
    if (l->inner[i]->parallel || parallel_inside_p (l->inner[i]))
      return true;
  return false;
}

/* Has L, which no directive is about, so few iterations that they do not
   fill a part of a warp?  Inside of a parallel loop threads execute them
   one after the other.  */
static bool
few_iterations_p (const line_loop *l)
{
  HOST_WIDE_INT iterations;
  affine distance = affine_add (l->bound, -1, l->first);
  return !l->directive && affine_constant_p (&distance, &iterations)
	 && IN_RANGE (iterations, -few_iterations, few_iterations);
}

/* Decide whether L, and which loops inside it, run in parallel, the USED
   outermost levels being taken by loops around it.  A directive that names its
   level gets that one; the last level is for the innermost loop, where
   accesses are likely to be neighbours.  */
static void
choose (rewrite *w, line_loop *l, int used)
{
  int named = named_level (l, false), inside = used;
  tree guard = w->now->guard;
  bool able = l->dim == 0 && !(used && few_iterations_p (l))
	      && (named < LEVELS ? named >= used
				 : used < level_named_inside (l))
	      && !bar_collapsed (w, l, &guard);
  if (able && (named < LEVELS || used + 1 < LEVELS))
    {
      line_loop_set_parallel (l, true);
      w->now->guard = guard;
      inside = named < LEVELS ? named_level (l, true) + 1 : used + 1;
    }
  for (unsigned i = 0; i < l->inner.length (); i++)
    choose (w, l->inner[i], inside);
  if (able && !l->parallel && !parallel_inside_p (l))
    {
      line_loop_set_parallel (l, true);
      w->now->guard = guard;
    }
}

/* Does the value of the load A decide about a subscript or a bound?  */
static bool
decides_p (const line *l, const line_access *load)
{
  int symbol = affine_symbol (load->ref, NULL);
  for (unsigned i = 0; i < l->loops.length (); i++)
    if (affine_mentions_p (&l->loops[i]->first, symbol)
	|| affine_mentions_p (&l->loops[i]->bound, symbol))
      return true;
  for (unsigned i = 0; i < l->accesses.length (); i++)
    {
      const line_access *a = &l->accesses[i];
      if (affine_mentions_p (&a->address, symbol)
	  || affine_mentions_p (&a->root, symbol))
	return true;
      for (int dim = 0; dim < a->dims; dim++)
	if (affine_mentions_p (&a->subscript[dim], symbol))
	  return true;
    }
  return false;
}

bool
kernels_symbols_change_p (const line *l)
{
  for (unsigned i = 0; i < l->accesses.length (); i++)
    for (unsigned j = 0; l->accesses[i].symbolic && j < l->accesses.length ();
	 j++)
      if (l->accesses[j].write
	  && !depend_load_apart_p (l, &l->accesses[i], &l->accesses[j])
	  && decides_p (l, &l->accesses[i]))
	return true;
  return false;
}

const char *
kernels_nest_bar (rewrite *w)
{
  part *p = w->now;
  if (const char *why = bar_collapsed (w, p->nest, &p->guard))
    return why;
  p->outer_guard = p->guard;
  for (unsigned i = 0; i < p->nest->assigned.length (); i++)
    if (const char *why = kernels_last_value_bar (w, p->nest->assigned[i]))
      return why;
  if (!p->nest->directive)
    if (const char *why = kernels_last_value_bar (w, p->nest->index))
      return why;
  choose (w, p->nest, 0);
  return NULL;
}
