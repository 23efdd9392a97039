/* The kernel of a chain: each block goes through the loop, and executes some of
   its rounds.

       for (t = 0; t < n; t++) {
	 if the round before was mine: let this one go on;
	 is this one mine?
	 if so: PART;		(nothing of another round's)
	 if so: wait for the round before; take what it hands on;
	 if so: PART;
	 carry = ...;
	 if so: let the next one go on, which takes carry;
	 if so: PART;		(nothing of another round's)
       }
       the last round's block: state = carry, ...;

   Round k is executed by block k modulo the number of blocks.  All blocks run at
   once, since the launch is cooperative.  So no round is waited for in vain: that
   with the least number of those that have not let the next one go on is its
   block's next, and waits for none.  (The paper's blocks take numbers as they
   come, for they need not run at once.)  A block's threads all take the same way,
   which depends on numbers that are the same in all of them.

   A round that lets the next one go on stores what it hands on, and then, behind a
   fence, how many rounds have done so.  One thread of the next round's block
   reads that until it is enough, and makes a fence; then all threads of the block
   take what is handed on.  There are two places for that, taken in turn: the
   one that a round stores into was read by the round before, all of whose
   threads had met before it let this one go on.  Where no region is ordered and
   numbers are small, each goes in one word with the number of its round instead, and
   there are no fences: on an H200 .27 us a round, not .93.

   Threads of other blocks compute the host's numbers, too, to find the way, but
   have no use for those that are handed on.

   Needs: chain_judge.  Keeps: the parts' results.  Breaks: the body of the
   construct, which becomes the kernel's.
   Source: I. El Hajj et al., "KLAP", MICRO 2016, III; J. Gomez-Luna et al.,
   "In-Place Data Sliding Algorithms for Many-Core Architectures", ICPP 2015; PTX
   ISA, memory consistency model.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/chain.h"
#include "resident/kernel.h"

/* What a thread knows of rounds.  */
struct turns
{
  const resident *x;
  const chain *c;
  /* Its number in the block, the block's, and how many there are.  */
  val rank, block, blocks;
  /* The round in which the thread is; the block's next one, or this.  */
  val now, next;
  /* Is it the block's; has it still to take, or to hand on, what rounds do?  */
  val mine, takes, hands;
};

static void
begin_rounds (turns *r, const resident *x, code c)
{
  tree u = unsigned_type_node;
  r->x = x;
  r->c = x->promoted;
  r->rank = kernel_rank (c);
  r->block = spmd_special_register ("ctaid.x", c);
  r->blocks = spmd_special_register ("nctaid.x", c);
  r->now = c.var (u, "round", -1);
  r->next = c.var (u, "next", r->block);
  r->mine = c.var (u, "mine", 0);
  r->takes = c.var (u, "takes", 0);
  r->hands = c.var (u, "hands", 0);
}

/* The threads of a block meet.  */
static void
meet (code c)
{
  spmd_add_asm ("barrier.sync 0;", NULL_TREE, NULL_TREE, NULL_TREE, c);
}

/* ---- From round to round ---- */

/* The address of how many rounds have let the next one go on.  */
static val
counter (const turns *r, code c)
{
  tree address
    = build_fold_addr_expr (resident_state (r->x, ACR_RESIDENT_COUNT));
  return c.let ("counter", fold_convert (ptr_type_node, address));
}

/* The address where the number I of those that round N takes is; there are OF
   places, taken in turn.  */
static val
place (const turns *r, val n, unsigned of, unsigned i, code c)
{
  unsigned many = r->c->carried.length ();
  tree base = build_fold_addr_expr (resident_state (r->x, r->c->slots + i));
  base = c.let ("slots", fold_convert (ptr_type_node, base));
  tree offset = fold_convert (sizetype, n % of * (8 * many));
  return c.let ("slot", fold_build_pointer_plus (base, offset));
}

