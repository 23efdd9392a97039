/* Resident loops; see resident.h.

   Threads of such a kernel wait for those of all other blocks, so a block that has
   no place on the GPU before another one ends would be waited for for ever.  The
   driver guarantees that for cooperative launches alone: it refuses what the GPU
   does not hold whole, with what the process may use of it, and starts no block
   before all can run, whatever else is on the GPU.  So such a kernel is launched
   cooperatively or not at all.  When it is not, its construct does nothing, the
   state that it maps (abi.h, acr_resident) comes back as it went, and the program
   executes the host's loop, which stands beside it.

   A GPU with a watchdog would end a loop that runs for seconds; there the host loops.

   The grid is what the driver says the GPU holds of the kernel, or less if
   ACCRETE_GEOMETRY says so.  A barrier's time grows with the number of blocks (on an
   H200 .9 us with 132, 1.6 with 528), not with that of threads, so blocks are large,
   and a few more threads are not worth more blocks.  But each warp, also one without
   an iteration, goes through each region and meets the others: on an H200 2048 threads a
   multiprocessor took 1 us more for that than 256, when it also found out anew which
   iterations it has (ptx-post/pass/invariant/invariant.c).  So where the
   program says how many threads its largest region has work for, there are no more than
   that, on all multiprocessors.  Where grids make no difference to results, others are
   tried (resident-choice.c).

   Source: CUDA Driver API, cuLaunchCooperativeKernel,
   cuOccupancyMaxActiveBlocksPerMultiprocessor.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/resident/resident.h"

#include "abi/abi.h"
#include "ext.h"
#include "launch/form.h"
#include "launch/geometry/geometry-word.h"
#include "launch/gpu.h"
#include "launch/kernel.h"
#include "launch/launch.h"
#include "launch/lazy.h"
#include "launch/resident/resident-choice.h"
#include "launch/resident/resident-late.h"

#define PUBLIC __attribute__ ((visibility ("default")))

/* Can the driver launch kernels whose blocks wait for each other, as far as is
   known without a device?  */
static bool
may_cooperate (void)
{
  return !acr_opt_off (ACR_OPT_cooperative) && acr_driver.launch_cooperative
         && acr_driver.occupancy_blocks;
}

/* And does the current device let them run for as long as they take?  A watchdog
   ends kernels where a screen is.  */
static bool
cooperates (void)
{
  int timeout;
  return may_cooperate ()
         && acr_gpu_attribute (&timeout,
                               CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT)
         && !timeout;
}

/* Blocks of N threads of L, with SHARED bytes of dynamic shared memory, that a GPU
   of so many PROCESSORS holds; 0 where that is not known.  */
static unsigned
held (const struct acr_launch *l, unsigned n, unsigned shared, int processors)
{
  int each;
  if (!n || acr_driver.occupancy_blocks (&each, l->fn, n, shared) || each < 1)
    return 0;
  return each * processors;
}

/* The largest block with which the GPU holds more than half as many threads of L as
   with smaller ones.  */
static unsigned
best_block (const struct acr_launch *l, int processors)
{
  unsigned best = 0, most = 0;
  for (unsigned n = ACR_MAX_BLOCK; n >= ACR_WARP; n /= 2)
    if (n <= (unsigned)acr_form_of (l).max_threads)
      {
        unsigned threads = n * held (l, n, l->shared, processors);
        if (threads / 2 >= most)
          {
            best = n;
            most = threads;
          }
      }
  return best;
}

/* The threads of a block of L that W pins, as far as L's kernel may have them.  */
static unsigned
pinned_block (const struct acr_launch *l, const struct acr_word *w)
{
  unsigned most = acr_form_of (l).max_threads;
  uint64_t n = (uint64_t)acr_word_row (w) * w->rows;
  return n < most ? n : most / ACR_WARP * ACR_WARP;
}

/* The threads of a row that W pins for L's blocks of N, as X*Y; 0: none that L's kernel may
   have.  */
