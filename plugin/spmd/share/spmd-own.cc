/* A thread's own variables, as spmd-share.cc has found that it has them: making
   them, and code that speaks of them.

   Needs: spmd_find_sharing; a gimplify context.  Keeps: the originals.
   Breaks: nothing.
   Source: lower_rec_input_clauses in GCC's omp-low.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"
#include "gimplify-me.h"
#include "langhooks.h"

/* ---- Pointers ---- */

void
spmd_keep_pointers (const spmd_nest *nest, spmd_sharing *sharing)
{
  tree clauses = gimple_omp_target_clauses (nest->target);
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    {
      if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_MAP
	  || OMP_CLAUSE_MAP_KIND (c) != GOMP_MAP_POINTER)
	continue;
      tree var = OMP_CLAUSE_DECL (c);
      if (!DECL_P (var) || !POINTER_TYPE_P (TREE_TYPE (var))
	  || TREE_THIS_VOLATILE (var) || DECL_HAS_VALUE_EXPR_P (var)
	  || spmd_private_of (sharing, var)
	  || construct_stores_p (nest->target, var))
	continue;
      spmd_private own = {};
      own.var = var;
      own.copy_in = true;
      sharing->privates.safe_push (own);
    }
}

/* ---- Making ---- */

void
spmd_make_own (spmd_sharing *sharing, gbind *bind, gimple_seq *seq)
{
  tree vars = NULL_TREE;
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    {
      spmd_private *p = &sharing->privates[i];
      p->own = decl_copy (p->var, TREE_TYPE (p->var));
      DECL_CHAIN (p->own) = vars;
      vars = p->own;
      p->value = p->own;
      tree original = p->var;
      if (p->by_reference)
	{
	  tree type = p->section ? TREE_TYPE (OMP_CLAUSE_DECL (p->reduction))
				 : TREE_TYPE (TREE_TYPE (p->var));
	  p->value = decl_copy (p->var, type);
	  TREE_ADDRESSABLE (p->value) = 1;
	  DECL_CHAIN (p->value) = vars;
	  vars = p->value;
	  original = build_simple_mem_ref (p->var);
	  tree address = build_fold_addr_expr (p->value);
	  if (p->section)
	    address = spmd_section_pointer (p->reduction, address);
	  code_set (p->own, fold_convert (TREE_TYPE (p->own), address), seq);
	}
      for (tree m = p->made; m; m = TREE_CHAIN (m))
	{
	  TREE_PURPOSE (m) = p->value;
	  if (TREE_CHAIN (m))
	    {
	      tree made = decl_copy (p->var, TREE_TYPE (p->value));
	      DECL_CHAIN (made) = vars;
	      TREE_PURPOSE (m) = vars = made;
	    }
	  TREE_ADDRESSABLE (TREE_PURPOSE (m)) = 1;
	}
      bool copied = p->copy_in && !p->made;
      if (copied && DECL_P (original))
	gimple_seq_add_stmt (seq, gimple_build_assign (p->value, original));
      else if (copied)
	code_set (p->value, original, seq);
      if (p->linear)
	p->first = code_value (original, "first", seq);
      if (p->object)
	spmd_start_object (p, p->value, seq);
      else if (p->reduction)
	code_set (p->value,
		  omp_reduction_init (p->reduction, TREE_TYPE (p->value)),
		  seq);
    }
  gimple_bind_append_vars (bind, vars);
}

/* Add to SEQ the expression that a language wants, if any.  */
static void
add_expr (tree expr, gimple_seq *seq)
{
  if (expr)
    gimplify_and_add (unshare_expr (expr), seq);
}

void
spmd_construct (const spmd_sharing *sharing, gimple_seq *seq)
{
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    {
      const spmd_private *p = &sharing->privates[i];
      tree from = p->by_reference ? build_simple_mem_ref (p->var) : p->var;
      for (tree m = p->made; m; m = TREE_CHAIN (m))
	{
	  tree c = TREE_VALUE (m), to = TREE_PURPOSE (m);
	  add_expr (p->copy_in
		      ? lang_hooks.decls.omp_clause_copy_ctor (c, to, from)
		      : lang_hooks.decls.omp_clause_default_ctor (c, to, from),
		    seq);
	  from = to;
	}
    }
}

/* Destroy what MADE lists, the last one first.  */
static void
destroy (tree made, gimple_seq *seq)
{
  if (!made)
    return;
  destroy (TREE_CHAIN (made), seq);
  add_expr (lang_hooks.decls.omp_clause_dtor (TREE_VALUE (made),
					      TREE_PURPOSE (made)),
	    seq);
}

void
spmd_destroy (const spmd_sharing *sharing, gimple_seq *seq)
{
  for (unsigned i = sharing->privates.length (); i--;)
    destroy (sharing->privates[i].made, seq);
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
      code_set (own,
		fold_convert (type,
			      fold_build2 (PLUS_EXPR, u,
					   fold_convert (u, p->first), way)),
		seq);
    }
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
      code_set (p->by_reference ? build_simple_mem_ref (p->var) : p->var,
		p->value, seq);
    }
}