static tree
slot (const turns *r, val n, unsigned i, code c)
{
  return build2 (MEM_REF, TYPE_MAIN_VARIANT (TREE_TYPE (r->c->carried[i])),
		 place (r, n, CHAIN_SLOTS, i, c),
		 build_int_cst (ptr_type_node, 0));
}

/* The bits of VAR as 32, and back.  */
static tree
bits_of (tree var)
{
  tree u = unsigned_type_node;
  return INTEGRAL_TYPE_P (TREE_TYPE (var)) ? fold_convert (u, var)
					   : build1 (VIEW_CONVERT_EXPR, u, var);
}

static tree
from_bits (tree type, tree bits)
{
  type = TYPE_MAIN_VARIANT (type);
  return INTEGRAL_TYPE_P (type) ? fold_convert (type, bits)
				: build1 (VIEW_CONVERT_EXPR, type, bits);
}

/* Add to C: take the words of this round, which come with its number.  An operand may
   be a register of another type of 32 bits, which only mov takes.  */
static void
read_words (const turns *r, const vec<tree> &bits, code c)
{
  static const char wait[]
    = "{\n\t.reg .pred %%acr_p;\n\t.reg .b32 %%acr_r;\n\t.reg .b64 %%acr_w;\n"
      "$acr_again:\n\tld.volatile.u64 %%acr_w, [%1];\n\t"
      "cvt.u32.u64 %%acr_r, %%acr_w;\n\tmov.b32 %0, %%acr_r;\n\t"
      "shr.u64 %%acr_w, %%acr_w, 32;\n\tcvt.u32.u64 %%acr_r, %%acr_w;\n\t"
      "setp.ne.u32 %%acr_p, %%acr_r, %2;\n\t"
      "@%%acr_p bra $acr_again;\n\t}";
  for (unsigned i = 0; i < bits.length (); i++)
    spmd_add_asm (wait, bits[i], place (r, r->now, CHAIN_WORDS, i, c), r->now,
		  c);
}

/* Add to C that a round takes words, and that it stores those of the next one.  Nobody
   has to see anything else that goes before, so there is no fence.  */
static void
take_words (const turns *r, code c)
{
  auto_vec<tree> bits;
  for (unsigned i = 0; i < r->c->carried.length (); i++)
    bits.safe_push (c.var (unsigned_type_node, "bits", 0));
  c.if_ (r->rank == 0, [&] { read_words (r, bits, c); });
  /* The others come when there is something to read.  */
  meet (c);
  c.if_ (r->rank != 0, [&] { read_words (r, bits, c); });
  for (unsigned i = 0; i < bits.length (); i++)
    c.set (r->c->carried[i],
	   from_bits (TREE_TYPE (r->c->carried[i]), bits[i]));
}

static void
hand_words (const turns *r, code c)
{
  static const char store[]
    = "{\n\t.reg .b64 %%acr_w, %%acr_l;\n\t.reg .b32 %%acr_r;\n\t"
      "mov.b32 %%acr_r, %2;\n\tcvt.u64.u32 %%acr_w, %%acr_r;\n\t"
      "shl.b64 %%acr_w, %%acr_w, 32;\n\t"
      "mov.b32 %%acr_r, %1;\n\tcvt.u64.u32 %%acr_l, %%acr_r;\n\t"
      "or.b64 %%acr_w, %%acr_w, %%acr_l;\n\t"
      "st.volatile.u64 [%0], %%acr_w;\n\t}";
  val after = c.let ("after", r->now + 1);
  for (unsigned i = 0; i < r->c->carried.length (); i++)
    {
      val bits = c.let ("bits", bits_of (r->c->carried[i]));
      spmd_add_asm (store, NULL_TREE, place (r, after, CHAIN_WORDS, i, c), bits,
		    c, after);
    }
}

/* Add to C: a round of this block waits for the one before, unless it has done so,
   and takes what that hands on.  */
