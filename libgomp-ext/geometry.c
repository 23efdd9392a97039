/* The grid and block of plain kernels; see geometry.h.

   A plain kernel gives the same result for every geometry, so what the program
   leaves open is chosen here: blocks of BLOCK threads, and a thread for each
   iteration.  Where a thread has work of its own besides its iterations
   (dividing the number of its first into the variables of several loops,
   for example), there are as many threads as fill the GPU a few times, and each
   does several iterations.

   Blocks that bring results together add to one place.  Before sm_60 there is
   no addition in double precision for that, and what stands in for it (an
   exchange, again when another one came first) lets one block through in the
   time that memory takes to answer; so there is one large block for each
   multiprocessor.

   Where the iterations are those of teams, a team is a row of the block's
   threads: a warp, or more when there are not enough teams to fill the GPU.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "geometry.h"

#include "abi.h"
#include "ext.h"
#include "launch.h"

#define WARP 32
#define BLOCK 256
#define MAX_BLOCK 1024
/* Of a multiprocessor.  Fewer, on some GPUs, leave a part of the last wave
   waiting.  */
#define MAX_THREADS 2048
/* Times that a grid of threads with several iterations fills the GPU.  */
#define WAVES 4

/* The threads of a block: a multiple of a warp, as plain kernels want it.  */
static unsigned
block_of (const struct acr_launch *l, const struct acr_region *r)
{
  unsigned most = l->kernel->max_threads;
  unsigned n = r->nreds && !r->row ? MAX_BLOCK : BLOCK;
  if (l->kernel->along_y)
    return WARP;
  if (l->threads > 0)
    n = l->threads > MAX_BLOCK ? MAX_BLOCK
                               : (l->threads + WARP - 1) / WARP * WARP;
  return n > most ? most / WARP * WARP : n;
}

/* Blocks of N threads that the GPU holds at a time, by their registers.  */
static unsigned
resident (const struct acr_launch *l, unsigned n)
{
  unsigned most = MAX_THREADS / n;
  unsigned fit = l->registers / ((unsigned)l->kernel->regs * n);
  return (fit > most ? most : fit ? fit : 1) * l->processors;
}

/* Are the iterations those of several loops?  */
static bool
collapsed (const struct acr_region *r)
{
  return r->nloops > 1 && r->loops[1].par[0] != 's'
         && r->loops[1].par[0] != 'a';
}

static unsigned
grid_of (const struct acr_launch *l, const struct acr_region *r, unsigned block)
{
  unsigned full = resident (l, block);
  if (r->spmd == ACR_SPMD_TEAMS && l->teams > 0)
    return l->teams;
  unsigned few = r->nreds ? (unsigned)l->processors : full * WAVES;
  if (r->spmd != ACR_SPMD_TRIPS || l->teams <= 0)
    return few;
  unsigned one_each = ((unsigned)l->teams + block - 1) / block;
  return (r->nreds || collapsed (r)) && one_each > few ? few : one_each;
}

/* Threads of a row, for a block of N at most.  */
static unsigned
row_of (const struct acr_launch *l, const struct acr_region *r, unsigned n)
{
  unsigned row = WARP, full = resident (l, n) * n;
  if (r->spmd != ACR_SPMD_TRIPS && l->teams <= 0)
    return row;
  while (2 * row <= (unsigned)r->row && 2 * row <= n
         && (unsigned)l->teams < full / row)
    row *= 2;
  return row;
}

/* The same as acr_geometry_choose for a kernel with teams that are rows.  */
static void
choose_rows (struct acr_launch *l, const struct acr_region *r, unsigned block)
{
  unsigned row = row_of (l, r, block), rows = block / row;
  unsigned few = resident (l, block) * WAVES;
  unsigned all = l->teams > 0 ? ((unsigned)l->teams + rows - 1) / rows : few;
  /* A team that has nothing to do should not cost a block's start.  */
  l->grid[0] = all < few ? all : few;
  l->block[0] = row;
  l->block[1] = rows;
}

/* A region R that starts teams of libgomp's: no more than its loop can use, or
   one for each multiprocessor, which are busy then.  */
static void
limit_teams (struct acr_launch *l, const struct acr_region *r)
{
  unsigned n = ((unsigned)l->teams + r->share - 1) / r->share;
  if (n < (unsigned)l->processors)
    n = l->processors;
  if (n >= l->grid[0])
    return;
  l->grid[0] = n;
  acr_count (fewer_teams, 1);
}

void
acr_geometry_choose (struct acr_launch *l)
{
  if (!l->processors || acr_opt_off (ACR_OPT_geometry))
    return;
  const struct acr_region *r = acr_kernel_region (l->kernel);
  if (r && r->share && l->teams > 0)
    limit_teams (l, r);
  if (!r || r->spmd == ACR_SPMD_NO)
    return;
  unsigned block = block_of (l, r);
  if (r->row && !l->kernel->along_y)
    choose_rows (l, r, block);
  else
    {
      l->grid[0] = grid_of (l, r, block);
      l->block[0] = l->kernel->along_y ? 1 : block;
      l->block[1] = l->kernel->along_y ? block : 1;
    }
  l->stacks = false;
  acr_count (plain, 1);
}
