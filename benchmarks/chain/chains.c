/* KLAP's benchmarks of promotion as directive programs: a region or more for each
   tile, which goes on where the tile before has stopped.
   usage: chains [-f] [-n REPEATS] [-w WARM] [NAME [SIZE]]
   -f  all tiles at once, as one would write it for a GPU: the flat form
   los  line of sight		SIZE points (6399, 49407), tiles of 256
   pd   padding, in place	SIZE x SIZE elements (450, 4600), tiles of 8192
   upd  unpadding, in place	the same
   pt   partition		SIZE elements (204800, 25174016), tiles of 8192
   sc   stream compaction	the same
   unq  unique			the same
   Prints the name, the median and least time of a call in microseconds, and a
   hash of its results; results that differ from the host's give status 1.

   Source: I. El Hajj and others, "KLAP", MICRO 2016, Table I; J. Gomez-Luna and
   others, "In-Place Data Sliding Algorithms for Many-Core Architectures", ICPP
   2015.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stopwatch.h"

/* Each program carries the directives of both models.  */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum
{
  TILE = 8192,
  EACH = 16, /* elements of a chunk, and chunks of a group */
  CHUNKS = TILE / EACH,
  GROUPS = CHUNKS / EACH,
  SIGHT = 256, /* a tile of line of sight */
  PAD = 1
};

static int n, tiles; /* elements, and tiles of them */

/* What all of them work on.  */
#define ARRAYS                                                                \
  const int *restrict in, int *restrict out, int *restrict others,            \
    int *restrict counts, int *restrict groups, int *restrict totals,         \
    int *restrict starts, float *restrict height, float *restrict angle,      \
    float *restrict peaks
#define ALL in, out, others, counts, groups, totals, starts, height, angle, peaks

static void *
array (size_t elements, size_t size)
{
  void *p = calloc (elements + 1, size);
  if (!p)
    exit (2);
  return p;
}

static int
noise (unsigned i)
{
  uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  return (int)(z >> 40);
}

/* ---- Elements that are kept: sc, pt, unq -------------------------------- */

/* Is the element number I kept?  */
#define SC(i) (in[i] % 3 != 0)
#define UNQ(i) ((i) == 0 || in[i] != in[(i) - 1])

/* A chunk's number of such elements, those of a group's chunks, and how many are in
   front of chunk C of the tile whose chunks begin at FIRST.  */
#define COUNT(keep)                                                           \
  int many = 0;                                                               \
  for (int k = 0; k < EACH; k++)                                              \
    many += keep (base + c * EACH + k);                                       \
  counts[first + c] = many;

#define GROUP                                                                 \
  int many = 0;                                                               \
  for (int k = 0; k < EACH; k++)                                              \
    many += counts[first + g * EACH + k];                                     \
  groups[group + g] = many;

#define BEFORE                                                                \
  for (int k = 0; k < GROUPS; k++)                                            \
    at += k < g ? groups[group + k] : 0;                                      \
  for (int k = 0; k < EACH; k++)                                              \
    at += k < e ? counts[first + g * EACH + k] : 0;

#define KEEP(keep)                                                            \
  for (int k = 0; k < EACH; k++)                                              \
    {                                                                         \
      int i = base + c * EACH + k;                                            \
      if (keep (i))                                                           \
        out[at++] = in[i];                                                    \
    }

/* And what is not kept goes to OTHERS.  */
#define PART(keep)                                                            \
  int other = base + c * EACH - at;                                           \
  for (int k = 0; k < EACH; k++)                                              \
    {                                                                         \
      int i = base + c * EACH + k;                                            \
      if (keep (i))                                                           \
        out[at++] = in[i];                                                    \
      else                                                                    \
        others[other++] = in[i];                                              \
    }

