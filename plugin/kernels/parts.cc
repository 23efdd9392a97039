/* Questions about the parts of a kernels construct.

   Keeps: all.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "kernels/kernels.h"

part *
kernels_part_at (const rewrite *w, unsigned at)
{
  for (unsigned i = 0; i < w->parts.length (); i++)
    if (at >= w->parts[i]->begin && at < w->parts[i]->end
	&& w->places[at] == PLACE_PART)
      return w->parts[i];
  return NULL;
}

bool
kernels_several_p (const rewrite *w)
{
  if (w->parts.length () != 1)
    return true;
  for (unsigned at = w->parts[0]->end; at < w->places.length (); at++)
    if (is_gimple_assign (w->l.code[at]))
      return true;
  return false;
}
