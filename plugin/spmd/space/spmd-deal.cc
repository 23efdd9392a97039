/* Iterations dealt out in chunks.

   A schedule clause with a chunk size gives a thread that many iterations one
   after the other.  With static and no size, a thread gets one chunk of them all,
   and a team, by dist_schedule, likewise.  Threads that are neighbours have
   iterations that are far apart then, and their accesses are to different lines of
   memory; so this is done only where the program can tell, and otherwise threads
   take their iterations in turn, a chunk of one each time.

   It can tell when it asks for the thread's number or the team's, and when a
   variable of the thread, with a value from before the loop, changes from one
   iteration to the next: that many iterations have passed since the chunk began.
   (GCC refuses other questions, such as threadprivate variables.)  That two loops
   of one schedule have one distribution cannot be seen otherwise: in a kernel there
   is a barrier between them, with nowait as well, and teams with two such loops
   have no kernel (spmd-nest.cc).

   Chunks without a size are as GCC makes them on the host: of N iterations for P
   threads, each has N / P, and the first N % P have one more.  Those of a team are
   dealt to its threads in the same way.

   Where bounds depend on another loop's variable there are no such clauses.
   OpenACC's gang (static) has no such questions, and iterations that depend on one
   another are not allowed.

   Source: OpenMP 5.0, 2.9.2 and 2.9.4.1; expand_omp_for_static_nochunk in GCC's
   omp-expand.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

static bool
static_p (tree c)
{
  return OMP_CLAUSE_CODE (c) == OMP_CLAUSE_DIST_SCHEDULE
	 || ((OMP_CLAUSE_SCHEDULE_KIND (c) & OMP_CLAUSE_SCHEDULE_MASK)
	     == OMP_CLAUSE_SCHEDULE_STATIC);
}

/* The size of the chunks that the clause C says, NULL for one chunk each.  */
static tree
size_of (tree c)
{
  tree size = c ? OMP_CLAUSE_OPERAND (c, 0) : integer_one_node;
  return size || static_p (c) ? size : integer_one_node;
}

static tree
clause_of (const gomp_for *loop, enum omp_clause_code code)
{
  return loop ? omp_find_clause (gimple_omp_for_clauses (loop), code)
	      : NULL_TREE;
}

/* Who deals to whom in NEST: in one step to all threads, or in two to teams and
   then to their threads.  Returns the number of steps, and their chunks' sizes.  */
static unsigned
find_sizes (const spmd_nest *nest, tree size[2])
{
  gomp_for *teams = spmd_loop_level (nest, GF_OMP_FOR_KIND_DISTRIBUTE);
  gomp_for *threads = spmd_loop_level (nest, GF_OMP_FOR_KIND_FOR);
  tree of_teams = clause_of (teams, OMP_CLAUSE_DIST_SCHEDULE);
  tree of_threads = clause_of (threads, OMP_CLAUSE_SCHEDULE);
  if (nest->tells && teams && threads && (of_teams || !size_of (of_threads)))
    {
      size[0] = of_teams ? size_of (of_teams) : NULL_TREE;
      size[1] = size_of (of_threads);
      return 2;
    }
  size[0] = size_of (threads ? of_threads : of_teams);
  if (!size[0] && !nest->tells)
    size[0] = integer_one_node;
  return 1;
}

/* Is a clause of NEST obeyed to the letter?  */
static bool
in_sight_p (const spmd_nest *nest)
{
  tree c = clause_of (spmd_loop_level (nest, GF_OMP_FOR_KIND_FOR),
		      OMP_CLAUSE_SCHEDULE);
  return nest->tells
	 && ((c && static_p (c))
	     || clause_of (spmd_loop_level (nest, GF_OMP_FOR_KIND_DISTRIBUTE),
			   OMP_CLAUSE_DIST_SCHEDULE));
}

bool
spmd_dealt_p (const spmd_nest *nest)
{
  tree size[2];
  return in_sight_p (nest) || find_sizes (nest, size) > 1
	 || !integer_onep (size[0]);
}

/* Add to SEQ: participant ID of N gets one chunk of those that DEAL has in
   hand.  */
