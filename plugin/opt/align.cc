/* Where the tiles of a nest begin.

   Lanes of a warp take successive iterations of the innermost loop.  Where that
   begins behind a border, as in

       for (x = 1; x < n - 1; x++)
	 b[y * n + x] = ...

   each warp's store would begin with a part of one line of the cache and end with
   a part of the next, of which another warp, maybe much later, stores the rest.
   So tiles begin some places before the first iteration, where a line does, as
   a kernel by hand has it whose threads are numbered as the array is.  How many
   follows from the address that the first iteration of all stores to; it is
   right for all rows where their length is whole lines, and harmless else.

   Needs: flow_find of the nest's line.  Keeps: the iterations.  Breaks:
   nothing; tiles begin elsewhere.
   Source: CUDA C++ Best Practices Guide, coalesced access to global memory.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "loop/loop.h"
#include "spmd/spmd.h"

enum
{
  LINE_BYTES = 128
};

/* What L begins with, which may be known where its bound is not.  */
static affine
first_of (const line_loop *l)
{
  tree first = l->directive ? gimple_omp_for_initial (l->directive, l->dim)
			    : NULL_TREE;
  return first && tree_fits_shwi_p (first)
	   ? affine_constant (tree_to_shwi (first))
	   : l->first;
}

/* ADDRESS in the first iteration of the loop X and those around it.  */
static affine
at_first (affine address, const line_loop *x)
{
  for (const line_loop *l = x; l; l = l->outer)
    {
      affine coefficient, rest;
      if (!affine_split (&address, affine_index_symbol (l), &coefficient,
			 &rest))
	return affine_unknown ();
      address = affine_add (rest, 1, affine_multiply (coefficient, first_of (l)));
    }
  return address;
}

/* Do neighbours in X store neighbours by A?  */
static bool
stores_row_p (const line_access *a, const line_loop *x)
{
  affine coefficient, rest;
  HOST_WIDE_INT step;
  return a->write && a->in == x && pow2p_hwi (a->size) && a->size < LINE_BYTES
	 && affine_split (&a->address, affine_index_symbol (x), &coefficient,
			  &rest)
	 && affine_constant_p (&coefficient, &step) && step == a->size;
}

tree
align_tiles (const line *l, const line_loop *x, const spmd_sharing *sharing,
	     gimple_seq *seq)
{
  if (x->step != 1 || x->broken)
    return NULL_TREE;
  for (unsigned i = 0; i < l->accesses.length (); i++)
    {
      const line_access *a = &l->accesses[i];
      if (!stores_row_p (a, x))
	continue;
      affine first = at_first (a->address, x);
      if (!line_computable_p (l, &first) || affine_varies_p (&first))
	continue;
      tree u = unsigned_type_node;
      tree address = spmd_copy_expr (sharing, affine_tree (&first, sizetype));
      address = fold_build2 (BIT_AND_EXPR, sizetype, address,
			     size_int (LINE_BYTES - a->size));
      return code_value (fold_build2 (RSHIFT_EXPR, u, fold_convert (u, address),
				      build_int_cst (u, exact_log2 (a->size))),
			 "ahead", seq);
    }
  return NULL_TREE;
}
