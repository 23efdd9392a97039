/* Loops in device code have one way back.

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
   one path of a short if, no longer can.  The device's compiler, which does that,
   has the options of the host's with each function; so these are without
   -fsplit-paths while they are streamed to it.

   Needs: optimization_default_node, which all functions have but those with an
   attribute of their own.  Keeps: all code of the host.  Breaks: nothing.
   Source: GCC's gimple-ssa-split-paths.cc; R. Baghsorkhi et al., "An Adaptive
   Performance Modeling Tool for GPU Architectures", PPoPP 2010, on divergence.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"
#include "lto-streamer.h"

/* The functions, by number, that are without it.  */
static hash_set<int_hash<unsigned, 0> > joined;

static void
join_paths (void)
{
  tree without = copy_node (optimization_default_node);
  TREE_OPTIMIZATION (without)->x_flag_split_paths = 0;
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
paths_streamed (void)
{
  if (!lto_stream_offload_p)
    split_again ();
  else if (TREE_OPTIMIZATION (optimization_default_node)->x_flag_split_paths)
    join_paths ();
}
