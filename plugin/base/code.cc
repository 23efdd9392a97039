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

tree
code_unsigned (tree type, tree expr)
{
  if (POINTER_TYPE_P (TREE_TYPE (expr)))
    expr = fold_convert (size_type_node, expr);
  return fold_convert (type, expr);
}

/* ---- Structures ---- */

val
code::var (tree type, const char *name) const
{
  return code_temp (type, name);
}

val
code::let (const char *name, val expr) const
{
  return code_value (expr, name, seq);
}

void
code::set (tree to, tree expr) const
{
  code_set (to, expr, seq);
}

val
code::call (enum built_in_function fn, tree type, const char *name,
	    val a) const
{
  gcall *call = gimple_build_call (builtin_decl_explicit (fn), 1, a.t);
  val result = var (type, name);
  gimple_call_set_lhs (call, result);
  gimple_seq_add_stmt (seq, call);
  return result;
}

void
code::fetch_add (val old, val address, val n) const
{
  gcall *call
    = gimple_build_call (builtin_decl_explicit (BUILT_IN_ATOMIC_FETCH_ADD_8), 3,
			 address.t, n.t,
			 build_int_cst (integer_type_node, MEMMODEL_RELAXED));
  if (old)
    gimple_call_set_lhs (call, old);
  gimple_seq_add_stmt (seq, call);
}

void
code::go (tree label) const
{
  gimple_seq_add_stmt (seq, gimple_build_goto (label));
}

void
code::at (tree label) const
{
  gimple_seq_add_stmt (seq, gimple_build_label (label));
}

void
code::branch (test t, tree yes, tree no) const
{
  gimple_seq_add_stmt (seq, gimple_build_cond (t.code, t.a, t.b, yes, no));
}

void
code::branch (tree condition, tree yes, tree no) const
{
  gimplify_and_add (build3 (COND_EXPR, void_type_node, condition,
			    build1 (GOTO_EXPR, void_type_node, yes),
			    build1 (GOTO_EXPR, void_type_node, no)),
		    seq);
}

void
code::need (test t, tree elsewhere) const
{
  tree go_on = code_label ();
  branch (t, go_on, elsewhere);
  at (go_on);
}

/* In C: T as a test or a condition.  */
template <typename T>
static void
add_if (code c, T t, writer<> then)
{
  tree yes = code_label (), end = code_label ();
  c.branch (t, yes, end);
  c.at (yes);
  then ();
  c.at (end);
}

template <typename T>
static void
add_if (code c, T t, writer<> then, writer<> otherwise)
{
  tree end = code_label ();
  add_if (c, t, [&] {
    then ();
    c.go (end);
  });
  otherwise ();
  c.at (end);
}

void
code::if_ (test t, writer<> then) const
{
  add_if (*this, t, then);
}

void
code::if_ (tree condition, writer<> then) const
{
  add_if (*this, condition, then);
}

void
code::if_ (test t, writer<> then, writer<> otherwise) const
{
  add_if (*this, t, then, otherwise);
}

void
code::if_ (tree condition, writer<> then, writer<> otherwise) const
{
  add_if (*this, condition, then, otherwise);
}

void
code::unless_ (test t, writer<> otherwise) const
{
  tree end = code_label (), no = code_label ();
  branch (t, end, no);
  at (no);
  otherwise ();
  at (end);
}

void
code::loop_ (writer<tree> body) const
{
  tree again = code_label (), done = code_label ();
  at (again);
  body (done);
  go (again);
  at (done);
}

void
code::while_ (test t, writer<> body) const
{
  loop_ ([&] (tree done) {
    need (t, done);
    body ();
  });
}

void
code::do_ (writer<> body, test again) const
{
  tree next = code_label (), done = code_label ();
  at (next);
  body ();
  branch (again, next, done);
  at (done);
}

void
code::times_ (val n, writer<val> body) const
{
  val i = var (TREE_TYPE (n.t), "i", 0);
  while_ (i < n, [&] {
    body (i);
    set (i, i + 1);
  });
}

/* ---- The two forms ---- */

gimple *
code_two_forms (gimple *device, gimple_seq host)
{
  /* Outlining moves the block of the first bind.  */
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, make_node (BLOCK));
  gimple_seq seq = NULL;
  push_gimplify_context ();
  /* The argument, for which GCC does not ask, tells it from a simd construct's
     (lone.cc).  */
  gcall *test
    = gimple_build_call_internal (IFN_GOMP_USE_SIMT, 1, integer_one_node);
  tree on_device = code_temp (integer_type_node, "on_device");
  gimple_call_set_lhs (test, on_device);
  gimple_seq_add_stmt (&seq, test);
  code c = &seq;
  c.if_ (val (on_device) != 0, [&] { gimple_seq_add_stmt (c, device); },
	 [&] { gimple_seq_add_seq (c, host); });
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

gasm *
code_opaque_copy (tree to, tree from, const char *text)
{
  vec<tree, va_gc> *inputs = NULL, *outputs = NULL;
  tree out = build_tree_list (NULL_TREE, build_string (3, "=r"));
  tree in = build_tree_list (NULL_TREE, build_string (2, "0"));
  vec_safe_push (outputs, build_tree_list (out, to));
  vec_safe_push (inputs, build_tree_list (in, from));
  gasm *stmt = gimple_build_asm_vec (text, inputs, outputs, NULL, NULL);
  gimple_asm_set_volatile (stmt, false);
  return stmt;
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
