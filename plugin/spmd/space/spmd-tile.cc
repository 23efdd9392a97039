/* The iterations of a loop nest in tiles.

   Threads that follow each other in a block take iterations that are neighbours
   in the two or three innermost loops, as in a tile of a grid, since what a
   nest reads around its own point its neighbours read as well: the tile's
   rows are in the cache when the next row wants them.  For the same reason a
   block then goes along the third loop from the inside (the second, when there
   are but two), which moves the tile by one place.

     loop x, innermost	two warps, or as many as it has iterations, or the
			block's threads along x where it has others along y
     loop y		the other warps (none in a nest of two loops)
     loop z or y	the threads left; a block takes some successive tiles

   Sizes of tiles are powers of 2, and so are numbers of tiles in a turn, chosen
   as the kernel runs; iterations that a tile has too many are left out.  What is
   left to divide is where a turn is in all but the last loop.

   Positions have 32 bits where the loop variable has no more: a tile's size
   divides 2^32, so none is lost.  They live as long as the kernel does, in
   registers.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* Threads along the innermost loop: so many at least touch whole lines of the
   cache, and in a block of one dimension.  */
static const int log_least = 5, log_usual = ACR_TILE_LOG;

/* More turns than this, and blocks need not be of equal speed.  */
static const int log_many_turns = 12;
/* Tiles of a turn that make up for its beginning, and for what the first of them
   finds in no cache, even if some blocks have no turn then.  */
static const int log_long_turn = 2;

static tree
u64 (void)
{
  return uint64_type_node;
}

static tree
constant (HOST_WIDE_INT n)
{
  return build_int_cst (u64 (), n);
}

static tree
shift (enum tree_code code, tree a, tree by)
{
  return fold_build2 (code, TREE_TYPE (a), a, by);
}

static tree
power (tree type, tree log)
{
  return shift (LSHIFT_EXPR, build_one_cst (type), log);
}

/* The integral part of the logarithm of A, unsigned and not 0; an unsigned
   int.  */
static tree
log_of (tree a, gimple_seq *seq)
{
  tree u = unsigned_type_node;
  gcall *call
    = gimple_build_call (builtin_decl_explicit (BUILT_IN_CLZLL), 1,
			 code_value (fold_convert (long_long_unsigned_type_node,
						   a),
				     "a", seq));
  tree zeros = code_temp (integer_type_node, "zeros");
  gimple_call_set_lhs (call, zeros);
  gimple_seq_add_stmt (seq, call);
  return code_value (binary (MINUS_EXPR, build_int_cst (u, 63), zeros), "log",
		     seq);
}

/* The same, rounded up.  */
static tree
log_above (tree a, gimple_seq *seq)
{
  tree twice = shift (LSHIFT_EXPR, binary (MINUS_EXPR, a, constant (1)),
		      build_one_cst (unsigned_type_node));
  return log_of (binary (PLUS_EXPR, twice, constant (1)), seq);
}

/* How often 1 << LOG goes into A, rounded up; of TYPE.  */
static tree
tiles_in (tree type, tree a, tree log, gimple_seq *seq)
{
  tree up = binary (MINUS_EXPR, power (u64 (), log), constant (1));
  tree sum = binary (PLUS_EXPR, fold_convert (u64 (), a), up);
  return code_value (fold_convert (type, shift (RSHIFT_EXPR, sum, log)),
		     "tiles", seq);
}

/* One loop whose iterations a tile has several of.  */
struct side
{
  /* The loop's place in the nest, or -1: there is none.  */
  int loop;
  /* The type of its positions, and the iterations in that.  */
  tree type, trips;
  /* The logarithm of the tile's size and the thread's place in the tile, unsigned
     int; tiles.  */
  tree log, at, count;
  /* The first tile begins so many iterations before the first, of TYPE; NULL for
     none.  */
  tree ahead;
};

/* The side along LOOP of SPACE, whose positions get a variable.  They are WIDE
   when turns end beyond the last one.  */
static side
side_along (spmd_space *space, int loop, bool wide, gimple_seq *seq)
{
  side s = {};
  s.loop = loop;
  if (loop < 0)
    return s;
  tree var = gimple_omp_for_index (space->loop, loop);
  wide |= TYPE_PRECISION (TREE_TYPE (var)) > 32
	  || spmd_space_varies_p (space->loop);
  s.type = wide ? u64 () : unsigned_type_node;
  s.trips = code_value (fold_convert (s.type, space->trips[loop]), "trips", seq);
  space->at[loop] = code_temp (s.type, "at");
  return s;
}

/* Add to SEQ that S begins AHEAD iterations before its first one, where it has no
   more tiles then.  */
