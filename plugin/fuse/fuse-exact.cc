/* Two bodies in one kernel round as they do in two.

   GCC and ptxas fuse a product with a sum that follows (-ffp-contract), which
   rounds once instead of twice; a product that is used elsewhere, too, GCC leaves
   alone.  So what a body computes may round otherwise as soon as another one
   computes the same of the same.  All arithmetic of the second body therefore
   begins with values that the first has not: loads, conversions and scalars go
   through copies that GCC does not see through.

   Before omp-low these are plain copies of marked variables, so that every
   analysis sees what it copies; fuse_finish makes them opaque in the kernel.  On
   the host they stay plain where the host cannot fuse products.

   GCC may know what the second body loads, as the first has just stored it; that
   saves the load.  Where it is a product, though, ptxas would fuse it with a sum in
   the second body, which has no such product to it in a kernel of its own.  Then
   memory is clobbered between the two bodies.

   Needs: copies of both constructs.  Keeps: values.
   Source: convert_mult_to_fma in GCC's tree-ssa-math-opts.cc; C11 6.5 (8).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"
#include "base/code.h"
#include "internal-fn.h"

static const char marked[] = "accrete apart";

static tree
opaque_variable (tree type)
{
  tree var = create_tmp_var_raw (type, "apart");
  DECL_CONTEXT (var) = current_function_decl;
  DECL_SEEN_IN_BIND_EXPR_P (var) = 1;
  DECL_ATTRIBUTES (var)
    = tree_cons (get_identifier (marked), NULL_TREE, NULL_TREE);
  return var;
}

static bool
marked_p (tree var)
{
  return VAR_P (var) && DECL_ATTRIBUTES (var)
	 && lookup_attribute (marked, DECL_ATTRIBUTES (var));
}

/* ---- Marking ---- */

struct apart
{
  /* New variables.  */
  tree vars;
  hash_set<tree> set;
  /* Values from before the body, and what stands for them there.  */
  hash_map<tree, tree> scalars;
  const char *bar;
};

static tree
new_variable (apart *a, tree type)
{
  tree var = opaque_variable (type);
  DECL_CHAIN (var) = a->vars;
  a->vars = var;
  return var;
}

static bool
plain_float_p (const_tree type)
{
  return SCALAR_FLOAT_TYPE_P (type)
	 && (TYPE_MODE (type) == SFmode || TYPE_MODE (type) == DFmode);
}

/* Does the assignment STMT bring a floating-point value into the body?  */
static bool
brings_p (gimple *stmt)
{
  tree_code code = gimple_assign_rhs_code (stmt);
  if (gimple_assign_single_p (stmt))
    {
      tree rhs = gimple_assign_rhs1 (stmt);
      return !CONSTANT_CLASS_P (rhs) && !DECL_P (rhs);
    }
  return code == FLOAT_EXPR || code == VIEW_CONVERT_EXPR;
}

static tree
collect_sets (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  apart *a = (apart *) wi->info;
  tree lhs = gimple_get_lhs (gsi_stmt (*gsi));
  if (lhs && DECL_P (lhs))
    {
      a->set.add (lhs);
      tree type = TREE_TYPE (lhs);
      if (FLOAT_TYPE_P (type) && !plain_float_p (type))
	a->bar = "arithmetic with complex or long numbers";
    }
  return NULL_TREE;
}

static tree
mark_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  apart *a = (apart *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  bool call = is_gimple_call (stmt);
  tree lhs = gimple_get_lhs (stmt);
  if ((!is_gimple_assign (stmt) && !call) || !lhs || !DECL_P (lhs)
      || !register_p (lhs) || !plain_float_p (TREE_TYPE (lhs))
      || marked_p (lhs) || (!call && !brings_p (stmt)))
    return NULL_TREE;
  tree var = new_variable (a, TREE_TYPE (lhs));
  gimple_set_lhs (stmt, var);
  gimple *copy = gimple_build_assign (lhs, var);
  gimple_set_location (copy, gimple_location (stmt));
  gsi_insert_after (gsi, copy, GSI_NEW_STMT);
  return NULL_TREE;
}

static tree
mark_operand (tree *tp, int *walk_subtrees, void *data)
{
  struct walk_stmt_info *wi = (struct walk_stmt_info *) data;
  apart *a = (apart *) wi->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (!VAR_P (*tp) && TREE_CODE (*tp) != PARM_DECL)
    return NULL_TREE;
  if (!register_p (*tp) || !plain_float_p (TREE_TYPE (*tp))
      || a->set.contains (*tp) || marked_p (*tp))
    return NULL_TREE;
  bool known;
  tree &own = a->scalars.get_or_insert (*tp, &known);
  if (!known)
    {
      own = create_tmp_var_raw (TREE_TYPE (*tp), "own");
      DECL_CONTEXT (own) = current_function_decl;
      DECL_SEEN_IN_BIND_EXPR_P (own) = 1;
      DECL_CHAIN (own) = a->vars;
      a->vars = own;
    }
  *tp = own;
  return NULL_TREE;
}

/* Set the scalars at the beginning of SEQ.  */
static void
set_scalars (apart *a, gimple_seq *seq)
{
  for (hash_map<tree, tree>::iterator i = a->scalars.begin ();
       i != a->scalars.end (); ++i)
    {
      tree var = new_variable (a, TREE_TYPE ((*i).first));
      gimple_seq_add_stmt_without_update (
	seq, gimple_build_assign (var, (*i).first));
      gimple_seq_add_stmt_without_update (
	seq, gimple_build_assign ((*i).second, var));
    }
}

