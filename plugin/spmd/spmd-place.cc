/* A thread's place in the grid, and what the program may learn about it.

   A kernel's blocks are the teams and the threads of a block are a team's, as
   far as clauses allow so many; what is beyond idles.  Without a parallel
   construct each thread of the grid stands for a team's one thread, and
   without a teams construct all of the grid is one team: both cannot be told
   from what the source says unless the loop asks, and then there is one
   thread a block, or one block.

   Source: OpenMP 5.0, 2.6.1 and 2.7; PTX ISA, special registers.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* Barriers that a block has.  */
static const int max_barriers = 16;

/* Add to SEQ the value of clause CODE of STMT, in SHARING's variables; NULL
   when there is none.  */
static tree
clause_value (const gimple *stmt, enum omp_clause_code code,
	      const spmd_sharing *sharing)
{
  tree c = stmt ? omp_find_clause (stmt_clauses (stmt), code) : NULL_TREE;
  return c ? spmd_copy_expr (sharing, OMP_CLAUSE_OPERAND (c, 0)) : NULL_TREE;
}

/* Add to SEQ: N is at most LIMIT, if there is one.  */
static void
limit (tree n, tree limit, gimple_seq *seq)
{
  if (limit)
    code_set (n,
	      fold_build2 (MIN_EXPR, unsigned_type_node, n,
			   fold_convert (unsigned_type_node, limit)),
	      seq);
}

/* Add to SEQ: N is 1 unless COND, if there is one.  */
static void
limit_if (tree n, tree cond, gimple_seq *seq)
{
  tree u = unsigned_type_node;
  if (cond)
    limit (n,
	   fold_build3 (COND_EXPR, u,
			fold_build2 (NE_EXPR, boolean_type_node, cond,
				     build_zero_cst (TREE_TYPE (cond))),
			build_minus_one_cst (u), build_one_cst (u)),
	   seq);
}

/* Add to SEQ: THREADS that share iterations without a parallel construct are at
   most those of a warp in a simd loop, unless its if or safelen clause says
   otherwise, and one where the program can count the teams, or where there is one,
   which takes its iterations in order.  */
static void
limit_sequential (const spmd_nest *nest, const spmd_sharing *sharing,
		  tree threads, gimple_seq *seq)
{
  tree u = unsigned_type_node;
  gimple *teams = spmd_level (nest, GIMPLE_OMP_TEAMS);
  gimple *simd = spmd_loop_level (nest, GF_OMP_FOR_KIND_SIMD);
  bool at_once = simd && !omp_find_clause (stmt_clauses (simd),
					   OMP_CLAUSE_SAFELEN);
  tree in_order = build_int_cst (u, at_once ? SPMD_WARP : 1);
  tree num_teams = clause_value (teams, OMP_CLAUSE_NUM_TEAMS, sharing);
  /* So many are the variables of teams.  */
  bool count = num_teams && nest->carries && !nest->split;
  if (teams && (nest->asks || count))
    limit (threads, build_one_cst (u), seq);
  else if (num_teams && !nest->split)
    limit (threads,
	   fold_build3 (COND_EXPR, u,
			fold_build2 (EQ_EXPR, boolean_type_node, num_teams,
				     build_one_cst (TREE_TYPE (num_teams))),
			in_order, build_minus_one_cst (u)),
	   seq);
  else if (!teams)
    limit (threads, in_order, seq);
  limit_if (threads, clause_value (simd, OMP_CLAUSE_IF, sharing), seq);
}

/* Add to SEQ: PLACE's blocks and threads are at most what the clauses of NEST
   say.  */