static unsigned
pinned_row (const struct acr_launch *l, const struct acr_word *w, unsigned n)
{
  unsigned row = acr_word_row (w);
  return w->rows > 1 && w->rows <= ACR_WIDE_ROWS && row * w->rows == n
                 && row <= (unsigned)acr_kernel_region (l->kernel)->row
             ? row
             : 0;
}

/* The threads of a block of L that executes rounds with work for N.  */
static unsigned
round_block (const struct acr_launch *l, unsigned n)
{
  unsigned most = acr_form_of (l).max_threads / ACR_WARP * ACR_WARP;
  n = (n + ACR_WARP - 1) / ACR_WARP * ACR_WARP;
  return n < most ? n : most;
}

/* Those that W pins, or those that are best where W is NULL.  */
static unsigned
block_of (const struct acr_launch *l, const struct acr_word *w, int processors)
{
  if (l->kernel->along_y || l->kernel->soft)
    return ACR_WARP;
  if (w)
    return pinned_block (l, w);
  unsigned chain = acr_kernel_region (l->kernel)->chain;
  return chain ? round_block (l, chain) : best_block (l, processors);
}

/* A kernel's grid of blocks.  */
struct grid
{
  unsigned blocks, threads;
  unsigned row; /* threads of one, where teams are rows; 0: as row_of has it */
};

/* Threads of a multiprocessor, at the least: its schedulers have a warp each.  */
enum
{
  LEAST = 4 * ACR_WARP
};

/* So many blocks of N threads of L as WANTED for each of so many PROCESSORS, but no more
   than it holds.  */
static struct grid
grid_of (const struct acr_launch *l, unsigned wanted, unsigned n, int processors)
{
  unsigned most = held (l, n, l->shared, processors);
  unsigned blocks = wanted * processors;
  return (struct grid){ .blocks = blocks < most ? blocks : most, .threads = n };
}

/* WHOLE, all of L that so many PROCESSORS hold, or less of it where its regions have WORK
   for fewer threads; 0: not known.  */
static struct grid
fitting (const struct acr_launch *l, struct grid whole, unsigned work,
         int processors)
{
  unsigned each = (work + processors - 1ull) / processors;
  unsigned n = whole.threads;
  if (!work || each >= whole.blocks / processors * n)
    return whole;
  while (n / 2 >= each && n / 2 >= LEAST)
    n /= 2;
  return grid_of (l, (each + n - 1) / n, n, processors);
}

/* Let GRID, the first one of L, be number WAY of a walk's (grid-walk.h) where WAY is one;
   false: there is none, or so many PROCESSORS do not hold it.  */
static bool
walk_to (const struct acr_launch *l, enum acr_loop_way way, int processors,
         struct grid *grid)
{
  if (way < ACR_LOOP_GRIDS)
    return true;
  unsigned n = acr_walk_threads (way - ACR_LOOP_GRIDS, grid->threads);
  unsigned blocks = acr_walk_blocks (way - ACR_LOOP_GRIDS, grid->blocks);
  unsigned row = acr_walk_row (way - ACR_LOOP_GRIDS);
  if (row > (unsigned)acr_kernel_region (l->kernel)->row || n < ACR_WARP
      || n > (unsigned)acr_form_of (l).max_threads || !blocks
      || blocks > held (l, n, l->shared, processors))
    return false;
  *grid = (struct grid){ blocks, n, row };
  return true;
}

/* The threads of a row of L's blocks of N threads.  Where a part of R's has teams, these
   are rows, and warps: a team's loop often has few iterations, and more threads than
   that would have nothing to do.  (CG of NPB, class A, whose rows have 130 elements,
   took 375 us a round with teams of 1024 threads, and 75 by a launch a region.)  */
static unsigned
row_of (const struct acr_launch *l, const struct acr_region *r, unsigned n)
{
  if (l->kernel->along_y)
    return 1;
  return r->row && n % ACR_WARP == 0 ? ACR_WARP : n;
}

unsigned
acr_resident_blocks (const struct acr_launch *l, unsigned threads,
                     unsigned shared, int processors)
{
  return cooperates () ? held (l, threads, shared, processors) : 0;
}

