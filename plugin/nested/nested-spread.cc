/* Parents over more warps than they need.

   The lanes of a warp execute the children of its parents together, so that few
   parents in a warp leave less to do one after the other.  Where the runtime
   starts more warps than there are parents for
   (libgomp-ext/launch/geometry/geometry.c), each takes as few as go round, on its
   first lanes; neighbours in the numbering of warps are in different blocks, as
   threads of a block may share its children.
   Otherwise, all lanes have one, those of a block neighbours.

   Needs: a thread's place.  Keeps: which thread executes which parent, once
   each.  Breaks: nothing.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/collect/nested-collect.h"

val
nested_spread (const spmd_place *place, val total, val k, code c)
{
  tree u = unsigned_type_node, n = uint64_type_node;
  val id = place->id, all = place->all, threads = place->threads;
  val step = c.var (n, "step");
  c.set (k, place->global_id);
  c.set (step, all);
  val part = c.let ("part", threads & (SPMD_WARP - 1));
  c.if_ (part == 0, [&] {
    val warps = c.let ("warps", all >> 5);
    val left = c.let ("left", total + (warps - 1));
    val most = c.let ("most", warps * (SPMD_WARP - 1));
    c.if_ (total <= most, [&] {
      val each = spmd_divide (left, warps, c);
      val lane = c.let ("lane", (id & (SPMD_WARP - 1)).as (n));
      val warp = (id >> exact_log2 (SPMD_WARP)) * place->blocks + place->block;
      warp = c.let ("warp", warp.as (u).as (n));
      c.set (step, warps * each);
      c.set (k, warp * each + lane);
      c.if_ (lane >= each, [&] { c.set (k, total); });
    });
  });
  return step;
}
