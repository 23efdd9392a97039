/* Two bodies in one kernel round as they do in two.

   GCC and ptxas fuse a product with a sum that follows (-ffp-contract), which
   rounds once instead of twice; a product that is used elsewhere, too, GCC
   leaves alone.  So what a body computes may round otherwise as soon as
   another one computes the same of the same, or knows a product that the other
   one stores.  All arithmetic of the second body therefore begins with values
   that the first has not: memory is clobbered between the two, so that all is
   loaded again, and scalars go through copies that GCC does not see through.
   Integers matter as well where the body converts some; then they are copied,
   too.  There is one copy of each, in front of the loop, so that what is equal
   or invariant in the second body stays so.

   Before omp-low these are plain copies of marked variables, so that every
   analysis sees what it copies; fuse_finish makes them opaque in the kernel.
   On the host they stay plain where the host cannot fuse products.

   Needs: copies of both constructs.  Keeps: values.
   Source: convert_mult_to_fma in GCC's tree-ssa-math-opts.cc; C11 6.5 (8).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"
#include "base/code.h"
#include "internal-fn.h"

/* What marked variables are for: their copies are opaque, or where they are set
   memory is clobbered.  */
static const char apart[] = "accrete apart", border[] = "accrete border";

/* A variable that is between the load and the store of a sum (fuse-turn.cc).  */
static const char sum[] = "accrete sum";

/* A new variable in the list *VARS, marked unless MARK is NULL.  */
static tree
new_variable (tree type, const char *mark, tree *vars)
{
  tree var = create_tmp_var_raw (type, mark ? "apart" : "own");
  DECL_CONTEXT (var) = current_function_decl;
  DECL_SEEN_IN_BIND_EXPR_P (var) = 1;
  if (mark)
    DECL_ATTRIBUTES (var)
      = tree_cons (get_identifier (mark), NULL_TREE, NULL_TREE);
  DECL_CHAIN (var) = *vars;
  *vars = var;
  return var;
}

tree
fuse_variable (tree type, tree *vars)
{
  return new_variable (type, NULL, vars);
}

static bool
marked_p (tree var, const char *mark)
{
  return var && VAR_P (var) && DECL_ATTRIBUTES (var)
	 && lookup_attribute (mark, DECL_ATTRIBUTES (var));
}

tree
fuse_sum_variable (tree type, tree *vars)
{
  return new_variable (type, sum, vars);
}

bool
fuse_sum_p (tree var)
{
  return marked_p (var, sum);
}

/* ---- Marking ---- */

gimple *
fuse_mark (tree *vars)
{
  return gimple_build_assign (new_variable (integer_type_node, border, vars),
			      integer_zero_node);
}

bool
fuse_mark_p (gimple *stmt)
{
  return gimple_assign_single_p (stmt)
	 && marked_p (gimple_assign_lhs (stmt), border);
}

struct separation
{
  const fusion *f;
  /* New variables of the body, and of what is in front of the loop.  */
  tree vars, outer_vars;
  /* What the body sets.  */
  hash_set<tree> set;
  /* Values from before the body, and what stands for them there.  */
  hash_map<tree, tree> scalars;
  /* It makes floating-point values of integers.  */
  bool converts;
  const char *bar;
};

static bool
plain_float_p (const_tree type)
{
  return SCALAR_FLOAT_TYPE_P (type)
	 && (TYPE_MODE (type) == SFmode || TYPE_MODE (type) == DFmode);
}

