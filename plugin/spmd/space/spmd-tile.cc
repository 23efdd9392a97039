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
   as the kernel runs; iterations that a tile has too many are left out.  Where a turn
   is in the loops are the digits of its number.  What is left to divide are the
   number of a block and that of blocks, by which turns go on, in 32 bits, once a
   kernel: a division of 64 is a call, for which the driver's compiler takes long and
   keeps registers free.

   Positions have 32 bits where the loop variable has no more: a tile's size
   divides 2^32, so none is lost.  They live as long as the kernel does, in
   registers.

   Where loops of a few constant iterations (the elements of a small matrix) would
   leave many threads of a tile without one, there are no tiles: the
   iterations' numbers are shared out (spmd-space.cc), and each thread has one.

   Needs: iterations that may be in any order.  Keeps: each iteration, once.
   Breaks: their order.
   Source: M. Wolf and M. Lam, "A Data Locality Optimizing Algorithm", PLDI
   1991.

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

/* Of a block for which it is told whether tiles suit a nest.  */
static const int log_block = 8;
/* Loops of fewer iterations are short.  */
static const int short_loop = 1 << log_least;
/* So many percent of a block's threads have iterations where tiles suit.  */
static const int least_percent = 80;

/* The percentage of 1 << LOG places along a tile that have one of TRIPS
   iterations.  */
static int
percent_used (long long trips, int log)
{
  long long places = 1LL << log;
  if (trips <= 0 || trips >= short_loop)
    return 100;
  return 100 * trips / ((trips + places - 1) / places * places);
}

/* The logarithm of the size that has a place for TRIPS iterations; MOST at the
   most, or when they are not known.  */
static int
log_for (long long trips, int most)
{
  return trips <= 0 ? most : MIN (most, ceil_log2 (trips));
}

bool
spmd_fills_tiles_p (const gomp_for *loop)
{
  int loops = gimple_omp_for_collapse (loop);
  long long x = nest_trip_count (loop, loops - 1);
  long long beside = nest_trip_count (loop, loops - 2);
  /* As choose_sizes does.  */
  int most = log_for (x, log_block), log = MIN (log_usual, most);
  int other = log_for (beside, log_block - log);
  log = MIN (log_block - other, most);
  int used = percent_used (x, log);
  if (loops == 2)
    return used * percent_used (beside, log_block - log) / 100 >= least_percent;
  used = used * percent_used (beside, other) / 100;
  long long third = nest_trip_count (loop, loops - 3);
  return used * percent_used (third, log_block - log - other) / 100
	 >= least_percent;
}

static val
power (tree type, val log)
{
  return val (build_one_cst (type)) << log;
}

/* The integral part of the logarithm of A, unsigned and not 0; an unsigned
   int.  */
static val
log_of (val a, code c)
{
  val wide = c.let ("a", a.as (long_long_unsigned_type_node));
  val zeros = c.call (BUILT_IN_CLZLL, integer_type_node, "zeros", wide);
  return c.let ("log", u32 (63) - zeros);
}

/* The same, rounded up.  */
static val
log_above (val a, code c)
{
  return log_of (((a - 1) << 1) + 1, c);
}

/* How often 1 << LOG goes into A, rounded up; of TYPE.  */
static val
tiles_in (tree type, val a, val log, code c)
{
  tree n = uint64_type_node;
  val sum = a.as (n) + (power (n, log) - 1);
  return c.let ("tiles", (sum >> log).as (type));
}

/* One loop whose iterations a tile has several of.  */
struct side
{
  /* The loop's place in the nest, or -1: there is none.  */
  int loop;
  /* The type of its positions, and the iterations in that.  */
  tree type;
  val trips;
  /* The logarithm of the tile's size and the thread's place in the tile, unsigned
     int; tiles.  */
  val log, at, count;
  /* The first tile begins so many iterations before the first, of TYPE; NULL for
     none.  */
  val ahead;
};

/* The side along LOOP of SPACE, whose positions get a variable.  They are WIDE
   when turns end beyond the last one.  */
static side
side_along (spmd_space *space, int loop, bool wide, code c)
{
  side s = {};
  s.loop = loop;
  if (loop < 0)
    return s;
  tree var = gimple_omp_for_index (space->loop, loop);
  wide |= TYPE_PRECISION (TREE_TYPE (var)) > 32
	  || spmd_space_varies_p (space->loop);
  s.type = wide ? uint64_type_node : unsigned_type_node;
  s.trips = c.let ("trips", val (space->trips[loop]).as (s.type));
  space->at[loop] = c.var (s.type, "at");
  return s;
}

/* Add to C that S begins AHEAD iterations before its first one, where it has no
   more tiles then.  */
