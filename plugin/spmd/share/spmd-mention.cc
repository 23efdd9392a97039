/* Where code speaks of a variable.

   Needs: GIMPLE before omp-low.  Keeps: all code.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* The search for mentions of some variables.  */
struct mentions
{
  hash_set<tree> *of;
  unsigned number;
};

static tree
count_mention (tree *tp, int *walk_subtrees, void *data)
{
  mentions *m = (mentions *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  m->number += DECL_P (*tp) && m->of->contains (*tp);
  return NULL_TREE;
}

/* That a clause calls a variable shared is none.  */
static tree
discount_shared (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  mentions *m = (mentions *) wi->info;
  for (tree c = stmt_clauses (gsi_stmt (*gsi)); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_SHARED)
      m->number -= m->of->contains (OMP_CLAUSE_DECL (c));
  return NULL_TREE;
}

unsigned
spmd_mentions (hash_set<tree> *of, gimple_seq seq)
{
  mentions m = { of, 0 };
  struct walk_stmt_info wi = {};
  wi.info = &m;
  walk_gimple_seq (seq, discount_shared, count_mention, &wi);
  return m.number;
}

bool
spmd_only_here_p (tree var, gimple_seq part, gimple_seq all)
{
  hash_set<tree> of;
  of.add (var);
  return spmd_mentions (&of, part) == spmd_mentions (&of, all);
}

/* ---- Who sees a value ---- */

/* The search for those who see the value of VAR.  */
struct seeing
{
  mentions m;
  tree var;
};

/* Has STMT a variable of its own for VAR, which begins without VAR's value?  */
static bool
begins_anew_p (gimple *stmt, tree var)
{
  bool own = false;
  for (tree c = stmt_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_LASTPRIVATE:
	own |= OMP_CLAUSE_DECL (c) == var;
	break;
      case OMP_CLAUSE_LINEAR:
	own |= OMP_CLAUSE_DECL (c) == var && stmt_index_p (stmt, var);
	break;
      case OMP_CLAUSE_FIRSTPRIVATE:
	if (OMP_CLAUSE_DECL (c) == var)
	  return false;
	break;
      default:
	break;
      }
  return own;
}

/* What a loop's bounds name is to GCC the loop's own, too.  */
static tree
skip_own (gimple_stmt_iterator *gsi, bool *skips, struct walk_stmt_info *wi)
{
  *skips = begins_anew_p (gsi_stmt (*gsi), ((seeing *) wi->info)->var);
  return *skips ? NULL_TREE : discount_shared (gsi, skips, wi);
}

bool
spmd_value_seen_p (tree var, gimple_seq seq)
{
  hash_set<tree> of;
  of.add (var);
  seeing s = { { &of, 0 }, var };
  struct walk_stmt_info wi = {};
  wi.info = &s;
  walk_gimple_seq (seq, skip_own, count_mention, &wi);
  return s.m.number;
}

bool
spmd_temporary_p (const spmd_nest *nest, tree var)
{
  if (decl_temporary_p (var))
    return true;
  if (!DECL_ARTIFICIAL (var) || !DECL_IGNORED_P (var))
    return false;
  hash_set<tree> of;
  of.add (var);
  unsigned inside = spmd_mentions (&of, gimple_omp_body (nest->loop));
  return !inside
	 || inside == spmd_mentions (&of, gimple_omp_body (nest->target));
}

static bool
same_address (gimple *, tree what, tree, void *data)
{
  return get_base_address (what) == (tree) data;
}

static tree
takes_address (gimple_stmt_iterator *gsi, bool *handled,
	       struct walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  gomp_atomic_load *load = dyn_cast<gomp_atomic_load *> (stmt);
  tree at = load ? gimple_omp_atomic_load_rhs (load) : NULL_TREE;
  *handled = walk_stmt_load_store_addr_ops (stmt, wi->info, NULL, NULL,
					    same_address)
	     || (at && TREE_CODE (at) == ADDR_EXPR
		 && get_base_address (TREE_OPERAND (at, 0)) == wi->info);
  return *handled ? integer_one_node : NULL_TREE;
}

bool
spmd_address_taken_p (const spmd_nest *nest, tree var)
{
  struct walk_stmt_info wi = {};
  wi.info = var;
  return TREE_ADDRESSABLE (var)
	 && walk_gimple_seq (gimple_omp_body (nest->target), takes_address,
			     NULL, &wi);
}
