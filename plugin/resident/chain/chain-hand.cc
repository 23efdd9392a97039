/* How rounds of a chain hand on numbers.

   In order, behind fences: a round that lets the next one go on stores what it hands
   on, and then, behind a fence, how many rounds have done so.  One thread of the next
   round's block reads that until it is enough, and makes a fence; then all threads of
   the block take what is handed on.  There are two places for that, taken in turn:
   the one that a round stores into was read by the round before, all of whose threads
   had met before it let this one go on.

   In order, in words: where no region is ordered, each half of a number goes in one
   word with the number of its round, and there are no fences.

   Looking back: where rounds only combine such numbers with their own, each says what
   it adds as soon as it knows, and then looks for what the rounds before it have
   said: back to one that has said what it hands on, which is all that is before.

       words of round	t - 4	t - 3	t - 2	t - 1	t
       adds				a	b	(c)
       hands on		p	q			(q + a + b + c)

   So rounds do not wait for each other one by one.  The lanes of a warp look at 32
   rounds at once.  Words are taken in turn as well; a round's may be another's when no
   round can still want them (docs/chain.md).

   Needs: chain_judge.  Keeps: what is handed on, to the last bit.
   Source: D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with Decoupled
   Look-back", NVR-2016-002; S. Yan et al., "StreamScan", PPoPP 2013; J. Gomez-Luna et
   al., "In-Place Data Sliding Algorithms for Many-Core Architectures", ICPP 2015; PTX
   ISA, memory consistency model.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/chain/turns.h"

void
turns_meet (code c)
{
  spmd_add_asm ("barrier.sync 0;", NULL_TREE, NULL_TREE, NULL_TREE, c);
}

static tree
type_of_number (const turns *r, unsigned i)
{
  return TYPE_MAIN_VARIANT (TREE_TYPE (r->c->carried[i]));
}

tree
turns_strays (const turns *r)
{
  return r->c->carried[r->c->carried.length () - 1];
}

/* ---- Places ---- */

/* The address of how many rounds have let the next one go on.  */
static val
counter (const turns *r, code c)
{
  tree address
    = build_fold_addr_expr (resident_state (r->x, ACR_RESIDENT_COUNT));
  return c.let ("counter", fold_convert (ptr_type_node, address));
}

/* Elements of the state, taken in turn: OF rows of WIDE ones each, from FIRST on.  */
struct ring
{
  unsigned first, of, wide;
};

/* The address of the element I of the row of round N.  */
static val
place (const turns *r, const ring &in, val n, unsigned i, code c)
{
  tree base = build_fold_addr_expr (resident_state (r->x, in.first + i));
  base = c.let ("slots", fold_convert (ptr_type_node, base));
  tree offset = fold_convert (sizetype, n % in.of * (8 * in.wide));
  return c.let ("slot", fold_build_pointer_plus (base, offset));
}

static ring
slots_of (const turns *r)
{
  return { r->c->slots, CHAIN_SLOTS, r->c->carried.length () };
}

static ring
words_of (const turns *r)
{
  unsigned rows = r->c->looks ? (unsigned) CHAIN_RING : (unsigned) CHAIN_WORDS;
  return { r->c->slots, rows, chain_words (r->c) };
}

/* Where rounds say what they add.  */
static ring
added_of (const turns *r)
{
  ring in = words_of (r);
  in.first += in.of * in.wide;
  return in;
}

static tree
slot (const turns *r, val n, unsigned i, code c)
{
  return build2 (MEM_REF, type_of_number (r, i),
		 place (r, slots_of (r), n, i, c),
		 build_int_cst (ptr_type_node, 0));
}

/* ---- Words ---- */

/* The bits of the number EXPR as an unsigned one.  */
static val
bits_of (tree expr)
{
  tree type = TREE_TYPE (expr);
  unsigned size = tree_to_uhwi (TYPE_SIZE (type));
  tree bits = size > 32 ? uint64_type_node : unsigned_type_node;
  return INTEGRAL_TYPE_P (type) ? fold_convert (bits, expr)
				: build1 (VIEW_CONVERT_EXPR, bits, expr);
}

