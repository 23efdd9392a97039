/* Parents over more warps than they need.

   The lanes of a warp execute the children of its parents together, so that few
   parents in a warp leave less to do one after the other.  Where the runtime
   starts more warps than there are parents for (libgomp-ext/launch/geometry.c), each
   takes as few as go round, on its first lanes; neighbours in the numbering of
   warps are in different blocks, as threads of a block may share its children.
   Otherwise, all lanes have one, those of a block neighbours.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested-collect.h"

tree
nested_spread (const spmd_place *place, tree total, tree k, gimple_seq *seq)
{
  tree u = unsigned_type_node, n = uint64_type_node;
  tree step = spmd_temp (n, "step"), whole = spmd_label (),
       some = spmd_label (), few = spmd_label (), done = spmd_label ();
  spmd_set (k, place->global_id, seq);
  spmd_set (step, place->all, seq);
  tree part = binary (BIT_AND_EXPR, place->threads, u32 (SPMD_WARP - 1));
  spmd_add_branch (EQ_EXPR, spmd_value (part, "part", seq), u32 (0), whole,
		   done, seq);
  spmd_add_label (whole, seq);
  tree warps = spmd_value (binary (RSHIFT_EXPR, place->all, u64 (5)), "warps",
			   seq);
  tree left = spmd_value (binary (PLUS_EXPR, total,
				  binary (MINUS_EXPR, warps, u64 (1))),
			  "left", seq);
  tree most = binary (MULT_EXPR, warps, u64 (SPMD_WARP - 1));
  spmd_add_branch (LE_EXPR, total, spmd_value (most, "most", seq), some, done,
		   seq);
  spmd_add_label (some, seq);
  tree each = spmd_divide (left, warps, seq);
  tree lane = binary (BIT_AND_EXPR, place->id, u32 (SPMD_WARP - 1));
  lane = spmd_value (fold_convert (n, lane), "lane", seq);
  tree warp = binary (MULT_EXPR,
		      binary (RSHIFT_EXPR, place->id,
			      u32 (exact_log2 (SPMD_WARP))),
		      place->blocks);
  warp = binary (PLUS_EXPR, warp, place->block);
  warp = spmd_value (fold_convert (n, fold_convert (u, warp)), "warp", seq);
  spmd_set (step, binary (MULT_EXPR, warps, each), seq);
  spmd_set (k, binary (PLUS_EXPR, binary (MULT_EXPR, warp, each), lane), seq);
  spmd_add_branch (GE_EXPR, lane, each, few, done, seq);
  spmd_add_label (few, seq);
  spmd_set (k, total, seq);
  spmd_add_goto (done, seq);
  spmd_add_label (done, seq);
  return step;
}