static void
add_take (const turns *r, code c)
{
  static const char wait[]
    = "{\n\t.reg .pred %%acr_p;\n\t.reg .u32 %%acr_r;\n"
      "$acr_again:\n\tld.volatile.u32 %%acr_r, [%0];\n\t"
      "setp.ne.u32 %%acr_p, %%acr_r, %1;\n\t"
      "@%%acr_p bra $acr_again;\n\tmembar.gl;\n\t}";
  if (!r->c->hands_on)
    return;
  c.if_ (r->takes != 0, [&] {
    c.set (r->takes, 0);
    c.if_ (r->now != 0, [&] {
      if (r->c->words)
	{
	  take_words (r, c);
	  return;
	}
      val counted = counter (r, c);
      c.if_ (r->rank == 0, [&] {
	spmd_add_asm (wait, NULL_TREE, counted, r->now, c);
      });
      meet (c);
      for (unsigned i = 0; i < r->c->carried.length (); i++)
	c.set (r->c->carried[i], slot (r, r->now, i, c));
    });
  });
}

/* Add to C: the same round lets the next one go on, unless it has done so.  */
static void
add_hand (const turns *r, code c)
{
  static const char release[]
    = "membar.gl;\n\tst.volatile.u32 [%0], %1;";
  if (!r->c->hands_on)
    return;
  c.if_ (r->hands != 0, [&] {
    c.set (r->hands, 0);
    if (r->c->words)
      {
	c.if_ (r->rank == 0, [&] { hand_words (r, c); });
	return;
      }
    meet (c);
    c.if_ (r->rank == 0, [&] {
      val after = c.let ("after", r->now + 1), counted = counter (r, c);
      for (unsigned i = 0; i < r->c->carried.length (); i++)
	c.set (slot (r, after, i, c), r->c->carried[i]);
      spmd_add_asm (release, NULL_TREE, counted, after, c);
    });
  });
}

/* Add to C that a round ends and the next one begins.  */
static void
add_border (const turns *r, code c)
{
  add_take (r, c);
  add_hand (r, c);
  c.set (r->now, r->now + 1);
  c.set (r->mine, select (r->now == r->next, u32 (1), 0));
  c.set (r->takes, r->mine);
  c.set (r->hands, r->mine);
  c.set (r->next, r->next + r->mine * r->blocks);
}

/* ---- Statements ---- */

/* Let the statements of the host's code in BODY that use or set what is handed on
   do so when the round before lets them, and the last one let the next go on.  */
static void
add_points (const turns *r, gimple_seq *body)
{
  kernel_stmts with;
  chain *c = r->x->promoted;
  for (unsigned i = 0; i < r->x->code.length (); i++)
    if (c->points.contains (i))
      with.put (r->x->code[i], gimple_build_bind (NULL_TREE, NULL, NULL_TREE));
  kernel_replace (body, &with);
  for (unsigned i = 0; i < r->x->code.length (); i++)
    if (c->points.contains (i))
      {
	gimple *stmt = r->x->code[i];
	gbind *bind = as_a<gbind *> (*with.get (stmt));
	gimple_seq seq = NULL;
	push_gimplify_context ();
	add_take (r, &seq);
	gimple_seq_add_stmt (&seq, stmt);
	if (c->last == (int) i)
	  add_hand (r, &seq);
	gimple_bind_set_body (bind, seq);
	pop_gimplify_context (bind);
      }
}

/* ---- Parts ---- */

/* Add to C that the results of PART, which are to have the first of the blocks'
   places from number FIRST on, come together in this block's, which is where P
   finds their variables; PLACES gets those.  */
