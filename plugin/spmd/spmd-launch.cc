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
