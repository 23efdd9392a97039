/* Functions that launch children, or ask where they run, as part of the regions that
   call them.

   A child in a function runs in place where the device calls that.  In the body
   of a region it is one that others may execute as well (nested-launch.cc).  So a
   call, in a region, of a function of this file that has children becomes its
   body, with variables for the parameters:

     parameters = arguments; { body; } result = value; end:

   That is for loops, whose iterations are parents.  The same is done, in parallel
   constructs as well, with functions that ask for the thread's number or have a
   barrier: a kernel has the answer where the construct is.  A function that calls itself,
   by way of a child or not, is still called there: one body is enough.  Functions
   with other constructs than children, with jumps from outside or into scopes, or
   that another may replace, stay what they are.

   GCC lowers functions one by one, callers and callees in any order.  A callee
   that it has not come to yet is brought as far as the gimplifier takes it; one
   that it has, of which bodies with children are kept as they were.

   Needs: GIMPLE before omp-low; callees that are gimplified or can be.
   Keeps: what calls compute.  Breaks: calls in regions, which become
   bodies.
   Source: inline_forbidden_p and expand_call_inline in GCC's
   tree-inline.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested.h"
#include "spmd/spmd.h"
#include "gimplify-me.h"
#include "ssa.h"

/* ---- Bodies ---- */

/* The body of a function as it was before anything was lowered.  */
struct kept_body
{
  unsigned fn_uid;
  gimple_seq body;
};

static vec<kept_body> kept;

void
nested_mark_bodies (void *, void *)
{
  for (unsigned i = 0; i < kept.length (); i++)
    gt_ggc_mx_gimple (kept[i].body);
}

/* Has FN been lowered, or is that being done?  */
static bool
begun_p (tree fn)
{
  function *fun = DECL_STRUCT_FUNCTION (fn);
  return fn == current_function_decl
	 || (fun && (fun->cfg || (fun->curr_properties & PROP_gimple_lomp)));
}

static gimple_seq
kept_of (tree fn)
{
  for (unsigned i = 0; i < kept.length (); i++)
    if (kept[i].fn_uid == DECL_UID (fn))
      return kept[i].body;
  return NULL;
}

/* ---- Which functions ---- */

/* The search for children, of OpenACC's or of OpenMP's.  */
struct child_search
{
  bool acc;
  /* Functions that were looked at.  */
  hash_set<tree> seen;
};

static bool has_children_p (child_search *s, tree fn);

/* Is FN a function that may be part of a region?  */
static bool
device_function_p (tree fn)
{
  tree attributes = DECL_ATTRIBUTES (fn), routine = oacc_get_fn_attrib (fn);
  if (routine)
    return oacc_fn_attrib_level (routine) == GOMP_DIM_MAX;
  return lookup_attribute ("omp declare target", attributes)
	 && !lookup_attribute ("omp declare target host", attributes);
}

/* Does a call of FN ask for the place of its thread, or wait for the others of the
   team?  In a kernel these are answered where the construct is known.  */
static bool
of_construct_p (const child_search *s, tree fn)
{
  return !s->acc
	 && (call_query_p (fn) || fndecl_built_in_p (fn, BUILT_IN_GOMP_BARRIER));
}

static tree
child_in_tree (tree *tp, int *, void *data)
{
  child_search *s = (child_search *) data;
  switch (TREE_CODE (*tp))
    {
    case OMP_TARGET:
      return s->acc ? NULL_TREE : *tp;
    case OACC_PARALLEL:
    case OACC_KERNELS:
    case OACC_SERIAL:
      return s->acc ? *tp : NULL_TREE;
    case CALL_EXPR:
      {
	tree fn = get_callee_fndecl (*tp);
	return fn && (of_construct_p (s, fn) || has_children_p (s, fn))
		 ? *tp
		 : NULL_TREE;
      }
    default:
      return NULL_TREE;
    }
}

