/* Columns: rows of a split nest whose loads lie side by side across rows.

   In a loop over teams like

     for (j = 0; j < n; j++)
       {
	 t = 0;
	 #pragma omp parallel for reduction (+:t)
	 for (i = 0; i < m; i++)
	   t += a[i][j] * x[i];
	 y[j] = t;
       }

   threads with neighbouring i load from lines of memory of their own, of which the
   other bytes are for other teams.  So a team takes ACR_COLUMNS iterations of the
   outer loop at a time: of its threads, neighbours have neighbouring j, and those
   with the same j share the loop inside, as all threads of a team do otherwise.
   Where the grid has teams for that, they are fewer, ACR_FEW_COLUMNS at the least,
   so that no team is idle.
   All threads with one j execute the statements around that loop, and the first of
   them stores.  Each team has as many turns as any other thread of it: where there
   is no j left, a thread executes what stands around the loops inside for the last
   one, without stores, and leaves those loops out.

   Partial results of one j meet in shared memory, where the first thread of the
   column adds them in the order of their rows.

   Needs: columns_p (opt/columns.cc).  Keeps: one execution of what a team executes
   once.  Breaks: the order in which a reduction adds.
   Source: OpenMP 5.0, 2.9.4 and 2.19.5; CUDA C Best Practices, "Coalesced Access to
   Global Memory".

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* Threads of a block, at most.  */
static const int max_threads = 1024;

/* The shared array of this translation unit, a slot for each of them, or NULL.  */
static tree array;

void
spmd_find_column (spmd_place *place, gimple_seq *seq)
{
  code c = seq;
  tree u = unsigned_type_node;
  place->lanes = c.var (u, "lanes");
  place->lane = c.var (u, "lane");
  place->part = c.var (u, "part");
  place->parts = c.var (u, "parts");
  place->inside = c.var (boolean_type_node, "inside");
  place->stores = c.var (boolean_type_node, "stores");
}

/* Add to C the choice of how many of TOTAL columns the teams at PLACE take at a
   time, and which the thread has.  */
static void
add_lanes (const spmd_place *place, val total, code c)
{
  val width = place->team.size, rank = place->team.rank, lanes = place->lanes;
  tree n = TREE_TYPE (place->all);
  c.set (lanes, min_of (width, ACR_COLUMNS));
  c.loop_ ([&] (tree done) {
    c.need (lanes > ACR_FEW_COLUMNS, done);
    val half = c.let ("half", lanes / 2);
    val held = c.let ("held", val (place->all) * half.as (n));
    c.need (held >= total, done);
    c.set (lanes, half);
  });
  c.set (place->lane, rank % lanes);
  c.set (place->part, rank / lanes);
  c.set (place->parts, width / lanes);
}

void
spmd_add_columns (const spmd_space *space, const spmd_place *place,
		  writer<> body, code c)
{
  tree n = TREE_TYPE (place->global_id);
  add_lanes (place, space->total, c);
  val lanes = c.let ("lanes", val (place->lanes).as (n));
  val lane = c.let ("lane", val (place->lane).as (n));
  val base = c.var (n, "base"), total = space->total;
  c.set (base, val (place->global_id) * lanes);
  val way = c.let ("way", val (place->all) * lanes);
  c.while_ (base < total, [&] {
    val k = c.var (n, "k", base + lane);
    c.set (place->inside, k < total);
    c.set (place->stores,
	   val (place->inside) & val (val (place->part) == 0));
    c.set (k, min_of (k, total - 1));
    spmd_space_set (space, k, c);
    body ();
    c.set (base, base + way);
  });
}

/* The slot of thread I of the block, as a variable of TYPE.  */
static tree
slot (tree type, val i, code c)
{
  if (!array)
    array = device_variable (create_tmp_var_name ("acr_columns"),
			     build_array_type_nelts (uint64_type_node,
						     max_threads),
			     true, false);
  tree address = build_fold_addr_expr_with_type (array, ptr_type_node);
  address = fold_build_pointer_plus (address, (i * 8).as (sizetype));
  return build2 (MEM_REF, type, code_value (address, "slot", c),
		 build_int_cst (ptr_type_node, 0));
}

void
spmd_reduce_columns (tree clause, tree value, const spmd_place *place,
		     gimple_seq *seq)
{
  code c = seq;
  tree type = TREE_TYPE (value);
  val own = value, lanes = place->lanes, rank = place->team.rank;
  val first = c.let ("first", val (place->team.first_warp) * SPMD_WARP);
  tree mine = slot (type, first + rank, c);
  c.set (mine, own);
  spmd_meet (&place->team, c);
  c.if_ (val (place->part) == 0, [&] {
    val at = c.var (unsigned_type_node, "at", first + rank + lanes);
    val end = c.let ("end", first + place->team.size);
    c.while_ (at < end, [&] {
      val other = c.let ("other", slot (type, at, c));
      c.set (own, spmd_combine (clause, own, other));
      c.set (at, at + lanes);
    });
    c.set (unshare_expr (mine), own);
  });
  spmd_meet (&place->team, c);
  c.set (own, slot (type, first + place->lane, c));
  /* The slots are free again.  */
  spmd_meet (&place->team, c);
}