static void
begin_ahead (side *s, tree ahead, gimple_seq *seq)
{
  tree last = binary (MINUS_EXPR, fold_convert (u64 (), s->trips), constant (1));
  last = code_value (last, "last", seq);
  ahead = binary (BIT_AND_EXPR, fold_convert (u64 (), ahead),
		  binary (MINUS_EXPR, power (u64 (), s->log), constant (1)));
  ahead = code_value (ahead, "ahead", seq);
  tree moved = code_value (binary (PLUS_EXPR, last, ahead), "moved", seq);
  tree same = fold_build2 (EQ_EXPR, boolean_type_node,
			   code_value (shift (RSHIFT_EXPR, moved, s->log),
				       "tile", seq),
			   code_value (shift (RSHIFT_EXPR, last, s->log),
				       "tile", seq));
  s->ahead = code_value (fold_build3 (COND_EXPR, s->type, same,
				      fold_convert (s->type, ahead),
				      build_zero_cst (s->type)),
			 "ahead", seq);
}

/* Add to SEQ the logarithm of the threads along the innermost loop for the thread
   PLACE, if it has so many iterations.  */
static tree
log_width (const spmd_place *place, gimple_seq *seq)
{
  tree u = unsigned_type_node;
  tree flat = fold_build2 (EQ_EXPR, boolean_type_node, place->rows,
			   build_one_cst (u));
  tree row = log_of (fold_convert (u64 (), place->row), seq);
  row = binary (MAX_EXPR, row, build_int_cst (u, log_least));
  return code_value (fold_build3 (COND_EXPR, u, flat,
				  build_int_cst (u, log_usual),
				  code_value (row, "row", seq)),
		     "width", seq);
}

/* Add to SEQ the choice of sizes for X, Y and Z, and where the thread PLACE is.
   To DONE go the threads that no tile has a place for.  */
static void
choose_sizes (const spmd_space *space, const spmd_place *place, side *x,
	      side *y, side *z, tree done, gimple_seq *seq)
{
  tree u = unsigned_type_node;
  tree all = log_of (fold_convert (u64 (), place->threads), seq);
  tree most_x = log_above (space->trips[x->loop], seq);
  x->log = binary (MIN_EXPR, all, log_width (place, seq));
  x->log = code_value (binary (MIN_EXPR, x->log, most_x), "log", seq);
  /* The side beside X, when it has few iterations, leaves X more.  */
  const side *beside = y->loop >= 0 ? y : z;
  tree log = binary (MIN_EXPR, binary (MINUS_EXPR, all, x->log),
		     log_above (space->trips[beside->loop], seq));
  log = code_value (log, "log", seq);
  x->log = code_value (binary (MIN_EXPR, binary (MINUS_EXPR, all, log),
			       most_x),
		       "log", seq);
  tree rest = binary (MINUS_EXPR, all, x->log);
  y->log = build_zero_cst (u);
  if (y->loop >= 0)
    {
      y->log = log;
      rest = binary (MINUS_EXPR, rest, y->log);
    }
  z->log = code_value (rest, "log", seq);

  tree id = code_value (fold_convert (u, place->id), "id", seq);
  tree some = code_label ();
  code_add_branch (LT_EXPR, id, code_value (power (u, all), "all", seq), some,
		   done, seq);
  code_add_label (some, seq);
  side *sides[] = { x, y, z };
  for (unsigned i = 0; i < ARRAY_SIZE (sides); i++)
    {
      side *s = sides[i];
      if (s->loop < 0)
	continue;
      tree mask = binary (MINUS_EXPR, power (u, s->log), build_one_cst (u));
      s->at = code_value (binary (BIT_AND_EXPR, id, mask), "in_tile", seq);
      id = code_value (shift (RSHIFT_EXPR, id, s->log), "id", seq);
      s->count = tiles_in (s->type, s->trips, s->log, seq);
    }
}

/* Add to SEQ: *REST becomes how often N goes into it; the result, of N's type, is
   what remains.  */
static tree
split (tree *rest, tree n, gimple_seq *seq)
{
  tree quotient = spmd_divide (*rest, n, seq), type = TREE_TYPE (n);
  tree whole = binary (MULT_EXPR, fold_convert (type, quotient), n);
  tree remainder = binary (MINUS_EXPR, fold_convert (type, *rest), whole);
  remainder = code_value (remainder, "remainder", seq);
  *rest = quotient;
  return remainder;
}

/* Add to SEQ: the position in the loop of S for tile NUMBER, and to NEXT when
   there is no such iteration.  */
static void
enter_tile (const spmd_space *space, const side *s, tree number, tree next,
	    gimple_seq *seq)
{
  if (s->loop < 0)
    return;
  tree at = space->at[s->loop], inside = code_label ();
  tree to = binary (PLUS_EXPR, shift (LSHIFT_EXPR, number, s->log), s->at);
  /* Before the first one it is a very large number.  */
  code_set (at, s->ahead ? binary (MINUS_EXPR, to, s->ahead) : to, seq);
  code_add_branch (LT_EXPR, at, s->trips, inside, next, seq);
  code_add_label (inside, seq);
}

/* The logarithm of the tiles in a turn of the blocks of PLACE, when there are
   COUNT in Z and ACROSS times as many in all; unsigned int.  */
