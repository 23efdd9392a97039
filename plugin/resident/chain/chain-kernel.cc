/* The kernel of a chain: each block goes through the loop, and executes some of
   its rounds.

       for (t = 0; t < n; t++, and on to my next round) {
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

   How a round takes what the one before hands on, chain-hand.cc says; so may it come
   that a round hands on before the one before it has.

   Threads of other blocks compute the host's numbers, too, to find the way, but
   have no use for those that are handed on.

   Where rounds look back, a block's numbers that depend on what is handed on are what
   the round adds, until it takes.

   Needs: chain_judge.  Keeps: the parts' results.  Breaks: the body of the
   construct, which becomes the kernel's.
   Source: I. El Hajj et al., "KLAP", MICRO 2016, III.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/chain/append.h"
#include "resident/chain/turns.h"

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
  for (unsigned i = 0; r->c->looks && i < r->c->carried.length (); i++)
    {
      tree type = TYPE_MAIN_VARIANT (TREE_TYPE (r->c->carried[i]));
      r->first.safe_push (c.var (type, "first", turns_nothing (r, i)));
    }
  if (r->c->appends == -1U)
    return;
  tree strays = turns_strays (r);
  gimple_add_tmp_var (strays);
  c.set (strays, 0);
  r->fine = c.var (u, "fine", 1);
  for (unsigned w = 0; w < r->c->windows.length (); w++)
    r->begin.safe_push (c.var (ssizetype, "begin", 0));
}

/* ---- From round to round ---- */

/* Add to C: a round takes what it has not yet, where it has nothing to add any
   more.  */
static void
take_all (const turns *r, code c)
{
  static const vec<unsigned> nothing = vNULL;
  turns_take (r, c, &nothing);
}

static void
end_round (const turns *r, code c)
{
  take_all (r, c);
  turns_hand (r, c);
  if (r->fine)
    turns_finish (r, c);
}

/* Add to C that a round ends and the next one begins.  */
static void
add_border (const turns *r, code c)
{
  end_round (r, c);
  c.set (r->now, r->now + 1);
  c.set (r->mine, select (r->now == r->next, u32 (1), 0));
  c.set (r->takes, r->mine);
  c.set (r->hands, r->mine);
  c.set (r->next, r->next + r->mine * r->blocks);
  for (unsigned i = 0; i < r->first.length (); i++)
    {
      tree var = r->c->carried[i];
      c.if_ (r->now == 0, [&] { c.set (r->first[i], var); });
      c.if_ (r->mine != 0, [&] { c.set (var, turns_nothing (r, i)); });
    }
}

/* ---- Statements ---- */

/* Does a round take what is handed on at the statement I of the host's code, or hand
   on behind it?  Where it looks back, the one is for regions alone.  */
static bool
stops_at_p (chain *c, unsigned i)
{
  return c->looks ? c->last == (int) i && c->last_part == -1U
		  : c->points.contains (i);
}

/* Let a block leave out rounds of others in BODY.  */
static void
add_skip (const turns *r, gimple_seq *body)
{
  if (r->c->skips < 0)
    return;
  gimple *stmt = r->x->code[r->c->skips];
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  kernel_stmts with;
  gimple_seq seq = NULL;
  with.put (stmt, bind);
  kernel_replace (body, &with);
  push_gimplify_context ();
  turns_skip (r, &seq, [&] { end_round (r, &seq); });
  gimple_seq_add_stmt (&seq, stmt);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
}

/* Let the statements of the host's code in BODY that use or set what is handed on
   do so when the round before lets them, and the last one let the next go on.  */
