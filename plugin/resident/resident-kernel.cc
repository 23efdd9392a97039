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

#include "resident/resident.h"

/* ---- Parts ---- */

/* R's facts are those of all parts; its constructs, for a while, those of the
   region TARGET.  */
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

/* Why the result of CLAUSE is not that of the loop of LOOPS alone, or
   NULL.  */
static const char *
result_bar (const spmd_loops &loops, tree clause)
{
  static const char other[]
    = "a region does more with a result than to reduce";
  tree var = OMP_CLAUSE_DECL (clause);
  if (loops.length () != 1)
    return other;
  const spmd_loop *loop = loops[0];
  for (unsigned i = 0; i < loop->nest.before.length (); i++)
    for (unsigned k = 0; k < gimple_num_ops (loop->nest.before[i]); k++)
      if (tree op = gimple_op (loop->nest.before[i], k))
	if (decl_named_p (op, var))
	  return other;
  for (unsigned i = 0; i < loop->sharing.privates.length (); i++)
    {
      const spmd_private *p = &loop->sharing.privates[i];
      if (p->var == var && p->reduction && !p->object && !p->by_reference)
	return NULL;
    }
  return other;
}

const char *
resident_kernel_bar (const resident *x, region *r)
{
  if (const char *why = spmd_compiler_why_not ())
    return why;
  for (unsigned i = 0; i < x->parts.length (); i++)
    {
      spmd_loops loops;
      const resident_part *part = x->parts[i];
      if (const char *why = find_part (r, part->target, &loops))
	return why;
      for (unsigned k = 0; k < part->results.length (); k++)
	if (const char *why = result_bar (loops, part->results[k].clause))
	  return why;
    }
  return NULL;
}

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

/* Add to C the barrier.  It may stand in several copies of the code after it,
   so the block's are not the aligned kind.  */
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
  c.if_ (r->rank == 0,
	 [&] { spmd_add_asm (wait, NULL_TREE, r->counter, r->counted, c); });
  spmd_add_asm ("barrier.sync 0;", NULL_TREE, NULL_TREE, NULL_TREE, c);
}

/* ---- Rounding ---- */

/* What a part has of its own, for what comes by value.  */
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
      *tp = unshare_expr (*own);
  return NULL_TREE;
}

/* Does the clause C of a part mean a variable that threads of the construct
   WHOLE have for themselves?  */
static bool
by_value_p (const gomp_target *whole, tree c)
{
  if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_FIRSTPRIVATE)
    return true;
  for (tree d = gimple_omp_target_clauses (whole); d; d = OMP_CLAUSE_CHAIN (d))
    if (OMP_CLAUSE_CODE (d) == OMP_CLAUSE_MAP
	&& OMP_CLAUSE_DECL (d) == OMP_CLAUSE_DECL (c))
      return false;
  return true;
}

/* Add to P copies of what comes by value to the region TARGET of WHOLE that
   GCC does not see through, which C makes.  Compilers fuse products with sums
   depending on who else uses the product, so no value is to be shared by two
   parts, nor to be computed in front of the loop: then each part rounds as its
   region would by itself.  */
static void
keep_apart (const gomp_target *whole, const gomp_target *target,
	    part_values *p, code c)
{
  for (tree clause = gimple_omp_target_clauses (target); clause;
       clause = OMP_CLAUSE_CHAIN (clause))
    {
      if (OMP_CLAUSE_CODE (clause) != OMP_CLAUSE_FIRSTPRIVATE
	  && OMP_CLAUSE_CODE (clause) != OMP_CLAUSE_MAP)
	continue;
      tree var = OMP_CLAUSE_DECL (clause), type = TREE_TYPE (var);
      if (!DECL_P (var)
	  || (!INTEGRAL_TYPE_P (type) && !SCALAR_FLOAT_TYPE_P (type))
	  || !by_value_p (whole, clause))
	continue;
      val own = c.var (TYPE_MAIN_VARIANT (type), "own");
      val value = c.let ("value", var);
      gasm *copy = code_opaque_copy (own, value);
      gimple_asm_set_volatile (copy, true);
      gimple_seq_add_stmt (c, copy);
      p->own.put (var, own);
    }
}

