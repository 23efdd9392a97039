/* The grid and block of SPMD kernels; see geometry.h.

   An SPMD kernel gives the same result for every geometry, so what the program
   leaves open is chosen here: blocks of BLOCK threads, and a thread for each
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

   OpenACC's launches come with as many gangs as the iterations need, and are
   changed as far as the program, or libgomp's GOMP_OPENACC_DIM, leaves them
   open.  Where the program says how many gangs there are for rows that a warp
   computes, as many warps do, not a block of several each.

   What clauses say of threads was meant for some GPU.  Where no result shows it but
   the order of a sum, blocks of the program's are divided while multiprocessors
   would be idle: the threads, and their iterations, are the same.

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

   This is a model.  Where results are the same to the last bit at every
   geometry and the number of iterations is known, or the program says what the
   geometry is, a few others are measured against it (tune.h).  In nests these
   are also the shapes of the tiles that blocks go through (abi.h).  A model is
   for a form of the kernel, whose registers it goes by; so the form is measured
   first, with what the model says of each, then the geometry of the best.  What
   came of it stays with the kernel (known.h), so that launches need not ask again.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/geometry.h"
#include "launch/geometry-word.h"

#include "abi/abi.h"
#include "base/hash.h"
#include "ext.h"
#include "launch/form.h"
#include "launch/gpu.h"
#include "launch/kernel.h"
#include "launch/known.h"
#include "launch/launch.h"
#include "launch/resident/resident.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>

#define WARP ACR_WARP
#define BLOCK 256
#define MAX_BLOCK ACR_MAX_BLOCK
/* Of a multiprocessor.  Fewer, on some GPUs, leave a part of the last wave
   waiting.  */
#define MAX_THREADS 2048
/* Blocks that a multiprocessor should have before they grow.  */
#define BLOCKS_EACH 2
/* The same, of those that have queues in shared memory.  */
#define SHARING_EACH 16
/* Blocks that bring sums together, where the GPU adds them.  */
#define ADDING_EACH (MAX_BLOCK / BLOCK)
/* Times that a grid of threads with several iterations fills the GPU; and one of a
   nest's that needs so many registers at most.  Those that need more have longer
   iterations: what a thread begins with is little beside them, and blocks that all
   take as long would be luck.  */
#define WAVES 8
#define NEST_WAVES 2
#define LIGHT 64

/* Threads that a block of L may have at the most.  */
static unsigned
most_threads (const struct acr_launch *l)
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

static unsigned
resident (const struct acr_launch *l, unsigned n)
{
  return resident_with (l, acr_form_of (l).regs, n);
}

/* Would blocks half as large as N threads let a quarter more threads run?  */
static bool
half_holds_more (const struct acr_launch *l, unsigned n)
{
  return 2 * resident (l, n / 2) >= 5 * resident (l, n);
}

/* The threads of a block, less than a warp, where iterations are so few that all
   multiprocessors have work only then, else 0.  */
