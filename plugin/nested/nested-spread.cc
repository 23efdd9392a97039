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
  tree step = code_temp (n, "step"), whole = code_label (),
       some = code_label (), few = code_label (), done = code_label ();
  code_set (k, place->global_id, seq);
  code_set (step, place->all, seq);
  tree part = binary (BIT_AND_EXPR, place->threads, u32 (SPMD_WARP - 1));
  code_add_branch (EQ_EXPR, code_value (part, "part", seq), u32 (0), whole,
		   done, seq);
  code_add_label (whole, seq);
  tree warps = code_value (binary (RSHIFT_EXPR, place->all, u64 (5)), "warps",
			   seq);
  tree left = code_value (binary (PLUS_EXPR, total,
				  binary (MINUS_EXPR, warps, u64 (1))),
			  "left", seq);
  tree most = binary (MULT_EXPR, warps, u64 (SPMD_WARP - 1));
  code_add_branch (LE_EXPR, total, code_value (most, "most", seq), some, done,
		   seq);
  code_add_label (some, seq);
  tree each = spmd_divide (left, warps, seq);
  tree lane = binary (BIT_AND_EXPR, place->id, u32 (SPMD_WARP - 1));
  lane = code_value (fold_convert (n, lane), "lane", seq);
  tree warp = binary (MULT_EXPR,
		      binary (RSHIFT_EXPR, place->id,
			      u32 (exact_log2 (SPMD_WARP))),
		      place->blocks);
  warp = binary (PLUS_EXPR, warp, place->block);
  warp = code_value (fold_convert (n, fold_convert (u, warp)), "warp", seq);
  code_set (step, binary (MULT_EXPR, warps, each), seq);
  code_set (k, binary (PLUS_EXPR, binary (MULT_EXPR, warp, each), lane), seq);
  code_add_branch (GE_EXPR, lane, each, few, done, seq);
  code_add_label (few, seq);
  code_set (k, total, seq);
  code_add_goto (done, seq);
  code_add_label (done, seq);
  return step;
}
