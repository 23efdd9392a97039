/* What an OpenMP region is launched with.

   Where the source leaves the number of teams open, the number of iterations is
   passed in its place (stock libgomp cuts it to what the GPU holds).

   Needs: spmd_find_nest.  Keeps: a number that the source gives.
   Source: get_target_arguments in GCC's omp-expand.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

void
spmd_pass_trips (const spmd_nest *nest, bool sure, tree teams)
{
  gimple_seq before = NULL;
  push_gimplify_context ();
  tree total = spmd_count_before (nest, &before), type = TREE_TYPE (total);
  tree most = fold_convert (type, TYPE_MAX_VALUE (integer_type_node));
  tree n = fold_build2 (MIN_EXPR, type, total, most);
  if (sure)
    n = fold_build2 (MAX_EXPR, type, n, build_one_cst (type));
  OMP_CLAUSE_OPERAND (teams, 0)
    = code_value (fold_convert (integer_type_node, n), "teams", &before);
  code_put_before (nest->target, before);
}

enum acr_spmd
spmd_set_teams (const spmd_nest *nest)
{
  tree teams = omp_find_clause (gimple_omp_target_clauses (nest->target),
				OMP_CLAUSE_NUM_TEAMS);
  if (!teams)
    return ACR_SPMD_TEAMS;
  if (spmd_one_block_p (nest) || nest->several)
    return ACR_SPMD_TEAMS;
  if (!spmd_level (nest, GIMPLE_OMP_TEAMS))
    OMP_CLAUSE_OPERAND (teams, 0) = integer_zero_node;
  bool sure;
  if (!integer_zerop (OMP_CLAUSE_OPERAND (teams, 0))
      || !spmd_countable_p (nest, &sure))
    return ACR_SPMD_TEAMS;
  spmd_pass_trips (nest, sure, teams);
  return ACR_SPMD_TRIPS;
}

/* ---- Blocks that are teams ---- */

/* What the parallel constructs of a region ask for.  */
struct wish
{
  /* A number that the host knows; NULL_TREE when none is asked for.  */
  tree threads;
  /* There is a construct; one asks for another number.  */
  bool parallel, differs;
};

static tree
find_wish (gimple_stmt_iterator *gsi, bool *, struct walk_stmt_info *wi)
{
  wish *w = (wish *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (gimple_code (stmt) != GIMPLE_OMP_PARALLEL)
    return NULL_TREE;
  tree c = omp_find_clause (stmt_clauses (stmt), OMP_CLAUSE_NUM_THREADS);
  tree n = c ? OMP_CLAUSE_OPERAND (c, 0) : NULL_TREE;
  w->differs |= w->parallel && n != w->threads;
  w->parallel = true;
  w->threads = n;
  return NULL_TREE;
}

enum acr_spmd
spmd_set_threads (gomp_target *target)
{
  tree limit = omp_find_clause (gimple_omp_target_clauses (target),
				OMP_CLAUSE_THREAD_LIMIT);
  wish w = {};
  struct walk_stmt_info wi = {};
  wi.info = &w;
  walk_gimple_seq (gimple_omp_body (target), find_wish, NULL, &wi);
  if (limit && integer_zerop (OMP_CLAUSE_OPERAND (limit, 0)) && w.threads
      && !w.differs && TREE_CODE (w.threads) == INTEGER_CST)
    OMP_CLAUSE_OPERAND (limit, 0) = w.threads;
  return ACR_SPMD_TEAM;
}
