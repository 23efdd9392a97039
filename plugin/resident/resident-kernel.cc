/* The kernel of a resident loop: each thread goes through the loop.

       for (t = 0; t < n; t++) {
	 its iterations of a part;
	 barrier of the grid;
	 its iterations of the next;
	 barrier of the grid;
       }
       the first thread: state = t, ...;

   A region's launches are ordered, each behind the one before: in its place
   stands the barrier behind each part, in front of which all threads have
   stored what they store, and behind which all see it.

   No thread is waited for in vain.  All blocks run at once, since the launch
   is cooperative (libgomp-ext/launch/resident/resident.c).  All threads come to all
   barriers, in the same order: which way they take through the loop depends on
   numbers that each of them computes in the same way from the same beginnings
   (resident-number.cc), or reads as a result behind a barrier, and a thread
   that a part has nothing for comes to the part's end as the others do.

   The barrier: all threads of a block meet; one of them orders what they have
   done before what follows, counts its block, and waits until all blocks of
   this round have been counted.  The counter grows for as long as the kernel
   runs, so that no round has to begin with setting it back; it is 0 when the
   kernel begins, and compared modulo 2^32.

   Needs: spmd_find_loops of each part.  Keeps: the parts' results, which are
   the same at every geometry.  Breaks: the body of the construct, which
   becomes the kernel's.
   Source: PTX ISA, memory consistency model; S. Xiao and W. Feng, "Inter-Block
   GPU Communication via Fast Barrier Synchronization", IPDPS 2010.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/kernel.h"

/* ---- The barrier ---- */

/* A thread's number in its block, and the variable of the rounds: blocks that
   have been counted when all are there.  */
struct rounds
{
  val rank, first, counted, blocks, counter;
};

/* Add to C what a thread of X knows of all barriers.  */
static void
begin_rounds (rounds *r, const resident *x, code c)
{
  r->rank = kernel_rank (c);
  r->blocks = spmd_special_register ("nctaid.x", c);
  r->counted = c.var (unsigned_type_node, "counted", 0);
  val block = spmd_special_register ("ctaid.x", c);
  r->first = c.let ("first", r->rank | block);
  tree address = build_fold_addr_expr (resident_state (x, ACR_RESIDENT_COUNT));
  r->counter = c.let ("counter", fold_convert (ptr_type_node, address));
}

/* Add to C the barrier.  It may stand in several copies of the code after it,
   so the block's are not the aligned kind.  A block looks at the counter when it knows
   what it has counted to, not before: those that look get in the way of those that
   count, where blocks are many.  */
static void
add_barrier (const rounds *r, code c)
{
  static const char wait[]
    = "{\n\t.reg .pred %%acr_p;\n\t.reg .u32 %%acr_r;\n\tmembar.gl;\n\t"
      "atom.add.u32 %%acr_r, [%0], 1;\n\tadd.u32 %%acr_r, %%acr_r, 1;\n"
      "$acr_again:\n\tsub.u32 %%acr_r, %%acr_r, %1;\n\t"
      "setp.ge.s32 %%acr_p, %%acr_r, 0;\n\t@%%acr_p bra $acr_all;\n\t"
      "ld.volatile.u32 %%acr_r, [%0];\n\tbra $acr_again;\n"
      "$acr_all:\n\tmembar.gl;\n\t}";
  spmd_add_asm ("barrier.sync 0;", NULL_TREE, NULL_TREE, NULL_TREE, c);
  c.set (r->counted, r->counted + r->blocks);
  c.if_ (r->rank == 0,
	 [&] { spmd_add_asm (wait, NULL_TREE, r->counter, r->counted, c); });
  spmd_add_asm ("barrier.sync 0;", NULL_TREE, NULL_TREE, NULL_TREE, c);
}

/* ---- Results ---- */

/* The results or flags of a part: rounds, of which each has its slots.  */
struct part_results
{
  val round;
  auto_vec<tree> places;
  /* Of flags: what their places are when a round begins.  */
  auto_vec<tree> foretold;
};

/* Add to C what is in front of the loop for the results of PART, and for its flags.  */
static void
begin_places (const resident_part *part, part_results *results,
	      part_results *flags, code c)
{
  if (!part->results.is_empty ())
    results->round = c.var (unsigned_type_node, "round", 0);
  if (!part->flags.is_empty ())
    flags->round = c.var (unsigned_type_node, "round", 0);
  for (unsigned i = 0; i < part->flags.length (); i++)
    {
      const resident_flag *f = &part->flags[i];
      tree type = TYPE_MAIN_VARIANT (TREE_TYPE (f->var));
      flags->foretold.safe_push (c.var (type, "foretold", f->first));
    }
}

/* The places that a round and the next one have, of those from element FIRST of X's
   state on, as variables of TYPE, to PLACE.  The next one's are those of the round
   before the last one, and who has come here has seen that all have left that behind:
   the first thread may set them.  */
static void
find_places (const resident *x, unsigned first, val round, tree type,
	     tree place[2], code c)
{
  tree base = build_fold_addr_expr (resident_state (x, first));
  base = c.let ("places", fold_convert (ptr_type_node, base));
  for (unsigned k = 0; k < 2; k++)
    {
      val slot = c.let ("slot", (round + k) % RESIDENT_SLOTS);
      tree offset = fold_convert (sizetype, slot * 8);
      val to = c.let ("place", fold_build_pointer_plus (base, offset));
      place[k] = build2 (MEM_REF, type, to, build_int_cst (ptr_type_node, 0));
    }
}