static void
begin_ahead (side *s, val ahead, code c)
{
  tree n = uint64_type_node;
  val last = c.let ("last", s->trips.as (n) - 1);
  ahead = c.let ("ahead", ahead.as (n) & (power (n, s->log) - 1));
  val moved = c.let ("moved", last + ahead);
  val tile = c.let ("tile", last >> s->log);
  val moved_tile = c.let ("tile", moved >> s->log);
  s->ahead = c.let ("ahead",
		    select (moved_tile == tile, ahead.as (s->type), 0));
}

/* Add to C the logarithm of the threads along the innermost loop for the thread
   PLACE, if it has so many iterations.  */
static val
log_width (const spmd_place *place, code c)
{
  val row = log_of (val (place->row).as (uint64_type_node), c);
  row = c.let ("row", max_of (row, log_least));
  return c.let ("width",
		select (val (place->rows) == 1, u32 (log_usual), row));
}

/* Add to C the choice of sizes for X, Y and Z, and where the thread PLACE is.
   To DONE go the threads that no tile has a place for.  */
static void
choose_sizes (const spmd_space *space, const spmd_place *place, side *x,
	      side *y, side *z, tree done, code c)
{
  tree u = unsigned_type_node;
  val all = log_of (val (place->threads).as (uint64_type_node), c);
  val most_x = log_above (space->trips[x->loop], c);
  val width = min_of (all, log_width (place, c));
  x->log = c.let ("log", min_of (width, most_x));
  /* The side beside X, when it has few iterations, leaves X more.  */
  const side *beside = y->loop >= 0 ? y : z;
  val log = c.let ("log", min_of (all - x->log,
				  log_above (space->trips[beside->loop], c)));
  x->log = c.let ("log", min_of (all - log, most_x));
  val rest = all - x->log;
  y->log = u32 (0);
  if (y->loop >= 0)
    {
      y->log = log;
      rest = rest - y->log;
    }
  z->log = c.let ("log", rest);

  val id = c.let ("id", val (place->id).as (u));
  val size = c.let ("all", power (u, all));
  c.need (id < size, done);
  side *sides[] = { x, y, z };
  for (unsigned i = 0; i < ARRAY_SIZE (sides); i++)
    {
      side *s = sides[i];
      if (s->loop < 0)
	continue;
      s->at = c.let ("in_tile", id & (power (u, s->log) - 1));
      id = c.let ("id", id >> s->log);
      s->count = tiles_in (s->type, s->trips, s->log, c);
    }
}

/* Where a turn is in one loop, or in the parts of Z: a digit of its number, in a
   variable, which is less than N.  */
struct digit
{
  val at, n;
};

/* Add to C: *REST, an unsigned int, becomes how often N goes into it; the result
   is what remains.  A block's number is less than the largest unsigned int, so that
   this may stand for an N that is larger still.  */
static val
split (val *rest, val n, code c)
{
  tree u = unsigned_type_node;
  if (TYPE_PRECISION (TREE_TYPE (n.t)) > TYPE_PRECISION (u))
    n = min_of (n, val (fold_convert (TREE_TYPE (n.t), TYPE_MAX_VALUE (u))));
  n = c.let ("n", n.as (u));
  val quotient = c.let ("quotient", *rest / n);
  val remainder = c.let ("remainder", *rest - quotient * n);
  *rest = quotient;
  return remainder;
}

/* Add to C that NUMBER, an unsigned int, is that of the turn at DIGITS.  */
static void
begin_turns (const vec<digit> &digits, val number, code c)
{
  unsigned last = digits.length () - 1;
  for (unsigned i = 0; i < last; i++)
    {
      val at = split (&number, digits[i].n, c);
      c.set (digits[i].at, at.as (TREE_TYPE (digits[i].at.t)));
    }
  val top = digits[last].at;
  c.set (top, number.as (TREE_TYPE (top.t)));
}

/* Add to C that the turn at DIGITS is BY turns later, an unsigned int.  A sum that
   is N or more loses N and carries; it may not fit into the type.  */
static void
advance (const vec<digit> &digits, val by, code c)
{
  unsigned last = digits.length () - 1;
  val carry = u32 (0);
  for (unsigned i = 0; i < last; i++)
    {
      val at = digits[i].at, n = digits[i].n;
      tree type = TREE_TYPE (at.t);
      val add = split (&by, n, c);
      add = c.let ("add", add.as (type) + carry.as (type));
      val room = c.let ("room", n.as (type) - add);
      val sum = c.let ("sum", at + add), less = c.let ("less", at - room);
      val over = c.let ("over", val (at >= room));
      c.set (at, select (over != 0, less, sum));
      carry = c.let ("carry", over.as (unsigned_type_node));
    }
  val top = digits[last].at;
  c.set (top, top + (by + carry).as (TREE_TYPE (top.t)));
}