/* Tile by tile: how many elements were kept.  */
#define TILES(name, keep, store)                                              \
  static int name (ARRAYS)                                                    \
  {                                                                           \
    int kept = 0;                                                             \
    for (int t = 0; t < tiles; t++)                                           \
      {                                                                       \
        int base = t * TILE, first = t * CHUNKS, group = t * GROUPS;          \
        int found = 0;                                                        \
        _Pragma ("acc parallel loop default (present)")                       \
        _Pragma ("omp target teams distribute parallel for")                  \
        for (int c = 0; c < CHUNKS; c++)                                      \
          {                                                                   \
            COUNT (keep)                                                      \
          }                                                                   \
        _Pragma ("acc parallel loop default (present) reduction (+: found)")  \
        _Pragma ("omp target teams distribute parallel for reduction (+: found) map (tofrom: found)") \
        for (int g = 0; g < GROUPS; g++)                                      \
          {                                                                   \
            GROUP                                                             \
            found += many;                                                    \
          }                                                                   \
        _Pragma ("acc parallel loop collapse (2) default (present)")          \
        _Pragma ("omp target teams distribute parallel for collapse (2)")     \
        for (int g = 0; g < GROUPS; g++)                                      \
          for (int e = 0; e < EACH; e++)                                      \
            {                                                                 \
              int at = 0;                                                     \
              BEFORE                                                          \
              starts[first + g * EACH + e] = at;                              \
            }                                                                 \
        int from = kept;                                                      \
        kept += found;                                                        \
        _Pragma ("acc parallel loop default (present)")                       \
        _Pragma ("omp target teams distribute parallel for")                  \
        for (int c = 0; c < CHUNKS; c++)                                      \
          {                                                                   \
            int at = from + starts[first + c];                                \
            store (keep)                                                      \
          }                                                                   \
      }                                                                       \
    return kept;                                                              \
  }

/* All tiles at once: count, add up tile by tile, store.  */
#define FLAT(name, keep, store)                                               \
  static int name (ARRAYS)                                                    \
  {                                                                           \
    int kept = 0;                                                             \
    _Pragma ("acc parallel loop collapse (2) default (present)")              \
    _Pragma ("omp target teams distribute parallel for collapse (2)")         \
    for (int t = 0; t < tiles; t++)                                           \
      for (int c = 0; c < CHUNKS; c++)                                        \
        {                                                                     \
          int base = t * TILE, first = t * CHUNKS;                            \
          COUNT (keep)                                                        \
        }                                                                     \
    _Pragma ("acc parallel loop collapse (2) default (present)")              \
    _Pragma ("omp target teams distribute parallel for collapse (2)")         \
    for (int t = 0; t < tiles; t++)                                           \
      for (int g = 0; g < GROUPS; g++)                                        \
        {                                                                     \
          int first = t * CHUNKS, group = t * GROUPS;                         \
          GROUP                                                               \
        }                                                                     \
    _Pragma ("acc parallel loop default (present) reduction (+: kept)")       \
    _Pragma ("omp target teams distribute parallel for reduction (+: kept) map (tofrom: kept)") \
    for (int t = 0; t < tiles; t++)                                           \
      {                                                                       \
        int sum = 0;                                                          \
        for (int g = 0; g < GROUPS; g++)                                      \
          sum += groups[t * GROUPS + g];                                      \
        totals[t] = sum;                                                      \
        kept += sum;                                                          \
      }                                                                       \
    /* Blocks of tiles, each of which adds up those before it.  */            \
    _Pragma ("acc parallel loop default (present)")                           \
    _Pragma ("omp target teams distribute parallel for")                      \
    for (int b = 0; b < (tiles + 63) / 64; b++)                               \
      {                                                                       \
        int sum = 0;                                                          \
        for (int t = 0; t < 64; t++)                                          \
          sum += b * 64 + t < tiles ? totals[b * 64 + t] : 0;                 \
        totals[tiles + b] = sum;                                              \
      }                                                                       \
    _Pragma ("acc parallel loop default (present)")                           \
    _Pragma ("omp target teams distribute parallel for")                      \
    for (int t = 0; t < tiles; t++)                                           \
      {                                                                       \
        int sum = 0;                                                          \
        for (int b = 0; b < t / 64; b++)                                      \
          sum += totals[tiles + b];                                           \
        for (int s = t / 64 * 64; s < t; s++)                                 \
          sum += totals[s];                                                   \
        starts[t] = sum;                                                      \
      }                                                                       \
    _Pragma ("acc parallel loop collapse (3) default (present)")              \
    _Pragma ("omp target teams distribute parallel for collapse (3)")         \
    for (int t = 0; t < tiles; t++)                                           \
      for (int g = 0; g < GROUPS; g++)                                        \
        for (int e = 0; e < EACH; e++)                                        \
          {                                                                   \
            int base = t * TILE, first = t * CHUNKS, group = t * GROUPS;      \
            int c = g * EACH + e, at = starts[t];                             \
            BEFORE                                                            \
            store (keep)                                                      \
          }                                                                   \
    return kept;                                                              \
  }

