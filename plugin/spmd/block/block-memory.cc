/* Whose memory is it?

   Needs: block_find, as far as it has come.  Keeps: all code.
   Source: OpenMP 5.0, 2.19.1.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/block/block.h"

bool
block_memory_p (const block_region *b, tree base)
{
  if (!DECL_P (base))
    return true;
  return !CONST_CAST (block_region *, b)->own.contains (base)
	 && spmd_shared_on_target_p (&b->team, base);
}

bool
block_constant_p (const block_region *b, tree ref)
{
  tree base = get_base_address (ref);
  if (!base || !DECL_P (base))
    return spmd_private_reference_p (&b->team, ref);
  if (!block_memory_p (b, base))
    return true;
  for (unsigned i = 0; i < b->r->objects.length (); i++)
    {
      const object *o = &b->r->objects[i];
      if (o->name.var == base && o->name.depth == 0)
	return !(o->access & ACR_ACCESS_WRITE);
    }
  return false;
}
