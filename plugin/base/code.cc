/* Statements that the plugin writes: temporaries, labels, branches.

   Needs: a gimplify context, for temporaries.  Keeps: everything that stands in
   the sequence already.
   Source: gimplify.cc and gimple.cc in GCC.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/code.h"

tree
code_temp (tree type, const char *name)
{
  return create_tmp_var (type, name);
}

void
code_set (tree to, tree expr, gimple_seq *seq)
{
  gimplify_assign (to, expr, seq);
}

tree
code_value (tree expr, const char *name, gimple_seq *seq)
{
  if (CONSTANT_CLASS_P (expr))
    return expr;
  tree value = code_temp (TREE_TYPE (expr), name);
  code_set (value, expr, seq);
  return value;
}

tree
code_label (void)
{
  return create_artificial_label (UNKNOWN_LOCATION);
}

void
code_add_label (tree label, gimple_seq *seq)
{
  gimple_seq_add_stmt (seq, gimple_build_label (label));
}

void
code_add_goto (tree label, gimple_seq *seq)
{
  gimple_seq_add_stmt (seq, gimple_build_goto (label));
}

void
code_add_branch (enum tree_code code, tree a, tree b, tree yes, tree no,
		 gimple_seq *seq)
{
  gimple_seq_add_stmt (seq, gimple_build_cond (code, a, b, yes, no));
}

gimple *
code_two_forms (gimple *device, gimple_seq host)
{
  /* Outlining moves the block of the first bind.  */
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, make_node (BLOCK));
  gimple_seq seq = NULL;
  push_gimplify_context ();
  gcall *test = gimple_build_call_internal (IFN_GOMP_USE_SIMT, 0);
  tree on_device = code_temp (integer_type_node, "on_device");
  gimple_call_set_lhs (test, on_device);
  gimple_seq_add_stmt (&seq, test);
  tree yes = code_label (), no = code_label (), end = code_label ();
  code_add_branch (NE_EXPR, on_device, integer_zero_node, yes, no, &seq);
  code_add_label (yes, &seq);
  gimple_seq_add_stmt (&seq, device);
  code_add_goto (end, &seq);
  code_add_label (no, &seq);
  gimple_seq_add_seq (&seq, host);
  code_add_label (end, &seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

struct placing
{
  gimple *target;
  gimple_seq before;
};

/* Put statements before the target construct, which stays the same one.  */
static tree
put_before (gimple_stmt_iterator *gsi, bool *handled,
	    struct walk_stmt_info *wi)
{
  placing *p = (placing *) wi->info;
  if (gsi_stmt (*gsi) != p->target)
    return NULL_TREE;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gsi_replace (gsi, bind, false);
  gimple_seq_add_stmt (&p->before, p->target);
  gimple_bind_set_body (bind, p->before);
  pop_gimplify_context (bind);
  *handled = true;
  return integer_zero_node;
}

void
code_put_before (gimple *target, gimple_seq seq)
{
  placing p = { target, seq };
  gimple_seq body = gimple_body (current_function_decl);
  struct walk_stmt_info wi = {};
  wi.info = &p;
  walk_gimple_seq_mod (&body, put_before, NULL, &wi);
  gimple_set_body (current_function_decl, body);
}
