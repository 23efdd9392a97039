/* Loops in device code have one way back, and branches meet again behind them.

   At -O3 GCC splits the end of a loop behind an if, so that each branch has a copy
   of it and jumps back by itself:

     while (n > 1)			again: if (a[m] > x) goto left;
       {				  low = m; n = high - low;
	 m = low + n / 2;		  if (n > 1) goto again; goto out;
	 if (a[m] > x) high = m;	left: high = m; n = high - low;
	 else low = m;			  if (n > 1) goto again;
	 n = high - low;		out:
       }

   That saves a CPU a jump.  On a GPU the lanes of a warp that took different
   branches do not meet again at the end of the iteration, and ptxas, which makes
   one path of a short if, no longer can.

   Jump threading does the same to other code: who comes from a branch that tells
   how a later one goes, jumps into the middle of what is behind that, past the
   place where lanes meet, or into a loop.  Where ways cross like that, ptxas has no
   place for lanes to wait for each other, and they execute all the rest of an
   iteration one way after the other.

   The device's compiler, which does both, has the options of the host's with each
   function; so these are without -fsplit-paths and -fthread-jumps while they are
   streamed to it (and without -fmath-errno, where that is not wanted: math.cc).

   Needs: optimization_default_node, which all functions have but those with an
   attribute of their own.  Keeps: all code of the host.  Breaks: nothing.
   Source: GCC's gimple-ssa-split-paths.cc and tree-ssa-threadupdate.cc; LLVM's
   JumpThreading.cpp, which leaves targets with divergent branches alone;
   R. Baghsorkhi et al., "An Adaptive Performance Modeling Tool for GPU
   Architectures", PPoPP 2010, on divergence.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"
#include "lto-streamer.h"

/* The functions, by number, that are without it.  */
static hash_set<int_hash<unsigned, 0> > joined;

static void
join_paths (bool paths, bool math)
{
  tree without = copy_node (optimization_default_node);
  cl_optimization *options = TREE_OPTIMIZATION (without);
  if (paths)
    options->x_flag_split_paths = options->x_flag_thread_jumps = 0;
  if (math)
    options->x_flag_errno_math = 0;
  cgraph_node *node;
  FOR_EACH_FUNCTION (node)
    if (offloaded_p (node->decl) && gimple_has_body_p (node->decl)
	&& DECL_FUNCTION_SPECIFIC_OPTIMIZATION (node->decl)
	     == optimization_default_node)
      {
	DECL_FUNCTION_SPECIFIC_OPTIMIZATION (node->decl) = without;
	joined.add (DECL_UID (node->decl) + 1);
      }
}

static void
split_again (void)
{
  cgraph_node *node;
  FOR_EACH_FUNCTION (node)
    if (joined.contains (DECL_UID (node->decl) + 1))
      DECL_FUNCTION_SPECIFIC_OPTIMIZATION (node->decl)
	= optimization_default_node;
  joined.empty ();
}

void
options_streamed (bool paths, bool math)
{
  if (!lto_stream_offload_p)
    split_again ();
  else if (paths || math)
    join_paths (paths, math);
}
