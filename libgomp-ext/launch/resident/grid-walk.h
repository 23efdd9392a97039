/* Which grid of a resident loop's kernel is the fastest one, found by steps from the one
   that is taken before anything is known.

   Grids are numbers: the first one's blocks times a power of two, of as many threads as
   the first one's times another; or, where teams are rows, of ACR_WIDE_ROWS rows of
   several warps.  Only grids beside the fastest one so far are tried,
   each a few times, and one that takes much longer a single time: so a walk costs
   little, whether it finds something or not.

   The caller has a lock.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_GRID_WALK_H
#define ACCRETE_GRID_WALK_H

#include <stdbool.h>

enum
{
  /* Powers of two, of blocks and of a block's threads; 1 is among them.  */
  ACR_WALK_BLOCKS = 6,
  ACR_WALK_THREADS = 7,
  ACR_WALK_ROWS = 3, /* widths */
  ACR_WALK_GRIDS = ACR_WALK_BLOCKS * (ACR_WALK_THREADS + ACR_WALK_ROWS)
};

/* All 0: has not begun.  */
struct acr_walk
{
  float best[ACR_WALK_GRIDS];          /* microseconds; 0: not known */
  unsigned char tries[ACR_WALK_GRIDS]; /* that were begun */
  unsigned at;                         /* the fastest one, by what is known */
  unsigned step;                       /* that led there */
  unsigned grids;                      /* that were tried */
  bool begun;
};

/* The first grid has taken US at the least.  */
void acr_walk_begin (struct acr_walk *w, double us);

/* The grid to try, to *GRID; false: the walk is at its end.  */
bool acr_walk_next (struct acr_walk *w, unsigned *grid);

/* There is no such GRID.  */
void acr_walk_cannot (struct acr_walk *w, unsigned grid);

/* GRID has taken US.  */
void acr_walk_took (struct acr_walk *w, unsigned grid, double us);

/* GRID's blocks, or a block's threads, where the first one's are N; 0: less than one
   is not a number of them.  */
unsigned acr_walk_blocks (unsigned grid, unsigned n);
unsigned acr_walk_threads (unsigned grid, unsigned n);

/* The threads of a wide row of GRID; 0: it has none.  */
unsigned acr_walk_row (unsigned grid);

#endif /* ACCRETE_GRID_WALK_H */
