/* What GCC's own form of an OpenACC region, now an SPMD kernel, would be
   launched with.

   libgomp's plugin prints these numbers (GOMP_DEBUG), tells them to profiling
   tools, and refuses what the GPU has not the resources for; so it gets them
   with an SPMD kernel, too (libgomp-ext/interpose/stock.c).

   GCC's device compiler gives loops to the axes that their clauses name, and
   the others, from the outside in, to what is left; the innermost gets all that
   is left inside it.  Tiled ones have axes for the tiles and for the elements of
   one.  Where the clauses of the region leave the size of an axis open, it is 1
   when no loop uses it, else libgomp's to choose; lanes are a warp.

   Needs: the region's loops with their directives, before
   spmd_acc_host_form.  Keeps: all code.
   Source: oacc_loop_fixed_partitions, oacc_loop_auto_partitions and
   oacc_validate_dims in GCC's omp-offload.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "spmd/spmd.h"

/* Sets of axes.  */
enum
{
  GANGS = GOMP_DIM_MASK (GOMP_DIM_GANG),
  WORKERS = GOMP_DIM_MASK (GOMP_DIM_WORKER),
  LANES = GOMP_DIM_MASK (GOMP_DIM_VECTOR),
  /* Stands for those of a loop to which none is given yet.  */
  LATER = GOMP_DIM_MASK (GOMP_DIM_MAX)
};

struct level
{
  unsigned tiles, elements;	/* what is not tiled consists of tiles */
  unsigned inside;		/* axes of the loops inside */
  bool open, tiled;
};

static unsigned
axes_of (const level *l)
{
  return l->tiles | l->elements;
}

static level
read_level (const gimple *loop)
{
  tree clauses = stmt_clauses (loop);
  level l = {};
  if (omp_find_clause (clauses, OMP_CLAUSE_GANG))
    l.tiles |= GANGS;
  if (omp_find_clause (clauses, OMP_CLAUSE_WORKER))
    l.tiles |= WORKERS;
  if (omp_find_clause (clauses, OMP_CLAUSE_VECTOR))
    l.tiles |= LANES;
  l.tiled = omp_find_clause (clauses, OMP_CLAUSE_TILE);
  l.open = l.tiles == (l.tiled ? least_bit_hwi (l.tiles) : 0);
  if (l.tiled)
    {
      l.elements = l.tiles & LANES;
      if (!l.elements || (l.tiles & GANGS))
	l.elements |= l.tiles & WORKERS;
      l.tiles &= ~l.elements;
    }
  return l;
}

/* Give L the outermost axis that is free inside those OUTSIDE, but not lanes;
   two to tiles.  */
static void
take_outermost (level *l, unsigned outside)
{
  unsigned axes = GANGS;
  while (axes <= outside)
    axes <<= 1;
  if (l->tiled && !axes_of (l))
    axes |= axes << 1;
  axes &= (GANGS | WORKERS) & ~l->inside;
  if (l->tiled && !l->elements)
    {
      l->elements = axes & (axes << 1);
      axes &= ~l->elements;
    }
  l->tiles |= axes;
}

/* Give L the axis around those of the loops inside, when it is not OUTSIDE.  */
static void
take_innermost (level *l, unsigned outside)
{
  unsigned axes = least_bit_hwi (l->inside | LATER) >> 1 & ~outside;
  if (l->tiled)
    {
      axes &= ~axes_of (l);
      unsigned around = axes >> 1 & ~(outside | axes_of (l));
      if (around || l->tiles)
	{
	  l->elements |= axes;
	  axes = around;
	}
    }
  l->tiles |= axes;
}

/* Give axes to the N loops from L on, inside loops that use those OUTSIDE, one
   of which, where that is INNER, was open.  Returns all that these loops use.  */
static unsigned
share_out (level *l, unsigned n, unsigned outside, bool inner)
{
  if (n == 0)
    return 0;
  if (l->open && (!inner || l->inside))
    take_outermost (l, outside);
  l->inside = share_out (l + 1, n - 1, outside | axes_of (l), inner | l->open);
  if (l->open && (!l->tiles || (l->tiled && !l->elements) || !inner))
    take_innermost (l, outside);
  return l->inside | axes_of (l);
}

bool
spmd_acc_nested_wrong_p (const spmd_nest *nest)
{
  unsigned outside = 0;
  for (unsigned i = 0; i < nest->levels.length (); i++)
    {
      level l = read_level (nest->levels[i]);
      unsigned axes = axes_of (&l);
      if (axes && least_bit_hwi (axes) <= outside)
	return true;
      outside |= axes;
    }
  return false;
}

void
spmd_acc_stock (const spmd_nest *nest, int dims[GOMP_DIM_MAX])
{
  static const omp_clause_code size[]
    = { OMP_CLAUSE_NUM_GANGS, OMP_CLAUSE_NUM_WORKERS };
  auto_vec<level, 8> levels;
  for (unsigned i = 0; i < nest->levels.length (); i++)
    levels.safe_push (read_level (nest->levels[i]));
  unsigned inside = 0;
  for (unsigned i = levels.length (); i-- > 0;)
    {
      levels[i].inside = inside;
      inside |= axes_of (&levels[i]) | (levels[i].open ? LATER : 0);
    }
  unsigned used
    = share_out (levels.address (), levels.length (), 0, false);
  dims[GOMP_DIM_VECTOR] = ACR_DIM_OPEN;
  for (int i = GOMP_DIM_GANG; i <= GOMP_DIM_WORKER; i++)
    if (omp_find_clause (gimple_omp_target_clauses (nest->target), size[i]))
      dims[i] = ACR_DIM_OPEN;
    else
      dims[i] = used & GOMP_DIM_MASK (i) ? 0 : 1;
}
