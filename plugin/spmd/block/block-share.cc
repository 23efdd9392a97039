/* The variables of the block form: where a team's lie, and which a thread has
   for itself in a construct.

   Needs: block_find of the code that is a copy.  Keeps: the region itself.
   Breaks: registers that become memory are loaded and stored by statements of
   their own.
   Source: OpenMP 5.0, 2.19.1 and 2.19.4; lower_rec_input_clauses in GCC's
   omp-low.cc; nvptx_encode_section_info in config/nvptx/nvptx.cc for "shared".

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/block/block.h"
#include "gimplify-me.h"

/* ---- In a construct ---- */

/* Why the clause C cannot give a thread VAR, or NULL.  */
static const char *
private_why_not (tree c, tree var)
{
  if (!DECL_P (var))
    return "a reduction of an array section";
  tree type = decl_value_type (var);
  bool reduces = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION;
  if (!TYPE_SIZE (type) || TREE_CODE (TYPE_SIZE (type)) != INTEGER_CST)
    return "a private variable of variable size";
  if (DECL_HAS_VALUE_EXPR_P (var))
    return "a variable that stands for an expression";
  if (reduces)
    return spmd_reduces_scalar_p (c, type)
	     ? NULL
	     : "a team's reduction of what is no scalar";
  return TREE_ADDRESSABLE (type) || spmd_constructed_p (c, var)
	   ? "a private object with constructors"
	   : NULL;
}

const char *
block_privates (gimple *stmt, spmd_sharing *sharing)
{
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_PRIVATE:
	if (OMP_CLAUSE_PRIVATE_DEBUG (c))
	  break;
	/* FALLTHRU */
      case OMP_CLAUSE_FIRSTPRIVATE:
      case OMP_CLAUSE_REDUCTION:
	{
	  spmd_private p = {};
	  p.var = OMP_CLAUSE_DECL (c);
	  if (const char *why = private_why_not (c, p.var))
	    return why;
	  p.copy_in = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE;
	  p.reduction = OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION ? c : NULL;
	  p.by_reference = decl_by_reference_p (p.var);
	  sharing->privates.safe_push (p);
	  break;
	}
      default:
	break;
      }
  return NULL;
}

/* ---- In a loop ---- */

/* Enter LOOP and those that it is combined with.  */
static const char *
enter_loop (spmd_nest *inner, gomp_for *loop)
{
  inner->levels.safe_push (loop);
  inner->loop = loop;
  if (!gimple_omp_for_combined_p (loop))
    return NULL;
  gimple_seq seq = gimple_omp_body (loop);
  for (gimple_stmt_iterator i = gsi_start (seq); !gsi_end_p (i); gsi_next (&i))
    {
      gimple *stmt = gsi_stmt (i);
      if (gbind *bind = dyn_cast<gbind *> (stmt))
	{
	  seq = gimple_bind_body (bind);
	  i = gsi_start (seq);
	  if (gsi_end_p (i))
	    break;
	  stmt = gsi_stmt (i);
	}
      if (gomp_for *next = dyn_cast<gomp_for *> (stmt))
	{
	  gimple_seq pre = gimple_omp_for_pre_body (next);
	  for (gimple_stmt_iterator k = gsi_start (pre); !gsi_end_p (k);
	       gsi_next (&k))
	    inner->before.safe_push (gsi_stmt (k));
	  return enter_loop (inner, next);
	}
      if (!stmt_empty_p (stmt))
	break;
    }
  return "a statement between the constructs";
}

/* Why the clauses of the parallel construct PARALLEL, which is a loop, cannot
   be the loop's, or NULL.  GCC leaves those about last values there.  */
static const char *
combined_why_not (gimple *parallel)
{
  tree clauses = stmt_clauses (parallel);
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LINEAR)
      return "a linear clause";
    else if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LASTPRIVATE)
      for (tree d = clauses; d; d = OMP_CLAUSE_CHAIN (d))
	if (OMP_CLAUSE_CODE (d) == OMP_CLAUSE_FIRSTPRIVATE
	    && OMP_CLAUSE_DECL (d) == OMP_CLAUSE_DECL (c))
	  return "a variable with a first and a last value";
  return NULL;
}

const char *
block_find_loop (const block_region *b, gomp_for *loop, gimple *parallel,
		 spmd_nest *inner, spmd_sharing *sharing)
{
  inner->target = b->target;
  inner->outer = &b->team;
  inner->acc = inner->split = false;
  inner->in_block = true;
  inner->loop = NULL;
  inner->thread_depth = 0;
  if (parallel)
    if (const char *why = combined_why_not (parallel))
      return why;
  if (parallel
      && omp_find_clause (stmt_clauses (parallel), OMP_CLAUSE_LASTPRIVATE))
    inner->levels.safe_push (parallel);
  if (const char *why = enter_loop (inner, loop))
    return why;
  if (const char *why = spmd_loop_why_not (inner))
    return why;
  if (gimple_omp_for_kind (loop) != GF_OMP_FOR_KIND_DISTRIBUTE)
    {
      const char *why = spmd_find_sharing (inner, sharing);
      inner->tells = b->tells;
      return why;
    }
  inner->asks = inner->carries = inner->in_and_out = false;
  inner->tells = true;
  const char *why = block_privates (loop, sharing);
  for (unsigned i = sharing->privates.length (); i--;)
    if (CONST_CAST (block_region *, b)->placed.contains (
	  sharing->privates[i].var))
      sharing->privates.unordered_remove (i);
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    {
      spmd_private p = {};
      p.var = gimple_omp_for_index (loop, i);
      p.iterator = true;
      if (!spmd_private_p (sharing, p.var))
	sharing->privates.safe_push (p);
    }
  return why;
}