static void
obey_clauses (const spmd_nest *nest, const spmd_sharing *sharing,
	      spmd_place *place, gimple_seq *seq)
{
  gimple *teams = spmd_level (nest, GIMPLE_OMP_TEAMS);
  gimple *parallel = spmd_level (nest, GIMPLE_OMP_PARALLEL);
  tree one = build_one_cst (unsigned_type_node);
  limit (place->blocks, clause_value (teams, OMP_CLAUSE_NUM_TEAMS, sharing),
	 seq);
  limit (place->threads,
	 clause_value (teams, OMP_CLAUSE_THREAD_LIMIT, sharing), seq);
  limit (place->threads,
	 clause_value (parallel, OMP_CLAUSE_NUM_THREADS, sharing), seq);
  limit_if (place->threads, clause_value (parallel, OMP_CLAUSE_IF, sharing),
	    seq);
  if (spmd_one_block_p (nest))
    limit (place->blocks, one, seq);
  if (!parallel)
    limit_sequential (nest, sharing, place->threads, seq);
}

/* Add to SEQ reads of where a thread is in its block and grid; the result has
   no more than that.  WIDTH is the number of threads in a row.  */
static spmd_place
read_place (tree *width, gimple_seq *seq)
{
  tree u = unsigned_type_node;
  static const char axes[] = "xyz";
  spmd_place place = {};
  place.id = place.block_size = NULL_TREE;
  for (int i = 2; i >= 0; i--)
    {
      char tid[] = "tid.?", ntid[] = "ntid.?";
      tid[4] = ntid[5] = axes[i];
      tree t = spmd_special_register (tid, seq),
	   n = spmd_special_register (ntid, seq);
      if (i == 0)
	{
	  place.row = n;
	  place.team.rank = t;
	  place.team.barrier = place.id;
	  place.team.first_warp = place.block_size;
	}
      if (i == 1)
	place.rows = n;
      *width = n;
      place.id = place.id ? fold_build2 (PLUS_EXPR, u,
					 fold_build2 (MULT_EXPR, u, place.id,
						      n),
					 t)
			  : t;
      place.block_size
	= place.block_size ? fold_build2 (MULT_EXPR, u, place.block_size, n)
			   : n;
    }
  place.id = code_value (place.id, "id", seq);
  place.block_size = code_value (place.block_size, "block_size", seq);
  /* Threads that lie along y are no warps.  */
  tree rows = fold_build2 (EQ_EXPR, boolean_type_node, *width,
			   build_one_cst (u));
  place.group.rank = place.id;
  place.group.size
    = code_value (fold_build3 (COND_EXPR, u, rows, build_one_cst (u),
			       place.block_size),
		  "group", seq);
  place.group.first_warp = place.group.barrier = build_zero_cst (u);
  place.block = spmd_special_register ("ctaid.x", seq);
  place.blocks = spmd_special_register ("nctaid.x", seq);
  return place;
}

/* Add to SEQ that threads go to IDLE unless A < B.  */
static void
only_below (tree a, tree b, tree idle, gimple_seq *seq)
{
  tree go_on = code_label ();
  code_add_branch (LT_EXPR, a, b, go_on, idle, seq);
  code_add_label (go_on, seq);
}

spmd_place
spmd_find_place (const spmd_nest *nest, const spmd_sharing *sharing,
		 tree idle, gimple_seq *seq)
{
  tree width, n = uint64_type_node;
  spmd_place place = read_place (&width, seq);
  place.threads = code_value (place.block_size, "threads", seq);
  if (!nest->acc)
    {
      obey_clauses (nest, sharing, &place, seq);
      only_below (place.id, place.threads, idle, seq);
      only_below (place.block, place.blocks, idle, seq);
    }

  tree before = fold_build2 (MULT_EXPR, n, fold_convert (n, place.block),
			     fold_convert (n, place.threads));
  place.global_id = code_value (fold_build2 (PLUS_EXPR, n, before,
					     fold_convert (n, place.id)),
				"id", seq);
  place.all = code_value (fold_build2 (MULT_EXPR, n,
				       fold_convert (n, place.blocks),
				       fold_convert (n, place.threads)),
			  "threads", seq);
  return place;
}

