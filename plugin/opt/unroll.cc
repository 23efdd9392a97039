/* Loops of a few constant iterations in offloaded code are unrolled away.

   Each thread of a GPU runs such a loop (over the points of a small stencil,
   the components of a vector) by itself, and as long as it is one, the
   addresses in it are not known: small arrays stay in memory, and neither
   the device's assembler nor ptx-post sees that neighbouring lanes load the
   same data.  GCC unrolls them completely at -O3 only, and not all of a nest.
   We ask for it as "#pragma GCC unroll" does; GCC decides when it comes to it.

   It is done where loops are in SSA form the first time, before the body goes
   to the device compiler, which inherits the request.

   Needs: SSA and loops.  Keeps: all statements.
   Source: GCC's tree-ssa-loop-ivcanon.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"
#include "cfgloop.h"
#include "ssa.h"
#include "tree-scalar-evolution.h"
#include "tree-ssa-loop-niter.h"

/* Iterations of one loop, and statements of a nest when it is unrolled: more
   would cost registers and instruction cache.  */
enum { MAX_TRIP = 8, MAX_STATEMENTS = 2000 };

/* Whether STMT may be there several times, in code without other threads'
   part in it.  */
static bool
may_repeat (gimple *stmt)
{
  if (gimple_has_volatile_ops (stmt) || gimple_code (stmt) == GIMPLE_ASM)
    return false;
  if (!is_gimple_call (stmt))
    return true;
  return gimple_call_builtin_p (stmt, BUILT_IN_NORMAL)
	 && (gimple_call_flags (stmt) & ECF_CONST);
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
      if (!may_repeat (gsi_stmt (gsi)))
	n = -1;
      else
	n += body[i]->loop_father == loop;
  free (body);
  return n;
}

/* How often LOOP goes back to its header, when that is a small constant; else
   0.  At this point the header still has the test of a for loop, so that its
   body runs as often.  */
static int
trip_count (class loop *loop)
{
  tree n = single_exit (loop) ? number_of_latch_executions (loop) : NULL_TREE;
  return n && tree_fits_uhwi_p (n) && tree_to_uhwi (n) <= MAX_TRIP
	   ? tree_to_uhwi (n)
	   : 0;
}

/* Ask for LOOP and all loops in it; the statements that they become, -1 when
   LOOP stays.  */
static int
unroll_nest (class loop *loop)
{
  int statements = count_statements (loop), trip = trip_count (loop);
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
  scev_finalize ();
  loop_optimizer_finalize ();
  return 0;
}
