/* The kernel of a loop: each thread executes iterations that it computes from
   its place, and then brings its partial results together with others'.

   Needs: spmd_find_sharing; nested_find_launches, if children are to be
   collected.  Keeps: the construct, of which the kernel is a copy.  Breaks:
   the order of iterations.
   Source: expand_omp_for_static_nochunk in GCC's omp-expand.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested.h"
#include "spmd/spmd.h"

/* Add to SEQ the body of SPACE's loop, for a thread at PLACE.  */
static void
add_body (const spmd_nest *nest, const spmd_place *place,
	  const spmd_space *space, gimple_seq *seq)
{
  gimple_seq own = NULL;
  if (space->loop == nest->loop)
    spmd_add_copies (nest->prefix, space->sharing, &own);
  gimple_seq_add_seq (&own, spmd_copy (space->sharing,
				       gimple_omp_body (space->loop)));
  if (nest->split)
    spmd_execute_split (nest, place, spmd_add_loop, &own);
  else
    spmd_execute (nest, place, &own);
  spmd_move_constants (&own);
  if (!spmd_space_varies_p (space->loop))
    {
      gimple_seq_add_seq (seq, own);
      return;
    }
  tree out = code_label ();
  spmd_space_inside (space, out, seq);
  gimple_seq_add_seq (seq, own);
  code (seq).at (out);
}

bool
spmd_tiles_p (const spmd_nest *nest, const spmd_sharing *sharing)
{
  return gimple_omp_for_collapse (nest->loop) > 1 && !spmd_dealt_p (nest)
	 && spmd_any_number_p (sharing) && !nest->split && !nest->outer
	 && !nest->launches && !spmd_constructs_p (sharing)
	 && spmd_fills_tiles_p (nest->loop);
}

/* Add to C the iterations of SPACE that are for a thread at PLACE, in tiles.  */
static void
add_tiles (const spmd_nest *nest, const spmd_place *place, spmd_space *space,
	   code c)
{
  spmd_add_tiles (space, place, [&] {
    spmd_space_set (space, NULL_TREE, c);
    add_body (nest, place, space, c);
  }, c);
}

/* Add to C the iterations of SPACE that the team at PLACE executes, when they
   begin with a test.  */
static bool
add_rows (const spmd_nest *nest, const spmd_place *place, spmd_space *space,
	  code c)
{
  return nest->split && !spmd_space_varies_p (space->loop)
	 && spmd_any_number_p (space->sharing)
	 && spmd_add_rows (nest, space, place,
			   [&] { add_body (nest, place, space, c); }, c);
}

/* ---- Several iterations at a time ---- */

/* Iterations of a loop that reduces which begin together, so that their loads
   are under way at the same time, and the statements that such a body may
   have.

   Where threads share a row or a column there are more.  A kernel of rows needs
   registers besides those of its loop: with 48 (matrix times vector, sm_90) a
   multiprocessor has 1280 threads, and with 4 floats of each 20 KiB under way.
   That gave 2.4 TB/s on an H200; the 4.3 TB/s of its memory need 37 KiB by the
   same latency.  With two matrices there is as much under way with 4, and 8 are
   slower (.570 ms instead of .523): so what counts are loads.  With one, 8 took
   .274 to .282 ms for 16384^2 and 4 .273, so they have not been seen to gain.  Columns
   are summed up in .256 ms with 8 and .290 with 4 (CUDA, H200, rows of 512 threads).
   Where a warp shares a row the number of threads
   is a constant, all addresses are one with constant offsets, and there are still 48
   registers.  Of columns the numbers that the runtime's geometry leads to are
   constants, too.  A block that keeps sums has as many registers for each thread that
   there are no others beside it.

   Those constants are for columns of two matrices as well, of which no more iterations
   begin together: with variables ptxas (sm_90, 32 registers) waits for the first of four
   before it begins the others, and spills 27 words in front of the loop; with constants
   all twelve loads are under way, and it spills 18.

   A body that stores as well is left: AXPYDOT, fused, took .40 ms for .37 with four
   iterations written out, as ptxas takes 32 registers then and has loads wait.  */
enum
{
  TOGETHER = 4,
  LOADS_TOGETHER = 4 * TOGETHER,
  TOGETHER_WITH_SUMS = 4 * TOGETHER,
  SMALL_BODY = 30,
  WORD_BYTES = 4
};