spmd_place
spmd_find_row (const spmd_nest *nest, const spmd_sharing *sharing, tree idle,
	       gimple_seq *seq)
{
  tree width, u = unsigned_type_node, n = uint64_type_node;
  tree warp = build_int_cst (u, SPMD_WARP);
  spmd_place place = read_place (&width, seq);
  /* What read_place has left there.  */
  tree row = code_value (place.team.barrier, "row", seq);
  tree rows = code_temp (u, "rows");
  code_set (rows, place.team.first_warp, seq);
  place.team.size = width;
  place.team.first_warp
    = code_value (fold_build2 (MULT_EXPR, u, row,
			       fold_build2 (TRUNC_DIV_EXPR, u, width, warp)),
		  "warp", seq);
  /* The block has barrier 0.  */
  place.team.barrier = code_value (fold_build2 (PLUS_EXPR, u, row,
						build_one_cst (u)),
				   "barrier", seq);
  tree narrow = fold_build2 (LE_EXPR, boolean_type_node, width, warp);
  limit (rows,
	 fold_build3 (COND_EXPR, u, narrow, rows,
		      build_int_cst (u, max_barriers - 1)),
	 seq);
  only_below (row, rows, idle, seq);

  tree before = fold_build2 (MULT_EXPR, u, place.block, rows);
  place.block = code_value (fold_build2 (PLUS_EXPR, u, before, row), "team",
			    seq);
  tree teams = code_temp (u, "teams");
  code_set (teams, fold_build2 (MULT_EXPR, u, place.blocks, rows), seq);
  place.blocks = teams;
  place.threads = code_temp (u, "threads");
  code_set (place.threads, width, seq);
  obey_clauses (nest, sharing, &place, seq);
  only_below (place.block, place.blocks, idle, seq);
  place.global_id = code_value (fold_convert (n, place.block), "team", seq);
  place.all = code_value (fold_convert (n, place.blocks), "teams", seq);
  return place;
}

spmd_place
spmd_find_team_place (const spmd_nest *inner, const spmd_sharing *sharing,
		      const spmd_place *place, tree idle, gimple_seq *seq)
{
  tree u = unsigned_type_node, n = uint64_type_node;
  gimple *parallel = spmd_level (inner, GIMPLE_OMP_PARALLEL);
  spmd_place own = *place;
  own.id = place->team.rank;
  own.threads = code_temp (u, "threads");
  code_set (own.threads, place->threads, seq);
  limit (own.threads,
	 clause_value (parallel, OMP_CLAUSE_NUM_THREADS, sharing), seq);
  limit_if (own.threads, clause_value (parallel, OMP_CLAUSE_IF, sharing), seq);
  only_below (own.id, own.threads, idle, seq);
  own.global_id = code_value (fold_convert (n, own.id), "id", seq);
  own.all = code_value (fold_convert (n, own.threads), "threads", seq);
  return own;
}

/* ---- Questions ---- */

tree
spmd_answer (const spmd_nest *nest, const spmd_place *place, tree fn)
{
  bool teams = spmd_level (nest, GIMPLE_OMP_TEAMS) != NULL;
  bool parallel = spmd_level (nest, GIMPLE_OMP_PARALLEL) != NULL;
  tree zero = integer_zero_node, one = integer_one_node;
  tree answers[QUERY_NONE] = {};
  answers[QUERY_THREAD_NUM] = parallel ? place->id : zero;
  answers[QUERY_NUM_THREADS] = parallel ? place->threads : one;
  answers[QUERY_TEAM_NUM] = teams ? place->block : zero;
  answers[QUERY_NUM_TEAMS] = teams ? place->blocks : one;
  answers[QUERY_IN_PARALLEL]
    = parallel ? fold_build2 (GT_EXPR, boolean_type_node, place->threads,
			      build_one_cst (unsigned_type_node))
	       : zero;
  answers[QUERY_LEVEL] = parallel ? one : zero;
  answers[QUERY_INITIAL_DEVICE] = zero;
  return answers[query_of (fn)];
}