static val
from_bits (tree type, val bits)
{
  return INTEGRAL_TYPE_P (type) ? fold_convert (type, bits)
				: build1 (VIEW_CONVERT_EXPR, type, bits);
}

/* A where T is true, else B, numbers' bits.  Lanes that are to come to the
   same instruction must not part in front of it: in front of a branch GCC may
   make two of it, or of the loop around (-funswitch-loops).  */
static val
choose (test t, val a, val b)
{
  tree type = TREE_TYPE (a.t);
  val all = fold_build1 (NEGATE_EXPR, type, val (t).as (type));
  return b ^ ((a ^ b) & all);
}

/* Add to C: the number of TYPE whose halves are HALVES, from the one numbered AT
   on.  */
static val
number_of (tree type, const vec<tree> &halves, unsigned at, code c)
{
  if (tree_to_uhwi (TYPE_SIZE (type)) <= 32)
    return c.let ("number", from_bits (type, halves[at]));
  val low = val (halves[at]).as (uint64_type_node);
  val high = val (halves[at + 1]).as (uint64_type_node);
  return c.let ("number",
		from_bits (type, c.let ("bits", (high << 32) | low)));
}

/* Add to C: the words of the row of round N have the numbers VALUES and that of the
   round.  */
static void
store_words (const turns *r, const ring &in, val n, const vec<tree> &values,
	     code c)
{
  static const char store[]
    = "{\n\t.reg .b64 %%acr_w, %%acr_l;\n\t.reg .b32 %%acr_r;\n\t"
      "mov.b32 %%acr_r, %2;\n\tcvt.u64.u32 %%acr_w, %%acr_r;\n\t"
      "shl.b64 %%acr_w, %%acr_w, 32;\n\t"
      "mov.b32 %%acr_r, %1;\n\tcvt.u64.u32 %%acr_l, %%acr_r;\n\t"
      "or.b64 %%acr_w, %%acr_w, %%acr_l;\n\t"
      "st.volatile.u64 [%0], %%acr_w;\n\t}";
  unsigned at = 0;
  for (unsigned i = 0; i < values.length (); i++)
    {
      val bits = c.let ("bits", bits_of (values[i]));
      for (unsigned k = 0; k < chain_number_words (values[i]); k++)
	{
	  val half = k ? bits >> 32 : bits;
	  half = c.let ("half", half.as (unsigned_type_node));
	  spmd_add_asm (store, NULL_TREE, place (r, in, n, at++, c), half, c,
			n);
	}
    }
}

/* Add to C: read until the words of this round have its number.  An operand may be a
   register of another type of 32 bits, which only mov takes.  */
static void
read_words (const turns *r, const vec<tree> &halves, code c)
{
  static const char wait[]
    = "{\n\t.reg .pred %%acr_p;\n\t.reg .b32 %%acr_r;\n\t.reg .b64 %%acr_w;\n"
      "$acr_again:\n\tld.volatile.u64 %%acr_w, [%1];\n\t"
      "cvt.u32.u64 %%acr_r, %%acr_w;\n\tmov.b32 %0, %%acr_r;\n\t"
      "shr.u64 %%acr_w, %%acr_w, 32;\n\tcvt.u32.u64 %%acr_r, %%acr_w;\n\t"
      "setp.ne.u32 %%acr_p, %%acr_r, %2;\n\t"
      "@%%acr_p bra $acr_again;\n\t}";
  for (unsigned i = 0; i < halves.length (); i++)
    spmd_add_asm (wait, halves[i], place (r, words_of (r), r->now, i, c),
		  r->now, c);
}

/* Variables for the halves of all that is handed on.  */
static void
add_halves (const turns *r, vec<tree> *halves, code c)
{
  for (unsigned i = 0; i < chain_words (r->c); i++)
    halves->safe_push (c.var (unsigned_type_node, "half", 0));
}

/* Add to C that a round takes words.  Nobody has to see anything else that goes
   before, so there is no fence.  */
