/* The variables of bodies that are about to become one: what a statement sets, and
   others in their place.

   Needs: nothing.  Keeps: statements, but for the names in them.  Breaks: nothing.
   Source: none.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"

void
fuse_add_sets (gimple *stmt, hash_set<tree> *set)
{
  tree lhs = gimple_get_lhs (stmt);
  if (lhs && DECL_P (lhs))
    set->add (lhs);
  if (gimple_code (stmt) == GIMPLE_OMP_FOR)
    for (size_t k = 0; k < gimple_omp_for_collapse (stmt); k++)
      set->add (gimple_omp_for_index (stmt, k));
}

static tree
replace_op (tree *tp, int *walk_subtrees, void *data)
{
  hash_map<tree, tree> *map
    = (hash_map<tree, tree> *) ((struct walk_stmt_info *) data)->info;
  if (tree *to = map->get (*tp))
    *tp = *to;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  return NULL_TREE;
}

void
fuse_replace (gimple_seq *seq, hash_map<tree, tree> *map, tree *clauses)
{
  struct walk_stmt_info wi = {};
  wi.info = map;
  if (clauses)
    walk_tree (clauses, replace_op, &wi, NULL);
  walk_gimple_seq_mod (seq, NULL, replace_op, &wi);
}