/* Let PART have what is P's.  */
static void
replace_values (part_values *p, gimple *part)
{
  gimple_seq seq = NULL;
  gimple_seq_add_stmt_without_update (&seq, part);
  struct walk_stmt_info wi = {};
  wi.info = p;
  walk_gimple_seq_mod (&seq, NULL, replace_value, &wi);
}

/* The instruction for CODE, or NULL.  */
static const char *
rounding_instruction (tree_code code)
{
  switch (code)
    {
    case PLUS_EXPR:
      return "add";
    case MINUS_EXPR:
      return "sub";
    case MULT_EXPR:
      return "mul";
    case RDIV_EXPR:
      return "div";
    default:
      return NULL;
    }
}

/* A thread rounds what the host computes with real numbers as that does:
   neither GCC nor the driver may make one operation of two.  Parts, which are
   replaced, are done.  */
static tree
round_as_host (gimple_stmt_iterator *gsi, bool *handled,
	       struct walk_stmt_info *wi)
{
  gimple *stmt = gsi_stmt (*gsi);
  *handled = ((hash_set<gimple *> *) wi->info)->contains (stmt);
  if (!is_gimple_assign (stmt)
      || !SCALAR_FLOAT_TYPE_P (TREE_TYPE (gimple_assign_lhs (stmt))))
    return NULL_TREE;
  const char *name = rounding_instruction (gimple_assign_rhs_code (stmt));
  if (!name)
    return NULL_TREE;
  gimple_seq seq = NULL;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  push_gimplify_context ();
  code c = &seq;
  tree lhs = gimple_assign_lhs (stmt);
  tree type = TYPE_MAIN_VARIANT (TREE_TYPE (lhs));
  val a = c.var (type, "a", gimple_assign_rhs1 (stmt));
  val b = c.var (type, "b", gimple_assign_rhs2 (stmt));
  val result = c.var (type, "rounded");
  char *text = xasprintf ("%s.rn.f%d %%0, %%1, %%2;", name,
			  (int) tree_to_uhwi (TYPE_SIZE (type)));
  spmd_add_asm (text, result, a, b, c);
  free (text);
  c.set (lhs, result);
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  gsi_replace (gsi, bind, false);
  *handled = true;
  return NULL_TREE;
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

/* The PART of R, which is X, whose results are RESULTS, and the barrier behind
   it.  */
static gimple *
part_and_barrier (const resident *x, region *r, const resident_part *from,
		  part_results *results, const rounds *rounds)
{
  spmd_loops loops;
  gomp_target *whole = r->stmt, *target = from->target;
  const char *why = find_part (r, target, &loops);
  gcc_assert (!why);
  r->stmt = target;
  gimple *part = spmd_build_kernel (r, loops);
  r->stmt = whole;
  gbind *bind = gimple_build_bind (NULL_TREE, NULL, NULL_TREE);
  gimple_seq seq = NULL;
  push_gimplify_context ();
  part_values values;
  keep_apart (whole, target, &values, &seq);
  begin_results (x, from, rounds, results, &values, &seq);
  replace_values (&values, part);
  gimple_seq_add_stmt (&seq, part);
  add_barrier (rounds, &seq);
  end_results (from, results, &seq);
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
    gimple_seq_add_stmt (
      &seq, gimple_build_bind (NULL_TREE,
			       gimple_bind_body (as_a<gbind *> (x->epilogue)),
			       NULL_TREE));
  });
  gimple_bind_set_body (bind, seq);
  pop_gimplify_context (bind);
  gimple_bind_set_vars (
    bind, chainon (gimple_bind_vars (bind),
		   gimple_bind_vars (as_a<gbind *> (x->epilogue))));
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
  hash_set<gimple *> parts;
  parts.add (x->epilogue);
  for (unsigned i = 0; i < x->parts.length (); i++)
    parts.add (x->parts[i]->place);
  struct walk_stmt_info real = {};
  real.info = &parts;
  walk_gimple_seq_mod (&body, round_as_host, NULL, &real);
  for (unsigned i = 0; i < x->parts.length (); i++)
    {
      part_results results;
      if (!x->parts[i]->results.is_empty ())
	results.round = code (&seq).var (unsigned_type_node, "round", 0);
      with.by.put (x->parts[i]->place,
		   part_and_barrier (x, r, x->parts[i], &results, &rounds));
    }
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