static void
add_points (const turns *r, gimple_seq *body)
{
  kernel_stmts with;
  chain *c = r->x->promoted;
  for (unsigned i = 0; i < r->x->code.length (); i++)
    if (stops_at_p (c, i))
      with.put (r->x->code[i], gimple_build_bind (NULL_TREE, NULL, NULL_TREE));
  kernel_replace (body, &with);
  for (unsigned i = 0; i < r->x->code.length (); i++)
    if (stops_at_p (c, i))
      {
	gimple *stmt = r->x->code[i];
	gbind *bind = as_a<gbind *> (*with.get (stmt));
	gimple_seq seq = NULL;
	push_gimplify_context ();
	if (!c->looks)
	  turns_take (r, &seq, NULL);
	gimple_seq_add_stmt (&seq, stmt);
	if (c->looks)
	  take_all (r, &seq);
	if (c->last == (int) i)
	  turns_hand (r, &seq);
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
    turns_meet (c);
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
    turns_meet (c);
}

/* ---- Stores behind those of the rounds before ---- */

/* A copy of a part, to be executed in advance.  */
struct advance
{
  append_code code;
  gimple_seq seq = NULL;
  /* Its windows' numbers among the chain's.  */
  auto_vec<unsigned> numbers;
  /* It can be; else rounds go by what they would find if it failed.  */
  bool known = false;
};

static void
copy_in_advance (const turns *r, advance *a, gimple *part)
{
  gimple_seq seq = NULL;
  gimple_seq_add_stmt_without_update (&seq, part);
  a->seq = copy_statements (seq);
  for (unsigned v = 0; v < r->c->relatives.length (); v++)
    a->code.moving.safe_push (r->c->relatives[v].var);
  a->known = append_find (&a->code, a->seq)
	     && append_same_p (&a->code, r->c, &a->numbers);
}

/* Add to C: R's windows begin there, if this is round 0.  All threads know that.  */
static void
begin_windows (const turns *r, code c)
{
  c.if_ (r->now == 0, [&] {
    for (unsigned w = 0; w < r->begin.length (); w++)
      {
	const vec<chain_term> &terms = r->c->windows[w]->begin;
	for (unsigned i = 0; i < terms.length (); i++)
	  {
	    tree var = unshare_expr (terms[i].var);
	    val term = c.let ("term", val (var).as (ssizetype));
	    c.set (r->begin[w], r->begin[w] + term * terms[i].factor);
	  }
      }
  });
}

/* Add to C: are the stores of A in this round's windows, as far as they move with what
   rounds before add?  REST as for turns_foresee.  A window of 2 GiB is none, so that
   no sum of them is more than 2^63.  */
static void
look_in_advance (const turns *r, advance *a, const vec<unsigned> &rest,
		 code c)
{
  static const char any[]
    = "{\n\t.reg .pred %%acr_p;\n\tsetp.ne.u32 %%acr_p, %1, 0;\n\t"
      "barrier.red.or.pred %%acr_p, 0, %%acr_p;\n\t"
      "selp.u32 %0, 0, 1, %%acr_p;\n\t}";
  val strays = c.var (unsigned_type_node, "strays", a->known ? 0 : 1);
  if (a->known)
    {
      auto_vec<tree> sums;
      auto_vec<val> begin, span;
      turns_foresee (r, rest, &sums, c);
      for (unsigned i = 0; i < a->numbers.length (); i++)
	{
	  unsigned w = a->numbers[i];
	  const chain_window *window = r->c->windows[w];
	  val round = c.let ("round", r->now.as (ssizetype));
	  val added = c.let ("added", val (sums[window->of]).as (ssizetype));
	  begin.safe_push (
	    c.let ("begin", r->begin[w] + round * window->each));
	  val bytes = added * window->factor + window->each;
	  span.safe_push (c.let ("span", bytes.as (uint64_type_node)));
	  c.if_ (span.last () > INT_MAX, [&] { c.set (strays, 1); });
	}
      append_advance (&a->code, &a->seq, begin, span, strays, c);
    }
  spmd_add_asm (any, r->fine, strays, NULL_TREE, c);
}

/* ---- A part ---- */

/* The part number I of the construct R, for the block whose round it is; its results
   have the places from number FIRST on.  LAST: nothing in the round takes
   anything behind it.  */
static gimple *
part_of_round (const turns *r, region *of, unsigned i, unsigned first,
	       bool last)
{
  const resident_part *from = r->x->parts[i];
  const chain_part *is = r->c->parts[i];
  bool looks = r->c->looks;
  bool appends = i == r->c->appends;
  gimple *part = kernel_part (of, from->target, true);
  advance ahead;
  if (appends)
    copy_in_advance (r, &ahead, part);
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  code c = &seq;
  if (i == 0)
    add_border (r, c);
  if (appends)
    begin_windows (r, c);
  c.if_ (r->mine != 0, [&] {
    part_values values;
    auto_vec<tree> places;
    if (appends)
      look_in_advance (r, &ahead, is->rest, c);
    if (looks ? is->asks : is->uses || is->ordered)
      turns_take (r, c, looks && is->settled ? &is->rest : NULL);
    if (appends)
      c.if_ (r->fine == 0, [&] { turns_await_finished (r, c); });
    kernel_keep_apart (of->stmt, from->target, &values, c);
    /* It has what it wants of the round before.  */
    if (last && !is->ordered && !is->combines && !appends)
      turns_hand (r, c);
    begin_results (r, from, first, &values, &places, c);
    kernel_replace_values (&values, part);
    gimple_seq_add_stmt (&seq, part);
    turns_meet (c);
    if (appends)
      c.if_ (r->fine == 0, [&] { c.set (turns_strays (r), 1); });
    if (is->combines && !looks)
      turns_take (r, c, NULL);
    end_results (from, places, c);
    if (last && looks)
      take_all (r, c);
    if (last)
      turns_hand (r, c);
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
  take_all (r, c);
  val says = c.var (unsigned_type_node, "says", r->mine);
  c.if_ (r->rank != 0, [&] { c.set (says, 0); });
  gimple_seq_add_stmt (&seq, kernel_epilogue (r->x, says != 0));
  c.if_ (says != 0, [&] {
    tree done = resident_state (r->x, ACR_RESIDENT_DONE);
    val ran = c.let ("ran", done);
    /* A block that leaves out rounds has not counted their regions.  */
    if (r->c->skips >= 0)
      ran = c.let ("ran", ((r->now + 1).as (uint64_type_node)
			   * (HOST_WIDE_INT) r->x->parts.length ())
			    + ACR_RESIDENT_RAN);
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
  add_skip (&r, &body);
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