void
acr_resident_shape (struct acr_launch *l)
{
  int processors = l->processors, registers;
  l->stacks = l->kernel->soft;
  if (!cooperates ()
      || (!processors && !acr_gpu_current (&processors, &registers)))
    return;
  const struct acr_region *r = acr_kernel_region (l->kernel);
  if (r->chain && acr_opt_off (ACR_OPT_chain))
    return;
  struct acr_word w = { .grid = 0 };
  bool pins = acr_word_pins (acr_env.geometry, l->kernel->name, &w);
  unsigned form = acr_resident_has_many (l) ? 0 : l->kernel->began_as;
  bool there = acr_lazy_there (l->kernel, form);
  bool open = !pins && !r->chain && !l->kernel->along_y && !l->kernel->soft;
  enum acr_loop_way way
      = pins ? ACR_LOOP_KERNEL : acr_resident_picks (l, there, open && r->exact);
  if (way == ACR_LOOP_HOST)
    return;
  if (!pins && !there)
    {
      acr_resident_late (l->kernel, form);
      return;
    }
  /* Its own comes below.  */
  l->block[0] = l->block[1] = l->block[2] = 1;
  acr_form_take (l, form);
  struct grid grid = { .threads = block_of (l, pins ? &w : NULL, processors) };
  grid.blocks = held (l, grid.threads, l->shared, processors);
  if (pins)
    grid.row = pinned_row (l, &w, grid.threads);
  if (open && grid.blocks)
    {
      grid = fitting (l, grid, acr_resident_work (), processors);
      while (!walk_to (l, way, processors, &grid))
        way = acr_resident_picks_again ();
      if (way == ACR_LOOP_HOST)
        return;
    }
  if (!grid.blocks || !grid.threads)
    return;
  if (r->chain && grid.blocks > ACR_CHAIN_BLOCKS)
    grid.blocks = ACR_CHAIN_BLOCKS;
  l->grid[0] = w.grid && w.grid < grid.blocks ? w.grid : grid.blocks;
  l->grid[1] = l->grid[2] = l->block[2] = 1;
  unsigned row = grid.row ? grid.row : row_of (l, r, grid.threads);
  l->block[0] = row;
  l->block[1] = grid.threads / row;
  l->resident = true;
  acr_count (plain, 1);
}

CUresult
acr_resident_launch (const struct acr_launch *l)
{
  if (!l->resident || l->extra)
    return CUDA_SUCCESS;
  CUresult r = acr_driver.launch_cooperative (
      l->fn, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
      l->block[2], l->shared, l->stream, l->params);
  acr_debug (2, "cooperative launch of %s, %u blocks of %ux%u threads: status %d",
             l->kernel->name, l->grid[0], l->block[0], l->block[1], r);
  bool refused = r == CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE
                 || r == CUDA_ERROR_NOT_SUPPORTED;
  if (refused)
    acr_resident_is_refused ();
  return refused ? CUDA_SUCCESS : r;
}

PUBLIC void
acr_resident (unsigned long long *state)
{
  unsigned long long *done = &state[ACR_RESIDENT_DONE];
  if (*done >= ACR_RESIDENT_RAN)
    {
      bool chained = *done & ACR_RESIDENT_CHAINED;
      uint64_t regions = (*done & ~ACR_RESIDENT_CHAINED) - ACR_RESIDENT_RAN;
      uint64_t spared = regions ? regions - 1 : 0;
      if (chained)
        acr_count (chained, spared);
      else
        acr_count (resident, spared);
      acr_resident_ended (state, regions);
      acr_resident_counts (spared);
    }
  else if (*done == ACR_RESIDENT_TRY)
    *done = acr_resident_left (state) ? ACR_RESIDENT_TIMED : 0;
  else if (*done == ACR_RESIDENT_TIMED)
    acr_resident_ended (state, 0);
  else if (may_cooperate () && !acr_opt_off (ACR_OPT_geometry)
           && acr_resident_asks (state, __builtin_return_address (0)))
    *done = ACR_RESIDENT_TRY;
}
