/* Grids of a resident loop's kernel by steps; see grid-walk.h.

   What a grid takes is about convex along each of the ways to go: a barrier takes
   longer with more blocks, a round's loads with fewer threads.  A few local optima are
   there where a multiprocessor has room for one block more, or not.  So steps also lead
   along two ways at a time, to as many threads in other blocks.

   Wide rows gain where few teams have anything to do: as many threads get through one
   team's loop sooner.  (On an H200 a search over a graph of 1000 edges a vertex took 167
   us with rows of four warps, and 434 at least with warps.)  From any grid without such
   rows a step leads to one of rows of the middle width.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/resident/grid-walk.h"

#include "abi/abi.h"
#include "launch/geometry/geometry-word.h"

enum
{
  FIRST_BLOCKS = 3, /* powers of two below 1 */
  FIRST_THREADS = 4,
  COLUMNS = ACR_WALK_THREADS + ACR_WALK_ROWS, /* of threads, and of rows */
  NARROWEST = 2 * ACR_WARP,                   /* row */
  TRIES = 3,
  MOST = 16 /* grids */
};

/* A grid is faster when it takes less than this part of the time.  */
#define MARGIN 0.98

/* One that takes as many times as long is not tried again.  */
#define HOPELESS 1.2

/* Powers of two: blocks, and threads or widths; or to rows.  Fewer threads come first.  */
static const struct step
{
  int blocks, threads;
  bool to_rows;
} steps[] = { { 0, 0, true },   { 0, -1, false }, { -1, 0, false }, { 1, -1, false },
              { 0, 1, false }, { 1, 0, false },  { -1, 1, false } };

enum
{
  STEPS = sizeof steps / sizeof *steps
};

static unsigned
grid_at (int blocks, int column)
{
  return blocks * COLUMNS + column;
}

/* The grid one step S from GRID, to *NEXT; false: it has no number.  */
static bool
go (unsigned grid, const struct step *s, unsigned *next)
{
  int blocks = (int)(grid / COLUMNS) + s->blocks, old = grid % COLUMNS;
  bool rows = old >= ACR_WALK_THREADS;
  int column = s->to_rows ? ACR_WALK_THREADS + ACR_WALK_ROWS / 2 : old + s->threads;
  if (blocks < 0 || blocks >= ACR_WALK_BLOCKS || column < 0 || column >= COLUMNS
      || (rows ? s->to_rows || column < ACR_WALK_THREADS
               : !s->to_rows && column >= ACR_WALK_THREADS))
    return false;
  *next = grid_at (blocks, column);
  return true;
}

void
acr_walk_begin (struct acr_walk *w, double us)
{
  unsigned first = grid_at (FIRST_BLOCKS, FIRST_THREADS);
  *w = (struct acr_walk){ .at = first, .begun = true };
  w->best[first] = us;
  w->tries[first] = TRIES;
}

/* Is there anything to learn of GRID?  */
static bool
is_open (const struct acr_walk *w, unsigned grid)
{
  if (!w->tries[grid])
    return w->grids < MOST;
  return w->tries[grid] < TRIES && w->best[grid] <= HOPELESS * w->best[w->at];
}

/* The first grid beside W's that is open, to *GRID.  The step that led there comes
   first.  */
static bool
find_open (struct acr_walk *w, unsigned *grid)
{
  for (unsigned i = 0; i < STEPS; i++)
    if (go (w->at, &steps[(w->step + i) % STEPS], grid) && is_open (w, *grid))
      return true;
  return false;
}

/* Let W be at the fastest of the grids beside, if that is faster and has been tried as
   often as any.  */
static bool
move (struct acr_walk *w)
{
  unsigned grid;
  for (unsigned i = 0; i < STEPS; i++)
    if (go (w->at, &steps[i], &grid) && w->tries[grid] >= TRIES
        && w->best[grid] > 0 && w->best[grid] < MARGIN * w->best[w->at])
      {
        w->at = grid;
        w->step = i;
        return true;
      }
  return false;
}

bool
acr_walk_next (struct acr_walk *w, unsigned *grid)
{
  while (move (w))
    ;
  if (!find_open (w, grid))
    return false;
  w->grids += !w->tries[*grid];
  w->tries[*grid]++;
  return true;
}

void
acr_walk_cannot (struct acr_walk *w, unsigned grid)
{
  w->grids -= w->tries[grid] == 1;
  w->tries[grid] = TRIES;
}

void
acr_walk_took (struct acr_walk *w, unsigned grid, double us)
{
  if (!w->best[grid] || us < w->best[grid])
    w->best[grid] = us;
}

/* N times two to the power of BY.  */
static unsigned
times_two (unsigned n, int by)
{
  return by < 0 ? n >> -by : n << by;
}

unsigned
acr_walk_blocks (unsigned grid, unsigned n)
{
  return times_two (n, (int)(grid / COLUMNS) - FIRST_BLOCKS);
}

unsigned
acr_walk_row (unsigned grid)
{
  int width = (int)(grid % COLUMNS) - ACR_WALK_THREADS;
  return width < 0 ? 0 : times_two (NARROWEST, width);
}

unsigned
acr_walk_threads (unsigned grid, unsigned n)
{
  unsigned row = acr_walk_row (grid);
  return row ? ACR_WIDE_ROWS * row
             : times_two (n, (int)(grid % COLUMNS) - FIRST_THREADS);
}
