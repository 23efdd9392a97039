/* A thread's place in the grid, and what the program may learn about it.

   A kernel's blocks are the teams and the threads of a block are a team's, as
   far as clauses allow so many; what is beyond idles.  Without a parallel
   construct each thread of the grid stands for a team's one thread, and
   without a teams construct all of the grid is one team: both cannot be told
   from what the source says unless the loop asks, and then there is one
   thread a block, or one block.

   Needs: spmd_make_own.  Keeps: the clauses' limits.  Breaks: nothing.
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

/* Add to C: N is at most LIMIT, if there is one.  */
static void
limit (val n, val limit, code c)
{
  if (limit)
    c.set (n, min_of (n, limit));
}

/* Add to C: N is 1 unless COND, if there is one.  */
static void
limit_if (val n, val cond, code c)
{
  val none = build_minus_one_cst (unsigned_type_node);
  if (cond)
    limit (n, select (cond != 0, none, 1), c);
}

/* Add to C: THREADS that share iterations without a parallel construct are at
   most those of a warp in a simd loop, unless its if or safelen clause says
   otherwise, and one where the program can count the teams, or where there is one,
   which takes its iterations in order.  */
static void
limit_sequential (const spmd_nest *nest, const spmd_sharing *sharing,
		  val threads, code c)
{
  gimple *teams = spmd_level (nest, GIMPLE_OMP_TEAMS);
  gimple *simd = spmd_loop_level (nest, GF_OMP_FOR_KIND_SIMD);
  bool at_once = simd && !omp_find_clause (stmt_clauses (simd),
					   OMP_CLAUSE_SAFELEN);
  val in_order = u32 (at_once ? SPMD_WARP : 1);
  val none = build_minus_one_cst (unsigned_type_node);
  val num_teams = clause_value (teams, OMP_CLAUSE_NUM_TEAMS, sharing);
  /* So many are the variables of teams.  */
  bool count = num_teams && nest->carries && !nest->split;
  if (teams && (nest->asks || count))
    limit (threads, u32 (1), c);
  else if (num_teams && !nest->split)
    limit (threads, select (num_teams == 1, in_order, none), c);
  else if (!teams)
    limit (threads, in_order, c);
  limit_if (threads, clause_value (simd, OMP_CLAUSE_IF, sharing), c);
}

/* Add to C: PLACE's blocks and threads are at most what the clauses of NEST
   say.  */
static void
obey_clauses (const spmd_nest *nest, const spmd_sharing *sharing,
	      spmd_place *place, code c)
{
  gimple *teams = spmd_level (nest, GIMPLE_OMP_TEAMS);
  gimple *parallel = spmd_level (nest, GIMPLE_OMP_PARALLEL);
  limit (place->blocks, clause_value (teams, OMP_CLAUSE_NUM_TEAMS, sharing),
	 c);
  limit (place->threads,
	 clause_value (teams, OMP_CLAUSE_THREAD_LIMIT, sharing), c);
  limit (place->threads,
	 clause_value (parallel, OMP_CLAUSE_NUM_THREADS, sharing), c);
  limit_if (place->threads, clause_value (parallel, OMP_CLAUSE_IF, sharing),
	    c);
  if (spmd_one_block_p (nest))
    limit (place->blocks, u32 (1), c);
  if (!parallel)
    limit_sequential (nest, sharing, place->threads, c);
}

/* What a thread reads about itself: the threads of a row of its block and its place
   in that, the number of its row and the rows, of all axes but x.  */
struct reading
{
  val width, column, row, rows;
};

/* Add to C reads of where a thread of NEST is in its block and grid; the result
   has no more than that, and *R what it is made of.  */
static spmd_place
read_place (const spmd_nest *nest, reading *r, code c)
{
  static const char axes[] = "xyz";
  spmd_place place = {};
  for (int i = 2; i >= 0; i--)
    {
      char tid[] = "tid.?", ntid[] = "ntid.?";
      tid[4] = ntid[5] = axes[i];
      val t = spmd_special_register (tid, c),
	  n = spmd_special_register (ntid, c);
      if (i == 0)
	*r = { n, t, place.id, place.block_size };
      if (i == 1)
	place.rows = n;
      place.id = place.id ? val (place.id) * n + t : t;
      place.block_size = place.block_size ? val (place.block_size) * n : n;
    }
  place.row = r->width;
  place.team.rank = r->column;
  place.id = c.let ("id", place.id);
  place.block_size = c.let ("block_size", place.block_size);
  /* Threads that lie along y are no warps.  */
  place.group.rank = place.id;
  place.group.size = c.let ("group", select (r->width == 1, u32 (1),
					     place.block_size));
  place.group.first_warp = place.group.barrier = u32 (0);
  place.block = nest->alone ? c.var (unsigned_type_node, "block", 0)
			    : val (spmd_special_register ("ctaid.x", c));
  place.blocks = nest->alone ? c.var (unsigned_type_node, "blocks", 1)
			     : val (spmd_special_register ("nctaid.x", c));
  return place;
}

