/* The code of a part of a kernels construct: a parallel region with loop
   directives, with variables of its own, since there may be several forms of
   it.

   Needs: the decisions of kernels-nest.cc and kernels-parts.cc.  Keeps:
   clauses about data.  Breaks: the construct, of which statements move into
   the new one.
   Source: OpenACC 3.2, 2.5.1 and 2.9.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"
#include "base/code.h"

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

tree
kernels_replaced (rewrite *w, tree expr)
{
  struct walk_stmt_info wi = {};
  wi.info = w;
  walk_tree (&expr, replace_op, &wi, NULL);
  return expr;
}

void
kernels_emit_statement (rewrite *w, unsigned at, gimple_seq *seq)
{
  gimple *copy = gimple_copy (w->l.code[at]);
  struct walk_stmt_info wi = {};
  wi.info = w;
  walk_gimple_op (copy, replace_op, &wi);
  gimple_seq_add_stmt_without_update (seq, copy);
}

tree
kernels_outside (const rewrite *w, tree var)
{
  tree *host = w->hosted->get (var);
  return host ? *host : var;
}

/* A new variable like VAR, in the list *VARS.  */
tree
kernels_new_variable (tree var, tree *vars)
{
  tree made = VAR_P (var) ? copy_node (var)
			  : create_tmp_var_raw (TREE_TYPE (var));
  DECL_CHAIN (made) = *vars;
  DECL_CONTEXT (made) = current_function_decl;
  *vars = made;
  return made;
}

/* Which of kernels_levels the clause CODE of a loop directive is; -1: none.  */
static int
level_of (omp_clause_code code)
{
  for (int i = 0; i < LEVELS; i++)
    if (code == kernels_levels[i])
      return i;
  return -1;
}

/* Does the clause CODE of a loop directive say whether iterations may run in
   parallel?  */
