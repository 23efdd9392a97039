/* Requests: while the code of a parent is copied for an SPMD kernel, each child that
   a group of threads may execute is one; behind that the parent is as it was.

   Needs: nested_find_launches.  Keeps: the parent, but for the requests between
   nested_mark and nested_unmark.  Breaks: nothing.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested.h"
#include "spmd/spmd.h"

/* Add to SEQ that the launching thread's variables become what the cells of L
   say.  */
static void
add_answers (const nested_launch *l, gimple_seq *seq)
{
  for (unsigned j = 0; j < l->fields.length (); j++)
    {
      const nested_field *f = &l->fields[j];
      if (!f->cell)
	continue;
      tree answer = code_temp (TYPE_MAIN_VARIANT (TREE_TYPE (f->var)),
			       "answer");
      gimple_seq_add_stmt (seq, nested_build_answer (j, answer));
      code_set (f->var,
		f->reduction ? spmd_combine (f->reduction, f->var, answer)
			     : answer,
		seq);
    }
}

/* What launch I of L asks for, and does in place when it is not given:

     before; TOTAL = iterations;
     if (request (I, TOTAL, fields)) goto given;
     in place;
     goto after;
     given: answers;
     after:  */
static void
build_request (nested_launch *l, unsigned i)
{
  l->request = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  spmd_make_own (l->sharing, l->request, &seq);
  spmd_copy_before (l->nest, l->sharing, &seq);
  spmd_space space;
  spmd_space_count (&space, l->nest->loop, l->sharing, &seq);
  auto_vec<nested_field, 8> fields;
  for (unsigned j = 0; j < l->fields.length (); j++)
    {
      nested_field f = l->fields[j];
      if (f.reduction)
	f.value = omp_reduction_init (f.reduction, TREE_TYPE (f.var));
      else if (!f.value)
	f.value = spmd_copy_expr (l->sharing, f.var);
      tree value = code_temp (TREE_TYPE (f.value), "field");
      code_set (value, f.value, &seq);
      f.value = value;
      fields.safe_push (f);
    }
  tree done = code_temp (boolean_type_node, "done");
  tree total = code_value (space.total, "total", &seq);
  gimple_seq_add_stmt (&seq, nested_build_request (i, total, fields, done));
  tree here = code_label (), given = code_label (), after = code_label ();
  code c = &seq;
  c.branch (val (done) != boolean_false_node, given, here);
  c.at (here);
  gimple_seq_add_stmt (c, l->inplace);
  c.go (after);
  c.at (given);
  add_answers (l, c);
  c.at (after);
  gimple_bind_set_body (l->request, seq);
  pop_gimplify_context (l->request);
}

static tree
mark_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  nested_launches *launches = (nested_launches *) wi->info;
  for (unsigned i = 0; i < launches->all.length (); i++)
    if (gsi_stmt (*gsi) == launches->all[i]->inplace)
      {
	/* A statement is in one sequence at a time.  */
	gsi_replace (gsi, gimple_build_nop (), false);
	build_request (launches->all[i], i);
	gsi_replace (gsi, launches->all[i]->request, false);
	*handled = true;
      }
  return NULL_TREE;
}

void
nested_mark (nested_launches *launches, gimple_seq *body)
{
  struct walk_stmt_info wi = {};
  wi.info = launches;
  walk_gimple_seq_mod (body, mark_stmt, NULL, &wi);
}

static tree
find_inplace (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  *handled = gsi_stmt (*gsi) == (gimple *) wi->info;
  if (*handled)
    gsi_replace (gsi, gimple_build_nop (), false);
  return NULL_TREE;
}

static tree
unmark_stmt (gimple_stmt_iterator *gsi, bool *handled,
	     struct walk_stmt_info *wi)
{
  nested_launches *launches = (nested_launches *) wi->info;
  for (unsigned i = 0; i < launches->all.length (); i++)
    {
      nested_launch *l = launches->all[i];
      if (gsi_stmt (*gsi) != l->request)
	continue;
      struct walk_stmt_info inside = {};
      inside.info = l->inplace;
      walk_gimple_seq_mod (gimple_bind_body_ptr (l->request), find_inplace,
			   NULL, &inside);
      gsi_replace (gsi, l->inplace, false);
      *handled = true;
    }
  return NULL_TREE;
}

void
nested_unmark (nested_launches *launches, gimple_seq *body)
{
  struct walk_stmt_info wi = {};
  wi.info = launches;
  walk_gimple_seq_mod (body, unmark_stmt, NULL, &wi);
}