static tree
collect_sets (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  separation *s = (separation *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  tree lhs = gimple_get_lhs (stmt);
  fuse_add_sets (stmt, &s->set);
  if (lhs && FLOAT_TYPE_P (TREE_TYPE (lhs)))
    {
      if (!plain_float_p (TREE_TYPE (lhs)))
	s->bar = "arithmetic with complex or long numbers";
      s->converts |= is_gimple_call (stmt)
		     || (is_gimple_assign (stmt)
			 && (gimple_assign_rhs_code (stmt) == FLOAT_EXPR
			     || gimple_assign_rhs_code (stmt)
				  == VIEW_CONVERT_EXPR));
    }
  return NULL_TREE;
}

/* Is VAR a scalar from before the body that arithmetic may begin with?  */
static bool
scalar_p (separation *s, tree var)
{
  return (VAR_P (var) || TREE_CODE (var) == PARM_DECL) && register_p (var)
	 && !s->set.contains (var) && !marked_p (var, apart)
	 && (plain_float_p (TREE_TYPE (var))
	     || (s->converts && TREE_CODE (TREE_TYPE (var)) == INTEGER_TYPE
		 && TYPE_PRECISION (TREE_TYPE (var)) >= 32
		 && TYPE_PRECISION (TREE_TYPE (var)) <= 64));
}

/* Where what stands for VAR is declared: an index has other values in other
   iterations.  */
static tree *
vars_for (separation *s, tree var)
{
  return fuse_index_p (&s->f->a, var) ? &s->vars : &s->outer_vars;
}

static tree
replace_scalar (tree *tp, int *walk_subtrees, void *data)
{
  separation *s = (separation *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  if (!scalar_p (s, *tp))
    return NULL_TREE;
  bool known;
  tree &own = s->scalars.get_or_insert (*tp, &known);
  if (!known)
    {
      own = new_variable (TREE_TYPE (*tp), NULL, vars_for (s, *tp));
      s->set.add (own);
    }
  *tp = own;
  return NULL_TREE;
}

/* Set the scalars, in OUTER or, indices, at the beginning of the body, in
   INNER.  */
static void
set_scalars (separation *s, gimple_seq *outer, gimple_seq *inner)
{
  auto_vec<tree> scalars;
  decl_sorted_keys (&s->scalars, &scalars);
  for (unsigned i = 0; i < scalars.length (); i++)
    {
      tree scalar = scalars[i];
      tree *vars = vars_for (s, scalar);
      gimple_seq *seq = vars == &s->vars ? inner : outer;
      tree var = new_variable (TREE_TYPE (scalar), apart, vars);
      gimple_seq_add_stmt_without_update (seq, gimple_build_assign (var, scalar));
      gimple_seq_add_stmt_without_update (
	seq, gimple_build_assign (*s->scalars.get (scalar), var));
    }
}

const char *
fuse_keep_apart (fusion *f)
{
  separation s;
  s.f = f;
  s.vars = s.outer_vars = NULL_TREE;
  s.converts = false;
  s.bar = NULL;
  gimple_seq body = gimple_omp_body (f->b.loop), seq = NULL, all = NULL;
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq (body, collect_sets, NULL, &wi);
  if (s.bar)
    return s.bar;
  /* What is set in front of the loop already has its place there.  */
  for (unsigned i = 0; i < f->b.locals.length (); i++)
    s.set.add (f->b.locals[i].var);
  gimple *mark = fuse_mark (&s.vars);
  walk_gimple_seq_mod (&body, NULL, replace_scalar, &wi);
  gimple_seq_add_stmt_without_update (&seq, mark);
  set_scalars (&s, &f->prologue, &seq);
  f->prologue_vars = s.outer_vars;
  gimple_seq_add_seq_without_update (&seq, body);
  gimple_seq_add_stmt_without_update (
    &all, gimple_build_bind (s.vars, seq, NULL_TREE));
  gimple_omp_set_body (f->b.loop, all);
  return NULL;
}

/* ---- Values that are handed over ---- */

tree
fuse_pass_on (tree value, tree *vars, gimple_seq *seq)
{
  tree type = TREE_TYPE (value);
  tree var = new_variable (type, apart, vars);
  tree own = new_variable (type, NULL, vars);
  gimple_seq_add_stmt_without_update (seq, gimple_build_assign (var, value));
  gimple_seq_add_stmt_without_update (seq, gimple_build_assign (own, var));
  return own;
}

tree
fuse_minus_zero (tree type, tree *vars, gimple_seq *seq)
{
  return fuse_pass_on (build_real (type, real_value_negate (&dconst0)), vars,
		       seq);
}

/* ---- Making opaque ---- */

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

static tree
finish_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *)
{
  gimple *stmt = gsi_stmt (*gsi);
  if (!gimple_assign_single_p (stmt))
    return NULL_TREE;
  gimple *made = NULL;
  if (fuse_mark_p (stmt))
    made = memory_clobber ();
  else if (marked_p (gimple_assign_rhs1 (stmt), apart))
    made = code_opaque_copy (gimple_assign_lhs (stmt),
			     gimple_assign_rhs1 (stmt));
  if (made)
    {
      gimple_set_location (made, gimple_location (stmt));
      gsi_replace (gsi, made, false);
    }
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
