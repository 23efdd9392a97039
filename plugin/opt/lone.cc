/* A simd construct in a function that SPMD kernels call is a loop of the thread.

   GCC compiles a simd construct for the device twice,

     if (.GOMP_USE_SIMT ()) lanes of a warp share the iterations; else one has all;

   and the device's compiler takes the first form, for which the lanes of a warp have
   to come to the construct together, one of them with work.  In an SPMD kernel each
   has its own.  So a function that a kernel leads to takes the other form, as on the
   host, wherever it is called from.  (With GCC 12, where a function has arrays that
   several such constructs go over, lanes find others' elements in the first form.)

   Needs: SSA, before anything is inlined.  Keeps: the host's code, which takes the
   second form anyway; what else asks the same, with an argument (code_two_forms).
   Breaks: nothing.

   GCC leaves the loop of a simd construct as it is until it has been vectorized, which
   the device's compiler never does.  So its loops are ordinary ones while they are
   streamed to that compiler, which unrolls short ones: then arrays that they go over
   are in registers.

   Source: OpenMP 5.0, 2.9.3.1: how many iterations are executed concurrently is the
   implementation's choice; lower_omp_for and execute_omp_device_lower in GCC.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"
#include "cfgloop.h"
#include "internal-fn.h"
#include "lto-streamer.h"
#include "ssa.h"

/* Let what STMT, at GSI, asks be no.  */
static void
answer_no (gimple_stmt_iterator *gsi, gimple *stmt)
{
  tree lhs = gimple_call_lhs (stmt);
  if (!lhs)
    return;
  gimple *no = gimple_build_assign (lhs, build_zero_cst (TREE_TYPE (lhs)));
  gsi_replace (gsi, no, false);
}

unsigned
lone_resolve (function *fun)
{
  basic_block bb;
  if (!call_lone_p (fun->decl))
    return 0;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (gimple_call_internal_p (gsi_stmt (gsi), IFN_GOMP_USE_SIMT)
	  && gimple_call_num_args (gsi_stmt (gsi)) == 0)
	answer_no (&gsi, gsi_stmt (gsi));
  return 0;
}

/* Loops that are ordinary ones at the moment.  */
static auto_vec<class loop *> plain;

static void
make_plain (function *fun)
{
  for (class loop *loop : *loops_for_fn (fun)->larray)
    if (loop && loop->force_vectorize)
      {
	loop->force_vectorize = false;
	plain.safe_push (loop);
      }
}

void
lone_streamed (void)
{
  cgraph_node *node;
  if (!lto_stream_offload_p)
    while (!plain.is_empty ())
      plain.pop ()->force_vectorize = true;
  else
    FOR_EACH_FUNCTION (node)
      if (offloaded_p (node->decl) && gimple_has_body_p (node->decl)
	  && loops_for_fn (DECL_STRUCT_FUNCTION (node->decl)))
	make_plain (DECL_STRUCT_FUNCTION (node->decl));
}