const char *
fuse_keep_apart (fusion *f)
{
  apart a;
  a.vars = NULL_TREE;
  a.bar = NULL;
  gimple_seq body = gimple_omp_body (f->b.loop), seq = NULL;
  struct walk_stmt_info wi = {};
  wi.info = &a;
  walk_gimple_seq (body, collect_sets, NULL, &wi);
  if (a.bar)
    return a.bar;
  walk_gimple_seq_mod (&body, mark_stmt, NULL, &wi);
  walk_gimple_seq_mod (&body, NULL, mark_operand, &wi);
  set_scalars (&a, &seq);
  gimple_seq_add_seq_without_update (&seq, body);
  gbind *bind = gimple_build_bind (a.vars, seq, NULL_TREE);
  gimple_seq all = NULL;
  gimple_seq_add_stmt_without_update (&all, bind);
  gimple_omp_set_body (f->b.loop, all);
  return NULL;
}

/* ---- Products ---- */

/* The value that statements before place AT of L give VAR: the place of the last, or
   -1 when that is not known.  */
static int
setting_before (const line *l, int at, tree var)
{
  while (--at >= 0)
    {
      gimple *stmt = l->code[at];
      if (!stmt || (!is_gimple_assign (stmt) && !is_gimple_call (stmt)))
	return -1;
      if (gimple_get_lhs (stmt) == var)
	return at;
    }
  return -1;
}

/* May what is stored at place AT of L be a product?  */
static bool
may_be_product_p (const line *l, int at)
{
  gimple *stmt = l->code[at];
  while (gimple_assign_single_p (stmt) && DECL_P (gimple_assign_rhs1 (stmt))
	 && register_p (gimple_assign_rhs1 (stmt)))
    {
      at = setting_before (l, at, gimple_assign_rhs1 (stmt));
      if (at < 0)
	return true;
      stmt = l->code[at];
      if (!is_gimple_assign (stmt))
	return false;
    }
  switch (gimple_assign_rhs_code (stmt))
    {
    case PLUS_EXPR:
    case MINUS_EXPR:
    case RDIV_EXPR:
    case FLOAT_EXPR:
    case MIN_EXPR:
    case MAX_EXPR:
      return false;
    default:
      return !gimple_assign_single_p (stmt);
    }
}

/* Does the first body of F store what may be a product, and the second load what may
   be that?  */
static bool
product_passes_p (const fusion *f)
{
  const line *l = &f->l;
  for (unsigned i = 0; i < f->border_access; i++)
    {
      const line_access *a = &l->accesses[i];
      if (!a->write || !FLOAT_TYPE_P (TREE_TYPE (a->ref))
	  || !is_gimple_assign (a->stmt))
	continue;
      int at = 0;
      while (l->code[at] != a->stmt)
	at++;
      if (!may_be_product_p (l, at))
	continue;
      for (unsigned k = f->border_access; k < l->accesses.length (); k++)
	if (!l->accesses[k].write
	    && !depend_objects_apart_p (l, a, &l->accesses[k]))
	  return true;
    }
  return false;
}

static const char border[] = "accrete border";

void
fuse_mark_border (fusion *f)
{
  if (!product_passes_p (f))
    return;
  tree var = create_tmp_var_raw (integer_type_node, "border");
  DECL_CONTEXT (var) = current_function_decl;
  DECL_SEEN_IN_BIND_EXPR_P (var) = 1;
  DECL_ATTRIBUTES (var)
    = tree_cons (get_identifier (border), NULL_TREE, NULL_TREE);
  /* The second body is the last statement.  */
  gimple_seq body = gimple_omp_body (f->a.loop), seq = NULL;
  gbind *second = as_a<gbind *> (gimple_seq_last_stmt (body));
  gimple_seq_add_stmt_without_update (
    &seq, gimple_build_assign (var, integer_zero_node));
  gimple_seq_add_seq_without_update (&seq, gimple_bind_body (second));
  gimple_bind_set_body (second, seq);
  gimple_bind_append_vars (second, var);
}

static bool
border_p (gimple *stmt)
{
  tree var = is_gimple_assign (stmt) ? gimple_assign_lhs (stmt) : NULL_TREE;
  return var && VAR_P (var) && DECL_ATTRIBUTES (var)
	 && lookup_attribute (border, DECL_ATTRIBUTES (var));
}

/* What may change all memory, to GCC.  */
static gasm *
memory_clobber (void)
{
  vec<tree, va_gc> *clobbers = NULL;
  vec_safe_push (clobbers,
		 build_tree_list (NULL_TREE, build_string (7, "memory")));
  gasm *stmt = gimple_build_asm_vec ("", NULL, NULL, clobbers, NULL);
  gimple_asm_set_volatile (stmt, true);
  return stmt;
}

/* ---- Making opaque ---- */

static tree
finish_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  if (border_p (stmt))
    gsi_replace (gsi, memory_clobber (), false);
  if (!gimple_assign_single_p (stmt) || !marked_p (gimple_assign_rhs1 (stmt)))
    return NULL_TREE;
  gimple *copy = code_opaque_copy (gimple_assign_lhs (stmt),
				   gimple_assign_rhs1 (stmt));
  gimple_set_location (copy, gimple_location (stmt));
  gsi_replace (gsi, copy, false);
  return NULL_TREE;
}

void
fuse_finish (gimple_seq *seq)
{
  struct walk_stmt_info wi = {};
  walk_gimple_seq_mod (seq, finish_stmt, NULL, &wi);
}

bool
fuse_host_contracts_p (void)
{
  return flag_fp_contract_mode == FP_CONTRACT_FAST
	 && direct_internal_fn_supported_p (IFN_FMA, double_type_node,
					    OPTIMIZE_FOR_SPEED);
}