spmd_place
spmd_find_place (const spmd_nest *nest, const spmd_sharing *sharing,
		 tree idle, gimple_seq *seq)
{
  code c = seq;
  tree n = uint64_type_node;
  reading r;
  spmd_place place = read_place (nest, &r, c);
  place.threads = c.let ("threads", place.block_size);
  val id = place.id, block = place.block, blocks = place.blocks,
      threads = place.threads;
  if (!nest->acc)
    {
      obey_clauses (nest, sharing, &place, c);
      c.need (id < threads, idle);
      c.need (block < blocks, idle);
    }
  place.global_id = c.let ("id", block.as (n) * threads.as (n) + id.as (n));
  place.all = c.let ("threads", blocks.as (n) * threads.as (n));
  return place;
}

/* How many rows of a block of NEST's kernel may be wider than a warp: as many as
   OpenACC's clauses say, else as many as the launch has at the most.  */
static int
wide_rows (const spmd_nest *nest)
{
  tree clauses = gimple_omp_target_clauses (nest->target);
  tree lanes = omp_find_clause (clauses, OMP_CLAUSE_VECTOR_LENGTH);
  tree workers = omp_find_clause (clauses, OMP_CLAUSE_NUM_WORKERS);
  if (!nest->acc || !lanes || !workers
      || !tree_fits_shwi_p (OMP_CLAUSE_OPERAND (lanes, 0))
      || tree_to_shwi (OMP_CLAUSE_OPERAND (lanes, 0)) <= SPMD_WARP
      || (tree_fits_shwi_p (OMP_CLAUSE_OPERAND (workers, 0))
	  && tree_to_shwi (OMP_CLAUSE_OPERAND (workers, 0)) <= ACR_WIDE_ROWS))
    return ACR_WIDE_ROWS;
  return max_barriers - 1;
}

spmd_place
spmd_find_row (const spmd_nest *nest, const spmd_sharing *sharing, tree idle,
	       gimple_seq *seq)
{
  code c = seq;
  tree u = unsigned_type_node, n = uint64_type_node;
  reading r;
  spmd_place place = read_place (nest, &r, c);
  val row = c.let ("row", r.row);
  val rows = c.var (u, "rows", r.rows);
  place.team.size = r.width;
  place.team.first_warp = c.let ("warp", row * (r.width / SPMD_WARP));
  /* The block has barrier 0.  */
  place.team.barrier = c.let ("barrier", row + 1);
  int wide = wide_rows (nest);
  place.team.few = wide == ACR_WIDE_ROWS;
  limit (rows, select (r.width <= SPMD_WARP, rows, wide), c);
  c.need (row < rows, idle);

  place.block = c.let ("team", val (place.block) * rows + row);
  place.blocks = c.var (u, "teams", val (place.blocks) * rows);
  place.threads = c.var (u, "threads", r.width);
  if (!nest->acc)
    obey_clauses (nest, sharing, &place, c);
  c.need (val (place.block) < place.blocks, idle);
  place.global_id = c.let ("team", val (place.block).as (n));
  place.all = c.let ("teams", val (place.blocks).as (n));
  if (nest->columns)
    spmd_find_column (&place, c);
  return place;
}

spmd_place
spmd_find_block (const spmd_nest *nest, const spmd_sharing *sharing,
		 gimple_seq *seq)
{
  code c = seq;
  reading r;
  spmd_place place = read_place (nest, &r, c);
  gimple *teams = spmd_level (nest, GIMPLE_OMP_TEAMS);
  val n = clause_value (teams, OMP_CLAUSE_NUM_TEAMS, sharing);
  val grid = teams ? val (place.blocks) : u32 (1);
  place.team.rank = place.id;
  place.threads = c.var (unsigned_type_node, "threads", place.block_size);
  limit (place.threads,
	 clause_value (teams, OMP_CLAUSE_THREAD_LIMIT, sharing), c);
  /* As many as the grid has blocks where the program leaves it open.  */
  val all = c.let ("teams", n ? n.as (unsigned_type_node) : grid);
  place.all = n ? c.let ("teams", select (all != 0, all, grid)) : all;
  return place;
}

spmd_place
spmd_find_team_place (const spmd_nest *inner, const spmd_sharing *sharing,
		      const spmd_place *place, tree idle, gimple_seq *seq)
{
  code c = seq;
  tree n = uint64_type_node;
  gimple *parallel = spmd_level (inner, GIMPLE_OMP_PARALLEL);
  spmd_place own = *place;
  bool columns = place->parts != NULL_TREE;
  val threads = c.var (unsigned_type_node, "threads",
		       val (columns ? place->parts : place->threads));
  own.id = columns ? place->part : place->team.rank;
  own.threads = threads;
  limit (threads, clause_value (parallel, OMP_CLAUSE_NUM_THREADS, sharing), c);
  limit_if (threads, clause_value (parallel, OMP_CLAUSE_IF, sharing), c);
  c.need (val (own.id) < threads, idle);
  if (columns)
    c.need (val (place->inside) != boolean_false_node, idle);
  own.global_id = c.let ("id", val (own.id).as (n));
  own.all = c.let ("threads", threads.as (n));
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
