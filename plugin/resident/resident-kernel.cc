/* The kernel of a resident loop: each thread goes through the loop.

       for (t = 0; t < n; t++) {
	 its iterations of a part;
	 barrier of the grid;
	 its iterations of the next;
	 barrier of the grid;
       }
       the first thread: state = t, ...;

   A region's launches are ordered, each behind the one before: in its place stands
   the barrier behind each part, in front of which all threads have stored what they
   store, and behind which all see it.

   No thread is waited for in vain.  All blocks run at once, since the launch is
   cooperative (libgomp-ext/launch/resident.c).  All threads come to all barriers, in
   the same order: which way they take through the loop depends on integers that each
   of them computes in the same way from the same beginnings (resident-host.cc), and
   a thread that a part has nothing for comes to the part's end as the others do.

   The barrier: all threads of a block meet; one of them orders what they have done
   before what follows, counts its block, and waits until all blocks of this round have
   been counted.  The counter grows for as long as the kernel runs, so that no round
   has to begin with setting it back; it is 0 when the kernel begins, and compared
   modulo 2^32.

   Needs: spmd_find_loops of each part.  Keeps: the parts' results, which are the same
   at every geometry.  Breaks: the body of the construct, which becomes the kernel's.
   Source: PTX ISA, memory consistency model; S. Xiao and W. Feng, "Inter-Block GPU
   Communication via Fast Barrier Synchronization", IPDPS 2010.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "resident/resident.h"

/* ---- Parts ---- */

/* R's facts are those of all parts; its constructs, for a while, those of the region
   TARGET.  */
static const char *
find_part (region *r, gomp_target *target, spmd_loops *loops)
{
  gomp_target *whole = r->stmt;
  const spmd_nest *lone = NULL;
  r->stmt = target;
  const char *why = spmd_find_loops (r, loops, &lone);
  r->stmt = whole;
  for (unsigned i = 0; !why && i < loops->length (); i++)
    if ((*loops)[i]->nest.asks)
      why = "a part asks for a thread's place";
  return why;
}

const char *
resident_kernel_bar (const resident *x, region *r)
{
  if (const char *why = spmd_compiler_why_not ())
    return why;
  for (unsigned i = 0; i < x->parts.length (); i++)
    {
      spmd_loops loops;
      if (const char *why = find_part (r, x->parts[i].target, &loops))
	return why;
    }
  return NULL;
}

/* ---- The barrier ---- */

/* A thread's number in its block, and the variable of the rounds: blocks that have
   been counted when all are there.  */
struct rounds
{
  val rank, first, counted, blocks, counter;
};

/* Add to C what a thread of X knows of all barriers.  */
static void
begin_rounds (rounds *r, const resident *x, code c)
{
  static const char axes[] = "zyx";
  val rank;
  for (int i = 0; i < 3; i++)
    {
      char tid[] = "tid.?", ntid[] = "ntid.?";
      tid[4] = ntid[5] = axes[i];
      val t = spmd_special_register (tid, c),
	  n = spmd_special_register (ntid, c);
      rank = rank ? rank * n + t : t;
    }
  r->rank = c.let ("rank", rank);
  r->blocks = spmd_special_register ("nctaid.x", c);
  r->counted = c.var (unsigned_type_node, "counted", 0);
  val block = spmd_special_register ("ctaid.x", c);
  r->first = c.let ("first", r->rank | block);
  tree address = build_fold_addr_expr (resident_state (x, ACR_RESIDENT_COUNT));
  r->counter = c.let ("counter", fold_convert (ptr_type_node, address));
}

/* Add to C the barrier.  It may stand in several copies of the code after it, so the
   block's are not the aligned kind.  */
static void
add_barrier (const rounds *r, code c)
{
  static const char wait[]
    = "{\n\t.reg .pred %%acr_p;\n\t.reg .u32 %%acr_r;\n\tmembar.gl;\n\t"
      "atom.add.u32 %%acr_r, [%0], 1;\n"
      "$acr_again:\n\tld.volatile.u32 %%acr_r, [%0];\n\t"
      "sub.u32 %%acr_r, %%acr_r, %1;\n\t"
      "setp.lt.s32 %%acr_p, %%acr_r, 0;\n\t"
      "@%%acr_p bra $acr_again;\n\tmembar.gl;\n\t}";
  spmd_add_asm ("barrier.sync 0;", NULL_TREE, NULL_TREE, NULL_TREE, c);
  c.set (r->counted, r->counted + r->blocks);
  c.if_ (r->rank == 0, [&] {
    spmd_add_asm (wait, NULL_TREE, r->counter, r->counted, c);
  });
  spmd_add_asm ("barrier.sync 0;", NULL_TREE, NULL_TREE, NULL_TREE, c);
}

