/* The code in place of a kernels construct: a parallel region with loop
   directives, with variables and labels of its own, since there may be several
   forms of it.

   Needs: the decisions of kernels.cc about loops.  Keeps: clauses about
   data.  Breaks: the construct, of which statements move into the new one.
   Source: OpenACC 3.2, 2.5.1 and 2.9.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"

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
	if (OMP_CLAUSE_CODE (c) == kernels_levels[i])
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
      if (kernels_in_clause_p (l, OMP_CLAUSE_PRIVATE, c->var)
	  || kernels_in_clause_p (l, OMP_CLAUSE_REDUCTION, c->var))
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
      if (kernels_storing_loop (w, var) != l)
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
      if (kernels_privatized_p (w, in->assigned[i]))
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
	     && OMP_CLAUSE_DECL (c) == kernels_dereferenced (mapped)
	     && lang_hooks.decls.omp_privatize_by_reference (
	       OMP_CLAUSE_DECL (c))
	   ? OMP_CLAUSE_DECL (c)
	   : NULL_TREE;
}

/* SIZE, of gangs or the like, in front of the region, or NULL when only the region
   computes it.  */
static tree
host_size (rewrite *w, tree size)
{
  if (!size || !DECL_P (size) || !line_declares_p (&w->l, size))
    return unshare_expr (size);
  tree *to = w->map->get (size);
  for (tree var = w->host_vars; to && var; var = DECL_CHAIN (var))
    if (var == *to)
      return var;
  return NULL_TREE;
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
      if (var && DECL_P (var) && !kernels_reduced_p (w, var)
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
    if (tree size = host_size (w, w->sizes[i]))
      if (!omp_find_clause (clauses, numbers[i]))
	{
	  clauses = add_clause (clauses, gimple_location (w->stmt), numbers[i],
				NULL_TREE);
	  OMP_CLAUSE_OPERAND (clauses, 0) = size;
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
      if (l->index && !l->directive && kernels_privatized_p (w, l->index)
	  && kernels_mentioned_elsewhere_p (w, l->index))
	kernels_emit_last_value (l, seq);
    }
}

/* The loops that are decided to run in parallel do.  */
static void
emit_parallel (rewrite *w, gimple_seq *seq)
{
  hash_map<tree, tree> map;
  w->map = &map;
  make_labels (w);
  emit_before (w, seq);
  gimple_seq_add_stmt_without_update (seq, make_region (w));
  emit_after (w, seq);
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
  return code == OMP_CLAUSE_GANG || code == OMP_CLAUSE_WORKER
	 || code == OMP_CLAUSE_VECTOR || code == OMP_CLAUSE_AUTO
	 || code == OMP_CLAUSE_INDEPENDENT || code == OMP_CLAUSE_SEQ;
}

/* Does the clause CODE of a region say how many gangs and the like it has?  */
static bool
number_clause_p (omp_clause_code code)
{
  return code == OMP_CLAUSE_NUM_GANGS || code == OMP_CLAUSE_NUM_WORKERS
	 || code == OMP_CLAUSE_VECTOR_LENGTH;
}

static tree
make_sequential (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gomp_for *loop = dyn_cast<gomp_for *> (gsi_stmt (*gsi));
  if (!loop)
    return NULL_TREE;
  tree *clauses = gimple_omp_for_clauses_ptr (loop);
  drop_clauses (clauses, partition_clause_p);
  *clauses = add_clause (*clauses, gimple_location (loop), OMP_CLAUSE_SEQ,
			 NULL_TREE);
  return NULL_TREE;
}

/* The construct's own statements run in order: a parallel region without a
   parallel loop has one gang of one worker, in which one lane works.  */
static void
emit_sequential (rewrite *w, gimple_seq *seq)
{
  gimple_seq body = gimple_omp_body (w->stmt);
  struct walk_stmt_info wi = {};
  walk_gimple_seq (body, make_sequential, NULL, &wi);
  tree clauses = gimple_omp_target_clauses (w->stmt);
  drop_clauses (&clauses, number_clause_p);
  gomp_target *made
    = gimple_build_omp_target (body, GF_OMP_TARGET_KIND_OACC_PARALLEL, clauses);
  gimple_set_location (made, gimple_location (w->stmt));
  gimple_seq_add_stmt_without_update (seq, made);
}

/* Go on at a new label when CONDITION holds, else at what is the result.  */
static tree
emit_check (tree condition, location_t loc, gimple_seq *seq)
{
  tree yes = create_artificial_label (loc), no = create_artificial_label (loc);
  gimplify_and_add (build3 (COND_EXPR, void_type_node,
			    unshare_expr (condition),
			    build1 (GOTO_EXPR, void_type_node, yes),
			    build1 (GOTO_EXPR, void_type_node, no)),
		    seq);
  emit_label (yes, seq);
  return no;
}

/* Add to SEQ the form that is right when CONDITION holds, then go to DONE; what
   follows is for when it does not.  */
static void
emit_checked (rewrite *w, tree condition, tree done, gimple_seq *seq)
{
  tree otherwise = emit_check (condition, gimple_location (w->stmt), seq);
  emit_parallel (w, seq);
  gimple_seq_add_stmt_without_update (seq, gimple_build_goto (done));
  emit_label (otherwise, seq);
}

gbind *
kernels_make_code (rewrite *w)
{
  gimple_seq seq = NULL;
  tree done = create_artificial_label (gimple_location (w->stmt));
  bool outer = w->what->parallel && w->guard != w->outer_guard;
  push_gimplify_context ();
  if (!integer_onep (w->guard))
    emit_checked (w, w->guard, done, &seq);
  if (outer)
    line_set_parallel (&w->l, w->what);
  if (outer && !integer_onep (w->outer_guard))
    emit_checked (w, w->outer_guard, done, &seq);
  if (integer_onep (outer ? w->outer_guard : w->guard))
    emit_parallel (w, &seq);
  else
    emit_sequential (w, &seq);
  emit_label (done, &seq);
  gbind *bind = gimple_build_bind (w->host_vars, seq, NULL_TREE);
  pop_gimplify_context (bind);
  return bind;
}
