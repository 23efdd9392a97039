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

   Where the proof needs a condition (depend.cc), the program checks it and
   keeps the construct as it was for when it does not hold.

   Source: OpenACC 3.2, 2.5.3, 2.6.2 and 2.9; GCC's
   omp-oacc-kernels-decompose.cc for what a region of several loops means.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop.h"
#include "gimplify-me.h"
#include "tree-inline.h"
#include "gimple-expr.h"

/* From the outside in.  */
static const omp_clause_code levels[]
  = { OMP_CLAUSE_GANG, OMP_CLAUSE_WORKER, OMP_CLAUSE_VECTOR };

enum
{
  LEVELS = ARRAY_SIZE (levels)
};

/* The rewriting of one construct.  */
struct rewrite
{
  line l;
  gomp_target *stmt;
  /* The loop to run in parallel.  */
  line_loop *what;
  /* To be checked by the program.  */
  tree guard;
  /* Replacements of variables inside the new region.  */
  hash_map<tree, tree> *map;
  /* Variables of the host code around it, and those of the region.  */
  tree host_vars, region_vars;
  /* Arguments of gang, worker and vector clauses, for the region.  */
  tree sizes[LEVELS];
  /* Variables that the last iteration stores.  */
  auto_vec<tree> stored;
};

/* Clauses.  */

static bool
has_clause_p (const line_loop *l, omp_clause_code code)
{
  return l->directive
	 && omp_find_clause (gimple_omp_for_clauses (l->directive), code);
}

/* Is VAR in a clause CODE of the directive of L?  */
static bool
in_clause_p (const line_loop *l, omp_clause_code code, tree var)
{
  for (tree c = l->directive ? gimple_omp_for_clauses (l->directive)
			     : NULL_TREE;
       c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == code && OMP_CLAUSE_DECL (c) == var)
      return true;
  return false;
}

/* The pointer variable that REF is just what it points to, or NULL.  */
static tree
dereferenced (tree ref)
{
  if (TREE_CODE (ref) != INDIRECT_REF
      && (TREE_CODE (ref) != MEM_REF || !integer_zerop (TREE_OPERAND (ref, 1))))
    return NULL_TREE;
  return DECL_P (TREE_OPERAND (ref, 0)) ? TREE_OPERAND (ref, 0) : NULL_TREE;
}

/* The clause of the construct STMT that maps WHAT, or NULL.  */
static tree
map_of (const gomp_target *stmt, tree what)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	&& (OMP_CLAUSE_DECL (c) == what
	    || (dereferenced (what)
		&& dereferenced (what) == dereferenced (OMP_CLAUSE_DECL (c)))))
      return c;
  return NULL_TREE;
}

/* Is the mapping of WHAT by STMT always a new one?  */
static bool
fresh_p (const gomp_target *stmt, tree what)
{
  tree c = map_of (stmt, what);
  return c && OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FORCE_TOFROM;
}