TILES (sc_tiles, SC, KEEP)
TILES (pt_tiles, SC, PART)
TILES (unq_tiles, UNQ, KEEP)
FLAT (sc_flat, SC, KEEP)
FLAT (pt_flat, SC, PART)
FLAT (unq_flat, UNQ, KEEP)

/* What they are to give: kept elements, and others behind them.  */
static int
keep_on_host (const int *in, int *want, bool unique, bool parts)
{
  int at = 0, other = 0;
  for (int i = 0; i < n; i++)
    if (unique ? UNQ (i) : SC (i))
      want[at++] = in[i];
    else if (parts)
      want[n + other++] = in[i];
  return at;
}

static int sc_host (const int *in, const float *height, int *want)
{
  return keep_on_host (in, want, false, false);
}

static int pt_host (const int *in, const float *height, int *want)
{
  return keep_on_host (in, want, false, true);
}

static int unq_host (const int *in, const float *height, int *want)
{
  return keep_on_host (in, want, true, false);
}


/* ---- Line of sight ------------------------------------------------------ */

/* The steepest of a group of points, and of what is in front of point E of group G of
   the tile from BASE on, whose groups begin at FIRST.  */
#define PEAK                                                                  \
  float most = -1e30f;                                                        \
  for (int k = 0; k < EACH; k++)                                              \
    most = angle[base + g * EACH + k] > most ? angle[base + g * EACH + k]     \
                                             : most;                          \
  peaks[first + g] = most;

#define SEEN                                                                  \
  for (int k = 0; k < SIGHT / EACH; k++)                                      \
    most = k < g && peaks[first + k] > most ? peaks[first + k]    \
                                                  : most;                     \
  for (int k = 0; k < EACH; k++)                                              \
    most = k < e && angle[base + g * EACH + k] > most                         \
             ? angle[base + g * EACH + k]                                     \
             : most;                                                          \
  out[base + g * EACH + e] = angle[base + g * EACH + e] > most;

static int
los_tiles (ARRAYS)
{
  float steepest = -1e30f;
  for (int t = 0; t < tiles; t++)
    {
      int base = t * SIGHT, first = t * (SIGHT / EACH);
#pragma acc parallel loop default (present)
#pragma omp target teams distribute parallel for
      for (int i = 0; i < SIGHT; i++)
        angle[base + i] = (height[base + i] - height[0]) / (base + i + 1);
#pragma acc parallel loop default (present)
#pragma omp target teams distribute parallel for
      for (int g = 0; g < SIGHT / EACH; g++)
        {
          PEAK
        }
      float before = steepest;
#pragma acc parallel loop default (present) reduction (max: steepest)
#pragma omp target teams distribute parallel for reduction (max: steepest)    \
  map (tofrom: steepest)
      for (int i = 0; i < SIGHT; i++)
        steepest = angle[base + i] > steepest ? angle[base + i] : steepest;
#pragma acc parallel loop collapse (2) default (present)
#pragma omp target teams distribute parallel for collapse (2)
      for (int g = 0; g < SIGHT / EACH; g++)
        for (int e = 0; e < EACH; e++)
          {
            float most = before;
            SEEN
          }
    }
  return tiles;
}

static int
los_flat (ARRAYS)
{
#pragma acc parallel loop default (present)
#pragma omp target teams distribute parallel for
  for (int i = 0; i < tiles * SIGHT; i++)
    angle[i] = (height[i] - height[0]) / (i + 1);
#pragma acc parallel loop collapse (2) default (present)
#pragma omp target teams distribute parallel for collapse (2)
  for (int t = 0; t < tiles; t++)
    for (int g = 0; g < SIGHT / EACH; g++)
      {
        int base = t * SIGHT, first = t * (SIGHT / EACH);
        PEAK
      }
#pragma acc parallel loop default (present)
#pragma omp target teams distribute parallel for
  for (int t = 0; t < tiles; t++)
    {
      float most = -1e30f;
      for (int g = 0; g < SIGHT / EACH; g++)
        most = peaks[t * (SIGHT / EACH) + g] > most
                 ? peaks[t * (SIGHT / EACH) + g]
                 : most;
      height[n + 1 + t] = most;
    }
#pragma acc parallel loop default (present)
#pragma omp target teams distribute parallel for
  for (int t = 0; t < tiles; t++)
    {
      float most = -1e30f;
      for (int s = 0; s < t; s++)
        most = height[n + 1 + s] > most ? height[n + 1 + s] : most;
      height[n + 1 + tiles + t] = most;
    }
#pragma acc parallel loop collapse (3) default (present)
#pragma omp target teams distribute parallel for collapse (3)
  for (int t = 0; t < tiles; t++)
    for (int g = 0; g < SIGHT / EACH; g++)
      for (int e = 0; e < EACH; e++)
        {
          int base = t * SIGHT, first = t * (SIGHT / EACH);
          float most = height[n + 1 + tiles + t];
          SEEN
        }
  return tiles;
}

