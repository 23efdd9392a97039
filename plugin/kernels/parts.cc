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

/* Does the host test anything?  */
static bool
tests_p (const rewrite *w)
{
  for (unsigned at = 0; at < w->places.length (); at++)
    if (w->places[at] == PLACE_HOST && w->l.code[at]
	&& (gimple_code (w->l.code[at]) == GIMPLE_COND
	    || gimple_code (w->l.code[at]) == GIMPLE_SWITCH))
      return true;
  return false;
}

bool
kernels_host_decides_p (const rewrite *w)
{
  return kernels_several_p (w) || tests_p (w);
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
