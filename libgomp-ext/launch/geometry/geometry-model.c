/* A model of what SPMD kernels take; see geometry-model.h.

   An SPMD kernel gives the same result for every geometry, so what the program
   leaves open is chosen here: blocks of 256 threads, and a thread for each
   iteration.  Where a thread has work of its own besides its iterations
   (dividing the number of its first into the variables of several loops,
   for example), there are as many threads as fill the GPU twice, and each
   does several iterations.

   Blocks that bring results together add to one place.  Before sm_60 there is
   no addition in double precision for that, and what stands in for it (an
   exchange, again when another one came first) lets one block through in the
   time that memory takes to answer; so there is one large block for each
   multiprocessor.  Where results are sums, and the GPU adds them, there are as
   many threads in smaller blocks, whose threads wait less for each other.

   Where there are so few iterations that such blocks would leave
   multiprocessors idle, blocks are smaller, and where so few of them fit that
   many registers would be idle.  Where even blocks of a warp would, a block is a
   few threads, or one: the others of a warp would not make it faster, and their
   accesses, often to a line of memory each, would stand in each other's way.
   (GCC's own form gives each gang one iteration, where there are so few.)

   Where a thread begins several iterations together (abi.h: coarse), and they are many,
   there are so many fewer threads, each with more loads under way.

   Where threads of a row keep sums (abi.h), a block is one row, as wide as these
   want it, and as many blocks as the GPU holds have all rows: each adds its sums to
   memory at its end.

   Where the iterations are columns, of which a row takes some at a time, a block is
   one row, as wide as lets the GPU hold all of them at once.  On an H200 sums of
   16384 columns of floats take .256 ms in rows of 512 threads, .313 in rows of 256 and
   .261 in rows of 1024 (CUDA, 32 registers); those of 8192 take 71 us in rows of 1024.
   Where registers leave fewer threads, rows take half as many: with 40 registers
   .44 ms, and .52 with all.

   Where the iterations are those of teams, a team is a row of the block's
   threads: a warp, or more when there are not enough teams to fill the GPU.  Of
   rows wider than a warp a block has few, as each needs a barrier of the
   block's.  Threads of a warp begin twice as many loads together as those of a wider
   row (abi.h: words), so half of the GPU's threads are enough: on an H200 the products
   of 8192 rows of floats with a vector take 77 us in warps and 88 in rows of 64, those
   of 4096 rows 29 and 34.

   Threads that wait for memory may miss its caches less where there are fewer of them: on an
   H200 ethash (benchmarks/pair) takes 1245 us in 2048 blocks of 256 threads, and 750 in
   264, of which the GPU holds four times as many.  No model tells which kernels these are;
   they are measured (acr_model_parts).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/geometry/geometry-model.h"

#include "abi/abi.h"
#include "ext.h"
#include "launch/form.h"
#include "launch/gpu.h"
#include "launch/kernel.h"
#include "launch/launch.h"

#include <string.h>

/* Of a multiprocessor.  Fewer, on some GPUs, leave a part of the last wave
   waiting.  */
#define MAX_THREADS 2048
/* Blocks that a multiprocessor should have before they grow.  */
#define BLOCKS_EACH 2
/* As ACR_MODEL_WAVES, of threads that begin several iterations together.  */
#define COARSE_WAVES 4
/* Blocks that bring sums together, where the GPU adds them.  */
#define ADDING_EACH (ACR_MAX_BLOCK / ACR_MODEL_BLOCK)
/* Registers of a thread that a nest's grid of few waves needs at most.  Kernels that need
   more have longer iterations: what a thread begins with is little beside them, and
   blocks that all take as long would be luck.  */
#define LIGHT 64

unsigned
acr_model_most_threads (const struct acr_launch *l)
{
  return acr_form_of (l).max_threads;
}

/* Blocks of N threads with REGS registers that the GPU holds at a time.  */
static unsigned
resident_with (const struct acr_launch *l, unsigned regs, unsigned n)
{
  unsigned most = MAX_THREADS / n;
  unsigned fit = l->registers / (regs * n);
  return (fit > most ? most : fit ? fit : 1) * l->processors;
}