static void
take_words (const turns *r, code c)
{
  auto_vec<tree> halves;
  add_halves (r, &halves, c);
  c.if_ (r->rank == 0, [&] { read_words (r, halves, c); });
  /* The others come when there is something to read.  */
  turns_meet (c);
  c.if_ (r->rank != 0, [&] { read_words (r, halves, c); });
  unsigned at = 0;
  for (unsigned i = 0; i < r->c->carried.length (); i++)
    {
      tree var = r->c->carried[i];
      c.set (var, number_of (type_of_number (r, i), halves, at, c));
      at += chain_number_words (var);
    }
}

/* ---- Looking back ---- */

/* A and B, numbers, combined by the operation of the one numbered I.  */
static val
combine (const turns *r, unsigned i, tree a, tree b)
{
  tree type = type_of_number (r, i);
  tree_code op = r->c->ops[i];
  if (op != PLUS_EXPR)
    return fold_build2 (op, type, a, b);
  tree modulo = unsigned_type_for (type);
  return fold_convert (type, fold_build2 (op, modulo, fold_convert (modulo, a),
					  fold_convert (modulo, b)));
}

tree
turns_nothing (const turns *r, unsigned i)
{
  return omp_reduction_init_op (UNKNOWN_LOCATION, r->c->ops[i],
				type_of_number (r, i));
}

/* What a lane has seen of a round before this one.  */
struct seen
{
  /* Is it all up to that round, or only what that adds, or none?  */
  val got;
  auto_vec<tree> values;
};

enum
{
  SEEN_NONE,
  SEEN_ADDED,
  SEEN_ALL
};

/* Add to C: read the row of round N; the result is not 0 if all its words are
   of that round.  */
static val
look_at_words (const turns *r, const ring &in, val n, vec<tree> *halves,
	       code c)
{
  val others = u32 (0);
  for (unsigned i = 0; i < in.wide; i++)
    {
      val word = c.var (uint64_type_node, "word");
      spmd_add_asm ("ld.volatile.u64 %0, [%1];", word, place (r, in, n, i, c),
		    NULL_TREE, c);
      halves->safe_push (c.let ("half", word.as (unsigned_type_node)));
      val its = c.let ("its", (word >> 32).as (unsigned_type_node));
      others = c.let ("others", others | (its ^ n));
    }
  return c.let ("whole", val (others == 0).as (unsigned_type_node));
}

/* Add to C: S is what the round DISTANCE before this one's predecessor has said; where
   there is none, all that was before the loop.  */
static void
look_at (const turns *r, val distance, seen *s, code c)
{
  auto_vec<tree> all, added, halves;
  val n = c.let ("row", max_of (r->now, distance) - distance);
  val hands = look_at_words (r, words_of (r), n, &all, c);
  val adds = look_at_words (r, added_of (r), n, &added, c);
  val got = choose (hands != 0, u32 (SEEN_ALL), adds * (int) SEEN_ADDED);
  c.set (s->got, choose (distance < r->now, got, u32 (SEEN_ALL)));
  for (unsigned i = 0; i < all.length (); i++)
    halves.safe_push (
      c.let ("half", choose (hands != 0, all[i], added[i])));
  unsigned at = 0;
  for (unsigned i = 0; i < s->values.length (); i++)
    {
      tree type = type_of_number (r, i);
      val is = bits_of (number_of (type, halves, at, c));
      val first = c.let ("first", bits_of (r->first[i]));
      is = c.let ("is", is);
      val bits = c.let ("bits", choose (distance < r->now, is, first));
      c.set (s->values[i], from_bits (type, bits));
      at += chain_number_words (r->c->carried[i]);
    }
}

