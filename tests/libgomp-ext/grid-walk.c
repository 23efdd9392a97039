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
  unsigned grids, wrong;   /* different ones; steps that are against the rules */
  double us, first, worst; /* worst: of all tries */
} found;

static bool
twice_p (unsigned a, unsigned b)
{
  return a == b || a == 2 * b || 2 * a == b;
}

/* Is GRID beside FROM?  Many blocks and threads, so that none is less than one.  */
static bool
beside_p (unsigned grid, unsigned from)
{
  unsigned blocks = acr_walk_blocks (grid, 1024), row = acr_walk_row (grid);
  unsigned from_row = acr_walk_row (from);
  if (!twice_p (blocks, acr_walk_blocks (from, 1024)))
    return false;
  if (row && !from_row)
    return row == 128 && blocks == acr_walk_blocks (from, 1024);
  return !from_row == !row
         && twice_p (acr_walk_threads (grid, 1024), acr_walk_threads (from, 1024));
}

/* Is it right that W tries GRID next, where it was at BEFORE, and has tried each grid so
   often as TRIES say?  */
static bool
right_p (const struct acr_walk *w, unsigned grid, unsigned before, const unsigned *tries)
{
  return grid < ACR_WALK_GRIDS && beside_p (grid, w->at)
         && (w->at == before || tries[w->at] == 3)
         && (!tries[grid] || w->best[grid] <= 1.2 * w->best[w->at]);
}

/* Of all walks.  */
static unsigned wrong, most_grids;

/* Walk from BLOCKS of THREADS.  */
static void
walk (const struct gpu *g, unsigned blocks, unsigned threads)
{
  struct acr_walk w = { .begun = false };
  unsigned grid, at, tries[ACR_WALK_GRIDS] = { 0 };
  double first = takes (g, blocks, threads) + ceil (g->rows / 32);
  acr_walk_begin (&w, first);
  found.tries = found.missing = found.grids = found.wrong = 0;
  found.first = found.worst = first;
  while (at = w.at, found.tries < 1000 && acr_walk_next (&w, &grid))
    {
      found.wrong += !right_p (&w, grid, at, tries);
      if (grid >= ACR_WALK_GRIDS)
        return;
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
      found.grids += !tries[grid]++;
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
  wrong += found.wrong;
  most_grids = found.grids > most_grids ? found.grids : most_grids;
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

/* What numbers of grids mean, and times.  */
static void
numbers (void)
{
  struct acr_walk w;
  unsigned widths[3] = { 0 }, none = 0;
  for (unsigned g = 0; g < ACR_WALK_GRIDS; g++)
    {
      unsigned row = acr_walk_row (g);
      for (unsigned i = 0; i < 3; i++)
        widths[i] += row == 64u << i && acr_walk_threads (g, 7) == 4 * row;
      none += !row;
    }
  ok (widths[0] == ACR_WALK_BLOCKS && widths[1] == widths[0] && widths[2] == widths[0]
          && none == ACR_WALK_BLOCKS * ACR_WALK_THREADS,
      "rows of each width at all numbers of blocks");
  acr_walk_begin (&w, 9);
  acr_walk_took (&w, 3, 5);
  acr_walk_took (&w, 3, 4);
  acr_walk_took (&w, 3, 6);
  ok (w.best[3] == 4, "the least of times counts");
}

/* How many grids a walk tries where none says anything of another.  */
static unsigned
grids_by_chance (void)
{
  struct acr_walk w;
  unsigned tries[ACR_WALK_GRIDS] = { 0 }, grid, n = 0;
  double takes[ACR_WALK_GRIDS], us = 100;
  acr_walk_begin (&w, us);
  while (n < 100 && acr_walk_next (&w, &grid))
    {
      if (!tries[grid]++)
        {
          takes[grid] = us *= .8 + .3 * rand () / RAND_MAX;
          n++;
        }
      acr_walk_took (&w, grid, takes[grid]);
    }
  return n;
}

int
main (void)
{
  numbers ();
  unsigned longest = 0;
  for (unsigned i = 0; i < 300; i++)
    {
      unsigned n = grids_by_chance ();
      longest = n > longest ? n : longest;
    }
  ok (longest == 16, "a walk ends after 16 grids at the latest: %u", longest);
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
  struct gpu flat = g;
  flat.work = flat.barrier = 0;
  flat.best = 100;
  walk (&flat, 132, 1024);
  ok (found.blocks == 132 && found.threads == 1024, "what is hardly faster is not taken");
  struct gpu small = g;
  small.work = small.best = 0;
  small.barrier = .01;
  walk (&small, 64, 1024);
  ok (found.us < found.first / 3, "a long way: %ux%u, %u grids", found.blocks,
      found.threads, found.grids);
  small.rows = 1e5;
  walk (&small, 64, 512);
  ok (found.row == 256, "to the widest rows: %ux%u, %u grids", found.blocks,
      found.threads, found.grids);
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
  struct gpu narrow = g;
  narrow.rows = 64;
  narrow.best = .1;
  narrow.barrier = 0;
  narrow.work = 0;
  walk (&narrow, 132, 256);
  ok (found.row == 64, "of two for 64: %ux%u", found.blocks, found.threads);
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
  ok (!wrong, "each step leads beside, from what has been tried, to where there is hope: %u do not",
      wrong);
  ok (most_grids <= 16, "no walk tries more than 16 grids: %u", most_grids);
  return done_testing ();
}