unsigned
acr_model_resident (const struct acr_launch *l, unsigned n)
{
  return resident_with (l, acr_form_of (l).regs, n);
}

/* Would blocks half as large as N threads let a quarter more threads run?  */
static bool
half_holds_more (const struct acr_launch *l, unsigned n)
{
  return 2 * acr_model_resident (l, n / 2) >= 5 * acr_model_resident (l, n);
}

/* The threads of a block, less than a warp, where iterations are so few that all
   multiprocessors have work only then, else 0.  */
static unsigned
few_threads (const struct acr_launch *l, const struct acr_region *r)
{
  if (!l->trips || l->threads || r->nreds || r->row || r->launches)
    return 0;
  unsigned n = 1;
  while (n < ACR_WARP && l->teams / (int)n > BLOCKS_EACH * l->processors)
    n *= 2;
  return n < ACR_WARP ? n : 0;
}

/* Are all results of R sums, which the GPU adds to memory?  */
static bool
adds (const struct acr_region *r)
{
  bool sums = acr_gpu_adds () && !acr_opt_off (ACR_OPT_addition);
  for (unsigned i = 0; i < r->nreds; i++)
    sums &= !strcmp (r->reds[i].op, "+") || !strcmp (r->reds[i].op, "-");
  return sums;
}

/* May launches of L differ in geometry, and is there something to choose?  */
static bool
may_vary (const struct acr_launch *l, const struct acr_region *r)
{
  return r->exact && l->trips;
}

/* May blocks of L be smaller than the program says?  */
static bool
may_shrink (const struct acr_launch *l, const struct acr_region *r)
{
  return may_vary (l, r) && !r->row && !acr_model_user_says ();
}

/* The teams that L's iterations are for.  Where each takes several columns, these are
   fewer while there are no more teams than multiprocessors.  */
static unsigned
teams_of (const struct acr_launch *l, const struct acr_region *r)
{
  unsigned total = l->teams, each = ACR_COLUMNS;
  if (!r->columns || !l->trips)
    return total;
  /* Where registers leave fewer threads, more teams are better.  */
  if (l->kernel->regs * MAX_THREADS > l->registers)
    each /= 2;
  while (each > ACR_FEW_COLUMNS
         && 2 * ((total + each - 1) / each) <= (unsigned)l->processors)
    each /= 2;
  return (total + each - 1) / each;
}

/* The threads of a block of L, of R with columns: as many as let all blocks be there
   at a time.  The order of sums follows, so it is the same for all forms.  */
static unsigned
column_block (const struct acr_launch *l, const struct acr_region *r)
{
  unsigned n = ACR_MODEL_BLOCK;
  while (l->teams > 0 && 2 * n <= (unsigned)r->row
         && teams_of (l, r) <= resident_with (l, l->kernel->regs, 2 * n))
    n *= 2;
  return n;
}

unsigned
acr_model_block (const struct acr_launch *l, const struct acr_region *r)
{
  unsigned most = acr_model_most_threads (l);
  unsigned n = r->sums                            ? ACR_SUMS_ROW
               : r->columns                       ? column_block (l, r)
               : r->nreds && !r->row && !adds (r) ? ACR_MAX_BLOCK
                                                  : ACR_MODEL_BLOCK;
  /* In one with a soft stack, threads take turns.  */
  if (l->kernel->along_y || l->kernel->soft)
    return ACR_WARP;
  unsigned few = few_threads (l, r);
  if (few)
    return few;
  if (l->trips && !r->nreds && !r->row)
    while (n > ACR_WARP
           && (l->teams / (int)n < BLOCKS_EACH * l->processors
               || half_holds_more (l, n)))
      n /= 2;
  if (l->threads > 0)
    {
      n = l->threads > ACR_MAX_BLOCK ? ACR_MAX_BLOCK
                                 : (l->threads + ACR_WARP - 1) / ACR_WARP * ACR_WARP;
      /* No multiprocessor is idle.  */
      while (may_shrink (l, r) && n > ACR_WARP
             && (unsigned)l->teams <= (uint64_t)n * (l->processors - 1))
        n = n / 2 / ACR_WARP * ACR_WARP;
    }
  return n > most ? most / ACR_WARP * ACR_WARP : n;
}