/* Add to C, for the lanes of a warp: BEFORE are the numbers that this round takes.  */
static void
look_back (const turns *r, const vec<tree> &before, code c)
{
  tree u = unsigned_type_node;
  val distance = c.var (u, "distance", r->rank);
  for (unsigned i = 0; i < before.length (); i++)
    c.set (before[i], turns_nothing (r, i));
  c.loop_ ([&] (tree out) {
    seen s;
    s.got = c.var (u, "got");
    for (unsigned i = 0; i < before.length (); i++)
      s.values.safe_push (c.var (type_of_number (r, i), "value"));
    val all = c.var (u, "all"), nearer = c.var (u, "nearer");
    c.loop_ ([&] (tree enough) {
      look_at (r, distance, &s, c);
      spmd_stay_one (c);
      c.set (all, spmd_ballot (c.let ("is", s.got & (int) SEEN_ALL), c));
      val some = spmd_ballot (s.got, c);
      /* Lanes up to the nearest one that has all; else each.  */
      c.set (nearer, all ^ (all - 1));
      val missing = c.let ("missing", nearer & (some ^ -1));
      c.need (missing != 0, enough);
    });
    val counts = c.let ("counts", (nearer >> r->rank) & 1);
    for (unsigned i = 0; i < before.length (); i++)
      {
	tree type = type_of_number (r, i);
	val nothing = c.let ("nothing", turns_nothing (r, i));
	val is = c.let ("is", bits_of (s.values[i]));
	is = c.let ("is", choose (counts != 0, is,
				  c.let ("no", bits_of (nothing))));
	val sum = c.var (type, "sum", from_bits (type, is));
	for (unsigned lane = SPMD_WARP / 2; lane; lane /= 2)
	  {
	    val bits = c.let ("bits", bits_of (sum));
	    val other = spmd_shuffle ("bfly", bits, u32 (lane), c);
	    other = c.let ("other", from_bits (type, other));
	    c.set (sum, combine (r, i, sum, other));
	  }
	c.set (before[i], combine (r, i, before[i], sum));
      }
    c.need (all == 0, out);
    c.set (distance, distance + SPMD_WARP);
  });
}

/* ---- What a round adds ---- */