static int
los_host (const int *in, const float *height, int *want)
{
  float most = -1e30f;
  for (int i = 0; i < n; i++)
    {
      float a = (height[i] - height[0]) / (i + 1);
      want[i] = a > most;
      most = a > most ? a : most;
    }
  return tiles;
}

/* ---- Rows that move: pd, upd -------------------------------------------- */

static int side;

/* Elements go from OLD of them a row to NEW.  The last tile is the first one to
   move, or the last one, so that none is overwritten before it has moved.  */
#define MOVE(name, order, old, new)                                           \
  static int name (ARRAYS)                                                    \
  {                                                                           \
    for (int s = 0; s < tiles; s++)                                           \
      {                                                                       \
        int t = order, base = t * TILE;                                       \
        _Pragma ("acc parallel loop default (present)")                       \
        _Pragma ("omp target teams distribute parallel for")                  \
        for (int i = 0; i < TILE; i++)                                        \
          if (base + i < n)                                                   \
            others[base + i] = out[(base + i) / side * (old)                  \
                                   + (base + i) % side];                      \
        _Pragma ("acc parallel loop default (present)")                       \
        _Pragma ("omp target teams distribute parallel for")                  \
        for (int i = 0; i < TILE; i++)                                        \
          if (base + i < n)                                                   \
            out[(base + i) / side * (new) + (base + i) % side]                \
                = others[base + i];                                           \
      }                                                                       \
    return tiles;                                                             \
  }

#define MOVE_FLAT(name, old, new)                                             \
  static int name (ARRAYS)                                                    \
  {                                                                           \
    _Pragma ("acc parallel loop default (present)")                           \
    _Pragma ("omp target teams distribute parallel for")                      \
    for (int i = 0; i < n; i++)                                               \
      others[i] = out[i / side * (old) + i % side];                           \
    _Pragma ("acc parallel loop default (present)")                           \
    _Pragma ("omp target teams distribute parallel for")                      \
    for (int i = 0; i < n; i++)                                               \
      out[i / side * (new) + i % side] = others[i];                           \
    return tiles;                                                             \
  }

MOVE (pd_tiles, tiles - 1 - s, side, side + PAD)
MOVE (upd_tiles, s, side + PAD, side)
MOVE_FLAT (pd_flat, side, side + PAD)
MOVE_FLAT (upd_flat, side + PAD, side)

static int
move_on_host (const int *in, int *want, int from, int to)
{
  for (int i = 0; i < side * (side + PAD); i++)
    want[i] = in[i];
  for (int i = 0; i < n; i++)
    want[i / side * to + i % side] = in[i / side * from + i % side];
  return tiles;
}

static int pd_host (const int *in, const float *height, int *want)
{
  return move_on_host (in, want, side, side + PAD);
}

static int upd_host (const int *in, const float *height, int *want)
{
  return move_on_host (in, want, side + PAD, side);
}


/* ---- All ---------------------------------------------------------------- */

static const struct program
{
  const char *name;
  int size, tile;
  bool moves;
  int (*tile_by_tile) (ARRAYS), (*flat) (ARRAYS);
  int (*host) (const int *in, const float *height, int *want);
} programs[] = {
  { "los", 6399, SIGHT, false, los_tiles, los_flat, los_host },
  { "pd", 450, TILE, true, pd_tiles, pd_flat, pd_host },
  { "pt", 204800, TILE, false, pt_tiles, pt_flat, pt_host },
  { "sc", 204800, TILE, false, sc_tiles, sc_flat, sc_host },
  { "unq", 204800, TILE, false, unq_tiles, unq_flat, unq_host },
  { "upd", 450, TILE, true, upd_tiles, upd_flat, upd_host },
};