static tree
child_in_stmt (gimple_stmt_iterator *gsi, bool *handled,
	       struct walk_stmt_info *wi)
{
  child_search *s = (child_search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (nested_region_p (stmt))
    *handled = is_gimple_omp_oacc (stmt) == s->acc;
  else if (is_gimple_call (stmt) && gimple_call_fndecl (stmt))
    *handled = of_construct_p (s, gimple_call_fndecl (stmt))
	       || has_children_p (s, gimple_call_fndecl (stmt));
  return *handled ? integer_one_node : NULL_TREE;
}

/* Has FN children, or what only the construct around it knows, or calls it a
   function that has?  */
static bool
has_children_p (child_search *s, tree fn)
{
  if (!device_function_p (fn) || s->seen.add (fn))
    return false;
  struct walk_stmt_info wi = {};
  wi.info = s;
  gimple_seq body = kept_of (fn);
  if (!body && !begun_p (fn))
    body = gimple_body (fn);
  if (body)
    return walk_gimple_seq (body, child_in_stmt, NULL, &wi);
  return DECL_SAVED_TREE (fn)
	 && walk_tree_without_duplicates (&DECL_SAVED_TREE (fn), child_in_tree,
					  s);
}

/* ---- Values ---- */

/* The gimplifier names values.  A copy of FN's body has variables for them:
   control may come back between a value's definition and its use.  */
struct naming
{
  tree fn;
  hash_map<tree, tree> variables;
};

static tree
name_value (tree *tp, int *walk_subtrees, void *data)
{
  naming *n = (naming *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp) || DECL_P (*tp))
    *walk_subtrees = 0;
  if (TREE_CODE (*tp) != SSA_NAME)
    return NULL_TREE;
  bool existed;
  tree &var = n->variables.get_or_insert (*tp, &existed);
  if (!existed)
    {
      var = create_tmp_var_raw (TREE_TYPE (*tp), "value");
      DECL_CONTEXT (var) = n->fn;
      DECL_SEEN_IN_BIND_EXPR_P (var) = 1;
    }
  *tp = var;
  *walk_subtrees = 0;
  return NULL_TREE;
}

/* A copy of BODY, that of FN.  */
static gimple_seq
copy_body (tree fn, gimple_seq body)
{
  tree caller = current_function_decl;
  /* Whose variables get copies.  */
  current_function_decl = fn;
  gimple_seq copy = copy_statements (body);
  current_function_decl = caller;
  naming n;
  n.fn = fn;
  struct walk_stmt_info wi = {};
  wi.info = &n;
  walk_gimple_seq_mod (&copy, NULL, name_value, &wi);
  auto_vec<tree> names;
  decl_sorted_keys (&n.variables, &names);
  for (unsigned i = 0; i < names.length (); i++)
    release_ssa_name (names[i]);
  return copy;
}

void
nested_keep_body (tree fn)
{
  child_search s[2];
  s[0].acc = false;
  s[1].acc = true;
  if (!device_function_p (fn))
    return;
  struct walk_stmt_info wi = {};
  for (unsigned i = 0; i < 2; i++)
    {
      wi.info = &s[i];
      if (!walk_gimple_seq (gimple_body (fn), child_in_stmt, NULL, &wi))
	continue;
      kept.safe_push ({ DECL_UID (fn), copy_body (fn, gimple_body (fn)) });
      return;
    }
}

/* ---- What a body may have ---- */

static bool
variable_size_p (const_tree var)
{
  return !DECL_SIZE (var) || TREE_CODE (DECL_SIZE (var)) != INTEGER_CST;
}

/* Does clause C have statements, whose names for variables would stay, or is it
   about what only the function's device form may be known to bar?  */
static bool
unfit_clause_p (const_tree c)
{
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_LINEAR:
    case OMP_CLAUSE_LASTPRIVATE:
      return true;
    case OMP_CLAUSE_REDUCTION:
      return OMP_CLAUSE_REDUCTION_PLACEHOLDER (c)
	     || TREE_CODE (OMP_CLAUSE_DECL (c)) == MEM_REF;
    default:
      return false;
    }
}

/* DEPTH counts the regions around, of OpenACC's or OpenMP's.  */
struct fit_search
{
  bool acc;
  unsigned depth;
};