/* ---- A team's ---- */

tree
block_variable (tree type, const char *name)
{
  return device_variable (create_tmp_var_name (name), type, true, false);
}

/* The search for what scopes declare.  */
struct declared
{
  block_region *b;
  hash_set<tree> others;
};

/* Take the variables that go to shared memory out of their scope.  */
static tree
leave_scope (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  declared *d = (declared *) wi->info;
  gbind *bind = dyn_cast<gbind *> (gsi_stmt (*gsi));
  if (!bind)
    return NULL_TREE;
  tree vars = NULL_TREE, *last = &vars;
  for (tree v = gimple_bind_vars (bind), next; v; v = next)
    {
      next = DECL_CHAIN (v);
      if (d->b->shared.contains (v) && d->b->own.contains (v))
	continue;
      d->others.add (v);
      *last = v;
      last = &DECL_CHAIN (v);
    }
  *last = NULL_TREE;
  gimple_bind_set_vars (bind, vars);
  return NULL_TREE;
}

static tree
find_placed (tree *tp, int *walk_subtrees, void *data)
{
  block_region *b = (block_region *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return b->placed.contains (*tp) ? *tp : NULL_TREE;
}

/* Let a statement about what was a register be one about memory; ends of
   lifetimes are nothing.  */
static tree
into_memory (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  struct walk_stmt_info find = {};
  find.info = wi->info;
  if (gimple_clobber_p (stmt))
    {
      tree base = get_base_address (gimple_assign_lhs (stmt));
      if (base && ((block_region *) wi->info)->placed.contains (base))
	gsi_replace (gsi, gimple_build_nop (), false);
    }
  else if (!gimple_has_substatements (stmt)
	   && walk_gimple_op (stmt, find_placed, &find))
    gimple_regimplify_operands (stmt, gsi);
  return NULL_TREE;
}

/* The variable of a team in place of VAR.  */
static tree
place_one (block_region *b, gbind *bind, tree var)
{
  tree own;
  if (b->shared.contains (var))
    {
      own = block_variable (TYPE_MAIN_VARIANT (TREE_TYPE (var)), "acr_team");
      if (DECL_ALIGN (own) < DECL_ALIGN (var))
	SET_DECL_ALIGN (own, DECL_ALIGN (var));
      TREE_THIS_VOLATILE (own) = TREE_THIS_VOLATILE (var);
      b->placed.add (own);
      return own;
    }
  own = decl_copy (var, TREE_TYPE (var));
  gimple_bind_append_vars (bind, own);
  return own;
}

/* The same for VAR that refers to the team's: SEQ gets what lets it refer to a
   variable in shared memory, the result.  */
static tree
place_referred (block_region *b, tree own, gimple_seq *seq)
{
  tree type = TREE_TYPE (own);
  tree to = block_variable (TYPE_MAIN_VARIANT (TREE_TYPE (type)), "acr_team");
  b->placed.add (to);
  code_set (own, fold_convert (type, build_fold_addr_expr (to)), seq);
  return to;
}

/* The clause by which VAR is a partial result of the team, or NULL.  */
static tree
team_reduction (const block_region *b, tree var)
{
  for (unsigned i = 0; i < b->reductions.length (); i++)
    if (OMP_CLAUSE_DECL (b->reductions[i]) == var)
      return b->reductions[i];
  return NULL_TREE;
}

/* Add to SEQ what OWN, in place of VAR or of what that refers to, begins
   with.  */
static void
begin_one (block_region *b, tree var, tree own, gimple_seq *seq)
{
  if (tree c = team_reduction (b, var))
    code_set (own, omp_reduction_init (c, TREE_TYPE (own)), seq);
  else if (b->copied.contains (var))
    code_set (own, b->referring.contains (var) ? build_simple_mem_ref (var)
					       : var,
	      seq);
}

void
block_place_variables (block_region *b, gbind *bind, const spmd_place *place,
		       gimple_seq *body, gimple_seq *seq)
{
  declared d;
  spmd_sharing sharing;
  code c = seq;
  d.b = b;
  struct walk_stmt_info wi = {};
  wi.info = &d;
  walk_gimple_seq_mod (body, leave_scope, NULL, &wi);
  gimple_seq first = NULL;
  auto_vec<tree> own;
  decl_sorted (&b->own, &own);
  for (unsigned i = 0; i < own.length (); i++)
    {
      tree var = own[i];
      if (d.others.contains (var))
	continue;
      spmd_private p = {};
      p.var = var;
      p.own = p.value = place_one (b, bind, var);
      if (b->referring.contains (var))
	p.value = place_referred (b, p.own, seq);
      sharing.privates.safe_push (p);
      begin_one (b, var, p.value, b->placed.contains (p.value) ? &first : seq);
    }
  if (first)
    {
      block_meet (c);
      c.if_ (val (place->id) == 0, [&] { gimple_seq_add_seq (c, first); });
      block_meet (c);
    }
  for (unsigned i = 0; i < b->reductions.length (); i++)
    for (unsigned k = 0; k < sharing.privates.length (); k++)
      if (sharing.privates[k].var == OMP_CLAUSE_DECL (b->reductions[i]))
	b->results.safe_push (sharing.privates[k].value);
  spmd_replace (&sharing, body);
  wi.info = b;
  walk_gimple_seq_mod (body, into_memory, NULL, &wi);
}