static tree
turn_length (const spmd_place *place, tree across, tree count, gimple_seq *seq)
{
  tree u = unsigned_type_node, many = build_int_cst (u, log_many_turns);
  tree blocks = code_value (fold_convert (u64 (), place->blocks), "blocks", seq);
  tree tiles = code_value (binary (MULT_EXPR, across, count), "tiles", seq);
  tree all = log_of (tiles, seq);
  tree turns = binary (MAX_EXPR, log_of (blocks, seq), many);
  turns = code_value (turns, "turns", seq);
  tree length = binary (MINUS_EXPR, binary (MAX_EXPR, all, turns), turns);
  length = code_value (length, "length", seq);
  tree wanted = binary (MINUS_EXPR, binary (MAX_EXPR, all, many), many);
  wanted = code_value (wanted, "wanted", seq);
  wanted = binary (MIN_EXPR, wanted, build_int_cst (u, log_long_turn));
  length = binary (MAX_EXPR, length, code_value (wanted, "wanted", seq));
  length = code_value (length, "length", seq);
  return code_value (binary (MIN_EXPR, length, log_of (count, seq)), "length",
		     seq);
}

void
spmd_tiles_open (spmd_tiles *tiles, spmd_space *space, const spmd_place *place,
		 gimple_seq *seq)
{
  int loops = space->trips.length ();
  for (int i = 0; i < loops; i++)
    space->at.safe_push (NULL_TREE);
  for (int i = 0; i < loops - 3; i++)
    space->at[i] = code_temp (u64 (), "at");
  side x = side_along (space, loops - 1, false, seq);
  side y = side_along (space, loops > 2 ? loops - 2 : -1, false, seq);
  side z = side_along (space, loops > 2 ? loops - 3 : 0, true, seq);
  tiles->test = code_label ();
  tiles->next = code_label ();
  tiles->done = code_label ();
  tiles->turn = code_label ();
  tree some = code_label (), begin = code_label (), body = code_label ();
  code_add_branch (NE_EXPR, space->total, constant (0), some, tiles->done, seq);
  code_add_label (some, seq);
  choose_sizes (space, place, &x, &y, &z, tiles->done, seq);
  if (place->ahead)
    begin_ahead (&x, place->ahead, seq);

  /* A turn: one tile in X and Y, several of them in Z.  */
  tree across = fold_convert (u64 (), x.count);
  if (y.loop >= 0)
    across = binary (MULT_EXPR, across, y.count);
  for (int i = 0; i < z.loop; i++)
    across = binary (MULT_EXPR, across, space->trips[i]);
  across = code_value (across, "across", seq);
  tree length = turn_length (place, across, z.count, seq);
  tree parts = tiles_in (z.type, z.count, length, seq);
  tree count = code_value (binary (MULT_EXPR, across, parts), "turns", seq);
  tiles->number = code_temp (u64 (), "turn");
  tiles->step = place->blocks;
  code_set (tiles->number, fold_convert (u64 (), place->block), seq);
  code_add_label (tiles->turn, seq);
  code_add_branch (LT_EXPR, tiles->number, count, begin, tiles->done, seq);

  code_add_label (begin, seq);
  tree rest = tiles->number;
  tree x_tile = split (&rest, x.count, seq);
  tree y_tile = y.loop >= 0 ? split (&rest, y.count, seq) : NULL_TREE;
  tree part = z.loop ? split (&rest, parts, seq) : rest;
  for (int i = z.loop; i-- > 0;)
    code_set (space->at[i], i ? split (&rest, space->trips[i], seq) : rest,
	      seq);
  enter_tile (space, &x, x_tile, tiles->next, seq);
  enter_tile (space, &y, y_tile, tiles->next, seq);
  tree first = code_value (shift (LSHIFT_EXPR, part, length), "first", seq);
  tree last = binary (PLUS_EXPR, first, power (u64 (), length));
  tiles->at = space->at[z.loop];
  code_set (tiles->at,
	    binary (PLUS_EXPR, shift (LSHIFT_EXPR, first, z.log), z.at), seq);
  tree end = shift (LSHIFT_EXPR, last, z.log);
  end = code_value (binary (MIN_EXPR, z.trips, end), "end", seq);
  tiles->move = code_value (power (unsigned_type_node, z.log), "move", seq);
  code_add_label (tiles->test, seq);
  code_add_branch (LT_EXPR, tiles->at, end, body, tiles->next, seq);
  code_add_label (body, seq);
}

void
spmd_tiles_close (const spmd_tiles *tiles, gimple_seq *seq)
{
  code_set (tiles->at, binary (PLUS_EXPR, tiles->at, tiles->move), seq);
  code_add_goto (tiles->test, seq);
  code_add_label (tiles->next, seq);
  code_set (tiles->number, binary (PLUS_EXPR, tiles->number, tiles->step),
	    seq);
  code_add_goto (tiles->turn, seq);
  code_add_label (tiles->done, seq);
}