static unsigned
few_threads (const struct acr_launch *l, const struct acr_region *r)
{
  if (!l->trips || l->threads || r->nreds || r->row || r->launches)
    return 0;
  unsigned n = 1;
  while (n < WARP && l->teams / (int)n > BLOCKS_EACH * l->processors)
    n *= 2;
  return n < WARP ? n : 0;
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

/* Has the user said what gangs are like?  */
static bool
user_says (void)
{
  const unsigned *dims = acr_env.acc_dims;
  return dims[0] || dims[1] || dims[2];
}

/* May blocks of L be smaller than the program says?  */
static bool
may_shrink (const struct acr_launch *l, const struct acr_region *r)
{
  return may_vary (l, r) && !r->row && !user_says ();
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
  unsigned n = BLOCK;
  while (l->teams > 0 && 2 * n <= (unsigned)r->row
         && teams_of (l, r) <= resident_with (l, l->kernel->regs, 2 * n))
    n *= 2;
  return n;
}

/* The threads of a block: a multiple of a warp, or few.  */
static unsigned
block_of (const struct acr_launch *l, const struct acr_region *r)
{
  unsigned most = most_threads (l);
  unsigned n = r->sums                            ? ACR_SUMS_ROW
               : r->columns                       ? column_block (l, r)
               : r->nreds && !r->row && !adds (r) ? MAX_BLOCK
                                                  : BLOCK;
  /* In one with a soft stack, threads take turns.  */
  if (l->kernel->along_y || l->kernel->soft)
    return WARP;
  unsigned few = few_threads (l, r);
  if (few)
    return few;
  if (l->trips && !r->nreds && !r->row)
    while (n > WARP
           && (l->teams / (int)n < BLOCKS_EACH * l->processors
               || half_holds_more (l, n)))
      n /= 2;
  if (l->threads > 0)
    {
      n = l->threads > MAX_BLOCK ? MAX_BLOCK
                                 : (l->threads + WARP - 1) / WARP * WARP;
      /* No multiprocessor is idle.  */
      while (may_shrink (l, r) && n > WARP
             && (unsigned)l->teams <= (uint64_t)n * (l->processors - 1))
        n = n / 2 / WARP * WARP;
    }
  return n > most ? most / WARP * WARP : n;
}

static unsigned
grid_of (const struct acr_launch *l, const struct acr_region *r, unsigned block)
{
  unsigned full = resident (l, block);
  if (!l->trips && l->teams > 0)
    return l->teams;
  bool light = acr_form_of (l).regs <= LIGHT;
  unsigned waves = l->trips && r->nest && light ? NEST_WAVES : WAVES;
  unsigned few = !r->nreds ? full * waves
                 : adds (r) ? ADDING_EACH * (unsigned)l->processors
                            : (unsigned)l->processors;
  if (r->nreds && few > full)
    few = full;
  if (!l->trips)
    return few;
  unsigned one_each = ((unsigned)l->teams + block - 1) / block;
  return (r->nreds || r->nest) && one_each > few ? few : one_each;
}

/* Threads of a row, for a block of N at most.  */
static unsigned
row_of (const struct acr_launch *l, const struct acr_region *r, unsigned n)
{
  unsigned row = WARP, full = resident (l, n) * n;
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

struct shape
{
  unsigned grid, x, y;
};

/* For a kernel with teams that are rows, of ROW threads.  */
static struct shape
shape_rows (const struct acr_launch *l, const struct acr_region *r,
            unsigned block, unsigned row)
{
  unsigned rows = block / row;
  if (row > WARP && rows > ACR_WIDE_ROWS)
    rows = ACR_WIDE_ROWS;
  unsigned few = resident (l, block) * (r->sums ? 1 : WAVES);
  unsigned all = l->teams > 0 ? (teams_of (l, r) + rows - 1) / rows : few;
  /* A team that has nothing to do should not cost a block's start.  */
  return (struct shape){ all < few ? all : few, row, rows };
}

static struct shape
shape_flat (const struct acr_launch *l, unsigned block, unsigned grid)
{
  return l->kernel->along_y ? (struct shape){ grid, 1, block }
                            : (struct shape){ grid, block, 1 };
}

static bool
has_rows (const struct acr_launch *l, const struct acr_region *r)
{
  return r->row && !l->kernel->along_y;
}

/* Does the shape of the kernel's tiles follow the block's?  */
static bool
has_tiles (const struct acr_launch *l, const struct acr_region *r)
{
  return r->tiles && !l->kernel->along_y;
}

/* For a kernel whose blocks are teams.  The program says how many threads a team has
   and knows them by their numbers, so there are no more, and no fewer if they
   fit.  */
static struct shape
shape_teams (const struct acr_launch *l)
{
  unsigned most = l->kernel->along_y ? WARP : most_threads (l);
  unsigned n = l->threads > 0 ? (unsigned)l->threads : BLOCK;
  n = n > most ? most : n;
  return shape_flat (l, n, l->teams > 0 ? (unsigned)l->teams : resident (l, n));
}

/* What the model takes for blocks of so many threads.  */
static struct shape
shape_of (const struct acr_launch *l, const struct acr_region *r,
          unsigned block)
{
  if (r->spmd == ACR_SPMD_TEAM)
    return shape_teams (l);
  return has_rows (l, r) ? shape_rows (l, r, block, row_of (l, r, block))
                         : shape_flat (l, block, grid_of (l, r, block));
}

/* ---- Candidates -------------------------------------------------------- */

/* Put tiles of other shapes behind the N candidates in TO, whose first has blocks
   of BLOCK threads; how many there are then.  */
static unsigned
add_tiles (unsigned block, struct shape to[ACR_TUNE_MOST], unsigned n)
{
  static const unsigned widths[] = { ACR_TILE / 2, 2 * ACR_TILE };
  for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++)
    if (block % widths[i] == 0 && block > widths[i])
      to[n++] = (struct shape){ to[0].grid, widths[i], block / widths[i] };
  return n;
}

/* Put what may be faster than TO[0], which the model takes, behind it; how many
   there are then.  */
static unsigned
add_candidates (const struct acr_launch *l, const struct acr_region *r,
                unsigned block, struct shape to[ACR_TUNE_MOST])
{
  unsigned n = 1;
  if (has_rows (l, r))
    {
      unsigned row = to[0].x;
      if (2 * row <= (unsigned)r->row && 2 * row <= block)
        to[n++] = shape_rows (l, r, block, 2 * row);
      if (row / 2 >= WARP)
        to[n++] = shape_rows (l, r, block, row / 2);
      return n;
    }
  if (block < WARP)
    to[n++] = shape_of (l, r, WARP);
  else if (!l->kernel->along_y && !l->kernel->soft
           && (!l->threads || may_shrink (l, r)))
    {
      if (block > WARP)
        to[n++] = shape_of (l, r, block / 2 / WARP * WARP);
      if (!l->threads && 2 * block <= most_threads (l))
        to[n++] = shape_of (l, r, 2 * block);
    }
  bool tiles = has_tiles (l, r);
  if (tiles && !l->threads)
    n = add_tiles (block, to, n);
  /* Grids that fill the GPU some times, or once, from the beginning to the end; and a
     thread for each iteration, but not in tiles, whose threads may have several
     rows.  */
  static const unsigned waves[] = { 1, NEST_WAVES, WAVES };
  unsigned one_each = ((unsigned)l->teams + block - 1) / block;
  for (unsigned i = 0; i < sizeof waves / sizeof *waves; i++)
    {
      unsigned grid = waves[i] * resident (l, block);
      if (one_each > grid && to[0].grid != grid)
        to[n++] = shape_flat (l, block, grid);
    }
  if (to[0].grid != one_each && !tiles)
    to[n++] = shape_flat (l, block, one_each);
  return n;
}

/* ---- The user's word --------------------------------------------------- */

/* Say that L's kernel is launched with S, where the user asks for that and it
   is news, and for how many iterations where the program leaves the geometry
   open and they are known.  */
static void
print (const struct acr_launch *l, struct shape s)
{
  if (!acr_word_has (acr_env.geometry, ACR_WORD_PRINT))
    return;
  static _Atomic uint64_t said[64];
  uint64_t kernel = acr_hash (0, l->kernel->name, strlen (l->kernel->name));
  uint64_t now = acr_hash (kernel + l->form, &s, sizeof s);
  if (atomic_exchange (&said[kernel % 64], now) != now)
    acr_warn (l->trips ? "geometry: %s: %u blocks of %ux%u threads, %d iterations"
                       : "geometry: %s: %u blocks of %ux%u threads",
              l->kernel->name, s.grid, s.x, s.y, l->teams);
}

/* What L gets for the word W, the rest as the model says.  */
static struct shape
pinned (const struct acr_launch *l, const struct acr_region *r,
        const struct acr_word *w)
{
  unsigned most = l->kernel->along_y ? WARP : most_threads (l);
  unsigned x = acr_word_row (w);
  uint64_t n = (uint64_t)x * w->rows;
  struct shape s = shape_of (l, r, n > most ? most : n);
  if (w->rows > 1 && n <= most && has_tiles (l, r))
    s = (struct shape){ s.grid, x, w->rows };
  if (w->grid)
    s.grid = w->grid;
  return s;
}

/* ---- The choice -------------------------------------------------------- */

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

/* The form and the geometry of L whose turn it is among all that L may have.  */
static struct shape
choose_in_turn (struct acr_launch *l, const struct acr_region *r)
{
  static _Atomic unsigned launches;
  unsigned turn = atomic_fetch_add (&launches, 1);
  unsigned forms = l->kernel->nforms + 1;
  struct shape s[ACR_TUNE_MOST];
  acr_form_take (l, turn % forms);
  unsigned block = block_of (l, r);
  s[0] = shape_of (l, r, block);
  unsigned n = may_vary (l, r) ? add_candidates (l, r, block, s) : 1;
  l->apart = true;
  return s[turn / forms % n];
}

/* The form and the geometry of L, a launch of the SPMD kernel of R, as far as
   words leave them open by the model and by measurement.  SETTLED: launches that ask
   the same will take no other.  */
static struct shape
choose_best (struct acr_launch *l, const struct acr_region *r, bool *settled)
{
  *settled = acr_form_pick (l) && !acr_env.geometry;
  unsigned block = block_of (l, r);
  struct shape s[ACR_TUNE_MOST] = { shape_of (l, r, block) };
  struct acr_word w;
  if (acr_word_pins (acr_env.geometry, l->kernel->name, &w))
    {
      l->open = false;
      s[0] = pinned (l, r, &w);
    }
  unsigned taken = 0;
  if (!acr_word_has (acr_env.geometry, ACR_WORD_MODEL)
      && !acr_word_has (acr_env.geometry, ACR_WORD_PIN))
    {
      unsigned n = may_vary (l, r) ? add_candidates (l, r, block, s) : 1;
      taken = acr_form_pick_geometry (l, n);
      *settled &= n == 1 || l->trial.settled;
    }
  return s[taken];
}

static struct shape
choose (struct acr_launch *l, const struct acr_region *r, bool *settled)
{
  *settled = false;
  bool all = acr_word_has (acr_env.geometry, ACR_WORD_ALL);
  struct shape s = all ? choose_in_turn (l, r) : choose_best (l, r, settled);
  print (l, s);
  return s;
}

/* Give L, an OpenACC launch with the gangs that the program says, the workers
   that GOMP_OPENACC_DIM does where the program does not, and no more threads
   than fit.  */
static void
set_block (struct acr_launch *l, const struct acr_region *r)
{
  unsigned most = l->kernel->max_threads;
  if (r->stock[1] == 0 && acr_env.acc_dims[1])
    l->block[1] = acr_env.acc_dims[1];
  if (l->block[0] > most)
    l->block[0] = most / WARP * WARP;
  if (l->block[0] * l->block[1] > most)
    l->block[1] = most / l->block[0];
}

/* L has as many gangs as the program says, each of several teams, of which the
   program's gangs are one each: let there be no more blocks than these teams
   need, or than fill the GPU a few times, where teams have several rows.  */
static void
gather_teams (struct acr_launch *l)
{
  unsigned rows = l->block[1], n = rows * l->block[0];
  if (rows < 2 || !acr_gpu_current (&l->processors, &l->registers))
    return;
  unsigned need = (l->grid[0] + rows - 1) / rows, few = resident (l, n) * WAVES;
  if (need < few)
    need = few;
  if (need < l->grid[0])
    l->grid[0] = need;
  l->processors = 0;
}

/* L is OpenACC's: say for it what an OpenMP launch would.  False when nothing of
   it is open.  */
static bool
read_gangs (struct acr_launch *l, const struct acr_region *r)
{
  const unsigned *dims = acr_env.acc_dims;
  if ((r->spmd != ACR_SPMD_BLOCKS && r->spmd != ACR_SPMD_OPEN)
      || !acr_gpu_current (&l->processors, &l->registers))
    return false;
  uint64_t block = (uint64_t)l->block[0] * l->block[1];
  uint64_t n = dims[0] ? dims[0] : l->grid[0] * block;
  l->teams = n > INT_MAX ? INT_MAX : n;
  l->trips = !dims[0];
  if (r->spmd == ACR_SPMD_BLOCKS)
    l->threads = block;
  else if (dims[1] || dims[2])
    l->threads = (dims[1] ? dims[1] : 1) * (dims[2] ? dims[2] : WARP);
  return true;
}

/* Let L, which leaves multiprocessors idle, have more gangs of fewer threads each:
   as many threads as before, with the same iterations.  */
static void
spread_gangs (struct acr_launch *l)
{
  while (l->grid[0] < (unsigned)l->processors
         && (l->block[1] > 1 || l->block[0] > WARP))
    {
      unsigned *side = &l->block[l->block[1] > 1];
      if (*side % 2)
        break;
      *side /= 2;
      l->grid[0] *= 2;
    }
}

/* Put behind S[0], what the program says of L, the same threads in blocks of another
   size, and grids that fill the GPU with no more threads; how many there are then.  */
static unsigned
add_given (const struct acr_launch *l, struct shape s[ACR_TUNE_MOST])
{
  static const unsigned waves[] = { 1, NEST_WAVES, WAVES };
  static const unsigned widths[] = { WARP, ACR_TILE, 2 * ACR_TILE };
  struct shape given = s[0];
  uint64_t most = (uint64_t)given.grid * given.x * given.y;
  unsigned n = 1;
  if (given.y % 2 == 0)
    s[n++] = (struct shape){ 2 * given.grid, given.x, given.y / 2 };
  for (unsigned i = 0; i < sizeof widths / sizeof *widths; i++)
    for (unsigned j = 0; j < sizeof waves / sizeof *waves; j++)
      {
        unsigned grid = waves[j] * resident (l, BLOCK);
        if ((uint64_t)grid * BLOCK <= most
            && (grid != given.grid || widths[i] != given.x))
          s[n++] = (struct shape){ grid, widths[i], BLOCK / widths[i] };
      }
  return n;
}

/* L, an OpenACC launch with the gangs that the program says, of a size that it says
   or not.  Where no result of R shows how many threads there are, that is where the
   search begins.  */
static bool
choose_given (struct acr_launch *l, const struct acr_region *r)
{
  set_block (l, r);
  bool rows = has_rows (l, r);
  if (rows && !acr_env.acc_dims[0])
    gather_teams (l);
  bool fixed = rows || user_says () || r->spmd != ACR_SPMD_GANGS
               || l->kernel->along_y || (!r->exact && !r->nreds) || r->launches
               || !acr_gpu_current (&l->processors, &l->registers);
  if (!fixed)
    spread_gangs (l);
  acr_form_pick (l);
  struct shape s[ACR_TUNE_MOST]
    = { { l->grid[0], l->block[0], l->block[1] } };
  unsigned taken = 0;
  if (!fixed && r->exact && most_threads (l) >= BLOCK
      && !acr_word_has (acr_env.geometry, ACR_WORD_MODEL)
      && !acr_word_has (acr_env.geometry, ACR_WORD_PIN))
    taken = acr_form_pick_geometry (l, add_given (l, s));
  l->processors = 0;
  l->grid[0] = s[taken].grid;
  l->block[0] = s[taken].x;
  l->block[1] = s[taken].y;
  print (l, s[taken]);
  return true;
}

static struct acr_question
question_of (const struct acr_launch *l)
{
  return (struct acr_question){
    { l->grid[0], l->grid[1], l->grid[2] },
    { l->block[0], l->block[1], l->block[2] },
    l->teams, l->threads, l->processors
  };
}

/* The answer to Q that KNOWN has, or NULL.  */
static const struct acr_answer *
answer_to (const struct acr_known *known, const struct acr_question *q)
{
  unsigned n = atomic_load_explicit (&known->n, memory_order_acquire);
  for (unsigned i = 0; i < n; i++)
    if (!memcmp (&known->answer[i].question, q, sizeof *q))
      return &known->answer[i];
  return NULL;
}

/* Let L take A.  */
static void
take (struct acr_launch *l, const struct acr_answer *a)
{
  l->fn = a->fn;
  l->form = a->form;
  l->grid[0] = a->grid;
  l->block[0] = a->block[0];
  l->block[1] = a->block[1];
  l->stacks = a->stacks;
  l->trips = a->trips;
  l->open = a->open;
  l->teams = a->teams;
  l->threads = a->threads;
  l->processors = a->processors;
  l->registers = a->registers;
}

/* What L takes is the answer to Q, now and later.  */
static void
keep (const struct acr_launch *l, const struct acr_question *q)
{
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  struct acr_known *known = l->kernel->known;
  pthread_mutex_lock (&lock);
  unsigned n = known->n;
  if (n < ACR_ANSWERS && !answer_to (known, q))
    {
      known->answer[n] = (struct acr_answer){
        *q,         l->fn,    l->form, l->grid[0], { l->block[0], l->block[1] },
        l->stacks,  l->trips, l->open, l->teams,   l->threads,
        l->processors, l->registers
      };
      atomic_store_explicit (&known->n, n + 1, memory_order_release);
    }
  pthread_mutex_unlock (&lock);
}

/* As acr_geometry_choose, for an SPMD kernel of R that is no resident one.  */
static bool
choose_for (struct acr_launch *l, const struct acr_region *r)
{
  struct acr_question q = question_of (l);
  const struct acr_answer *known = answer_to (l->kernel->known, &q);
  if (known)
    {
      take (l, known);
      acr_count (plain, 1);
      return true;
    }
  if (l->processors)
    l->trips = r->spmd == ACR_SPMD_TRIPS && l->teams > 0;
  else if (!read_gangs (l, r))
    return choose_given (l, r);
  l->open = l->trips && !l->threads && !r->nreds && !l->kernel->along_y;
  bool settled;
  struct shape s = choose (l, r, &settled);
  l->grid[0] = s.grid;
  l->block[0] = s.x;
  l->block[1] = s.y;
  l->stacks = l->kernel->soft;
  if (settled)
    keep (l, &q);
  acr_count (plain, 1);
  return true;
}

bool
acr_geometry_choose (struct acr_launch *l)
{
  if (!l->kernel || acr_opt_off (ACR_OPT_geometry))
    return false;
  const struct acr_region *r = acr_kernel_region (l->kernel);
  if (r && r->share && l->processors && l->teams > 0)
    limit_teams (l, r);
  if (!r || r->spmd == ACR_SPMD_NO)
    return false;
  if (r->resident)
    {
      acr_resident_shape (l);
      if (l->resident)
        print (l, (struct shape){ l->grid[0], l->block[0], l->block[1] });
      return true;
    }
  return choose_for (l, r);
}

void
acr_geometry_limit_gangs (struct acr_launch *l)
{
  bool other = l->kernel && l->fn != l->kernel->fn;
  const struct acr_region *r = other ? acr_kernel_region (l->kernel) : NULL;
  if (!r || r->kind == ACR_KIND_OMP_TARGET || r->dims[0] != ACR_DIM_OPEN
      || user_says () || acr_opt_off (ACR_OPT_geometry))
    return;
  unsigned gangs = acr_kernel_gangs (l->kernel, l->form, l->grid[0]);
  if (gangs < l->grid[0])
    l->grid[0] = gangs;
}

unsigned
acr_geometry_part (const struct acr_launch *l, unsigned quarters)
{
  unsigned n = l->block[0] * l->block[1];
  unsigned each = resident (l, n) / l->processors * quarters / 4;
  return (each ? each : 1) * l->processors;
}

bool
acr_geometry_fits (const struct acr_launch *l, unsigned quarters)
{
  return !quarters || l->grid[0] <= acr_geometry_part (l, quarters);
}

void
acr_geometry_spread (struct acr_launch *l, bool whole)
{
  if (!l->open)
    return;
  unsigned n = l->block[0], parents = l->teams;
  unsigned most = most_threads (l);
  if (most > ACR_QUEUEING)
    most = ACR_QUEUEING;
  /* Blocks of one warp with a queue would not fill a multiprocessor; but a block
     of its own has more threads for a parent.  */
  while (2 * n <= most
         && (parents / (n / WARP) > SHARING_EACH * (unsigned)l->processors
             || (whole && parents <= resident (l, 2 * n))))
    n *= 2;
  unsigned each = whole ? n : WARP, full = resident (l, n) * (n / each);
  unsigned grid = ((parents < full ? parents : full) * each + n - 1) / n;
  if (grid * n <= l->grid[0] * l->block[0])
    return;
  l->grid[0] = grid;
  l->block[0] = n;
}
