/* A thread's own variables, as spmd-share.cc has found that it has them: making
   them, and code that speaks of them.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* A new variable of TYPE that is otherwise like VAR.  */
static tree
copy_variable (tree var, tree type)
{
  tree copy = copy_var_decl (var, DECL_NAME (var), type);
  TREE_STATIC (copy) = TREE_PUBLIC (copy) = DECL_EXTERNAL (copy) = 0;
  DECL_SEEN_IN_BIND_EXPR_P (copy) = 1;
  return copy;
}

void
spmd_make_own (spmd_sharing *sharing, gbind *bind, gimple_seq *seq)
{
  tree vars = NULL_TREE;
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    {
      spmd_private *p = &sharing->privates[i];
      p->own = copy_variable (p->var, TREE_TYPE (p->var));
      DECL_CHAIN (p->own) = vars;
      vars = p->own;
      p->value = p->own;
      tree original = p->var;
      if (p->by_reference)
	{
	  tree type = p->section ? TREE_TYPE (OMP_CLAUSE_DECL (p->reduction))
				 : TREE_TYPE (TREE_TYPE (p->var));
	  p->value = copy_variable (p->var, type);
	  TREE_ADDRESSABLE (p->value) = 1;
	  DECL_CHAIN (p->value) = vars;
	  vars = p->value;
	  original = build_simple_mem_ref (p->var);
	  tree address = build_fold_addr_expr (p->value);
	  if (p->section)
	    address = spmd_section_pointer (p->reduction, address);
	  spmd_set (p->own, fold_convert (TREE_TYPE (p->own), address), seq);
	}
      if (p->copy_in && DECL_P (original))
	gimple_seq_add_stmt (seq, gimple_build_assign (p->value, original));
      else if (p->copy_in)
	spmd_set (p->value, original, seq);
      if (p->linear)
	p->first = spmd_value (original, "first", seq);
      if (p->object)
	spmd_start_object (p, p->value, seq);
      else if (p->reduction)
	spmd_set (p->value,
		  omp_reduction_init (p->reduction, TREE_TYPE (p->value)),
		  seq);
    }
  gimple_bind_append_vars (bind, vars);
}


void
spmd_set_linear (const spmd_sharing *sharing, tree k, gimple_seq *seq)
{
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    {
      const spmd_private *p = &sharing->privates[i];
      if (!p->linear)
	continue;
      /* Modulo the width of the type.  */
      tree own = p->value, type = TREE_TYPE (own);
      tree u = unsigned_type_for (type);
      tree step = spmd_copy_expr (sharing, p->linear);
      tree way = fold_build2 (MULT_EXPR, u, fold_convert (u, k),
			      fold_convert (u, step));
      spmd_set (own,
		fold_convert (type,
			      fold_build2 (PLUS_EXPR, u,
					   fold_convert (u, p->first), way)),
		seq);
    }
}

bool
spmd_copies_out_p (const spmd_sharing *sharing)
{
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    if (sharing->privates[i].copy_out)
      return true;
  return false;
}

bool
spmd_any_number_p (const spmd_sharing *sharing)
{
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    if (sharing->privates[i].linear)
      return false;
  return !spmd_copies_out_p (sharing);
}

void
spmd_copy_out (const spmd_sharing *sharing, gimple_seq *seq)
{
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    {
      const spmd_private *p = &sharing->privates[i];
      if (!p->copy_out)
	continue;
      gimple_seq_add_seq (seq, spmd_copy (sharing, p->finish));
      spmd_set (p->by_reference ? build_simple_mem_ref (p->var) : p->var,
		p->value, seq);
    }
}

static tree
replace_variable (tree *tp, int *walk_subtrees, void *data)
{
  const spmd_sharing *sharing
    = (const spmd_sharing *) ((struct walk_stmt_info *) data)->info;
  tree t = *tp;
  if (TYPE_P (t) || DECL_P (t))
    {
      *walk_subtrees = 0;
      for (unsigned i = 0; i < sharing->privates.length (); i++)
	if (sharing->privates[i].var == t)
	  *tp = sharing->privates[i].own;
    }
  else if (TREE_CODE (t) == OMP_CLAUSE
	   && OMP_CLAUSE_CODE (t) == OMP_CLAUSE_LINEAR)
    walk_gimple_seq_mod (&OMP_CLAUSE_LINEAR_GIMPLE_SEQ (t), NULL,
			 replace_variable, (struct walk_stmt_info *) data);
  return NULL_TREE;
}

gimple_seq
spmd_copy (const spmd_sharing *sharing, gimple_seq seq)
{
  gimple_seq copy = copy_statements (seq);
  struct walk_stmt_info wi = {};
  wi.info = CONST_CAST (spmd_sharing *, sharing);
  walk_gimple_seq_mod (&copy, NULL, replace_variable, &wi);
  return copy;
}

tree
spmd_copy_expr (const spmd_sharing *sharing, tree expr)
{
  tree copy = unshare_expr (expr);
  struct walk_stmt_info wi = {};
  wi.info = CONST_CAST (spmd_sharing *, sharing);
  walk_tree (&copy, replace_variable, &wi, NULL);
  return copy;
}