/* Add to C that the threads of a part of X find the results' places of this
   round, which P puts in the place of their variables, and that the first
   thread clears those of the next round.  */
static void
begin_results (const resident *x, const resident_part *part,
	       const rounds *rounds, part_results *results, part_values *p,
	       code c)
{
  for (unsigned i = 0; i < part->results.length (); i++)
    {
      const resident_result *r = &part->results[i];
      tree var = OMP_CLAUSE_DECL (r->clause), place[2];
      tree type = TYPE_MAIN_VARIANT (TREE_TYPE (var));
      find_places (x, r->slot, results->round, type, place, c);
      results->places.safe_push (place[0]);
      p->own.put (var, place[0]);
      c.if_ (rounds->first == 0, [&] {
	c.set (place[1], omp_reduction_init (r->clause, type));
      });
    }
}

/* Add to C that each flag of a part of X is in its place of this round, which P puts in
   the place of its variable, what the threads have for it.  The place of the next round
   the first thread gives that number, too: in a loop that sets a flag in front of its
   region (more = 0) it is the same in each round.  Where it is not, which all threads
   know, they meet once more.  */
static void
begin_flags (const resident *x, const resident_part *part,
	     const rounds *rounds, part_results *flags, part_values *p, code c)
{
  val others = c.var (unsigned_type_node, "others", 0);
  auto_vec<tree> now, after;
  for (unsigned i = 0; i < part->flags.length (); i++)
    {
      const resident_flag *f = &part->flags[i];
      tree type = TYPE_MAIN_VARIANT (TREE_TYPE (f->var)), place[2];
      find_places (x, f->slot, flags->round, type, place, c);
      flags->places.safe_push (place[0]);
      after.safe_push (place[1]);
      p->own.put (f->var, place[0]);
      now.safe_push (c.let ("now", f->var));
      c.if_ (val (now[i]) != val (flags->foretold[i]),
	     [&] { c.set (others, 1); });
      c.set (flags->foretold[i], now[i]);
    }
  c.if_ (others != 0, [&] {
    c.if_ (rounds->first == 0, [&] {
      for (unsigned i = 0; i < now.length (); i++)
	c.set (flags->places[i], now[i]);
    });
    add_barrier (rounds, c);
  });
  c.if_ (rounds->first == 0, [&] {
    for (unsigned i = 0; i < now.length (); i++)
      c.set (after[i], now[i]);
  });
}

/* Add to C, behind the barrier, that all threads have the flags.  */
static void
end_flags (const resident_part *part, const part_results *flags, code c)
{
  for (unsigned i = 0; i < part->flags.length (); i++)
    {
      tree var = part->flags[i].var;
      c.set (var, c.let ("flag", unshare_expr (flags->places[i])));
    }
}

/* Add to C, behind the barrier, that all threads have the results.  */
static void
end_results (const resident_part *part, const part_results *results, code c)
{
  for (unsigned i = 0; i < part->results.length (); i++)
    {
      tree clause = part->results[i].clause, var = OMP_CLAUSE_DECL (clause);
      tree type = TYPE_MAIN_VARIANT (TREE_TYPE (var));
      val before = c.var (type, "before", var);
      val result = c.var (type, "result", unshare_expr (results->places[i]));
      c.set (var, spmd_combine (clause, before, result));
    }
}

/* ---- All ---- */

/* The part FROM of R, which is X, with such RESULTS and FLAGS, and the barrier behind
   it.  */
static gimple *
part_and_barrier (const resident *x, region *r, const resident_part *from,
		  part_results *results, part_results *flags,
		  const rounds *rounds)
{
  gimple *part = kernel_part (r, from->target, false);
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  part_values values;
  kernel_keep_apart (r->stmt, from->target, &values, &seq);
  begin_results (x, from, rounds, results, &values, &seq);
  if (!from->flags.is_empty ())
    begin_flags (x, from, rounds, flags, &values, &seq);
  kernel_replace_values (&values, part);
  gimple_seq_add_stmt (&seq, part);
  add_barrier (rounds, &seq);
  end_results (from, results, &seq);
  end_flags (from, flags, &seq);
  part_results *all[] = { results, flags };
  for (unsigned i = 0; i < ARRAY_SIZE (all); i++)
    if (!all[i]->places.is_empty ())
      code (&seq).set (all[i]->round, all[i]->round + 1);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

gimple *
resident_kernel (resident *x, region *r)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL, body = gimple_omp_body (x->stmt);
  push_gimplify_context ();
  rounds rounds;
  begin_rounds (&rounds, x, &seq);
  kernel_stmts with;
  kernel_round_as_host (x, &body);
  for (unsigned i = 0; i < x->parts.length (); i++)
    {
      part_results results, flags;
      begin_places (x->parts[i], &results, &flags, &seq);
      with.put (x->parts[i]->place,
		part_and_barrier (x, r, x->parts[i], &results, &flags, &rounds));
    }
  with.put (x->epilogue, kernel_epilogue (x, rounds.first == 0));
  kernel_replace (&body, &with);
  gimple_seq_add_seq (&seq, body);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  gimple_omp_set_body (x->stmt, NULL);
  return bind;
}