/* Blocks of BLOCK threads for the iterations of L, of R: one of each thread, or as
   many as R's threads begin together, where the GPU is full of these for some time.
   Both are measured (acr_model_candidates).  */
static unsigned
flat_blocks (const struct acr_launch *l, const struct acr_region *r, unsigned block)
{
  unsigned total = (unsigned)l->teams, one_each = (total + block - 1) / block;
  if (!r->coarse || block != ACR_COARSE_BLOCK || !may_vary (l, r))
    return one_each;
  unsigned several = (one_each + (unsigned)r->coarse - 1) / (unsigned)r->coarse;
  return several >= COARSE_WAVES * acr_model_resident (l, block) ? several : one_each;
}

static unsigned
grid_of (const struct acr_launch *l, const struct acr_region *r, unsigned block)
{
  unsigned full = acr_model_resident (l, block);
  if (!l->trips && l->teams > 0)
    return l->teams;
  bool light = acr_form_of (l).regs <= LIGHT;
  unsigned waves = l->trips && r->nest && light ? ACR_MODEL_NEST_WAVES : ACR_MODEL_WAVES;
  unsigned few = !r->nreds ? full * waves
                 : adds (r) ? ADDING_EACH * (unsigned)l->processors
                            : (unsigned)l->processors;
  if (r->nreds && few > full)
    few = full;
  if (!l->trips)
    return few;
  unsigned one_each = flat_blocks (l, r, block);
  return (r->nreds || r->nest) && one_each > few ? few : one_each;
}

/* Threads of a row, for a block of N at most.  */
static unsigned
row_of (const struct acr_launch *l, const struct acr_region *r, unsigned n)
{
  unsigned row = ACR_WARP, full = acr_model_resident (l, n) * n;
  bool widest = r->sums || r->columns;
  if (l->teams <= 0 && !widest)
    return row;
  /* Half as many threads load as much.  */
  if (r->words && (unsigned)l->teams >= full / (2 * row))
    return row;
  while (2 * row <= (unsigned)r->row && 2 * row <= n
         && (widest || (unsigned)l->teams < full / row))
    row *= 2;
  return row;
}

/* For a kernel with teams that are rows, of ROW threads.  */
static struct acr_shape
shape_rows (const struct acr_launch *l, const struct acr_region *r,
            unsigned block, unsigned row)
{
  unsigned rows = block / row;
  if (row > ACR_WARP && rows > ACR_WIDE_ROWS)
    rows = ACR_WIDE_ROWS;
  unsigned few = acr_model_resident (l, block) * (r->sums ? 1 : ACR_MODEL_WAVES);
  unsigned all = l->teams > 0 ? (teams_of (l, r) + rows - 1) / rows : few;
  /* A team that has nothing to do should not cost a block's start.  */
  return (struct acr_shape){ all < few ? all : few, row, rows };
}

static struct acr_shape
shape_flat (const struct acr_launch *l, unsigned block, unsigned grid)
{
  return l->kernel->along_y ? (struct acr_shape){ grid, 1, block }
                            : (struct acr_shape){ grid, block, 1 };
}

bool
acr_model_has_rows (const struct acr_launch *l, const struct acr_region *r)
{
  return r->row && !l->kernel->along_y;
}

bool
acr_model_has_tiles (const struct acr_launch *l, const struct acr_region *r)
{
  return r->tiles && !l->kernel->along_y;
}

/* For a kernel whose blocks are teams.  The program says how many threads a team has
   and knows them by their numbers, so there are no more, and no fewer if they
   fit.  */