static void
begin_results (const turns *r, const resident_part *part, unsigned first,
	       part_values *p, vec<tree> *places, code c)
{
  for (unsigned i = 0; i < part->results.length (); i++)
    {
      tree clause = part->results[i].clause, var = OMP_CLAUSE_DECL (clause);
      tree type = TYPE_MAIN_VARIANT (TREE_TYPE (var));
      unsigned element = r->c->results + (first + i) * ACR_CHAIN_BLOCKS;
      tree base = build_fold_addr_expr (resident_state (r->x, element));
      base = c.let ("results", fold_convert (ptr_type_node, base));
      tree offset = fold_convert (sizetype, r->block * 8);
      val at = c.let ("result", fold_build_pointer_plus (base, offset));
      places->safe_push (
	build2 (MEM_REF, type, at, build_int_cst (ptr_type_node, 0)));
      p->own.put (var, places->last ());
      c.if_ (r->rank == 0, [&] {
	c.set (unshare_expr (places->last ()),
	       omp_reduction_init (clause, type));
      });
    }
  if (!part->results.is_empty ())
    meet (c);
}

/* Add to C that all threads have the results.  */
static void
end_results (const resident_part *part, const vec<tree> &places, code c)
{
  for (unsigned i = 0; i < part->results.length (); i++)
    {
      tree clause = part->results[i].clause, var = OMP_CLAUSE_DECL (clause);
      tree type = TYPE_MAIN_VARIANT (TREE_TYPE (var));
      val before = c.var (type, "before", var);
      val result = c.var (type, "result", unshare_expr (places[i]));
      c.set (var, spmd_combine (clause, before, result));
    }
  /* Before one of them makes the place empty again.  */
  if (!part->results.is_empty ())
    meet (c);
}

/* The part number I of the construct R, for the block whose round it is; its results
   have the places from number FIRST on.  LAST: nothing in the round takes
   anything behind it.  */
static gimple *
part_of_round (const turns *r, region *of, unsigned i, unsigned first,
	       bool last)
{
  const resident_part *from = r->x->parts[i];
  const chain_part *is = &r->c->parts[i];
  gimple *part = kernel_part (of, from->target, true);
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  code c = &seq;
  if (i == 0)
    add_border (r, c);
  c.if_ (r->mine != 0, [&] {
    part_values values;
    auto_vec<tree> places;
    if (is->uses || is->ordered)
      add_take (r, c);
    kernel_keep_apart (of->stmt, from->target, &values, c);
    /* It has what it wants of the round before.  */
    if (last && !is->ordered && !is->combines)
      add_hand (r, c);
    begin_results (r, from, first, &values, &places, c);
    kernel_replace_values (&values, part);
    gimple_seq_add_stmt (&seq, part);
    meet (c);
    if (is->combines)
      add_take (r, c);
    end_results (from, places, c);
    if (last)
      add_hand (r, c);
  });
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

/* ---- All ---- */

/* The epilogue of R's construct, for the block that has executed the last round.  */
static gimple *
end_rounds (const turns *r)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  code c = &seq;
  add_take (r, c);
  val says = c.var (unsigned_type_node, "says", r->mine);
  c.if_ (r->rank != 0, [&] { c.set (says, 0); });
  gimple_seq_add_stmt (&seq, kernel_epilogue (r->x, says != 0));
  c.if_ (says != 0, [&] {
    tree done = resident_state (r->x, ACR_RESIDENT_DONE);
    val ran = c.let ("ran", done);
    c.set (unshare_expr (done),
	   ran | val (build_int_cst (uint64_type_node, ACR_RESIDENT_CHAINED)));
  });
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

gimple *
chain_kernel (resident *x, region *of)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL, body = gimple_omp_body (x->stmt);
  const chain *c = x->promoted;
  push_gimplify_context ();
  turns r;
  begin_rounds (&r, x, &seq);
  kernel_stmts with;
  add_points (&r, &body);
  kernel_round_as_host (x, &body);
  unsigned results = 0;
  for (unsigned i = 0; i < x->parts.length (); i++)
    {
      with.put (x->parts[i]->place,
		part_of_round (&r, of, i, results, i == c->last_part));
      results += x->parts[i]->results.length ();
    }
  with.put (x->epilogue, end_rounds (&r));
  kernel_replace (&body, &with);
  gimple_seq_add_seq (&seq, body);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  gimple_omp_set_body (x->stmt, NULL);
  return bind;
}
