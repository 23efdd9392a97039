/* Accesses of one iteration that leave no gap are one.

   Needs: addresses of the line.  Keeps: the line.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"

void
cover_add (vec<cover> *covers, cover add)
{
  for (unsigned i = 0; i < covers->length (); i++)
    {
      const cover *c = &(*covers)[i];
      affine difference = affine_add (add.at, -1, c->at);
      HOST_WIDE_INT d;
      if (c->in != add.in || c->object != add.object
	  || !affine_constant_p (&difference, &d)
	  || !IN_RANGE (d, -add.bytes, c->bytes))
	continue;
      HOST_WIDE_INT end = MAX (c->bytes, d + add.bytes), begin = MIN (d, 0);
      cover both = { c->in, c->object, d < 0 ? add.at : c->at, end - begin };
      covers->ordered_remove (i);
      cover_add (covers, both);
      return;
    }
  covers->safe_push (add);
}