static struct acr_shape
shape_teams (const struct acr_launch *l)
{
  unsigned most = l->kernel->along_y ? ACR_WARP : acr_model_most_threads (l);
  unsigned n = l->threads > 0 ? (unsigned)l->threads : ACR_MODEL_BLOCK;
  n = n > most ? most : n;
  return shape_flat (l, n, l->teams > 0 ? (unsigned)l->teams : acr_model_resident (l, n));
}

struct acr_shape
acr_model_shape (const struct acr_launch *l, const struct acr_region *r,
          unsigned block)
{
  if (r->spmd == ACR_SPMD_TEAM)
    return shape_teams (l);
  return acr_model_has_rows (l, r) ? shape_rows (l, r, block, row_of (l, r, block))
                         : shape_flat (l, block, grid_of (l, r, block));
}

/* ---- Candidates -------------------------------------------------------- */

/* Put tiles of other shapes behind the N candidates in TO, whose first has blocks
   of BLOCK threads; how many there are then.  */
static unsigned
add_tiles (unsigned block, struct acr_shape to[ACR_TUNE_MOST], unsigned n)
{
  static const unsigned widths[] = { ACR_TILE / 2, 2 * ACR_TILE };
  for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++)
    if (block % widths[i] == 0 && block > widths[i])
      to[n++] = (struct acr_shape){ to[0].grid, widths[i], block / widths[i] };
  return n;
}

unsigned
acr_model_candidates (const struct acr_launch *l, const struct acr_region *r,
                      unsigned block, struct acr_shape to[ACR_TUNE_MOST])
{
  unsigned n = 1;
  if (!may_vary (l, r))
    return n;
  if (acr_model_has_rows (l, r))
    {
      unsigned row = to[0].x;
      if (2 * row <= (unsigned)r->row && 2 * row <= block)
        to[n++] = shape_rows (l, r, block, 2 * row);
      if (row / 2 >= ACR_WARP)
        to[n++] = shape_rows (l, r, block, row / 2);
      return n;
    }
  if (block < ACR_WARP)
    to[n++] = acr_model_shape (l, r, ACR_WARP);
  else if (!l->kernel->along_y && !l->kernel->soft
           && (!l->threads || may_shrink (l, r)))
    {
      if (block > ACR_WARP)
        to[n++] = acr_model_shape (l, r, block / 2 / ACR_WARP * ACR_WARP);
      if (!l->threads && 2 * block <= acr_model_most_threads (l))
        to[n++] = acr_model_shape (l, r, 2 * block);
    }
  bool tiles = acr_model_has_tiles (l, r);
  if (tiles && !l->threads)
    n = add_tiles (block, to, n);
  /* Grids that fill the GPU some times, or once, from the beginning to the end; and a
     thread for each iteration, but not in tiles, whose threads may have several
     rows.  */
  static const unsigned waves[] = { 1, ACR_MODEL_NEST_WAVES, ACR_MODEL_WAVES };
  unsigned one_each = ((unsigned)l->teams + block - 1) / block;
  for (unsigned i = 0; i < sizeof waves / sizeof *waves; i++)
    {
      unsigned grid = waves[i] * acr_model_resident (l, block);
      if (one_each > grid && to[0].grid != grid)
        to[n++] = shape_flat (l, block, grid);
    }
  if (to[0].grid != one_each && !tiles)
    to[n++] = shape_flat (l, block, one_each);
  return n;
}

unsigned
acr_model_parts (const struct acr_launch *l, const struct acr_region *r, unsigned n,
                 struct acr_shape to[ACR_TUNE_MOST])
{
  static const unsigned parts[] = { 2, 4 };
  if (!may_vary (l, r) || r->launches || l->kernel->soft)
    return n;
  unsigned each = acr_model_resident (l, to[0].x * to[0].y) / l->processors;
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    {
      unsigned grid = each / parts[i] * l->processors;
      if (grid && to[0].grid >= 2 * grid)
        to[n++] = (struct acr_shape){ grid, to[0].x, to[0].y };
    }
  return n;
}
