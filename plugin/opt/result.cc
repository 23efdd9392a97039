/* Device functions may return structures that the host returns in registers.

   The host's ABI decides how a return statement looks: where a structure comes back in
   registers, it is "return value"; where it comes back in memory, "<retval> = value;
   return <retval>".  On an nvptx GPU all come back in memory, and GCC's pass nrv stops at
   "return value" with an internal error, in each function of such a type that is not
   inlined early ({ float x, y; } and std::complex among the types).  What follows in the
   device's compiler takes either form, but the host's does not: it has no place in memory
   for such a <retval>.

   The pass leaves functions alone whose <retval> has a name, as those have for which the
   front end did the same.  So it has one, where a function returns something else, while
   it is streamed to the device's compiler.

   Needs: bodies, as they are streamed.  Keeps: all code.  Breaks: nothing.
   Source: pass_nrv::execute in GCC's tree-nrv.cc, pass_in_memory in nvptx.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"
#include "lto-streamer.h"

/* Those that have a name at the moment.  */
static auto_vec<tree> named;

static bool
returns_other_p (tree fn)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN (DECL_STRUCT_FUNCTION (fn))->preds)
    {
      greturn *ret = safe_dyn_cast<greturn *> (last_stmt (e->src));
      tree value = ret ? gimple_return_retval (ret) : NULL_TREE;
      if (value && value != DECL_RESULT (fn))
	return true;
    }
  return false;
}

void
results_streamed (void)
{
  cgraph_node *node;
  if (!lto_stream_offload_p)
    while (!named.is_empty ())
      DECL_NAME (named.pop ()) = NULL_TREE;
  else
    FOR_EACH_FUNCTION (node)
      {
	tree result = DECL_RESULT (node->decl);
	if (offloaded_p (node->decl) && gimple_has_body_p (node->decl) && !DECL_NAME (result)
	    && AGGREGATE_TYPE_P (TREE_TYPE (result)) && returns_other_p (node->decl))
	  {
	    DECL_NAME (result) = get_identifier ("<retval>");
	    named.safe_push (result);
	  }
      }
}
