/* Kernels constructs whose loops run in parallel.

   GCC runs a kernels region on one thread.  Where its loops are marked
   independent or proved so, it becomes a parallel region with loop
   directives:

       #pragma acc kernels			m = n - 1;
       {					#pragma acc parallel firstprivate(m)
	 for (i = 1; i < n - 1; i++)	->	#pragma acc loop private(i')
	   ...					for (i' = 1; i' < m; i' = i' + 1)
       }					  ...
						i = MAX (1, m);

   Scalars of a kernels region are copied in and out by a mapping that must be
   new (GOMP_MAP_FORCE_TOFROM: the run-time library stops the program when
   the variable is on the device already), so nobody else sees the device's
   copy: one that is only read becomes firstprivate, what precedes the loop
   may run on the host, and the host can set the indices to their last
   values.  All else keeps its clause.

   Where the proof needs a condition (depend.cc), the program checks it.  What
   does not hold for the loops inside may hold for the outermost, which then runs
   in parallel alone; else the nest runs in order, on one thread.  GCC's own form
   of a kernels region is not good for that: it runs the outermost loop in
   parallel where strides are variables, whatever their values
   (add_multivariate_self_dist in tree-data-ref.cc takes back no more than
   DDR_AFFINE_P, and lambda_transform_legal_p does not look at that).

   Needs: GIMPLE before omp-low; operand_find, access_find and alias_find of
   the construct.  Keeps: what a program that runs it in order leaves
   behind.  Breaks: the construct, of which a parallel one or a check of
   both remains.
   Source: OpenACC 3.2, 2.5.3, 2.6.2 and 2.9; GCC's
   omp-oacc-kernels-decompose.cc for what a region of several loops means.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"

/* Clauses.  */

static bool
has_clause_p (const line_loop *l, omp_clause_code code)
{
  return l->directive
	 && omp_find_clause (gimple_omp_for_clauses (l->directive), code);
}

/* Decisions.  */

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