/* Threads that share a column, in rows of 1024 and of 512 threads.  */
static const int column_threads[] = { 32, 16 };

/* What a body has.  */
struct body_size
{
  unsigned statements, loads;
  /* Of 32 bits, that these are.  */
  unsigned words;
};

static tree
count_stmt (gimple_stmt_iterator *gsi, bool *handled, struct walk_stmt_info *wi)
{
  body_size *size = (body_size *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (gimple_assign_load_p (stmt)
      && !DECL_P (get_base_address (gimple_assign_rhs1 (stmt))))
    {
      size->loads++;
      size->words += CEIL (int_size_in_bytes (TREE_TYPE (gimple_assign_lhs (stmt))),
			   WORD_BYTES);
    }
  /* Whatever orders the iterations, or repeats something.  */
  *handled = ++size->statements > SMALL_BODY || is_gimple_omp (stmt)
	     || gimple_code (stmt) == GIMPLE_GOTO || gimple_vdef (stmt)
	     || (gimple_store_p (stmt)
		 && !DECL_P (get_base_address (gimple_get_lhs (stmt))));
  return *handled ? integer_one_node : NULL_TREE;
}

/* How many iterations of SPACE, at the least, is it worth while, and safe, to write
   out?  Or 0; *MORE is for threads that share a row or a column, *SIZE is that of
   one.  */
static int
together (const spmd_nest *nest, const spmd_space *space, int *more,
	  body_size *size)
{
  if (!optimize || !option_enabled (ACR_OPTION_UNROLL) || nest->split
      || nest->launches || nest->asks || space->trips.length () > 1
      || spmd_constructs_p (space->sharing))
    return 0;
  bool reduces = false;
  for (unsigned i = 0; i < space->sharing->privates.length (); i++)
    {
      const spmd_private *p = &space->sharing->privates[i];
      if (p->linear || p->copy_out)
	return 0;
      reduces |= p->reduction != NULL_TREE;
    }
  struct walk_stmt_info wi = {};
  wi.info = size;
  if (!reduces
      || walk_gimple_seq (gimple_omp_body (space->loop), count_stmt, NULL, &wi))
    return 0;
  *more = size->loads * 2 * TOGETHER <= LOADS_TOGETHER ? 2 * TOGETHER : TOGETHER;
  return TOGETHER;
}

/* Add to C as many iterations of SPACE, numbered K, K + N and so on, as come
   TIMES times before END.  */
static void
add_together (const spmd_nest *nest, const spmd_place *place,
	      spmd_space *space, int times, val k, val n, val end, code c)
{
  val way = c.let ("way", n * (times - 1));
  c.loop_ ([&] (tree done) {
    c.need (k < end, done);
    val left = c.let ("left", end - k);
    c.need (left > way, done);
    for (int i = 0; i < times; i++)
      {
	spmd_space_set (space, k, c);
	add_body (nest, place, space, c);
	c.set (k, k + n);
      }
  });
}

/* Add to C those iterations of SPACE, numbered K, K + N and so on, that begin
   together.  */
static void
add_all_together (const spmd_nest *nest, const spmd_place *place,
		  spmd_space *space, val k, val n, code c)
{
  body_size size = {};
  int more = 0, least = together (nest, space, &more, &size);
  if (nest->outer)
    nest->outer->one_by_one |= !least;
  if (!least)
    return;
  int width = place->sums ? ACR_SUMS_ROW : SPMD_WARP;
  int most = place->sums ? (int) TOGETHER_WITH_SUMS : more;
  if (nest->outer)
    {
      nest->outer->loads = MAX (nest->outer->loads, more * (int) size.loads);
      nest->outer->words = MAX (nest->outer->words, more * (int) size.words);
    }
  if (nest->outer && place->lanes)
    for (unsigned i = 0; i < ARRAY_SIZE (column_threads); i++)
      c.if_ (n == column_threads[i], [&] {
	add_together (nest, place, space, more, k, u64 (column_threads[i]),
		      space->total, c);
      });
  else if (nest->outer && !place->lanes)
    c.if_ (n == width, [&] {
      int times = most;
      do
	add_together (nest, place, space, times, k, u64 (width), space->total,
		      c);
      while ((times /= 2) > least);
    });
  add_together (nest, place, space, least, k, n, space->total, c);
}

/* Add to C, for the thread with iteration K of SPACE, that after the last one
   values go out.  */
static void
add_last (const spmd_space *space, val k, code c)
{
  if (!spmd_copies_out_p (space->sharing))
    return;
  val number = c.let ("number", k + 1);
  c.if_ (number == space->total, [&] {
    spmd_space_leave (space, c);
    spmd_copy_out (space->sharing, c);
  });
}

/* Add to C that a thread that has an iteration of SPACE has its objects, too.  Others
   have none, as these may need memory.  */
static void
add_constructors (spmd_space *space, code c)
{
  if (space->constructed)
    c.if_ (val (space->constructed) == boolean_false_node, [&] {
      spmd_construct (space->sharing, c);
      c.set (space->constructed, boolean_true_node);
    });
}

/* Add to C the iterations of SPACE numbered K, K + N and so on before END, as
   a thread at PLACE executes them.  */
static void
add_iterations (const spmd_nest *nest, const spmd_place *place,
		spmd_space *space, val k, val n, val end, code c)
{
  c.if_ (k < end, [&] {
    add_constructors (space, c);
    spmd_space_start (space, k, n, c);
    c.loop_ ([&] (tree done) {
      spmd_space_set (space, k, c);
      spmd_set_linear (space->sharing, k, c);
      if (place->sums && space->loop == nest->loop && nest->split)
	spmd_ask_for_next (nest, spmd_sum_loop (nest), place, space, k, n, end,
			   c);
      add_body (nest, place, space, c);
      add_last (space, k, c);
      c.set (k, k + n);
      c.need (k < end, done);
      spmd_space_step (space, c);
    });
  });
}

void
spmd_add_loop (const spmd_nest *nest, const gomp_for *loop,
	       const spmd_place *place, const spmd_sharing *sharing,
	       gimple_seq *seq)
{
  spmd_space space;
  code c = seq;
  spmd_space_count (&space, loop, sharing, seq);
  if (spmd_constructs_p (sharing))
    space.constructed
      = c.var (boolean_type_node, "constructed", boolean_false_node).t;
  if (nest->outer && (spmd_dealt_p (nest) || spmd_tiles_p (nest, sharing)))
    nest->outer->one_by_one = true;
  if (nest->outer && place->sums && spmd_has_sum_p (loop))
    spmd_add_sums (&space, place,
		   [&] (gimple_seq *to) { add_body (nest, place, &space, to); },
		   seq);
  else if (nest->columns)
    spmd_add_columns (&space, place,
		      [&] { add_body (nest, place, &space, seq); }, seq);
  else if (spmd_dealt_p (nest))
    spmd_add_deal (nest, sharing, place, space.total,
		   [&] (const spmd_deal *deal) {
		     add_iterations (nest, place, &space, deal->k, deal->step,
				     deal->end, seq);
		   },
		   seq);
  else if (spmd_tiles_p (nest, sharing))
    add_tiles (nest, place, &space, seq);
  else if (!add_rows (nest, place, &space, seq))
    {
      tree k = code_temp (TREE_TYPE (place->global_id), "k"), n = place->all;
      if (nest->launches && !nest->asks)
	n = nested_spread (place, space.total, k, seq);
      else
	code_set (k, place->global_id, seq);
      if (nest->coarse)
	{
	  n = c.var (TREE_TYPE (k), "n", n).t;
	  spmd_add_coarse (&space, place, k, n,
			   [&] (gimple_seq *to) {
			     add_body (nest, place, &space, to);
			   },
			   seq);
	}
      add_all_together (nest, place, &space, k, n, seq);
      add_iterations (nest, place, &space, k, n, space.total, seq);
    }
  if (space.constructed)
    c.if_ (val (space.constructed) != boolean_false_node,
	   [&] { spmd_destroy (sharing, c); });
}

/* Add to SEQ the rows of NEST's loop, whose threads are to keep SUMS, of the team at
   PLACE.  Where that is a block of as many threads as keep them, it has code of its
   own, in which barriers and numbers of threads are constants: each row has barriers,
   and a choice of one of several takes as long as much of a row's work (ATAX of 8192
   rows and columns on an H200: 145 us, and 112 with constants).  */
static void
add_rows_with_sums (const spmd_nest *nest, const spmd_place *place,
		    const spmd_sharing *sharing, const spmd_sums *sums,
		    gimple_seq *seq)
{
  code c = seq;
  val all = c.let ("all", select (val (place->threads) == ACR_SUMS_ROW,
				  val (place->block_size), u32 (0)));
  c.if_ (
    all == ACR_SUMS_ROW,
    [&] {
      spmd_place own = *place;
      own.sums = sums;
      own.threads = own.team.size = u32 (ACR_SUMS_ROW).t;
      own.team.first_warp = own.team.barrier = u32 (0).t;
      own.team.few = false;
      spmd_add_loop (nest, nest->loop, &own, sharing, seq);
    },
    [&] { spmd_add_loop (nest, nest->loop, place, sharing, seq); });
}

/* Add to SEQ the iterations of NEST's loop that the thread at PLACE executes,
   and what it does with others when they launch regions.  Threads without
   iterations are at IDLE.  */
static void
add_launching_loop (const spmd_nest *nest, const spmd_place *place,
		    const spmd_sharing *sharing, tree idle, gimple_seq *seq)
{
  code c = seq;
  gimple_seq *body = gimple_omp_body_ptr (nest->loop);
  val works = c.var (boolean_type_node, "works");
  tree ready = code_label (), done = code_label ();
  c.set (works, boolean_true_node);
  c.go (ready);
  c.at (idle);
  c.set (works, boolean_false_node);
  c.go (ready);
  c.at (ready);
  nested_begin (nest->launches, place, works, done, seq);
  nested_mark (nest->launches, body);
  spmd_add_loop (nest, nest->loop, place, sharing, seq);
  c.at (done);
  if (nest->launches->defers)
    nested_add_drain (nest->launches, place, seq);
  nested_unmark (nest->launches, body);
  nested_collect (nest->launches, place, seq);
}

gimple *
spmd_build_thread (const region *r, const spmd_nest *nest,
		   spmd_sharing *sharing)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  /* Other fused kernels have not been seen to gain (GEMVER's maps lost).  */
  bool gains = nest->split ? nest->sums || nest->columns : !r->reds.is_empty ();
  gains |= nest->coarse > 0;
  if (gains && region_sources (r->stmt) > 1)
    spmd_keep_pointers (nest, sharing);
  spmd_make_own (sharing, bind, &seq);
  tree idle = code_label (), leads = NULL_TREE;
  /* GCC's copies of atomic updates share operands.  */
  gimple_seq *original = gimple_omp_body_ptr (nest->target);
  spmd_atomic_hide (original);

  /* There is one block, and all of it has the first values now.  */
  if (nest->in_and_out)
    spmd_add_asm ("barrier.sync 0;", NULL_TREE, NULL_TREE, NULL_TREE, &seq);
  spmd_add_copies (nest->before, sharing, &seq);
  spmd_place place
    = nest->split ? spmd_find_row (nest, sharing, idle, &seq)
		  : spmd_find_place (nest, sharing, idle, &seq);
  spmd_sums sums;
  if (nest->sums)
    {
      spmd_start_sums (nest, &sums, &seq);
      add_rows_with_sums (nest, &place, sharing, &sums, &seq);
      code (&seq).at (idle);
    }
  else if (nest->launches)
    add_launching_loop (nest, &place, sharing, idle, &seq);
  else
    {
      gomp_for *loop
	= nest->split || nest->several || spmd_space_varies_p (nest->loop)
	      || spmd_constructs_p (sharing)
	    ? NULL
	    : jam_loop (r, nest, sharing, &place, &seq);
      spmd_add_loop (nest, loop ? loop : nest->loop, &place, sharing, &seq);
      code (&seq).at (idle);
    }
  if (nest->sums)
    spmd_end_sums (nest, sharing, &sums, &seq);
  /* All threads of a team have its partial result.  */
  if (nest->split)
    leads = code (&seq).let ("leads", val (place.team.rank) == 0);
  for (unsigned i = 0; i < sharing->privates.length (); i++)
    if (sharing->privates[i].object)
      spmd_reduce_object (&sharing->privates[i], &place.group, &seq);
    else if (sharing->privates[i].reduction)
      spmd_reduce_grid (&sharing->privates[i], leads, &place.group, &seq);

  spmd_atomic_finish (original);
  spmd_atomic_hide (&seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}