static bool
order_clause_p (omp_clause_code code)
{
  return code == OMP_CLAUSE_AUTO || code == OMP_CLAUSE_SEQ
	 || code == OMP_CLAUSE_INDEPENDENT;
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
      int level = level_of (OMP_CLAUSE_CODE (c));
      if (level >= 0 && !w->now->sizes[level])
	w->now->sizes[level] = OMP_CLAUSE_OPERAND (c, 0);
      if (order_clause_p (OMP_CLAUSE_CODE (c))
	  || (level >= 0 && !l->parallel))
	continue;
      tree rest = OMP_CLAUSE_CHAIN (c);
      OMP_CLAUSE_CHAIN (c) = NULL_TREE;
      tree copy = kernels_replaced (w, c);
      OMP_CLAUSE_CHAIN (c) = rest;
      if (level >= 0)
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
    return kernels_add_clause (clauses, l->loc, OMP_CLAUSE_SEQ, NULL_TREE);
  clauses = kernels_add_clause (clauses, l->loc, OMP_CLAUSE_INDEPENDENT,
				NULL_TREE);
  for (unsigned i = 0; i < l->combined.length (); i++)
    {
      const combination *c = &l->combined[i];
      if (kernels_in_clause_p (l, OMP_CLAUSE_PRIVATE, c->var)
	  || kernels_in_clause_p (l, OMP_CLAUSE_REDUCTION, c->var))
	continue;
      clauses = kernels_add_clause (clauses, l->loc, OMP_CLAUSE_REDUCTION,
				    kernels_replaced (w, c->var));
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

/* At the end of the body of L: the last iteration of L and of the loops around
   it stores variables for those after the region.  */
static void
emit_last_stores (rewrite *w, const line_loop *l, gimple_seq *seq)
{
  for (unsigned i = 0; i < w->now->stored.length (); i++)
    {
      tree var = w->now->stored[i];
      if (kernels_storing_loop (w, var) != l)
	continue;
      code c = seq;
      tree not_last = code_label ();
      for (const line_loop *o = l; o; o = o->outer)
	{
	  tree next = emit_wide (w, kernels_replaced (w, o->index), seq);
	  tree bound = o == w->now->nest && w->bound
			 ? w->bound
			 : emit_wide (w, kernels_replaced (w, o->bound_expr),
				      seq);
	  tree last = code_label ();
	  gimple_seq_add_stmt_without_update (
	    seq, gimple_build_assign (next, PLUS_EXPR, next,
				      ssize_int (o->step)));
	  c.branch (test{ o->cond, next, bound }, not_last, last);
	  c.at (last);
	}
      gimple_seq_add_stmt_without_update (
	seq, gimple_build_assign (kernels_outside (w, var),
				  kernels_replaced (w, var)));
      c.at (not_last);
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

/* Make the variables that are declared directly in the body of IN, or, when
   that is NULL, those of the part in work that are declared outside of its
   loops.  */
static tree
declare_locals (rewrite *w, const line_loop *in)
{
  tree vars = NULL_TREE;
  for (unsigned i = 0; i < w->l.decls.length (); i++)
    {
      const line_decl *d = &w->l.decls[i];
      if (VAR_P (d->var) && directive_around (&w->l, d->at) == in
	  && !w->map->get (d->var))
	w->map->put (d->var, kernels_new_variable (d->var, &vars));
    }
  if (in && in == w->now->nest)
    for (unsigned i = 0; i < in->assigned.length (); i++)
      if (kernels_privatized_p (w, in->assigned[i]))
	w->map->put (in->assigned[i],
		     kernels_new_variable (in->assigned[i], &vars));
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
      tree initial = gimple_omp_for_initial (old, dim);
      tree final = gimple_omp_for_final (old, dim);
      tree incr = gimple_omp_for_incr (old, dim);
      gimple_omp_for_set_initial (loop_stmt, dim,
				  kernels_replaced (w, initial));
      gimple_omp_for_set_final (loop_stmt, dim, kernels_replaced (w, final));
      gimple_omp_for_set_cond (loop_stmt, dim, gimple_omp_for_cond (old, dim));
      gimple_omp_for_set_incr (loop_stmt, dim, kernels_replaced (w, incr));
      return;
    }
  gimple_omp_for_set_initial (loop_stmt, dim,
			      affine_constant_p (&l->first, &first)
				? build_int_cst (type, first)
				: kernels_replaced (w, l->index));
  tree bound = kernels_replaced (w, l->bound_expr);
  gimple_omp_for_set_final (loop_stmt, dim, fold_convert (type, bound));
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
  /* What computes the bound is the loop's own inside of it.  */
  if (l == w->now->nest)
    w->bound = l->test_begin < l->test_end && !w->now->stored.is_empty ()
		 ? emit_wide (w, kernels_replaced (w, l->bound_expr), seq)
		 : NULL_TREE;
  gomp_for *made = gimple_build_omp_for (NULL, GF_OMP_FOR_KIND_OACC_LOOP,
					 clauses, collapse, NULL);
  gimple_set_location (made, l->loc);
  if (!l->directive)
    {
      index = kernels_new_variable (l->index, &index_vars);
      gimple_omp_for_set_clauses (
	made, kernels_add_clause (clauses, l->loc, OMP_CLAUSE_PRIVATE, index));
      set_counting (w, made, l, index);
    }
  for (line_loop *each = l; l->directive; each = each->inner[0])
    {
      set_counting (w, made, each, kernels_replaced (w, each->index));
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
	kernels_emit_statement (w, at, seq);
      if (inner)
	at = inner->end - 1;
    }
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

/* A variable of the region in work for what the statement at place AT sets, if
   anything.  */
static void
declare_set (rewrite *w, unsigned at)
{
  tree var = gimple_get_lhs (w->l.code[at]);
  if (!var)
    return;
  tree *made = w->map->get (var);
  if (!made || *made == kernels_outside (w, var))
    w->map->put (var, kernels_new_variable (var, &w->region_vars));
}

/* Variables for what the statements in front of the nest set, and those that
   compute its bound, which each thread executes for itself.  */
static void
declare_prefix (rewrite *w)
{
  const line_loop *nest = w->now->nest;
  for (unsigned at = w->now->begin; at < nest->begin; at++)
    if (w->places[at] == PLACE_PART)
      declare_set (w, at);
  for (unsigned at = nest->test_begin; at < nest->test_end; at++)
    declare_set (w, at);
}

static void
emit_part (rewrite *w, gimple_seq *seq)
{
  part *p = w->now;
  w->region_vars = declare_locals (w, NULL);
  if (!p->nest)
    {
      emit_range (w, p->begin, p->end, NULL, seq);
      return;
    }
  declare_prefix (w);
  for (unsigned at = p->begin; at < p->nest->begin; at++)
    if (w->places[at] == PLACE_PART)
      kernels_emit_statement (w, at, seq);
  emit_directive (w, p->nest, seq);
}

gomp_target *
kernels_make_region (rewrite *w)
{
  /* What is replaced in this region is not so in the next one.  */
  hash_map<tree, tree> map, *outside = w->map;
  for (hash_map<tree, tree>::iterator i = outside->begin ();
       i != outside->end (); ++i)
    map.put ((*i).first, (*i).second);
  w->map = &map;
  gimple_seq body = NULL, seq = NULL;
  emit_part (w, &body);
  hash_set<tree> used;
  struct walk_stmt_info wi = {};
  wi.info = &used;
  walk_gimple_seq (body, NULL, used_op, &wi);
  gbind *bind = gimple_build_bind (w->region_vars, body, make_node (BLOCK));
  gimple_seq_add_stmt_without_update (&seq, bind);
  gomp_target *made
    = gimple_build_omp_target (seq, GF_OMP_TARGET_KIND_OACC_PARALLEL,
			       kernels_region_clauses (w, &used));
  gimple_set_location (made, w->now->loc == UNKNOWN_LOCATION
			       || !kernels_several_p (w)
			       ? gimple_location (w->stmt) : w->now->loc);
  w->map = outside;
  return made;
}

/* Take from *CLAUSES those that MATCH.  */
static void
drop_clauses (tree *clauses, bool (*match) (omp_clause_code))
{
  while (*clauses)
    if (match (OMP_CLAUSE_CODE (*clauses)))
      *clauses = OMP_CLAUSE_CHAIN (*clauses);
    else
      clauses = &OMP_CLAUSE_CHAIN (*clauses);
}

/* Does the clause CODE of a loop directive say how iterations are shared
   out?  */
static bool
partition_clause_p (omp_clause_code code)
{
  return level_of (code) >= 0 || order_clause_p (code);
}

/* Does the clause CODE of a region say how many gangs and the like it has?  */
static bool
number_clause_p (omp_clause_code code)
{
  for (int i = 0; i < LEVELS; i++)
    if (code == kernels_numbers[i])
      return true;
  return false;
}

static tree
make_sequential (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gomp_for *loop = dyn_cast<gomp_for *> (gsi_stmt (*gsi));
  if (!loop)
    return NULL_TREE;
  tree *clauses = gimple_omp_for_clauses_ptr (loop);
  drop_clauses (clauses, partition_clause_p);
  *clauses = kernels_add_clause (*clauses, gimple_location (loop),
				 OMP_CLAUSE_SEQ, NULL_TREE);
  return NULL_TREE;
}

/* A parallel region without a parallel loop has one gang of one worker, in
   which one lane works.  It is for when a check fails.  */
void
kernels_emit_sequential (rewrite *w, gimple_seq *seq)
{
  gimple_seq body = gimple_omp_body (w->stmt);
  struct walk_stmt_info wi = {};
  walk_gimple_seq (body, make_sequential, NULL, &wi);
  tree clauses = gimple_omp_target_clauses (w->stmt);
  drop_clauses (&clauses, number_clause_p);
  gomp_target *made
    = gimple_build_omp_target (body, GF_OMP_TARGET_KIND_OACC_PARALLEL, clauses);
  gimple_set_location (made, gimple_location (w->stmt));
  region_refused (made, ACR_OPTION_KERNELS, "the check in front of it failed");
  gimple_seq_add_stmt_without_update (seq, made);
}
