/* How accesses move with a loop's index.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"

/* Iterations that are worth a warp.  */
static const unsigned warp = 32;

bool
line_stride (const line_access *a, const line_loop *loop, HOST_WIDE_INT *bytes)
{
  affine factor, rest;
  if (!loop->index || a->address.n < 0
      || !affine_split (&a->address, affine_index_symbol (loop), &factor,
			&rest)
      || affine_varies_p (&factor))
    return false;
  if (affine_constant_p (&factor, bytes))
    *bytes = absu_hwi (*bytes * loop->step);
  else
    *bytes = INT_MAX;
  return true;
}

movement
line_movement (const line_access *a, const line_loop *loop)
{
  HOST_WIDE_INT bytes;
  if (a->size <= 0 || !line_stride (a, loop, &bytes))
    return MOVE_UNKNOWN;
  return bytes == 0 ? MOVE_NOT : bytes == a->size ? MOVE_NEXT : MOVE_FAR;
}

bool
line_short_p (const line_loop *loop)
{
  affine difference = affine_add (loop->bound, -1, loop->first);
  HOST_WIDE_INT n;
  return affine_constant_p (&difference, &n)
	 && absu_hwi (n) < warp * absu_hwi (loop->step);
}
