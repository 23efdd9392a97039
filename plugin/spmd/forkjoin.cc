/* OpenMP regions that stay in generic mode: no more teams than their loop
   can use.

   Where the source leaves the number of teams open, libgomp starts as many as
   the GPU holds, and each costs the start of its threads whether there is an
   iteration for it or not.  So we pass the number of iterations in its place,
   and tell the runtime how many of them a team can work on.  The number that
   the launch gets is the target construct's; that of the teams construct, which
   the host goes by, stays open.

   A region with several loops, or with statements beside the loop, keeps its
   teams.

   Needs: a nest that spmd_find_nest has found.  Keeps: generic mode.
   Breaks: nothing; the clause about teams is set.
   Source: GOMP_teams4 in libgomp's config/nvptx/target.c; get_target_arguments
   in GCC's omp-expand.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* Threads that libgomp's plugin starts in a team where nothing is said.  */
static const int default_threads = 8;

/* The positive constant N, or 0.  */
static int
constant (tree n)
{
  return tree_fits_shwi_p (n) && IN_RANGE (tree_to_shwi (n), 1, 1 << 20)
	   ? tree_to_shwi (n)
	   : 0;
}

/* How many iterations of NEST's loop give a team as much to do as it can do at
   a time, or 0 when that is not known.  */
static int
team_share (const spmd_nest *nest)
{
  gomp_for *teams = spmd_loop_level (nest, GF_OMP_FOR_KIND_DISTRIBUTE);
  gomp_for *threads = spmd_loop_level (nest, GF_OMP_FOR_KIND_FOR);
  if (!teams)
    return 0;
  tree chunk = omp_find_clause (gimple_omp_for_clauses (teams),
				OMP_CLAUSE_DIST_SCHEDULE);
  if (chunk && (chunk = OMP_CLAUSE_DIST_SCHEDULE_CHUNK_EXPR (chunk)))
    return constant (chunk);
  if (!threads)
    return 1;
  /* Threads that take several iterations at a time would leave others
     idle.  */
  tree schedule = omp_find_clause (gimple_omp_for_clauses (threads),
				   OMP_CLAUSE_SCHEDULE);
  if (schedule && OMP_CLAUSE_SCHEDULE_CHUNK_EXPR (schedule))
    return 1;
  int n = default_threads;
  tree limit = omp_find_clause (gimple_omp_target_clauses (nest->target),
				OMP_CLAUSE_THREAD_LIMIT);
  if (limit && !integer_zerop (OMP_CLAUSE_OPERAND (limit, 0)))
    n = constant (OMP_CLAUSE_OPERAND (limit, 0));
  gimple *parallel = spmd_level (nest, GIMPLE_OMP_PARALLEL);
  tree clauses = stmt_clauses (parallel);
  if (tree c = omp_find_clause (clauses, OMP_CLAUSE_NUM_THREADS))
    n = MIN (n, constant (OMP_CLAUSE_OPERAND (c, 0)));
  /* It may be false.  */
  if (omp_find_clause (clauses, OMP_CLAUSE_IF))
    n = 1;
  return MAX (n, 1);
}

int
fork_pass_trips (const spmd_nest *nest)
{
  bool sure;
  tree teams = omp_find_clause (gimple_omp_target_clauses (nest->target),
				OMP_CLAUSE_NUM_TEAMS);
  if (nest->acc || !option_enabled (ACR_OPTION_TEAMS) || !teams
      || !integer_zerop (OMP_CLAUSE_OPERAND (teams, 0))
      || !spmd_countable_p (nest, &sure) || !sure)
    return 0;
  int share = team_share (nest);
  if (share)
    spmd_pass_trips (nest, sure, teams);
  return share;
}
