/* Loops of a few constant iterations in offloaded code are unrolled away.

   Each thread of a GPU runs such a loop (over the points of a small stencil,
   the components of a vector) by itself, and as long as it is one, the
   addresses in it are not known: small arrays stay in memory, and neither
   the device's assembler nor ptx-post sees that neighbouring lanes load the
   same data.  GCC unrolls them completely at -O3 only, and not all of a nest.
   We ask for it as "#pragma GCC unroll" does; GCC decides when it comes to it.

   An array of the thread's that is small enough for registers, and whose
   subscripts are all constants once loops of a few iterations are unrolled, is
   worth more: up to 32 iterations, with calls of the compiler's own functions
   (the math library's, atomic updates).  One loop of them left as it is keeps
   the array in memory for all others, so all are unrolled or, for its sake,
   none.

   It is done where loops are in SSA form the first time, before the body goes
   to the device compiler, which inherits the request.

   Needs: SSA and loops.  Keeps: all statements.
   Source: GCC's tree-ssa-loop-ivcanon.cc; nvcc, which unrolls such loops.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"
#include "cfgloop.h"
#include "ssa.h"
#include "tree-scalar-evolution.h"
#include "tree-chrec.h"
#include "tree-ssa-loop-niter.h"
#include "gimple-walk.h"
#include "tree-dfa.h"

/* Iterations of one loop, and statements of a nest when it is unrolled: more
   would cost registers and instruction cache.  Those of a loop for the sake of
   an array, what a call counts for there, and the array's bytes and elements,
   of which each becomes a register or two.  */
enum
{
  MAX_TRIP = 8,
  MAX_STATEMENTS = 2000,
  MAX_ARRAY_TRIP = 32,
  CALL_STATEMENTS = 50,
  MAX_ARRAY_BYTES = 256,
  MAX_ARRAY_ELEMENTS = 32
};

/* Whether STMT may be there several times, in code without other threads'
   part in it; WITH_CALLS also where it is a call that is not only a value's.  */
static bool
may_repeat (gimple *stmt, bool with_calls)
{
  if (stmt_volatile_p (stmt) || gimple_code (stmt) == GIMPLE_ASM)
    return false;
  if (!is_gimple_call (stmt))
    return true;
  if (!gimple_call_builtin_p (stmt, BUILT_IN_NORMAL))
    return false;
  if (gimple_call_flags (stmt) & ECF_CONST)
    return true;
  /* What names of constructs is there once for all threads.  */
  const char *name = IDENTIFIER_POINTER (DECL_NAME (gimple_call_fndecl (stmt)));
  return with_calls && !strstr (name, "GOMP_") && !strstr (name, "GOACC_")
	 && !(gimple_call_flags (stmt) & ECF_RETURNS_TWICE);
}

/* Statements of LOOP's own blocks; -1 when they may not be repeated.  */
static int
count_statements (class loop *loop)
{
  int n = 0;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; n >= 0 && i < loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (body[i]);
	 n >= 0 && !gsi_end_p (gsi); gsi_next_nondebug (&gsi))
      if (!may_repeat (gsi_stmt (gsi), false))
	n = -1;
      else
	n += body[i]->loop_father == loop;
  free (body);
  return n;
}

/* How often LOOP goes back to its header, when that is a constant of at most
   MOST; else 0.  At this point the header still has the test of a for loop, so
   that its body runs as often.  */
static int
trip_count (class loop *loop, unsigned most)
{
  tree n = single_exit (loop) ? number_of_latch_executions (loop) : NULL_TREE;
  return n && tree_fits_uhwi_p (n) && tree_to_uhwi (n) <= most
	   ? tree_to_uhwi (n)
	   : 0;
}

/* An array of the thread's, and loops whose numbers are in its subscripts.  */
struct small_array
{
  tree var;
  bool stays;
  auto_vec<class loop *> loops;
};

/* Whether registers may hold VAR, as far as its declaration goes.  */
static bool
fits_registers (tree var)
{
  tree type = TREE_TYPE (var);
  if (!VAR_P (var) || !auto_var_in_fn_p (var, cfun->decl)
      || TREE_ADDRESSABLE (var) || TREE_THIS_VOLATILE (var)
      || !AGGREGATE_TYPE_P (type) || !tree_fits_uhwi_p (TYPE_SIZE_UNIT (type))
      || tree_to_uhwi (TYPE_SIZE_UNIT (type)) > MAX_ARRAY_BYTES)
    return false;
  tree element = type;
  while (TREE_CODE (element) == ARRAY_TYPE)
    element = TREE_TYPE (element);
  HOST_WIDE_INT bytes = int_size_in_bytes (element);
  return bytes > 0
	 && tree_to_uhwi (TYPE_SIZE_UNIT (type))
	      <= (unsigned HOST_WIDE_INT) bytes * MAX_ARRAY_ELEMENTS;
}

/* Whether INDEX, in LOOP, is a constant in each of a few iterations of loops,
   which are added to LOOPS.  */
