/* Walks over grids: what is found, and what that costs.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include "launch/resident/grid-walk.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

/* What a grid takes, and whether there is one: a barrier for each block, work that
   threads share, and the rounds of those.  */
struct gpu
{
  double barrier, work, best; /* BEST: what no number of threads makes shorter */
  unsigned most_blocks, most_threads, room; /* threads, all in all */
  double noise;               /* up to this part of a time, more */
  bool fails;                 /* nothing but the first grid says what it took */
  double rows;                /* teams are rows: iterations of one; 0: none */
};

static bool
is_there (const struct gpu *g, unsigned blocks, unsigned threads)
{
  return blocks && threads >= 32 && blocks <= g->most_blocks
         && threads <= g->most_threads && blocks * threads <= g->room;
}

static double
takes (const struct gpu *g, unsigned blocks, unsigned threads)
{
  double us = g->best + g->barrier * blocks + g->work / (blocks * threads)
              + .0003 * threads;
  return us * (1 + g->noise * rand () / RAND_MAX);
}

static struct
{
  unsigned blocks, threads, row, tries, missing;
  double us, first, worst; /* worst: of all tries */
} found;

/* Walk from BLOCKS of THREADS.  */
static void
walk (const struct gpu *g, unsigned blocks, unsigned threads)
{
  struct acr_walk w = { .begun = false };
  unsigned grid;
  double first = takes (g, blocks, threads) + ceil (g->rows / 32);
  acr_walk_begin (&w, first);
  found.tries = found.missing = 0;
  found.first = found.worst = first;
  while (found.tries < 1000 && acr_walk_next (&w, &grid))
    {
      unsigned b = acr_walk_blocks (grid, blocks);
      unsigned t = acr_walk_threads (grid, threads);
      unsigned row = acr_walk_row (grid);
      if (!is_there (g, b, t) || (row && !g->rows))
        {
          acr_walk_cannot (&w, grid);
          found.missing++;
          continue;
        }
      found.tries++;
      double us = takes (g, b, t);
      if (g->rows)
        us += ceil (g->rows / (row ? row : 32));
      if (!g->fails)
        acr_walk_took (&w, grid, us);
      found.worst = us > found.worst ? us : found.worst;
    }
  found.blocks = acr_walk_blocks (w.at, blocks);
  found.threads = acr_walk_threads (w.at, threads);
  found.row = acr_walk_row (w.at);
  found.us = w.best[w.at];
}

/* The least that any grid takes that is a power of two apart from BLOCKS and THREADS.  */
static double
least (const struct gpu *g, unsigned blocks, unsigned threads)
{
  double us = INFINITY;
  for (int i = -3; i < 3; i++)
    for (int j = -4; j < 3; j++)
      {
        unsigned b = ldexp (blocks, i), t = ldexp (threads, j);
        if (is_there (g, b, t) && takes (g, b, t) < us)
          us = takes (g, b, t);
      }
  return us;
}

int
main (void)
{
  struct gpu g = { .barrier = .004, .work = 4e4, .best = 2, .most_blocks = 2112,
                   .most_threads = 1024, .room = 132 * 1536 };
  walk (&g, 132, 1024);
  ok (found.blocks == 132 && found.threads == 1024 && found.tries <= 12,
      "the first one is the best: %ux%u, %u tries", found.blocks, found.threads,
      found.tries);
  for (g.work = 1e2; g.work < 1e7; g.work *= 10)
    {
      double want = least (&g, 132, 512);
      walk (&g, 132, 512);
      ok (found.us < 1.05 * want && found.tries <= 48,
          "work of %g: %ux%u, %.2f for %.2f us at first and %.2f at best, %u tries", g.work,
          found.blocks, found.threads, found.us, found.first, want, found.tries);
      ok (found.worst < 2.5 * found.first, "and no try took longer than %.2f", found.worst);
    }
  g.work = 3e3;
  g.most_blocks = 132;
  g.most_threads = 256;
  walk (&g, 132, 256);
  ok (found.missing > 0 && is_there (&g, found.blocks, found.threads)
          && found.us < 1.05 * least (&g, 132, 256),
      "few grids are there: %ux%u, %u are not", found.blocks, found.threads,
      found.missing);
  walk (&g, 1, 32);
  ok (found.blocks > 1 && found.threads > 32, "one warp is more then: %ux%u", found.blocks,
      found.threads);
  g.rows = 41;
  g.most_threads = 1024;
  walk (&g, 132, 256);
  ok (found.row > 32 && found.us < found.first - .5, "wide rows for 41 iterations: %ux%u",
      found.blocks, found.threads);
  g.rows = 1000;
  walk (&g, 132, 256);
  ok (found.row == 256 && found.threads == 1024, "of eight for 1000: %ux%u", found.blocks,
      found.threads);
  g.rows = 20;
  walk (&g, 132, 256);
  ok (!found.row, "none wider than a warp for 20");
  g.rows = 0;
  g.noise = .1;
  unsigned bad = 0, most = 0;
  for (unsigned i = 0; i < 300; i++)
    {
      walk (&g, 132, 256);
      bad += found.us > 1.15 * found.first;
      most = found.tries > most ? found.tries : most;
    }
  ok (!bad && most <= 48, "noise makes nothing worse: %u of 300, at most %u tries", bad,
      most);
  g.fails = true;
  walk (&g, 132, 256);
  ok (found.blocks == 132 && found.threads == 256 && found.tries <= 48,
      "where no try says what it took the first one stays");
  done_testing ();
}