/* Can the host compute the value that EXPR has at the start of the region?  */
static bool
host_value_p (rewrite *w, tree expr)
{
  if (CONSTANT_CLASS_P (expr) || TREE_CODE (expr) == SSA_NAME)
    return true;
  if (TREE_CODE (expr) == ADDR_EXPR)
    return is_gimple_min_invariant (expr)
	   || DECL_P (TREE_OPERAND (expr, 0));
  if (DECL_P (expr) || handled_component_p (expr)
      || TREE_CODE (expr) == MEM_REF || TREE_CODE (expr) == INDIRECT_REF)
    {
      tree c = map_of (w->stmt, expr);
      if (!c)
	return false;
      if (POINTER_TYPE_P (TREE_TYPE (expr)) && DECL_P (expr))
	return OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FIRSTPRIVATE_POINTER
	       || OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_POINTER
	       || OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FORCE_TOFROM;
      return OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FORCE_TOFROM;
    }
  if (!EXPR_P (expr))
    return false;
  for (int i = 0; i < TREE_OPERAND_LENGTH (expr); i++)
    if (!host_value_p (w, TREE_OPERAND (expr, i)))
      return false;
  return true;
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
    if (in_clause_p (l, OMP_CLAUSE_REDUCTION, var))
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
	  && !in_clause_p (l, OMP_CLAUSE_PRIVATE, var)
	  && !reduction_clause_p (l, var))
	return "an iteration uses a scalar of the one before";
    }
  for (unsigned i = 0; i < l->combined.length (); i++)
    {
      const combination *c = &l->combined[i];
      if (in_clause_p (l, OMP_CLAUSE_PRIVATE, c->var)
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

static tree
find_variable (tree *tp, int *walk_subtrees, void *var)
{
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return *tp == (tree) var ? *tp : NULL_TREE;
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
	if (walk_tree_without_duplicates (gimple_op_ptr (stmt, i),
					  find_variable, what->index))
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
  if (!integer_onep (more) && !host_value_p (w, more))
    return "it depends on values that only the device knows";
  *guard = more;
  return NULL;
}

/* BAR for all loops that the directive of L collapses.  */
static const char *
bar_collapsed (rewrite *w, line_loop *l)
{
  tree guard = w->guard;
  for (line_loop *each = l;; each = each->inner[0])
    {
      if (const char *why = bar (w, each, &guard))
	return why;
      if (!l->directive
	  || each->dim + 1 == gimple_omp_for_collapse (l->directive))
	break;
    }
  w->guard = guard;
  return NULL;
}

/* The outermost level that L's directive names, or with INNERMOST the innermost
   one; LEVELS, or -1, when it names none.  */
static int
named_level (const line_loop *l, bool innermost)
{
  int found = innermost ? -1 : LEVELS;
  for (int i = 0; i < LEVELS; i++)
    if (has_clause_p (l, levels[i]))
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

static bool
parallel_inside_p (const line_loop *l)
{
  for (unsigned i = 0; i < l->inner.length (); i++)
    if (l->inner[i]->parallel || parallel_inside_p (l->inner[i]))
      return true;
  return false;
}

/* L runs in parallel, with all that its directive collapses.  */
static void
make_parallel (line_loop *l)
{
  l->parallel = true;
  if (l->directive && l->dim + 1 < gimple_omp_for_collapse (l->directive))
    make_parallel (l->inner[0]);
}

/* Decide whether L, and which loops inside it, run in parallel, the USED
   outermost levels being taken by loops around it.  A directive that names its
   level gets that one; the last level is for the innermost loop, where
   accesses are likely to be neighbours.  */
static void
choose (rewrite *w, line_loop *l, int used)
{
  int named = named_level (l, false), inside = used;
  bool able = l->dim == 0
	      && (named < LEVELS ? named >= used
				 : used < level_named_inside (l))
	      && !bar_collapsed (w, l);
  if (able && (named < LEVELS || used + 1 < LEVELS))
    {
      make_parallel (l);
      inside = named < LEVELS ? named_level (l, true) + 1 : used + 1;
    }
  for (unsigned i = 0; i < l->inner.length (); i++)
    choose (w, l->inner[i], inside);
  if (able && !l->parallel && !parallel_inside_p (l))
    make_parallel (l);
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

/* May anything write what a symbol stands for?  */
static bool
symbols_change_p (const line *l)
{
  for (unsigned i = 0; i < l->accesses.length (); i++)
    for (unsigned j = 0; l->accesses[i].symbolic && j < l->accesses.length ();
	 j++)
      if (l->accesses[j].write
	  && !depend_objects_apart_p (l, &l->accesses[i], &l->accesses[j])
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
      || (!line_declares_p (&w->l, gimple_assign_lhs (stmt))
	  && !fresh_p (w->stmt, gimple_assign_lhs (stmt))))
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
	&& !host_value_p (w, gimple_op (stmt, i)))
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

/* Is VAR mentioned in the function outside of the construct?  */
static bool
mentioned_elsewhere_p (const rewrite *w, tree var)
{
  mention m = { w->stmt, var, false };
  struct walk_stmt_info wi = {};
  wi.info = &m;
  walk_gimple_seq (gimple_body (current_function_decl), mention_stmt,
		   mention_op, &wi);
  return m.found;
}

/* Last values.  */

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
      if (!host_value_p (w, last_tree (&o->first))
	  || !host_value_p (w, last_tree (&o->bound)))
	return false;
    }
  return true;
}

/* Set the index of L to its last value.  */
static void
emit_last_value (const line_loop *l, gimple_seq *seq)
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
  gimplify_assign (l->index, fold_build3 (COND_EXPR, type, run, value, l->index),
		   seq);
}

/* Is VAR in a clause CODE of any directive on the line?  */
static bool
in_any_clause_p (const line *l, omp_clause_code code, tree var)
{
  for (unsigned i = 0; i < l->loops.length (); i++)
    if (in_clause_p (l->loops[i], code, var))
      return true;
  return false;
}

/* Does the loop that runs in parallel reduce VAR?  */
static bool
reduced_p (const rewrite *w, tree var)
{
  for (unsigned i = 0; i < w->what->combined.length (); i++)
    if (w->what->combined[i].var == var
	&& !in_clause_p (w->what, OMP_CLAUSE_PRIVATE, var))
      return true;
  return in_any_clause_p (&w->l, OMP_CLAUSE_REDUCTION, var);
}

/* Does the region need a variable of its own for VAR, which was there before
   it and is set in the loop?  */
static bool
privatized_p (const rewrite *w, tree var)
{
  return !line_declares_p (&w->l, var) && !reduced_p (w, var)
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

/* The loop whose every iteration sets VAR, which is set nowhere else, and which
   is reached in the last iterations of the loops around it, if it is ever;
   else NULL.  */
static const line_loop *
storing_loop (const rewrite *w, tree var)
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

/* What keeps the last value of VAR, which the loop sets, from being known after
   the region?  */
static const char *
last_value_bar (rewrite *w, tree var)
{
  if (!privatized_p (w, var) || !map_of (w->stmt, var))
    return NULL;
  bool fresh = fresh_p (w->stmt, var);
  if (fresh && !mentioned_elsewhere_p (w, var))
    return NULL;
  if (storing_loop (w, var))
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

/* The new code.  */

/* Replace variables and labels by those of the new region; nothing stays
   shared with the old one.  */
static tree
replace_op (tree *tp, int *walk_subtrees, void *data)
{
  rewrite *w = (rewrite *) ((struct walk_stmt_info *) data)->info;
  if (DECL_P (*tp))
    {
      if (tree *to = w->map->get (*tp))
	*tp = *to;
      *walk_subtrees = 0;
    }
  else if (TYPE_P (*tp) || CONSTANT_CLASS_P (*tp)
	   || TREE_CODE (*tp) == SSA_NAME)
    *walk_subtrees = 0;
  else
    *tp = copy_node (*tp);
  return NULL_TREE;
}

static tree
replaced (rewrite *w, tree expr)
{
  struct walk_stmt_info wi = {};
  wi.info = w;
  walk_tree (&expr, replace_op, &wi, NULL);
  return expr;
}

static void
emit_statement (rewrite *w, gimple *stmt, gimple_seq *seq)
{
  gimple *copy = gimple_copy (stmt);
  struct walk_stmt_info wi = {};
  wi.info = w;
  walk_gimple_op (copy, replace_op, &wi);
  gimple_seq_add_stmt_without_update (seq, copy);
}

/* A new variable like VAR, in the list *VARS.  */
static tree
new_variable (tree var, tree *vars)
{
  tree made = VAR_P (var) ? copy_node (var)
			  : create_tmp_var_raw (TREE_TYPE (var));
  DECL_CHAIN (made) = *vars;
  DECL_CONTEXT (made) = current_function_decl;
  *vars = made;
  return made;
}

static tree
add_clause (tree clauses, location_t loc, omp_clause_code code, tree decl)
{
  tree c = build_omp_clause (loc, code);
  if (decl)
    OMP_CLAUSE_DECL (c) = decl;
  OMP_CLAUSE_CHAIN (c) = clauses;
  return c;
}

/* The clauses of the directive of L for a parallel region.  There the number
   of gangs and the like belong to the region.  */
static tree
directive_clauses (rewrite *w, const line_loop *l)
{
  tree clauses = NULL_TREE;
  for (tree c = gimple_omp_for_clauses (l->directive); c;
       c = OMP_CLAUSE_CHAIN (c))
    {
      bool level = false;
      for (int i = 0; i < LEVELS; i++)
	if (OMP_CLAUSE_CODE (c) == levels[i])
	  {
	    level = true;
	    if (!w->sizes[i])
	      w->sizes[i] = OMP_CLAUSE_OPERAND (c, 0);
	  }
      if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_AUTO
	  || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_SEQ
	  || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_INDEPENDENT
	  || (level && !l->parallel))
	continue;
      tree rest = OMP_CLAUSE_CHAIN (c);
      OMP_CLAUSE_CHAIN (c) = NULL_TREE;
      tree copy = replaced (w, c);
      OMP_CLAUSE_CHAIN (c) = rest;
      if (level)
	OMP_CLAUSE_OPERAND (copy, 0) = NULL_TREE;
      OMP_CLAUSE_CHAIN (copy) = clauses;
      clauses = copy;
    }
  return clauses;
}

static tree
loop_clauses (rewrite *w, const line_loop *l)
{
  tree clauses = l->directive ? directive_clauses (w, l) : NULL_TREE;
  if (!l->parallel)
    return add_clause (clauses, l->loc, OMP_CLAUSE_SEQ, NULL_TREE);
  clauses = add_clause (clauses, l->loc, OMP_CLAUSE_INDEPENDENT, NULL_TREE);
  for (unsigned i = 0; i < l->combined.length (); i++)
    {
      const combination *c = &l->combined[i];
      if (in_clause_p (l, OMP_CLAUSE_PRIVATE, c->var)
	  || in_clause_p (l, OMP_CLAUSE_REDUCTION, c->var))
	continue;
      clauses = add_clause (clauses, l->loc, OMP_CLAUSE_REDUCTION,
			    replaced (w, c->var));
      OMP_CLAUSE_REDUCTION_CODE (clauses) = c->op;
    }
  return clauses;
}

static void emit_range (rewrite *w, unsigned from, unsigned to,
			const line_loop *in, gimple_seq *seq);

/* A new variable of the region with the value of EXPR as ssizetype.  */
static tree
emit_wide (rewrite *w, tree expr, gimple_seq *seq)
{
  tree var = create_tmp_var_raw (ssizetype);
  DECL_CONTEXT (var) = current_function_decl;
  DECL_CHAIN (var) = w->region_vars;
  w->region_vars = var;
  gimple_seq_add_stmt_without_update (
    seq, gimple_build_assign (var, NOP_EXPR, expr));
  return var;
}

static void
emit_label (tree label, gimple_seq *seq)
{
  gimple_seq_add_stmt_without_update (seq, gimple_build_label (label));
}

/* At the end of the body of L: the last iteration of L and of the loops around
   it stores variables for those after the region.  */
static void
emit_last_stores (rewrite *w, const line_loop *l, gimple_seq *seq)
{
  for (unsigned i = 0; i < w->stored.length (); i++)
    {
      tree var = w->stored[i];
      if (storing_loop (w, var) != l)
	continue;
      tree not_last = create_artificial_label (l->loc);
      for (const line_loop *o = l; o; o = o->outer)
	{
	  tree next = emit_wide (w, replaced (w, o->index), seq);
	  tree bound = emit_wide (w, replaced (w, o->bound_expr), seq);
	  tree last = create_artificial_label (l->loc);
	  gimple_seq_add_stmt_without_update (
	    seq, gimple_build_assign (next, PLUS_EXPR, next,
				      ssize_int (o->step)));
	  gimple_seq_add_stmt_without_update (
	    seq, gimple_build_cond (o->cond, next, bound, not_last, last));
	  emit_label (last, seq);
	}
      gimple_seq_add_stmt_without_update (
	seq, gimple_build_assign (var, replaced (w, var)));
      emit_label (not_last, seq);
    }
}

/* Does L become, or stay, a directive?  */
static bool
directive_p (const line_loop *l)
{
  return l->directive || l->parallel;
}

/* The innermost loop with a directive in the new code around place AT.  */
static const line_loop *
directive_around (const line *l, unsigned at)
{
  const line_loop *found = NULL;
  for (unsigned i = 0; i < l->loops.length (); i++)
    if (directive_p (l->loops[i]) && l->loops[i]->dim == 0
	&& at >= l->loops[i]->body_begin && at < l->loops[i]->body_end)
      found = l->loops[i];
  return found;
}

/* Make the variables that are declared directly in the body of IN.  */
static tree
declare_locals (rewrite *w, const line_loop *in)
{
  tree vars = NULL_TREE;
  for (unsigned i = 0; i < w->l.decls.length (); i++)
    {
      const line_decl *d = &w->l.decls[i];
      if (VAR_P (d->var) && directive_around (&w->l, d->at) == in
	  && !w->map->get (d->var))
	w->map->put (d->var, new_variable (d->var, &vars));
    }
  if (in == w->what)
    for (unsigned i = 0; i < in->assigned.length (); i++)
      if (privatized_p (w, in->assigned[i]))
	w->map->put (in->assigned[i], new_variable (in->assigned[i], &vars));
  return vars;
}

/* Set dimension DIM of FOR to what L counts, with INDEX.  */
static void
set_counting (rewrite *w, gomp_for *loop_stmt, const line_loop *l, tree index)
{
  gomp_for *old = l->directive;
  unsigned dim = l->dim;
  tree type = TREE_TYPE (index);
  HOST_WIDE_INT first;
  gimple_omp_for_set_index (loop_stmt, dim, index);
  if (old)
    {
      gimple_omp_for_set_initial (loop_stmt, dim,
				  replaced (w, gimple_omp_for_initial (old,
								       dim)));
      gimple_omp_for_set_final (loop_stmt, dim,
				replaced (w, gimple_omp_for_final (old, dim)));
      gimple_omp_for_set_cond (loop_stmt, dim, gimple_omp_for_cond (old, dim));
      gimple_omp_for_set_incr (loop_stmt, dim,
			       replaced (w, gimple_omp_for_incr (old, dim)));
      return;
    }
  gimple_omp_for_set_initial (loop_stmt, dim,
			      affine_constant_p (&l->first, &first)
				? build_int_cst (type, first)
				: replaced (w, l->index));
  gimple_omp_for_set_final (loop_stmt, dim,
			    fold_convert (type, replaced (w, l->bound_expr)));
  gimple_omp_for_set_cond (loop_stmt, dim, l->cond);
  gimple_omp_for_set_incr (loop_stmt, dim,
			   build2 (PLUS_EXPR, type, index,
				   build_int_cst (type, l->step)));
}

/* L as a loop directive.  VARS gets a new index.  */
static void
emit_directive (rewrite *w, line_loop *l, gimple_seq *seq)
{
  size_t collapse = l->directive ? gimple_omp_for_collapse (l->directive) : 1;
  tree clauses = loop_clauses (w, l), index = NULL_TREE, index_vars = NULL_TREE;
  emit_range (w, l->test_begin, l->test_end, l, seq);
  gomp_for *made = gimple_build_omp_for (NULL, GF_OMP_FOR_KIND_OACC_LOOP,
					 clauses, collapse, NULL);
  gimple_set_location (made, l->loc);
  if (!l->directive)
    {
      index = new_variable (l->index, &index_vars);
      gimple_omp_for_set_clauses (
	made, add_clause (clauses, l->loc, OMP_CLAUSE_PRIVATE, index));
      set_counting (w, made, l, index);
    }
  for (line_loop *each = l; l->directive; each = each->inner[0])
    {
      set_counting (w, made, each, replaced (w, each->index));
      if (each->dim + 1 == collapse)
	break;
    }

  tree vars = declare_locals (w, l);
  tree *outside = index ? w->map->get (l->index) : NULL;
  tree saved = outside ? *outside : l->index;
  if (index)
    w->map->put (l->index, index);
  gimple_seq body = NULL;
  const line_loop *innermost = l;
  while (l->directive
	 && innermost->dim + 1 < gimple_omp_for_collapse (l->directive))
    innermost = innermost->inner[0];
  emit_range (w, l->body_begin, l->body_end, innermost, &body);
  emit_last_stores (w, innermost, &body);
  w->map->put (l->index, saved);
  gimple_omp_set_body (made, gimple_build_bind (vars, body, NULL_TREE));
  gimple_seq loop_seq = NULL;
  gimple_seq_add_stmt_without_update (&loop_seq, made);
  gimple_seq_add_stmt_without_update (
    seq, index_vars ? (gimple *) gimple_build_bind (index_vars, loop_seq,
						    NULL_TREE)
		    : made);
}

/* The statements FROM up to TO, directly in the loop IN.  */
static void
emit_range (rewrite *w, unsigned from, unsigned to, const line_loop *in,
	    gimple_seq *seq)
{
  for (unsigned at = from; at < to; at++)
    {
      line_loop *inner = line_loop_at (&w->l, in, at);
      if (in && !directive_p (in) && in->index && at == in->body_end)
	emit_last_stores (w, in, seq);
      if (inner && directive_p (inner))
	emit_directive (w, inner, seq);
      else if (inner)
	emit_range (w, at, inner->end, inner, seq);
      else if (w->l.code[at])
	emit_statement (w, w->l.code[at], seq);
      if (inner)
	at = inner->end - 1;
    }
}

/* New labels, because the old ones may stay where they are.  */
static void
make_labels (rewrite *w)
{
  for (unsigned i = 0; i < w->l.code.length (); i++)
    if (w->l.code[i] && gimple_code (w->l.code[i]) == GIMPLE_LABEL)
      w->map->put (gimple_label_label (as_a<glabel *> (w->l.code[i])),
		   create_artificial_label (w->what->loc));
}

static tree
used_op (tree *tp, int *walk_subtrees, void *data)
{
  hash_set<tree> *used
    = (hash_set<tree> *) ((struct walk_stmt_info *) data)->info;
  if (DECL_P (*tp))
    used->add (*tp);
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return NULL_TREE;
}

/* The reference, a parameter of Fortran, that the clause C after the mapping
   of what it leads to is about, or NULL.  */
static tree
reference_of (tree mapped, tree c)
{
  return c && OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	     && OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_POINTER
	     && OMP_CLAUSE_DECL (c) == dereferenced (mapped)
	     && lang_hooks.decls.omp_privatize_by_reference (
	       OMP_CLAUSE_DECL (c))
	   ? OMP_CLAUSE_DECL (c)
	   : NULL_TREE;
}

/* Clauses of the parallel region for those of the kernels region.  USED are
   the variables in its body.  */
static tree
region_clauses (rewrite *w, hash_set<tree> *used)
{
  tree clauses = NULL_TREE, *end = &clauses;
  for (tree c = gimple_omp_target_clauses (w->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    {
      tree next = OMP_CLAUSE_CHAIN (c), copy;
      bool fresh = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
		   && OMP_CLAUSE_MAP_KIND (c) == GOMP_MAP_FORCE_TOFROM;
      tree decl = fresh ? OMP_CLAUSE_DECL (c) : NULL_TREE;
      tree reference = fresh ? reference_of (decl, next) : NULL_TREE;
      tree var = reference ? reference : decl;
      if (var && DECL_P (var) && !reduced_p (w, var)
	  && !w->stored.contains (var) && (reference || register_p (var)))
	{
	  if (reference)
	    c = next;
	  if (!used->contains (var))
	    continue;
	  copy = build_omp_clause (OMP_CLAUSE_LOCATION (c),
				   OMP_CLAUSE_FIRSTPRIVATE);
	  OMP_CLAUSE_DECL (copy) = var;
	}
      else
	{
	  OMP_CLAUSE_CHAIN (c) = NULL_TREE;
	  copy = unshare_expr (c);
	  OMP_CLAUSE_CHAIN (c) = next;
	}
      *end = copy;
      end = &OMP_CLAUSE_CHAIN (copy);
    }
  static const omp_clause_code numbers[]
    = { OMP_CLAUSE_NUM_GANGS, OMP_CLAUSE_NUM_WORKERS,
	OMP_CLAUSE_VECTOR_LENGTH };
  for (int i = 0; i < LEVELS; i++)
    if (w->sizes[i] && !omp_find_clause (clauses, numbers[i]))
      {
	clauses = add_clause (clauses, gimple_location (w->stmt), numbers[i],
			      NULL_TREE);
	OMP_CLAUSE_OPERAND (clauses, 0) = unshare_expr (w->sizes[i]);
      }
  for (tree var = w->host_vars; var; var = DECL_CHAIN (var))
    if (used->contains (var))
      clauses = add_clause (clauses, gimple_location (w->stmt),
			    OMP_CLAUSE_FIRSTPRIVATE, var);
  return clauses;
}

/* The parallel region.  */
static gomp_target *
make_region (rewrite *w)
{
  gimple_seq body = NULL;
  w->region_vars = declare_locals (w, NULL);
  emit_directive (w, w->what, &body);
  hash_set<tree> used;
  struct walk_stmt_info wi = {};
  wi.info = &used;
  walk_gimple_seq (body, NULL, used_op, &wi);
  gbind *bind = gimple_build_bind (w->region_vars, body,
				   make_node (BLOCK));
  gimple_seq seq = NULL;
  gimple_seq_add_stmt_without_update (&seq, bind);
  gomp_target *made
    = gimple_build_omp_target (seq, GF_OMP_TARGET_KIND_OACC_PARALLEL,
			       region_clauses (w, &used));
  gimple_set_location (made, gimple_location (w->stmt));
  return made;
}

/* What the host computes before the region.  */
static void
emit_before (rewrite *w, gimple_seq *seq)
{
  for (unsigned at = 0; at < w->what->begin; at++)
    {
      gimple *stmt = w->l.code[at];
      if (gimple_code (stmt) == GIMPLE_LABEL)
	continue;
      tree var = gimple_assign_lhs (stmt);
      if (line_declares_p (&w->l, var) && !w->map->get (var))
	w->map->put (var, new_variable (var, &w->host_vars));
      emit_statement (w, stmt, seq);
    }
}

static void
emit_after (rewrite *w, gimple_seq *seq)
{
  for (unsigned i = 0; i < w->l.loops.length (); i++)
    {
      const line_loop *l = w->l.loops[i];
      if (l->index && !l->directive && privatized_p (w, l->index)
	  && mentioned_elsewhere_p (w, l->index))
	emit_last_value (l, seq);
    }
}

/* All that takes the place of the construct.  */
static gbind *
make_code (rewrite *w)
{
  hash_map<tree, tree> map;
  w->map = &map;
  gimple_seq seq = NULL;
  location_t loc = gimple_location (w->stmt);
  bool checked = !integer_onep (w->guard);
  tree parallel = checked ? create_artificial_label (loc) : NULL_TREE;
  tree stock = checked ? create_artificial_label (loc) : NULL_TREE;
  tree done = checked ? create_artificial_label (loc) : NULL_TREE;
  push_gimplify_context ();
  if (checked)
    {
      gimplify_and_add (build3 (COND_EXPR, void_type_node,
				unshare_expr (w->guard),
				build1 (GOTO_EXPR, void_type_node, parallel),
				build1 (GOTO_EXPR, void_type_node, stock)),
			&seq);
      emit_label (parallel, &seq);
    }
  make_labels (w);
  emit_before (w, &seq);
  gimple_seq_add_stmt_without_update (&seq, make_region (w));
  emit_after (w, &seq);
  if (checked)
    {
      gimple_seq_add_stmt_without_update (&seq, gimple_build_goto (done));
      emit_label (stock, &seq);
      gomp_target *old
	= gimple_build_omp_target (gimple_omp_body (w->stmt),
				   gimple_omp_target_kind (w->stmt),
				   gimple_omp_target_clauses (w->stmt));
      gimple_set_location (old, loc);
      gimple_seq_add_stmt_without_update (&seq, old);
      emit_label (done, &seq);
    }
  gbind *bind = gimple_build_bind (w->host_vars, seq, NULL_TREE);
  pop_gimplify_context (bind);
  return bind;
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
    if (!w->l.loops[i]->outer)
      {
	if (w->what)
	  return "there is more in the region than one loop nest";
	w->what = w->l.loops[i];
      }
  if (!w->what)
    return "there is no loop";
  if (const char *why = bar_collapsed (w, w->what))
    return why;
  if (const char *why = surroundings_bar (w))
    return why;
  if (symbols_change_p (&w->l))
    return "a loop bound or subscript may change";
  choose (w, w->what, 0);
  for (unsigned i = 0; i < w->what->assigned.length (); i++)
    if (const char *why = last_value_bar (w, w->what->assigned[i]))
      return why;
  if (!w->what->directive && !line_declares_p (&w->l, w->what->index))
    return last_value_bar (w, w->what->index);
  return NULL;
}

static void
remark (const rewrite *w, const char *why)
{
  if (!dump_enabled_p ())
    return;
  location_t at = why && w->what && w->what->loc ? w->what->loc
						  : gimple_location (w->stmt);
  dump_user_location_t loc = dump_user_location_t::from_location_t (at);
  if (why)
    {
      dump_printf_loc (MSG_MISSED_OPTIMIZATION, loc,
		       "kernels region runs on one thread: %s\n", why);
      return;
    }
  unsigned parallel = 0;
  for (unsigned i = 0; i < w->l.loops.length (); i++)
    parallel += w->l.loops[i]->parallel;
  dump_printf_loc (MSG_OPTIMIZED_LOCATIONS, loc,
		   "kernels region: %u of %u loops run in parallel%s\n",
		   parallel, w->l.loops.length (),
		   integer_onep (w->guard) ? "" : " after a check");
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
  remark (&w, why);
  gbind *code = why ? NULL : make_code (&w);
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