static bool
follows_loops (tree index, class loop *loop, vec<class loop *> &loops)
{
  if (!loop_outer (loop))
    return false;
  class loop *outermost = superloop_at_depth (loop, 1);
  tree value = instantiate_scev (loop_preheader_edge (outermost), loop,
				 analyze_scalar_evolution (loop, index));
  for (;;)
    {
      STRIP_NOPS (value);
      if (TREE_CODE (value) != POLYNOMIAL_CHREC)
	return TREE_CODE (value) == INTEGER_CST;
      class loop *of = get_chrec_loop (value);
      if (TREE_CODE (CHREC_RIGHT (value)) != INTEGER_CST
	  || trip_count (of, MAX_ARRAY_TRIP) == 0)
	return false;
      loops.safe_push (of);
      value = CHREC_LEFT (value);
    }
}

/* A walk's state: the arrays, and the loop of the statement in hand.  */
struct array_search
{
  auto_delete_vec<small_array> arrays;
  class loop *loop;
};

static small_array &
array_of (tree var, array_search &s)
{
  for (small_array *a : s.arrays)
    if (a->var == var)
      return *a;
  small_array *a = new small_array ();
  a->var = var;
  s.arrays.safe_push (a);
  return *a;
}

static bool
note_access (gimple *, tree base, tree ref, void *data)
{
  array_search *s = (array_search *) data;
  if (!base || !fits_registers (base))
    return false;
  small_array &a = array_of (base, *s);
  for (; handled_component_p (ref); ref = TREE_OPERAND (ref, 0))
    if (TREE_CODE (ref) == ARRAY_REF
	&& TREE_CODE (TREE_OPERAND (ref, 1)) != INTEGER_CST)
      a.stays |= !follows_loops (TREE_OPERAND (ref, 1), s->loop, a.loops);
    else if (TREE_CODE (ref) == ARRAY_RANGE_REF)
      a.stays = true;
  a.stays |= TREE_CODE (ref) == MEM_REF
	     && !integer_zerop (TREE_OPERAND (ref, 1));
  return false;
}

/* Statements of LOOP as it is once the loops of UNROLLED in it are unrolled; a
   number over MAX_STATEMENTS when it has what may not be repeated.  */
static int
count_unrolled (class loop *loop, hash_set<class loop *> &unrolled)
{
  int n = 0;
  basic_block *body = get_loop_body (loop);
  for (unsigned i = 0; n <= MAX_STATEMENTS && i < loop->num_nodes; i++)
    if (body[i]->loop_father == loop)
      for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (body[i]);
	   n <= MAX_STATEMENTS && !gsi_end_p (gsi); gsi_next_nondebug (&gsi))
	n += !may_repeat (gsi_stmt (gsi), true) ? MAX_STATEMENTS + 1
	     : is_gimple_call (gsi_stmt (gsi)) ? CALL_STATEMENTS
					       : 1;
  free (body);
  for (class loop *in = loop->inner; in && n <= MAX_STATEMENTS; in = in->next)
    n += count_unrolled (in, unrolled);
  if (unrolled.contains (loop) && n <= MAX_STATEMENTS)
    n *= trip_count (loop, MAX_ARRAY_TRIP);
  return n;
}

/* Ask for the loops that go over arrays which they keep in memory.  */
static void
unroll_for_arrays (function *fun)
{
  array_search search;
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    {
      search.loop = bb->loop_father;
      for (gimple_stmt_iterator gsi = gsi_start_nondebug_bb (bb);
	   !gsi_end_p (gsi); gsi_next_nondebug (&gsi))
	walk_stmt_load_store_ops (gsi_stmt (gsi), &search, note_access,
				  note_access);
    }
  for (small_array *a : search.arrays)
    {
      hash_set<class loop *> wanted;
      bool all = !a->stays;
      for (class loop *loop : a->loops)
	{
	  wanted.add (loop);
	  /* Unless the program says how often.  */
	  all &= !loop->unroll
		 || loop->unroll > trip_count (loop, MAX_ARRAY_TRIP);
	}
      for (class loop *loop : a->loops)
	all &= count_unrolled (loop, wanted) <= MAX_STATEMENTS;
      if (!all)
	continue;
      for (class loop *loop : a->loops)
	{
	  loop->unroll = trip_count (loop, MAX_ARRAY_TRIP) + 1;
	  cfun->has_unroll = true;
	}
    }
}

/* Ask for LOOP and all loops in it; the statements that they become, -1 when
   LOOP stays.  */
static int
unroll_nest (class loop *loop)
{
  int statements = count_statements (loop);
  int trip = trip_count (loop, MAX_TRIP);
  bool stays = statements < 0 || trip == 0;
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    {
      int n = unroll_nest (inner);
      stays |= n < 0;
      statements += n;
    }
  if (stays || loop->unroll || statements * trip > MAX_STATEMENTS)
    return -1;
  loop->unroll = trip + 1;
  cfun->has_unroll = true;
  return statements * trip;
}

unsigned
unroll_small_loops (function *fun)
{
  if (!offloaded_p (fun->decl))
    return 0;
  loop_optimizer_init (LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  scev_initialize ();
  for (class loop *loop = loops_for_fn (fun)->tree_root->inner; loop;
       loop = loop->next)
    unroll_nest (loop);
  unroll_for_arrays (fun);
  scev_finalize ();
  loop_optimizer_finalize ();
  return 0;
}