static tree
unfit_stmt (gimple_stmt_iterator *gsi, bool *handled,
	    struct walk_stmt_info *wi)
{
  fit_search *s = (fit_search *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  bool fits = true;
  if (gbind *bind = dyn_cast<gbind *> (stmt))
    for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
      fits &= !VAR_P (v) || TREE_STATIC (v) || DECL_EXTERNAL (v)
	      || (!DECL_HAS_VALUE_EXPR_P (v) && !variable_size_p (v));
  else if (glabel *label = dyn_cast<glabel *> (stmt))
    fits = !FORCED_LABEL (gimple_label_label (label))
	   && !DECL_NONLOCAL (gimple_label_label (label));
  else if (gimple_code (stmt) == GIMPLE_ASM || nested_virtual_call_p (stmt))
    fits = false;
  else if (gimple_code (stmt) == GIMPLE_OMP_TARGET)
    fits = is_gimple_omp_oacc (stmt) == s->acc
	   && !nested_inplace_why_not (stmt);
  else if (is_gimple_omp (stmt)
	   && gimple_code (stmt) != GIMPLE_OMP_ATOMIC_LOAD
	   && gimple_code (stmt) != GIMPLE_OMP_ATOMIC_STORE)
    fits = s->depth;
  if (is_gimple_omp (stmt))
    for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
      fits &= !unfit_clause_p (c);
  *handled = !fits || nested_region_p (stmt);
  if (!fits)
    return integer_one_node;
  if (nested_region_p (stmt))
    {
      s->depth++;
      if (walk_gimple_seq (gimple_omp_body (stmt), unfit_stmt, NULL, wi))
	return integer_one_node;
      s->depth--;
    }
  return NULL_TREE;
}

/* The body of FN, to be copied into a region of OpenACC's or OpenMP's that
   calls it; or NULL.  */
static gimple_seq
body_of (tree fn, bool acc)
{
  child_search children;
  children.acc = acc;
  cgraph_node *node = cgraph_node::get (fn);
  if (!node || !node->definition || node->alias
      || decl_replaceable_p (fn, true)
      || DECL_UNINLINABLE (fn) || stdarg_p (TREE_TYPE (fn))
      || decl_function_context (fn) || !has_children_p (&children, fn))
    return NULL;
  gimple_seq body = kept_of (fn);
  if (!body && !begun_p (fn))
    {
      if (!gimple_has_body_p (fn))
	gimplify_function_tree (fn);
      body = gimple_body (fn);
    }
  fit_search fit = { acc, 0 };
  struct walk_stmt_info wi = {};
  wi.info = &fit;
  return body && !walk_gimple_seq (body, unfit_stmt, NULL, &wi) ? body : NULL;
}

gimple_seq
nested_body_in_place (tree fn)
{
  /* By number: those that were asked about and have no children.  */
  static hash_set<int_hash<unsigned, 0, -1U> > childless;
  if (!option_enabled (ACR_OPTION_SPLICE) || childless.contains (DECL_UID (fn)))
    return NULL;
  gimple_seq body = body_of (fn, flag_openacc);
  if (!body)
    childless.add (DECL_UID (fn));
  return body;
}

/* ---- The copy ---- */

/* A call that becomes a copy of a function's body.  */
struct body_copy
{
  tree fn;
  const gcall *call;
  /* What is another one here: parameters, the result, variables.  */
  hash_map<tree, tree> names;
  tree vars, end;
};

/* A variable like VAR, of the function in work.  */
static tree
own_variable (body_copy *s, tree var)
{
  tree type = TREE_TYPE (var), own;
  if (POINTER_TYPE_P (type))
    type = build_qualified_type (type, TYPE_QUALS (type) & ~TYPE_QUAL_RESTRICT);
  own = build_decl (DECL_SOURCE_LOCATION (var), VAR_DECL, DECL_NAME (var), type);
  DECL_CONTEXT (own) = current_function_decl;
  TREE_ADDRESSABLE (own) = TREE_ADDRESSABLE (var);
  TREE_THIS_VOLATILE (own) = TREE_THIS_VOLATILE (var);
  TREE_USED (own) = 1;
  DECL_SEEN_IN_BIND_EXPR_P (own) = 1;
  DECL_CHAIN (own) = s->vars;
  s->vars = own;
  return own;
}

/* What T, a leaf, is in the copy.  */
static tree
name_in_copy (body_copy *s, tree t)
{
  if (DECL_P (t) && DECL_CONTEXT (t) == s->fn
      && (TREE_CODE (t) == PARM_DECL || TREE_CODE (t) == RESULT_DECL
	  || (VAR_P (t) && !TREE_STATIC (t) && !DECL_EXTERNAL (t))))
    {
      bool existed;
      tree &own = s->names.get_or_insert (t, &existed);
      if (!existed)
	own = own_variable (s, t);
      return own;
    }
  return t;
}

static tree
copy_op (tree *tp, int *walk_subtrees, void *data)
{
  body_copy *s = (body_copy *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (DECL_P (*tp))
    {
      *walk_subtrees = 0;
      *tp = name_in_copy (s, *tp);
    }
  return NULL_TREE;
}

static tree
copy_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  body_copy *s = (body_copy *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (gbind *bind = dyn_cast<gbind *> (stmt))
    {
      gimple_bind_set_block (bind, NULL_TREE);
      for (tree v = gimple_bind_vars (bind); v; v = DECL_CHAIN (v))
	if (VAR_P (v) && !TREE_STATIC (v) && DECL_CONTEXT (v) == s->fn)
	  DECL_CONTEXT (v) = current_function_decl;
    }
  else if (glabel *label = dyn_cast<glabel *> (stmt))
    DECL_CONTEXT (gimple_label_label (label)) = current_function_decl;
  else if (greturn *end = dyn_cast<greturn *> (stmt))
    {
      *handled = true;
      tree value = gimple_return_retval (end);
      tree lhs = gimple_call_lhs (s->call);
      gimple_seq seq = NULL;
      if (value && lhs)
	code_set (unshare_expr (lhs), name_in_copy (s, value), &seq);
      code (&seq).go (s->end);
      gsi_replace (gsi, gimple_build_bind (NULL_TREE, seq, NULL), false);
    }
  return NULL_TREE;
}

/* Are the arguments of CALL what FN expects?  */
static bool
arguments_fit_p (tree fn, const gcall *call)
{
  unsigned i = 0;
  for (tree p = DECL_ARGUMENTS (fn); p; p = DECL_CHAIN (p), i++)
    {
      if (i == gimple_call_num_args (call))
	return false;
      tree argument = gimple_call_arg (call, i), type = TREE_TYPE (p);
      if (TYPE_MAIN_VARIANT (TREE_TYPE (argument)) != TYPE_MAIN_VARIANT (type)
	  && !fold_convertible_p (type, argument))
	return false;
    }
  return i == gimple_call_num_args (call);
}

/* Add to SEQ that PARAMETERS become the arguments of CALL.  */
static void
pass_arguments (const vec<tree> &parameters, const gcall *call, gimple_seq *seq)
{
  for (unsigned i = 0; i < parameters.length (); i++)
    {
      tree argument = unshare_expr (gimple_call_arg (call, i));
      tree type = TREE_TYPE (parameters[i]);
      if (TYPE_MAIN_VARIANT (TREE_TYPE (argument)) != TYPE_MAIN_VARIANT (type))
	argument = fold_convert (type, argument);
      code_set (parameters[i], argument, seq);
    }
}

/* Those of the function in work.  */
static vec<nested_body> bodies;

void
nested_forget_bodies (void)
{
  for (unsigned i = 0; i < bodies.length (); i++)
    bodies[i].parameters.release ();
  bodies.truncate (0);
}

static tree
find_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  *handled = gsi_stmt (*gsi) == wi->info;
  return *handled ? integer_one_node : NULL_TREE;
}

bool
nested_fits_p (const nested_body *body, const gcall *call)
{
  return arguments_fit_p (body->fn, call) && !gimple_call_lhs (call);
}

const nested_body *
nested_body_of_call (const gcall *call)
{
  for (unsigned i = bodies.length (); i-- > 0;)
    if (bodies[i].fn == gimple_call_fndecl (call)
	&& nested_body_around (call) == &bodies[i])
      return &bodies[i];
  return NULL;
}

const nested_body *
nested_body_around (const gimple *stmt)
{
  struct walk_stmt_info wi = {};
  wi.info = CONST_CAST (gimple *, stmt);
  /* Outer ones come first.  */
  for (unsigned i = bodies.length (); i-- > 0;)
    if (walk_gimple_seq (gimple_bind_body (bodies[i].bind), find_stmt, NULL,
			 &wi))
      return &bodies[i];
  return NULL;
}

gbind *
nested_copy_body (const nested_body *body, const gcall *call)
{
  /* Arguments may be the body's own variables.  */
  gcall *values = as_a<gcall *> (gimple_copy (CONST_CAST (gcall *, call)));
  gimple_seq seq = NULL, arguments = NULL, copy = NULL;
  for (unsigned i = 0; i < gimple_call_num_args (values); i++)
    {
      tree argument = unshare_expr (gimple_call_arg (call, i));
      gimple_call_set_arg (values, i, code_value (argument, "argument", &seq));
    }
  pass_arguments (body->parameters, values, &arguments);
  gimple_seq *place = gimple_bind_body_ptr (body->arguments);
  gimple_seq original = *place;
  *place = arguments;
  gimple_seq_add_stmt (&copy, gimple_copy (body->bind));
  *place = original;
  gimple_seq_add_seq (&seq, copy_statements (copy));
  return gimple_build_bind (NULL_TREE, seq, NULL);
}

/* The functions whose bodies are being copied, loops and parallel constructs around
   in the region, and how many copies that may have.  */
struct splices
{
  bool acc;
  auto_vec<tree, 8> open;
  unsigned loops;
  unsigned left;
};

static const unsigned most_splices = 16;

static void splice_seq (gimple_seq *seq, splices *all);

/* What is done in place of CALL; or NULL.  */
static gbind *
splice_call (const gcall *call, splices *all)
{
  tree fn = gimple_call_fndecl (call);
  if (!fn || !all->left || all->open.contains (fn))
    return NULL;
  gimple_seq body = arguments_fit_p (fn, call) ? body_of (fn, all->acc) : NULL;
  if (!body)
    return NULL;
  body_copy s;
  s.fn = fn;
  s.call = call;
  s.vars = NULL_TREE;
  s.end = code_label ();
  nested_body in_work = { fn, gimple_build_bind (NULL_TREE, NULL, NULL),
			  gimple_build_bind (NULL_TREE, NULL, NULL), vNULL };
  gbind *bind = in_work.bind;
  gimple_seq seq = NULL;
  push_gimplify_context ();
  for (tree p = DECL_ARGUMENTS (fn); p; p = DECL_CHAIN (p))
    in_work.parameters.safe_push (name_in_copy (&s, p));
  pass_arguments (in_work.parameters, call,
		  gimple_bind_body_ptr (in_work.arguments));
  gimple_seq_add_stmt (&seq, in_work.arguments);
  gimple_seq copy = copy_body (fn, body);
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq_mod (&copy, copy_stmt, copy_op, &wi);
  gimple_seq_add_seq (&seq, copy);
  code (&seq).at (s.end);
  gimple_bind_set_vars (bind, s.vars);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  if (gimple_call_lhs (call))
    in_work.parameters.release ();
  else
    bodies.safe_push (in_work);
  all->left--;
  all->open.safe_push (fn);
  splice_seq (gimple_bind_body_ptr (bind), all);
  all->open.pop ();
  return bind;
}

static tree
splice_stmt (gimple_stmt_iterator *gsi, bool *handled,
	     struct walk_stmt_info *wi)
{
  splices *all = (splices *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (gcall *call = dyn_cast<gcall *> (stmt))
    {
      gbind *bind = all->loops ? splice_call (call, all) : NULL;
      if (bind)
	gsi_replace (gsi, bind, false);
      *handled = bind != NULL;
    }
  else if (gimple_code (stmt) == GIMPLE_OMP_FOR
	   || gimple_code (stmt) == GIMPLE_OMP_PARALLEL)
    {
      *handled = true;
      all->loops++;
      splice_seq (gimple_omp_body_ptr (stmt), all);
      all->loops--;
    }
  return NULL_TREE;
}

static void
splice_seq (gimple_seq *seq, splices *all)
{
  struct walk_stmt_info wi = {};
  wi.info = all;
  walk_gimple_seq_mod (seq, splice_stmt, NULL, &wi);
}

void
nested_splice (gomp_target *region)
{
  splices all;
  all.acc = is_gimple_omp_oacc (region);
  all.loops = 0;
  all.left = most_splices;
  all.open.safe_push (current_function_decl);
  if (nested_region_p (region))
    splice_seq (gimple_omp_body_ptr (region), &all);
}