static void
take_share (spmd_deal *deal, tree id, tree n, gimple_seq *seq)
{
  tree type = TREE_TYPE (deal->end);
  id = code_value (fold_convert (type, id), "id", seq);
  tree all = code_value (binary (MINUS_EXPR, deal->end, deal->k), "all", seq);
  tree each = spmd_divide (all, n, seq);
  tree rest = code_value (binary (MINUS_EXPR, all, binary (MULT_EXPR, each, n)),
			  "rest", seq);
  tree begin = binary (PLUS_EXPR, deal->k, binary (MULT_EXPR, each, id));
  begin = binary (PLUS_EXPR, begin, binary (MIN_EXPR, id, rest));
  tree more = fold_build2 (LT_EXPR, boolean_type_node, id, rest);
  deal->k = code_temp (type, "k");
  code_set (deal->k, begin, seq);
  deal->end = code_value (binary (PLUS_EXPR,
				  binary (PLUS_EXPR, deal->k, each),
				  fold_convert (type, more)),
			  "end", seq);
}

/* Add to SEQ the beginning of TURN, in which participant ID of N gets chunks of
   SIZE of those that DEAL has in hand.  */
static void
open_turn (spmd_deal *deal, spmd_turn *turn, tree id, tree n, tree size,
	   gimple_seq *seq)
{
  tree type = TREE_TYPE (deal->end), some = code_label ();
  turn->test = code_label ();
  turn->done = code_label ();
  /* More than there are would be too many for products.  */
  size = binary (MIN_EXPR, fold_convert (type, fold_convert (ssizetype, size)),
		 deal->total);
  size = code_value (size, "size", seq);
  size = code_value (binary (MAX_EXPR, size, build_one_cst (type)), "size", seq);
  turn->way = code_value (binary (MULT_EXPR, size, n), "way", seq);
  turn->from = code_temp (type, "from");
  code_set (turn->from,
	    binary (PLUS_EXPR, deal->k, binary (MULT_EXPR, size, id)), seq);
  code_add_label (turn->test, seq);
  code_add_branch (LT_EXPR, turn->from, deal->end, some, turn->done, seq);
  code_add_label (some, seq);
  deal->k = code_temp (type, "k");
  code_set (deal->k, turn->from, seq);
  deal->end = code_value (binary (MIN_EXPR, deal->end,
				  binary (PLUS_EXPR, turn->from, size)),
			  "end", seq);
}

/* Add to SEQ one step, the LAST or not.  */
static void
open_step (spmd_deal *deal, tree id, tree n, tree size, bool last,
	   gimple_seq *seq)
{
  if (!size)
    take_share (deal, id, n, seq);
  else if (last && integer_onep (size))
    {
      tree first = binary (PLUS_EXPR, deal->k, id);
      deal->k = code_temp (TREE_TYPE (deal->end), "k");
      code_set (deal->k, first, seq);
      deal->step = code_value (fold_convert (TREE_TYPE (deal->end), n), "step",
			       seq);
    }
  else
    open_turn (deal, &deal->turn[deal->turns++], id, n, size, seq);
}

void
spmd_deal_open (spmd_deal *deal, const spmd_nest *nest,
		const spmd_sharing *sharing, const spmd_place *place,
		tree total, gimple_seq *seq)
{
  tree size[2], type = TREE_TYPE (place->global_id);
  unsigned steps = find_sizes (nest, size);
  for (unsigned i = 0; i < steps; i++)
    if (size[i])
      size[i] = spmd_copy_expr (sharing, size[i]);
  *deal = {};
  deal->k = build_zero_cst (type);
  deal->end = deal->total = total;
  deal->step = build_one_cst (type);
  if (steps > 1)
    open_step (deal, place->block, place->blocks, size[0], false, seq);
  if (steps > 1)
    open_step (deal, place->id, place->threads, size[1], true, seq);
  else
    open_step (deal, place->global_id, place->all, size[0], true, seq);
}

void
spmd_deal_close (const spmd_deal *deal, gimple_seq *seq)
{
  for (unsigned i = deal->turns; i--;)
    {
      const spmd_turn *turn = &deal->turn[i];
      code_set (turn->from, binary (PLUS_EXPR, turn->from, turn->way), seq);
      code_add_goto (turn->test, seq);
      code_add_label (turn->done, seq);
    }
}
