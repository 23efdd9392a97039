/* The list of a thread's own variables: questions about it, and code that speaks
   of them instead of the originals.

   Needs: spmd_find_sharing; for copies, OWN of each variable (spmd_make_own).
   Keeps: what is copied.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* Is there a variable of SHARING for which IS is true?  */
template<typename question>
static bool
any_p (const spmd_sharing *sharing, question is)
{
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    if (is (sharing->privates[i]))
      return true;
  return false;
}

bool
spmd_private_p (const spmd_sharing *sharing, tree expr)
{
  return any_p (sharing, [=] (const spmd_private &p) { return p.var == expr; });
}

bool
spmd_copies_out_p (const spmd_sharing *sharing)
{
  return any_p (sharing, [] (const spmd_private &p) { return p.copy_out; });
}

bool
spmd_constructs_p (const spmd_sharing *sharing)
{
  return any_p (sharing, [] (const spmd_private &p) { return p.made; });
}

bool
spmd_any_number_p (const spmd_sharing *sharing)
{
  return !any_p (sharing, [] (const spmd_private &p) {
    return p.linear || p.copy_out;
  });
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
      if (const spmd_private *p = spmd_private_of (sharing, t))
	*tp = p->own;
    }
  else if (TREE_CODE (t) == OMP_CLAUSE
	   && OMP_CLAUSE_CODE (t) == OMP_CLAUSE_LINEAR)
    walk_gimple_seq_mod (&OMP_CLAUSE_LINEAR_GIMPLE_SEQ (t), NULL,
			 replace_variable, (struct walk_stmt_info *) data);
  return NULL_TREE;
}

void
spmd_replace (const spmd_sharing *sharing, gimple_seq *seq)
{
  struct walk_stmt_info wi = {};
  wi.info = CONST_CAST (spmd_sharing *, sharing);
  walk_gimple_seq_mod (seq, NULL, replace_variable, &wi);
}

gimple_seq
spmd_copy (const spmd_sharing *sharing, gimple_seq seq)
{
  gimple_seq copy = copy_statements (seq);
  spmd_replace (sharing, &copy);
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

void
spmd_add_copies (const vec<gimple *> &stmts, const spmd_sharing *sharing,
		 gimple_seq *seq)
{
  gimple_seq copies = NULL;
  for (unsigned i = 0; i < stmts.length (); i++)
    gimple_seq_add_stmt (&copies, gimple_copy (stmts[i]));
  gimple_seq_add_seq (seq, spmd_copy (sharing, copies));
}

void
spmd_copy_before (const spmd_nest *nest, const spmd_sharing *sharing,
		  gimple_seq *seq)
{
  spmd_add_copies (nest->before, sharing, seq);
}

void
spmd_copy_prefix (const spmd_nest *nest, const spmd_sharing *sharing,
		  gimple_seq *seq)
{
  spmd_add_copies (nest->prefix, sharing, seq);
}
