/* May one kernel take longer than two?

   Fused is what saves memory traffic for sure: the bodies must have elements
   in common.  Loops in a body, other constructs in it, and long bodies are
   left to kernels of their own: their registers and the reuse in their caches
   decide, and neither is known here.

   Needs: the line of the merged construct.  Keeps: all code.
   Source: J. Filipovic et al., "Optimizing CUDA code by kernel fusion:
   application on BLAS", J. Supercomputing 71, 2015, section 4.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"

/* Statements of all bodies.  */
static const unsigned most_statements = 600;

/* Does the access A move with the loops' indices?  */
static bool
moves_p (const fusion *f, const line_access *a)
{
  for (unsigned i = 0; i < f->l.loops.length (); i++)
    if (affine_mentions_p (&a->address, affine_index_symbol (f->l.loops[i])))
      return true;
  return false;
}

/* Is there an element that both bodies access?  */
static bool
common_element_p (const fusion *f)
{
  for (unsigned i = 0; i < f->border_access; i++)
    {
      const line_access *a = &f->l.accesses[i];
      if (a->address.n < 0 || !moves_p (f, a))
	continue;
      for (unsigned k = f->border_access; k < f->l.accesses.length (); k++)
	if (affine_equal_p (&a->address, &f->l.accesses[k].address))
	  return true;
    }
  return false;
}

bool
fuse_pays_p (fusion *f)
{
  return f->l.code.length () <= most_statements
	 && f->l.loops.length () <= gimple_omp_for_collapse (f->a.loop)
	 && common_element_p (f);
}