/* ---- Rounding ---- */

/* Variables that a part has of its own, for what comes by value.  */
struct part_values
{
  hash_map<tree, tree> own;
};

static tree
replace_value (tree *tp, int *walk_subtrees, void *data)
{
  part_values *p = (part_values *) ((struct walk_stmt_info *) data)->info;
  if (TYPE_P (*tp))
    *walk_subtrees = 0;
  else if (DECL_P (*tp))
    if (tree *own = p->own.get (*tp))
      *tp = *own;
  return NULL_TREE;
}

/* Let PART, the code of the region TARGET, have copies of what comes by value that
   GCC does not see through, which C makes.  Compilers fuse products with sums
   depending on who else uses the product, so no value is to be shared by two parts,
   nor to be computed in front of the loop: then each part rounds as its region
   would by itself.  */
static void
keep_apart (const gomp_target *target, gimple *part, code c)
{
  part_values p;
  for (tree clause = gimple_omp_target_clauses (target); clause;
       clause = OMP_CLAUSE_CHAIN (clause))
    {
      if (OMP_CLAUSE_CODE (clause) != OMP_CLAUSE_FIRSTPRIVATE)
	continue;
      tree var = OMP_CLAUSE_DECL (clause), type = TREE_TYPE (var);
      if (!INTEGRAL_TYPE_P (type) && !SCALAR_FLOAT_TYPE_P (type))
	continue;
      val own = c.var (TYPE_MAIN_VARIANT (type), "own");
      val value = c.let ("value", var);
      gasm *copy = code_opaque_copy (own, value);
      gimple_asm_set_volatile (copy, true);
      gimple_seq_add_stmt (c, copy);
      p.own.put (var, own);
    }
  gimple_seq seq = NULL;
  gimple_seq_add_stmt_without_update (&seq, part);
  struct walk_stmt_info wi = {};
  wi.info = &p;
  walk_gimple_seq_mod (&seq, NULL, replace_value, &wi);
}

/* ---- All ---- */

/* What is to stand in other statements' places.  */
struct replacing
{
  hash_map<gimple *, gimple *> by;
};

static tree
replace_stmt (gimple_stmt_iterator *gsi, bool *handled,
	      struct walk_stmt_info *wi)
{
  gimple **by = ((replacing *) wi->info)->by.get (gsi_stmt (*gsi));
  if (!by)
    return NULL_TREE;
  gsi_replace (gsi, *by, false);
  *handled = true;
  return NULL_TREE;
}

/* The part of R that is in TARGET, and the barrier behind it.  */
static gimple *
part_and_barrier (region *r, gomp_target *target, const rounds *rounds)
{
  spmd_loops loops;
  gomp_target *whole = r->stmt;
  const char *why = find_part (r, target, &loops);
  gcc_assert (!why);
  r->stmt = target;
  gimple *part = spmd_build_kernel (r, loops);
  r->stmt = whole;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  keep_apart (target, part, &seq);
  gimple_seq_add_stmt (&seq, part);
  add_barrier (rounds, &seq);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  return bind;
}

/* The epilogue of X, for the first thread.  */
static gimple *
by_first_thread (const resident *x, const rounds *r)
{
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  code c = &seq;
  c.if_ (r->first == 0, [&] {
    gimple_seq_add_stmt (&seq, gimple_build_bind (NULL_TREE,
						  gimple_bind_body (
						    as_a<gbind *> (x->epilogue)),
						  NULL_TREE));
  });
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  gimple_bind_set_vars (bind,
			chainon (gimple_bind_vars (bind),
				 gimple_bind_vars (
				   as_a<gbind *> (x->epilogue))));
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
  replacing with;
  for (unsigned i = 0; i < x->parts.length (); i++)
    with.by.put (x->parts[i].place,
		 part_and_barrier (r, x->parts[i].target, &rounds));
  with.by.put (x->epilogue, by_first_thread (x, &rounds));
  struct walk_stmt_info wi = {};
  wi.info = &with;
  walk_gimple_seq_mod (&body, replace_stmt, NULL, &wi);
  gimple_seq_add_seq (&seq, body);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  gimple_omp_set_body (x->stmt, NULL);
  return bind;
}
