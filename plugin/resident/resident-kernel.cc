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

/* The results of a part: rounds, of which each has its slots.  */
struct part_results
{
  val round;
  auto_vec<tree> places;
};

/* Add to C that the threads of a part of X find the results' places of this
   round, which P puts in the place of their variables, and that the first
   thread clears those of the next round: its slots are those of the round
   before the last one, and who has come here has seen that all have left that
   behind.  */
static void
begin_results (const resident *x, const resident_part *part,
	       const rounds *rounds, part_results *results, part_values *p,
	       code c)
{
  if (part->results.is_empty ())
    return;
  val slot = c.let ("slot", results->round % RESIDENT_SLOTS);
  val after = c.let ("next", (results->round + 1) % RESIDENT_SLOTS);
  for (unsigned i = 0; i < part->results.length (); i++)
    {
      const resident_result *r = &part->results[i];
      tree var = OMP_CLAUSE_DECL (r->clause);
      tree type = TYPE_MAIN_VARIANT (TREE_TYPE (var));
      tree base = build_fold_addr_expr (resident_state (x, r->slot));
      base = c.let ("results", fold_convert (ptr_type_node, base));
      val to[2] = { slot, after };
      for (unsigned k = 0; k < 2; k++)
	{
	  tree offset = fold_convert (sizetype, to[k] * 8);
	  to[k] = c.let ("result", fold_build_pointer_plus (base, offset));
	}
      tree zero = build_int_cst (ptr_type_node, 0);
      results->places.safe_push (build2 (MEM_REF, type, to[0], zero));
      p->own.put (var, results->places.last ());
      c.if_ (rounds->first == 0, [&] {
	c.set (build2 (MEM_REF, type, to[1], zero),
	       omp_reduction_init (r->clause, type));
      });
    }
  c.set (results->round, results->round + 1);
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

/* The PART of R, which is X, whose results are RESULTS, and the barrier behind
   it.  */
static gimple *
part_and_barrier (const resident *x, region *r, const resident_part *from,
		  part_results *results, const rounds *rounds)
{
  gimple *part = kernel_part (r, from->target, false);
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  part_values values;
  kernel_keep_apart (r->stmt, from->target, &values, &seq);
  begin_results (x, from, rounds, results, &values, &seq);
  kernel_replace_values (&values, part);
  gimple_seq_add_stmt (&seq, part);
  add_barrier (rounds, &seq);
  end_results (from, results, &seq);
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
      part_results results;
      if (!x->parts[i]->results.is_empty ())
	results.round = code (&seq).var (unsigned_type_node, "round", 0);
      with.put (x->parts[i]->place,
		   part_and_barrier (x, r, x->parts[i], &results, &rounds));
    }
  with.put (x->epilogue, kernel_epilogue (x, rounds.first == 0));
  kernel_replace (&body, &with);
  gimple_seq_add_seq (&seq, body);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  gimple_omp_set_body (x->stmt, NULL);
  return bind;
}