/* Is the value of L's index used where L has been left?  */
static bool
index_outlives_p (const line *l, const line_loop *what)
{
  for (unsigned at = 0; at < l->code.length (); at++)
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

/* The outermost level that L's directive names, or with INNERMOST the innermost
   one; LEVELS, or -1, when it names none.  */
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

/* Does the directive of L name a level that one around it names?  GCC refuses
   that.  */
static bool
named_twice_p (const line_loop *l)
{
  for (const line_loop *around = l->outer; around; around = around->outer)
    for (int i = 0; i < LEVELS; i++)
      if (around->directive != l->directive && has_clause_p (l, kernels_levels[i])
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

/* Decide whether L, and which loops inside it, run in parallel, the USED
   outermost levels being taken by loops around it.  A directive that names its
   level gets that one; the last level is for the innermost loop, where
   accesses are likely to be neighbours.  */
static void
choose (rewrite *w, line_loop *l, int used)
{
  int named = named_level (l, false), inside = used;
  tree guard = w->guard;
  bool able = l->dim == 0
	      && (named < LEVELS ? named >= used
				 : used < level_named_inside (l))
	      && !bar_collapsed (w, l, &guard);
  if (able && (named < LEVELS || used + 1 < LEVELS))
    {
      line_loop_set_parallel (l, true);
      w->guard = guard;
      inside = named < LEVELS ? named_level (l, true) + 1 : used + 1;
    }
  for (unsigned i = 0; i < l->inner.length (); i++)
    choose (w, l->inner[i], inside);
  if (able && !l->parallel && !parallel_inside_p (l))
    {
      line_loop_set_parallel (l, true);
      w->guard = guard;
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

/* Is REF a field of a Fortran array's descriptor?  No array is in there.  */
static bool
in_descriptor_p (tree ref)
{
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    if (descriptor_type_p (TREE_TYPE (TREE_OPERAND (ref, 0))))
      return true;
  return false;
}

/* Can the write B not change what the load A gives?  */
static bool
load_apart_p (const line *l, const line_access *a, const line_access *b)
{
  return depend_objects_apart_p (l, a, b)
	 || (in_descriptor_p (a->ref) && !in_descriptor_p (b->ref));
}

/* May anything write what a symbol stands for?  */
static bool
symbols_change_p (const line *l)
{
  for (unsigned i = 0; i < l->accesses.length (); i++)
    for (unsigned j = 0; l->accesses[i].symbolic && j < l->accesses.length ();
	 j++)
      if (l->accesses[j].write
	  && !load_apart_p (l, &l->accesses[i], &l->accesses[j])
	  && decides_p (l, &l->accesses[i]))
	return true;
  return false;
}

/* Statements around the loop.  */

/* Can STMT, before the loop, run on the host?  SET are the region's variables
   that have got their values there.  */
static bool
host_statement_p (rewrite *w, gimple *stmt, const auto_vec<tree> *set)
{
  if (!is_gimple_assign (stmt) || gimple_has_volatile_ops (stmt)
      || !DECL_P (gimple_assign_lhs (stmt))
      || !register_p (gimple_assign_lhs (stmt))
      /* The host's address is not the device's.  */
      || POINTER_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt)))
      || (!line_declares_p (&w->l, gimple_assign_lhs (stmt))
	  && !kernels_fresh_p (w->stmt, gimple_assign_lhs (stmt))))
    return false;
  switch (gimple_assign_rhs_code (stmt))
    {
    case TRUNC_DIV_EXPR:
    case TRUNC_MOD_EXPR:
    case FLOOR_DIV_EXPR:
    case FLOOR_MOD_EXPR:
    case CEIL_DIV_EXPR:
    case EXACT_DIV_EXPR:
      if (!integer_nonzerop (gimple_assign_rhs2 (stmt)))
	return false;
      break;
    default:
      break;
    }
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    if (!set->contains (gimple_op (stmt, i))
	&& !kernels_host_value_p (w, gimple_op (stmt, i)))
      return false;
  return true;
}

/* What around the loop cannot be left to the host?  */
static const char *
surroundings_bar (rewrite *w)
{
  auto_vec<tree> set;
  for (unsigned at = 0; at < w->l.code.length (); at++)
    {
      if (at == w->what->begin)
	at = w->what->end;
      if (at == w->l.code.length ())
	break;
      gimple *stmt = w->l.code[at];
      if (gimple_code (stmt) == GIMPLE_LABEL)
	continue;
      if (at >= w->what->end || !host_statement_p (w, stmt, &set))
	return "there is more in the region than one loop nest";
      set.safe_push (gimple_assign_lhs (stmt));
    }
  return NULL;
}

/* Constructs.  */

/* Why the construct cannot be rewritten; NULL if it can, and then all
   decisions are made.  */
static const char *
construct_bar (rewrite *w)
{
  if (w->l.broken)
    return w->l.broken;
  flow_find (&w->l);
  for (unsigned i = 0; i < w->l.loops.length (); i++)
    if (named_twice_p (w->l.loops[i]))
      return "two loops inside each other use the same parallelism";
    else if (!w->l.loops[i]->outer)
      {
	if (w->what)
	  return "there is more in the region than one loop nest";
	w->what = w->l.loops[i];
      }
  if (!w->what)
    return "there is no loop";
  if (const char *why = bar_collapsed (w, w->what, &w->guard))
    return why;
  w->outer_guard = w->guard;
  if (const char *why = surroundings_bar (w))
    return why;
  if (symbols_change_p (&w->l))
    return "a loop bound or subscript may change";
  choose (w, w->what, 0);
  for (unsigned i = 0; i < w->what->assigned.length (); i++)
    if (const char *why = kernels_last_value_bar (w, w->what->assigned[i]))
      return why;
  if (!w->what->directive && !line_declares_p (&w->l, w->what->index))
    return kernels_last_value_bar (w, w->what->index);
  return NULL;
}

static void
report (const rewrite *w, const char *why)
{
  location_t loc = gimple_location (w->stmt);
  if (why)
    {
      region_refused (w->stmt, ACR_OPTION_KERNELS, why);
      remark_missed (w->what && w->what->loc ? w->what->loc : loc,
		     "acc kernels region: runs on one GPU thread: %s\n", why);
      return;
    }
  unsigned parallel = 0;
  for (unsigned i = 0; i < w->l.loops.length (); i++)
    parallel += w->l.loops[i]->parallel;
  unsigned n = w->l.loops.length ();
  const char *after = integer_onep (w->guard) ? "" : " after a check";
  if (n == 1)
    remark_done (loc, "acc kernels region: its loop runs in parallel%s\n",
		 after);
  else
    remark_done (loc, "acc kernels region: %u of %u loops run in parallel%s\n",
		 parallel, n, after);
}

/* The code for the kernels construct STMT, or NULL when it stays.  */
static gbind *
rewrite_construct (gomp_target *stmt)
{
  region r = {};
  r.stmt = stmt;
  r.what = construct_of (stmt);
  r.loc = gimple_location (stmt);
  operand_find (&r);
  access_find (&r);
  if (option_enabled (ACR_OPTION_ALIAS))
    alias_find (&r);
  affine_reset ();

  rewrite w = {};
  w.stmt = stmt;
  w.guard = boolean_true_node;
  line_make (&w.l, &r);
  const char *why = construct_bar (&w);
  report (&w, why);
  gbind *code = why ? NULL : kernels_make_code (&w);
  line_release (&w.l);
  region_release (&r);
  return code;
}

static tree
rewrite_stmt (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *)
{
  gomp_target *stmt = dyn_cast<gomp_target *> (gsi_stmt (*gsi));
  *handled = stmt
	     && gimple_omp_target_kind (stmt)
		  == GF_OMP_TARGET_KIND_OACC_KERNELS;
  if (*handled)
    if (gbind *code = rewrite_construct (stmt))
      gsi_replace (gsi, code, false);
  return NULL_TREE;
}

void
kernels_rewrite (function *fun)
{
  gimple_seq body = gimple_body (fun->decl);
  object_scan (body);
  struct walk_stmt_info wi = {};
  walk_gimple_seq_mod (&body, rewrite_stmt, NULL, &wi);
  gimple_set_body (fun->decl, body);
}