/* Add to C: the position in the loop of S for tile NUMBER, and to NEXT when
   there is no such iteration.  */
static void
enter_tile (const spmd_space *space, const side *s, val number, tree next,
	    code c)
{
  if (s->loop < 0)
    return;
  val at = space->at[s->loop], to = (number << s->log) + s->at;
  /* Before the first one it is a very large number.  */
  c.set (at, s->ahead ? to - s->ahead : to);
  c.need (at < s->trips, next);
}

/* The logarithm of the tiles in a turn of the blocks of PLACE, when there are
   COUNT in Z and ACROSS times as many in all; unsigned int.  */
static val
turn_length (const spmd_place *place, val across, val count, code c)
{
  val many = u32 (log_many_turns);
  val blocks = c.let ("blocks", val (place->blocks).as (uint64_type_node));
  val tiles = c.let ("tiles", across * count);
  val all = log_of (tiles, c);
  val turns = c.let ("turns", max_of (log_of (blocks, c), many));
  val length = c.let ("length", max_of (all, turns) - turns);
  val wanted = c.let ("wanted", max_of (all, many) - many);
  wanted = c.let ("wanted", min_of (wanted, log_long_turn));
  length = c.let ("length", max_of (length, wanted));
  return c.let ("length", min_of (length, log_of (count, c)));
}

/* Add to C the tiles of the turn at DIGITS, whose part in Z is of 1 << LENGTH
   tiles: an iteration's place in SPACE, and BODY.  */
static void
add_turn (spmd_space *space, const side *x, const side *y, const side *z,
	  const vec<digit> &digits, val length, writer<> body, code c)
{
  tree next = code_label ();
  unsigned i = 0;
  val x_tile = digits[i++].at;
  val y_tile = y->loop >= 0 ? digits[i++].at : val ();
  val part = digits[i++].at;
  for (int loop = z->loop; loop-- > 0;)
    c.set (space->at[loop], digits[i++].at);
  enter_tile (space, x, x_tile, next, c);
  enter_tile (space, y, y_tile, next, c);
  val first = c.let ("first", part << length);
  val last = first + power (uint64_type_node, length);
  val at = space->at[z->loop];
  c.set (at, (first << z->log) + z->at);
  val end = c.let ("end", min_of (z->trips, last << z->log));
  val move = c.let ("move", power (unsigned_type_node, z->log));
  tree test = code_label ();
  c.at (test);
  c.need (at < end, next);
  body ();
  c.set (at, at + move);
  c.go (test);
  c.at (next);
}

void
spmd_add_tiles (spmd_space *space, const spmd_place *place, writer<> body,
		code c)
{
  tree n = uint64_type_node, done = code_label ();
  int loops = space->trips.length ();
  for (int i = 0; i < loops; i++)
    space->at.safe_push (NULL_TREE);
  for (int i = 0; i < loops - 3; i++)
    space->at[i] = c.var (n, "at");
  side x = side_along (space, loops - 1, false, c);
  side y = side_along (space, loops > 2 ? loops - 2 : -1, false, c);
  side z = side_along (space, loops > 2 ? loops - 3 : 0, true, c);
  c.need (val (space->total) != 0, done);
  choose_sizes (space, place, &x, &y, &z, done, c);
  if (place->ahead)
    begin_ahead (&x, place->ahead, c);

  /* A turn: one tile in X and Y, several of them in Z.  */
  val across = x.count.as (n);
  if (y.loop >= 0)
    across = across * y.count;
  for (int i = 0; i < z.loop; i++)
    across = across * space->trips[i];
  across = c.let ("across", across);
  val length = turn_length (place, across, z.count, c);
  val parts = tiles_in (z.type, z.count, length, c);

  /* The number of a turn, the innermost digit first.  */
  auto_vec<digit, 6> digits;
  digits.safe_push ({ c.var (x.type, "turn"), x.count });
  if (y.loop >= 0)
    digits.safe_push ({ c.var (y.type, "turn"), y.count });
  digits.safe_push ({ c.var (z.type, "turn"), parts });
  for (int i = z.loop; i-- > 0;)
    digits.safe_push ({ c.var (n, "turn"), space->trips[i] });
  begin_turns (digits, val (place->block).as (unsigned_type_node), c);
  digit top = digits.last ();
  c.while_ (top.at < top.n, [&] {
    add_turn (space, &x, &y, &z, digits, length, body, c);
    advance (digits, val (place->blocks).as (unsigned_type_node), c);
  });
  c.at (done);
}