static tree
put_own (tree *tp, int *walk_subtrees, void *data)
{
  hash_map<tree, tree> *own
    = (hash_map<tree, tree> *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (tree *to = DECL_P (*tp) ? own->get (*tp) : NULL)
    *tp = *to;
  return NULL_TREE;
}

void
turns_foresee (const turns *r, const vec<unsigned> &rest, vec<tree> *sums,
	       code c)
{
  hash_map<tree, tree> own;
  for (unsigned i = 0; i < r->c->relatives.length (); i++)
    {
      tree var = r->c->relatives[i].var;
      own.put (var, c.var (TYPE_MAIN_VARIANT (TREE_TYPE (var)), "then", var));
    }
  for (unsigned i = 0; i < rest.length (); i++)
    {
      gimple *stmt = gimple_copy (r->x->code[rest[i]]);
      struct walk_stmt_info wi = {};
      wi.info = &own;
      walk_gimple_op (stmt, put_own, &wi);
      gimple_seq_add_stmt (c, stmt);
    }
  for (unsigned i = 0; i < r->c->carried.length (); i++)
    sums->safe_push (*own.get (r->c->carried[i]));
}

/* Are this round's stores in its windows, and those of all BEFORE?  */
static val
fine_behind (const turns *r, const vec<tree> &before, code c)
{
  if (!r->fine)
    return u32 (1);
  return select (c.let ("strays", before[before.length () - 1]) == 0, r->fine, 0);
}

/* Add to C: a round says what it adds, if all is known but what REST adds, takes what
   the rounds before hand on, and hands on that with its own.  */
static void
take_looking_back (const turns *r, const vec<unsigned> *rest, code c)
{
  auto_vec<tree> sums, before, all;
  val after = c.let ("after", r->now + 1);
  if (rest)
    {
      turns_foresee (r, *rest, &sums, c);
      val says = c.let ("says", r->rank == 0);
      if (r->fine)
	says = c.let ("says", says.as (unsigned_type_node) & r->fine);
      c.if_ (says != 0,
	     [&] { store_words (r, added_of (r), after, sums, c); });
    }
  for (unsigned i = 0; i < r->c->carried.length (); i++)
    before.safe_push (c.var (type_of_number (r, i), "before"));
  c.if_ (r->rank < SPMD_WARP, [&] {
    look_back (r, before, c);
    c.if_ (r->rank == 0, [&] {
      for (unsigned i = 0; i < before.length (); i++)
	c.set (spmd_slot (type_of_number (r, i), u32 (i), c), before[i]);
      for (unsigned i = 0; i < sums.length (); i++)
	all.safe_push (
	  c.let ("all", combine (r, i, before[i], sums[i])));
      if (rest)
	c.if_ (c.let ("fine", fine_behind (r, before, c)) != 0,
	       [&] { store_words (r, words_of (r), after, all, c); });
    });
  });
  turns_meet (c);
  for (unsigned i = 0; i < before.length (); i++)
    c.set (before[i], spmd_slot (type_of_number (r, i), u32 (i), c));
  /* Before another round's are put there.  */
  turns_meet (c);
  for (unsigned i = 0; i < r->c->relatives.length (); i++)
    {
      unsigned of = r->c->relatives[i].of;
      tree var = r->c->relatives[i].var;
      c.set (var, combine (r, of, before[of], var));
    }
  val fine = c.let ("fine", fine_behind (r, before, c));
  if (r->fine)
    c.set (r->fine, fine);
  if (rest)
    c.set (r->hands, fine ^ 1);
}

/* ---- Behind fences ---- */

/* Add to C: the block waits until as many rounds have been counted as are before this
   one.  */
static void
await_counted (const turns *r, code c)
{
  static const char wait[]
    = "{\n\t.reg .pred %%acr_p;\n\t.reg .u32 %%acr_r;\n"
      "$acr_again:\n\tld.volatile.u32 %%acr_r, [%0];\n\t"
      "setp.ne.u32 %%acr_p, %%acr_r, %1;\n\t"
      "@%%acr_p bra $acr_again;\n\tmembar.gl;\n\t}";
  val counted = counter (r, c);
  c.if_ (r->rank == 0, [&] {
    spmd_add_asm (wait, NULL_TREE, counted, r->now, c);
  });
  turns_meet (c);
}

void
turns_finish (const turns *r, code c)
{
  static const char count[]
    = "{\n\t.reg .u32 %%acr_r;\n\tmembar.gl;\n\t"
      "atom.add.u32 %%acr_r, [%0], 1;\n\t}";
  c.if_ (r->mine != 0, [&] {
    turns_meet (c);
    c.if_ (r->rank == 0, [&] {
      spmd_add_asm (count, NULL_TREE, counter (r, c), NULL_TREE, c);
    });
  });
}

void
turns_await_finished (const turns *r, code c)
{
  await_counted (r, c);
}

/* ---- All ---- */

static void
take_slots (const turns *r, code c)
{
  await_counted (r, c);
  for (unsigned i = 0; i < r->c->carried.length (); i++)
    c.set (r->c->carried[i], slot (r, r->now, i, c));
}

void
turns_take (const turns *r, code c, const vec<unsigned> *rest)
{
  if (!r->c->hands_on)
    return;
  c.if_ (r->takes != 0, [&] {
    c.set (r->takes, 0);
    if (r->c->looks)
      take_looking_back (r, rest, c);
    else
      c.if_ (r->now != 0, [&] {
	if (r->c->words)
	  take_words (r, c);
	else
	  take_slots (r, c);
      });
  });
}

void
turns_hand (const turns *r, code c)
{
  static const char release[]
    = "membar.gl;\n\tst.volatile.u32 [%0], %1;";
  if (!r->c->hands_on)
    return;
  c.if_ (r->hands != 0, [&] {
    c.set (r->hands, 0);
    if (!r->c->words)
      turns_meet (c);
    c.if_ (r->rank == 0, [&] {
      val after = c.let ("after", r->now + 1);
      if (r->c->words)
	{
	  store_words (r, words_of (r), after, r->c->carried, c);
	  return;
	}
      val counted = counter (r, c);
      for (unsigned i = 0; i < r->c->carried.length (); i++)
	c.set (slot (r, after, i, c), r->c->carried[i]);
      spmd_add_asm (release, NULL_TREE, counted, after, c);
    });
  });
}
