/* Copies of statements that share nothing with the original.

   GCC's copy_gimple_seq_and_replace_locals gives a copy local variables of its
   own, but leaves it, with the original, the operands of atomic updates and the
   statements in clauses.

   Needs: a gimplify context.  Keeps: the original.
   Source: copy_gimple_seq_and_replace_locals in GCC's tree-inline.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/base.h"
#include "tree-inline.h"

/* One half of an atomic update, and its operand that may be an address.  */
struct atomic_half
{
  gimple *stmt;
  tree operand;
};

/* What copies of a sequence would share.  */
struct shared_parts
{
  auto_vec<atomic_half, 8> atomics;
  /* Where clauses have statements.  */
  auto_vec<gimple_seq *, 8> codes;
};

static tree
operand_of (gimple *stmt)
{
  gomp_atomic_load *load = dyn_cast<gomp_atomic_load *> (stmt);
  return load ? gimple_omp_atomic_load_rhs (load)
	      : gimple_omp_atomic_store_val (as_a<gomp_atomic_store *> (stmt));
}

static void
set_operand (gimple *stmt, tree operand)
{
  if (gomp_atomic_load *load = dyn_cast<gomp_atomic_load *> (stmt))
    gimple_omp_atomic_load_set_rhs (load, operand);
  else
    gimple_omp_atomic_store_set_val (as_a<gomp_atomic_store *> (stmt),
				     operand);
}

static tree
note_stmt (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  if (gimple_code (stmt) == GIMPLE_OMP_ATOMIC_LOAD
      || gimple_code (stmt) == GIMPLE_OMP_ATOMIC_STORE)
    ((shared_parts *) wi->info)
      ->atomics.safe_push ({ stmt, operand_of (stmt) });
  return NULL_TREE;
}

static tree
note_clause (tree *tp, int *walk_subtrees, void *data)
{
  shared_parts *s = (shared_parts *) ((struct walk_stmt_info *) data)->info;
  tree c = *tp;
  *walk_subtrees = TREE_CODE (c) == OMP_CLAUSE;
  if (!*walk_subtrees)
    return NULL_TREE;
  switch (OMP_CLAUSE_CODE (c))
    {
    case OMP_CLAUSE_LASTPRIVATE:
      s->codes.safe_push (&OMP_CLAUSE_LASTPRIVATE_GIMPLE_SEQ (c));
      break;
    case OMP_CLAUSE_LINEAR:
      s->codes.safe_push (&OMP_CLAUSE_LINEAR_GIMPLE_SEQ (c));
      break;
    case OMP_CLAUSE_REDUCTION:
    case OMP_CLAUSE_IN_REDUCTION:
    case OMP_CLAUSE_TASK_REDUCTION:
      s->codes.safe_push (&OMP_CLAUSE_REDUCTION_GIMPLE_INIT (c));
      s->codes.safe_push (&OMP_CLAUSE_REDUCTION_GIMPLE_MERGE (c));
      break;
    default:
      break;
    }
  return NULL_TREE;
}

static void
find_shared (shared_parts *s, gimple_seq seq)
{
  struct walk_stmt_info wi = {};
  wi.info = s;
  walk_gimple_seq (seq, note_stmt, note_clause, &wi);
}

/* Take COUNT statements, scopes, from the end of SEQ, and let their bodies be
   CODES, if that is not NULL.  */
static void
take_codes (gimple_seq *seq, unsigned count, vec<gimple_seq *> *codes)
{
  while (count--)
    {
      gimple_stmt_iterator gsi = gsi_last (*seq);
      gbind *scope = as_a<gbind *> (gsi_stmt (gsi));
      if (codes)
	*(*codes)[count] = gimple_bind_body (scope);
      gsi_remove (&gsi, false);
    }
}

gimple_seq
copy_statements (gimple_seq seq)
{
  shared_parts from, to;
  find_shared (&from, seq);
  for (unsigned i = 0; i < from.atomics.length (); i++)
    set_operand (from.atomics[i].stmt, unshare_expr (from.atomics[i].operand));
  /* What clauses have goes along at the end, so that it gets the same new
     variables.  */
  unsigned codes = from.codes.length ();
  for (unsigned i = 0; i < codes; i++)
    gimple_seq_add_stmt (&seq,
			 gimple_build_bind (NULL_TREE, *from.codes[i], NULL));
  gimple_seq copy = copy_gimple_seq_and_replace_locals (seq);
  for (unsigned i = 0; i < from.atomics.length (); i++)
    set_operand (from.atomics[i].stmt, from.atomics[i].operand);
  take_codes (&seq, codes, NULL);
  if (codes)
    {
      find_shared (&to, copy);
      take_codes (&copy, codes, &to.codes);
    }
  return copy;
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
replace_variables (gimple_seq *seq, hash_map<tree, tree> *map, tree *clauses)
{
  struct walk_stmt_info wi = {};
  wi.info = map;
  if (clauses)
    walk_tree (clauses, replace_op, &wi, NULL);
  walk_gimple_seq_mod (seq, NULL, replace_op, &wi);
}

static tree
collect_decl (tree *tp, int *walk_subtrees, void *data)
{
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (VAR_P (*tp) || TREE_CODE (*tp) == PARM_DECL)
    ((hash_set<tree> *) data)->add (*tp);
  return NULL_TREE;
}

void
collect_variables (tree *tp, hash_set<tree> *names)
{
  walk_tree (tp, collect_decl, names, NULL);
}
