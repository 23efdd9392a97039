/* The host code in place of a kernels construct: its parts, what the host does
   between them, and the choice between the forms.

       if (GUARD of all)
	 {
	   last values;
	   #pragma acc data ...
	   { host code; part; host code; part ... }
	 }
       else if (guard of the outermost loops) ...
       else the construct, in order

   Parts are launched one after the other, in one queue, so that what one
   writes the next one reads.  Where the host looks at scalars between them, or
   data must be unmapped at the end, an asynchronous construct is waited for:
   the host waits for its queue, and executes it at once.

   Needs: the construct's parts.  Breaks: the construct, of which statements
   move into the new code.
   Source: OpenACC 3.2, 2.5.3, 2.16.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"
#include "base/code.h"

/* New labels, because the old ones may stay where they are.  */
static void
make_labels (rewrite *w)
{
  for (unsigned i = 0; i < w->l.code.length (); i++)
    if (w->l.code[i] && gimple_code (w->l.code[i]) == GIMPLE_LABEL)
      w->map->put (gimple_label_label (as_a<glabel *> (w->l.code[i])),
		   create_artificial_label (gimple_location (w->stmt)));
}

/* Variables of the host for those that it holds between parts.  */
static void
make_hosted (rewrite *w)
{
  auto_vec<tree> hosted;
  decl_sorted_keys (w->hosted, &hosted);
  for (unsigned i = 0; i < hosted.length (); i++)
    w->hosted->put (hosted[i], kernels_new_variable (hosted[i], &w->host_vars));
}

/* ---- Clauses about the whole construct ---- */

/* The operand EXPR as it is now: host code may change it.  */
static tree
steady (tree expr, gimple_seq *seq)
{
  if (CONSTANT_CLASS_P (expr))
    return expr;
  tree var = create_tmp_var (TREE_TYPE (expr));
  gimplify_assign (var, unshare_expr (expr), seq);
  return var;
}

static void
take_operands (rewrite *w, gimple_seq *seq)
{
  tree clauses = gimple_omp_target_clauses (w->stmt);
  if (tree c = omp_find_clause (clauses, OMP_CLAUSE_IF))
    w->condition = steady (OMP_CLAUSE_IF_EXPR (c), seq);
  if (tree c = omp_find_clause (clauses, OMP_CLAUSE_ASYNC))
    w->queue = steady (OMP_CLAUSE_ASYNC_EXPR (c), seq);
}

/* Let the queue IN, or the host, wait for the QUEUES.  */
static void
emit_wait (tree in, const vec<tree> &queues, gimple_seq *seq)
{
  auto_vec<tree> args;
  args.safe_push (in);
  args.safe_push (build_int_cst (integer_type_node, queues.length ()));
  args.safe_splice (queues);
  for (unsigned i = 0; i < args.length (); i++)
    args[i] = steady (fold_convert (integer_type_node,
				    unshare_expr (args[i])), seq);
  gimple_seq_add_stmt_without_update (
    seq, gimple_build_call_vec (builtin_decl_explicit (BUILT_IN_GOACC_WAIT),
				args));
}

/* What the construct waits for before its first part.  */
static void
emit_waits (rewrite *w, gimple_seq *seq)
{
  if (!kernels_host_decides_p (w))
    return;
  tree host = build_int_cst (integer_type_node, GOMP_ASYNC_SYNC);
  auto_vec<tree> queues;
  for (tree c = gimple_omp_target_clauses (w->stmt); c;
       c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_WAIT)
      queues.safe_push (OMP_CLAUSE_WAIT_EXPR (c));
  bool queued = w->queue && kernels_queued_p (w);
  if (!queues.is_empty ())
    emit_wait (queued ? w->queue : host, queues, seq);
  if (w->queue && !queued)
    {
      queues.truncate (0);
      queues.safe_push (w->queue);
      emit_wait (host, queues, seq);
    }
}

/* ---- Parts ---- */

/* Indices that P has counted get their last values.  */
static void
emit_last_values (rewrite *w, const part *p, const auto_vec<last_value> &values,
		  gimple_seq *seq)
{
  for (unsigned i = 0; i < values.length (); i++)
    if (values[i].after == p)
      {
	tree var = kernels_outside (w, values[i].var);
	gimplify_assign (var,
			 build3 (COND_EXPR, TREE_TYPE (var),
				 values[i].reached, values[i].value, var),
			 seq);
      }
}

