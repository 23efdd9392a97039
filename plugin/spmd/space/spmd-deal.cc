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

   Needs: spmd_find_sharing.  Keeps: which thread has which iteration, where
   the program can tell.  Breaks: nothing.
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

/* Add to C: of DEAL, participant ID of N gets one chunk.  */
static spmd_deal
take_share (spmd_deal deal, val id, val n, code c)
{
  tree type = TREE_TYPE (deal.end.t);
  id = c.let ("id", id.as (type));
  val all = c.let ("all", deal.end - deal.k);
  val each = spmd_divide (all, n, c);
  val rest = c.let ("rest", all - each * n);
  val begin = deal.k + each * id + min_of (id, rest);
  val more = id < rest;
  deal.k = c.var (type, "k", begin);
  deal.end = c.let ("end", deal.k + each + more);
  return deal;
}

/* Add to C: of DEAL, participant ID of N gets chunks of SIZE, one after the other,
   each by BODY.  */
static void
take_turns (spmd_deal deal, val id, val n, val size,
	    writer<const spmd_deal *> body, code c)
{
  tree type = TREE_TYPE (deal.end.t);
  /* More than there are would be too many for products.  */
  size = c.let ("size", min_of (size.as (ssizetype).as (type), deal.total));
  size = c.let ("size", max_of (size, 1));
  val way = c.let ("way", size * n);
  val from = c.var (type, "from", deal.k + size * id);
  c.while_ (from < deal.end, [&] {
    spmd_deal chunk = deal;
    chunk.k = c.var (type, "k", from);
    chunk.end = c.let ("end", min_of (deal.end, from + size));
    body (&chunk);
    c.set (from, from + way);
  });
}

/* Add to C one step, the LAST or not: of DEAL, participant ID of N gets chunks of
   SIZE, each by BODY.  */
static void
add_step (spmd_deal deal, val id, val n, tree size, bool last,
	  writer<const spmd_deal *> body, code c)
{
  tree type = TREE_TYPE (deal.end.t);
  if (size && !(last && integer_onep (size)))
    {
      take_turns (deal, id, n, size, body, c);
      return;
    }
  if (!size)
    deal = take_share (deal, id, n, c);
  else
    {
      deal.k = c.var (type, "k", deal.k + id);
      deal.step = c.let ("step", n.as (type));
    }
  body (&deal);
}

void
spmd_add_deal (const spmd_nest *nest, const spmd_sharing *sharing,
	       const spmd_place *place, val total,
	       writer<const spmd_deal *> body, code c)
{
  tree size[2], type = TREE_TYPE (place->global_id);
  unsigned steps = find_sizes (nest, size);
  for (unsigned i = 0; i < steps; i++)
    if (size[i])
      size[i] = spmd_copy_expr (sharing, size[i]);
  spmd_deal all
    = { build_zero_cst (type), build_one_cst (type), total, total };
  if (steps == 1)
    {
      add_step (all, place->global_id, place->all, size[0], true, body, c);
      return;
    }
  add_step (all, place->block, place->blocks, size[0], false,
	    [&] (const spmd_deal *team) {
	      add_step (*team, place->id, place->threads, size[1], true, body,
			c);
	    },
	    c);
}