/* Wrong elements of WANT, of which there are so MANY.  */
static int
wrong (const struct program *p, const int *out, const int *others,
       const int *want, int kept, int many)
{
  int bad = kept != many;
  int size = p->moves ? side * (side + PAD) : p->tile == SIGHT ? n : many;
  for (int i = 0; i < size; i++)
    bad += out[i] != want[i];
  for (int i = 0; p->host == pt_host && i < n - many; i++)
    bad += others[i] != want[n + i];
  return bad;
}

static void
run (const struct program *p, int size, bool flat, int repeats, int warm)
{
  side = p->moves ? size : 1;
  n = p->moves ? size * size : size;
  tiles = (n + p->tile - 1) / p->tile;
  int all = tiles * p->tile + side + 2 * tiles + 1, chunks = tiles * CHUNKS;
  int kept = 0;
  double *us = array (repeats, sizeof *us);
  int *in = array (all, sizeof *in);
  int *out = array (all, sizeof *out);
  int *want = array (2 * (size_t)all, sizeof *want);
  int *others = array (all, sizeof *others);
  int *counts = array (chunks, sizeof *counts);
  int *groups = array (chunks / EACH, sizeof *groups);
  int *totals = array (2 * tiles, sizeof *totals);
  int *starts = array (chunks, sizeof *starts);
  float *height = array (all, sizeof *height);
  float *angle = array (all, sizeof *angle);
  float *peaks = array (all / EACH, sizeof *peaks);
  for (int i = 0; i < all; i++)
    {
      in[i] = noise (p->host == unq_host ? i / 3 : i) % 1000;
      /* Nothing behind the last one is kept, nor seen.  */
      if (i >= n && !p->moves)
        in[i] = p->host == unq_host ? in[n - 1] : 0;
      height[i] = i < n ? in[i] + i * .25f : -1e30f;
      out[i] = in[i];
    }
#pragma acc data copyin (in[0:all], counts[0:chunks], groups[0:chunks / EACH],  \
                         totals[0:2 * tiles], starts[0:chunks],               \
                         height[0:all], angle[0:all], peaks[0:all / EACH])    \
  copy (out[0:all], others[0:all])
#pragma omp target data map (to: in[0:all], counts[0:chunks],                 \
                               groups[0:chunks / EACH], totals[0:2 * tiles],  \
                               starts[0:chunks], height[0:all],               \
                               angle[0:all], peaks[0:all / EACH])             \
  map (tofrom: out[0:all], others[0:all])
  for (int r = -warm; r < repeats; r++)
    {
      if (p->moves)
        {
#pragma acc update device (out[0:all])
#pragma omp target update to (out[0:all])
        }
      double begin = 1e6 * stopwatch_seconds ();
      kept = flat ? p->flat (ALL) : p->tile_by_tile (ALL);
#pragma acc wait
      if (r >= 0)
        us[r] = 1e6 * stopwatch_seconds () - begin;
    }
  int many = p->host (in, height, want), bad = wrong (p, out, others, want, kept, many);
  uint64_t hash = kept;
  for (int i = 0; i < n; i++)
    hash = hash * 31 + out[i] + 7 * others[i];
  double median = stopwatch_median (us, repeats);
  printf ("%-4s %-5s %9d %5d tiles %12.1f %12.1f us  %016llx\n", p->name,
          flat ? "flat" : "tiles", size, tiles, median, us[0],
          (unsigned long long)hash);
  if (bad)
    {
      printf ("%s: %d elements differ from the host's\n", p->name, bad);
      exit (1);
    }
}

int
main (int argc, char **argv)
{
  bool flat = false;
  int repeats = 5, warm = 1;
  for (int o; (o = getopt (argc, argv, "fn:w:")) != -1;)
    if (o == 'f')
      flat = true;
    else if (o == 'n')
      repeats = atoi (optarg);
    else if (o == 'w')
      warm = atoi (optarg);
    else
      return 2;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    if (optind == argc || !strcmp (programs[i].name, argv[optind]))
      run (&programs[i],
           optind + 1 < argc ? atoi (argv[optind + 1]) : programs[i].size,
           flat, repeats, warm);
}