/* All parts, and the host code between them, where they stand.  */
static void
emit_line (rewrite *w, const auto_vec<last_value> &values, gimple_seq *seq)
{
  for (unsigned at = 0; at < w->l.code.length (); at++)
    if (part *p = kernels_part_at (w, at))
      {
	w->now = p;
	for (unsigned before = at; before < p->end; before++)
	  if (w->places[before] == PLACE_HOST)
	    kernels_emit_statement (w, before, seq);
	gimple_seq_add_stmt_without_update (seq, kernels_make_region (w));
	emit_last_values (w, p, values, seq);
	at = p->end - 1;
      }
    else
      kernels_emit_statement (w, at, seq);
}

/* A data construct around BODY.  Its end is a call, as the gimplifier makes
   it.  */
static gomp_target *
make_data (const rewrite *w, gimple_seq body, tree clauses)
{
  gimple_seq end = NULL, all = NULL;
  gimple_seq_add_stmt_without_update (
    &end, gimple_build_call (builtin_decl_explicit (BUILT_IN_GOACC_DATA_END),
			     0));
  gimple_seq_add_stmt_without_update (
    &all, gimple_build_try (body, end, GIMPLE_TRY_FINALLY));
  gomp_target *data
    = gimple_build_omp_target (all, GF_OMP_TARGET_KIND_OACC_DATA, clauses);
  gimple_set_location (data, gimple_location (w->stmt));
  return data;
}

/* The loops that are decided to run in parallel do.  */
static void
emit_parallel (rewrite *w, gimple_seq *seq)
{
  hash_map<tree, tree> map;
  for (hash_map<tree, tree>::iterator v = w->hosted->begin ();
       v != w->hosted->end (); ++v)
    map.put ((*v).first, (*v).second);
  w->map = &map;
  make_labels (w);
  auto_vec<last_value> values;
  kernels_compute_last_values (w, &values, seq);
  take_operands (w, seq);
  emit_waits (w, seq);
  tree clauses = kernels_several_p (w) ? kernels_data_clauses (w) : NULL_TREE;
  gimple_seq line = NULL;
  emit_line (w, values, clauses ? &line : seq);
  if (clauses)
    gimple_seq_add_stmt_without_update (seq, make_data (w, line, clauses));
}

/* ---- Forms ---- */

/* Add to SEQ the form that is right when CONDITION holds, then go to DONE;
   what follows is for when it does not.  */
static void
emit_checked (rewrite *w, tree condition, tree done, gimple_seq *seq)
{
  code c = seq;
  c.if_ (unshare_expr (condition), [&] {
    emit_parallel (w, c);
    c.go (done);
  });
}

/* What must be true for all parts.  */
static tree
guard_of_all (const rewrite *w)
{
  tree all = w->assumed;
  for (unsigned i = 0; i < w->parts.length (); i++)
    {
      tree one = w->parts[i]->guard;
      if (integer_onep (all))
	all = one;
      else if (!integer_onep (one))
	all = build2 (TRUTH_ANDIF_EXPR, boolean_type_node, all, one);
    }
  return all;
}

/* Would the outermost loops alone need less to be true?  */
static bool
outer_form_p (const rewrite *w)
{
  for (unsigned i = 0; i < w->parts.length (); i++)
    {
      part *p = w->parts[i];
      if (p->nest && p->nest->parallel && p->guard != p->outer_guard)
	return true;
    }
  return false;
}

/* Of loops with a guard the outermost alone run in parallel.  */
static void
leave_outer (rewrite *w)
{
  for (unsigned i = 0; i < w->parts.length (); i++)
    {
      part *p = w->parts[i];
      if (!p->nest || !p->nest->parallel || p->guard == p->outer_guard)
	continue;
      for (unsigned j = 0; j < w->l.loops.length (); j++)
	if (w->l.loops[j]->begin >= p->nest->begin
	    && w->l.loops[j]->end <= p->nest->end)
	  w->l.loops[j]->parallel = false;
      line_loop_set_parallel (p->nest, true);
      p->guard = p->outer_guard;
    }
}

gbind *
kernels_make_code (rewrite *w)
{
  gimple_seq seq = NULL;
  tree done = code_label ();
  push_gimplify_context ();
  make_hosted (w);
  tree guard = guard_of_all (w);
  if (!integer_onep (guard))
    emit_checked (w, guard, done, &seq);
  if (!integer_onep (guard) && outer_form_p (w))
    {
      leave_outer (w);
      guard = guard_of_all (w);
      if (!integer_onep (guard))
	emit_checked (w, guard, done, &seq);
    }
  if (integer_onep (guard))
    emit_parallel (w, &seq);
  else
    kernels_emit_sequential (w, &seq);
  code (&seq).at (done);
  gbind *bind = gimple_build_bind (w->host_vars, seq, NULL_TREE);
  pop_gimplify_context (bind);
  return bind;
}
