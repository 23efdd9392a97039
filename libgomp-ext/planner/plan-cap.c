/* Planning under a cap on device memory, which the paper (section 7) leaves
   as future work.

   Formulation.  The bytes on the device in step s are the sizes of the
   vectors that have a copy there in s.  Operands of a device kernel have one
   during its step.  A copy begins with an upload or with the kernel that
   writes it, and may end after any use, to be uploaded again for the next
   one; a version that only the device has must be downloaded before its copy
   ends, if somebody still needs it.  Transfers at a boundary happen between
   two steps and need no memory of their own.  In no step may there be more
   than CAP bytes; among the plans that keep to that, few DMAs are wanted.
   What fragmentation costs is not modelled: a fused transfer is one piece of
   address space, its vectors leave one by one.

   Method.  (1) Copies are as short as can be, but a gap between two uses is
   bridged where memory allows; where it does not, the gap that costs most
   byte-steps for the transfers it saves is left open (for equal sizes:
   Belady's rule, furthest next use).  (2) Transfers start at the boundary
   where they hold memory shortest and move to a common boundary where memory
   allows, those first that need to move least.  Without a cap this is the
   greedy piercing of intervals, which is optimal.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "planner/plan.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void
acr_cap_extent (const struct acr_work *w, const struct acr_copy *c, int *first,
                int *last)
{
  *first = c->first;
  *last = c->last;
  if (c->up >= 0)
    *first = w->transfers[c->up].at;
  if (c->down >= 0 && (int)w->transfers[c->down].at - 1 > *last)
    *last = w->transfers[c->down].at - 1;
}

void
acr_cap_live (const struct acr_work *w, size_t *live)
{
  memset (live, 0, (w->nsteps + 1) * sizeof *live);
  for (unsigned i = 0; i < w->ncopies; i++)
    {
      int first, last;
      acr_cap_extent (w, &w->copies[i], &first, &last);
      for (int s = first; s <= last; s++)
        live[s] += w->g->vectors[w->copies[i].vector].bytes;
    }
}

static void
occupy (size_t *live, int first, int last, size_t bytes)
{
  for (int s = first; s <= last; s++)
    live[s] += bytes;
}

static bool
fits (const size_t *live, int first, int last, size_t bytes, size_t cap)
{
  for (int s = first; s <= last; s++)
    if (bytes > cap || live[s] > cap - bytes)
      return false;
  return true;
}

/* (1) Gaps.  */

/* Steps between two uses of a copy.  */
struct gap
{
  int first, last;
  size_t bytes;
  double cost; /* byte-steps for each transfer saved by holding */
  bool open;   /* not held */
};

struct gaps
{
  unsigned count;
  struct gap *gap; /* by copy, then by time */
  unsigned *of;    /* [i], [i+1]: those of copy i */
};

/* Does only the device have the value?  */
static bool
is_dirty (const struct acr_work *w, const struct acr_copy *c)
{
  return c->up < 0
         && !(c->version == 0 && (w->g->vectors[c->vector].entry & ACR_HOST));
}

static void
add_gap (struct gaps *g, int first, int last, size_t bytes, unsigned gain)
{
  if (first <= last)
    g->gap[g->count++]
        = (struct gap){ first, last, bytes,
                        (double)bytes * (last - first + 1) / gain, false };
}

/* Uses of a copy are its kernels, and the exit if it lasts until then.  */
static struct gaps
find_gaps (struct acr_work *w)
{
  struct gaps g = {
    .gap = ACR_NEW (w->arena, struct gap, w->g->nuses + w->ncopies),
    .of = ACR_NEW (w->arena, unsigned, w->ncopies + 1),
  };
  for (unsigned i = 0; i < w->ncopies; i++)
    {
      const struct acr_copy *c = &w->copies[i];
      const struct acr_use *u = w->uses + w->use_of[c->vector];
      const struct acr_use *end = w->uses + w->use_of[c->vector + 1];
      size_t bytes = w->g->vectors[c->vector].bytes;
      unsigned gain = is_dirty (w, c) && c->down < 0 ? 2 : 1;
      int step = c->first;
      g.of[i] = g.count;
      for (; u < end; u++)
        {
          int k = u->kernel;
          if (k < step || k > c->last || w->g->kernels[k] != ACR_DEVICE)
            continue;
          add_gap (&g, step, k - 1, bytes, gain);
          step = k + 1;
        }
      if (c->last == (int)w->nsteps)
        add_gap (&g, step, c->last - 1, bytes, gain);
    }
  g.of[w->ncopies] = g.count;
  return g;
}

static int
by_first (const void *a, const void *b)
{
  const struct gap *const *x = a, *const *y = b;
  if ((*x)->first != (*y)->first)
    return (*x)->first < (*y)->first ? -1 : 1;
  return *x < *y ? -1 : *x > *y;
}

static int
by_cost (const void *a, const void *b)
{
  const struct gap *const *x = a, *const *y = b;
  if ((*x)->cost != (*y)->cost)
    return (*x)->cost < (*y)->cost ? -1 : 1;
  return *x < *y ? -1 : *x > *y;
}

/* Decide which gaps stay open; LIVE is what the uses take, and grows by what
   the other gaps take.  */
static void
choose_gaps (struct acr_work *w, struct gaps *g, size_t *live, size_t cap)
{
  struct gap **sorted = ACR_NEW (w->arena, struct gap *, g->count);
  struct gap **held = ACR_NEW (w->arena, struct gap *, g->count);
  for (unsigned i = 0; i < g->count; i++)
    sorted[i] = &g->gap[i];
  qsort (sorted, g->count, sizeof *sorted, by_first);

  unsigned next = 0, nheld = 0;
  for (int s = 0; s <= (int)w->nsteps; s++)
    {
      size_t bytes = live[s];
      unsigned kept = 0;
      for (; next < g->count && sorted[next]->first == s; next++)
        held[nheld++] = sorted[next];
      for (unsigned i = 0; i < nheld; i++)
        if (held[i]->last >= s)
          held[kept++] = held[i];
      nheld = kept;
      for (unsigned i = 0; i < nheld; i++)
        bytes += held[i]->bytes;
      while (bytes > cap)
        {
          unsigned worst = 0;
          for (unsigned i = 1; i < nheld; i++)
            if (held[i]->cost > held[worst]->cost)
              worst = i;
          held[worst]->open = true;
          bytes -= held[worst]->bytes;
          held[worst] = held[--nheld];
        }
    }
  for (unsigned i = 0; i < g->count; i++)
    if (!g->gap[i].open)
      occupy (live, g->gap[i].first, g->gap[i].last, g->gap[i].bytes);

  /* A gap opened later may have made room for one opened before.  */
  qsort (sorted, g->count, sizeof *sorted, by_cost);
  for (unsigned i = 0; i < g->count; i++)
    if (sorted[i]->open
        && fits (live, sorted[i]->first, sorted[i]->last, sorted[i]->bytes,
                 cap))
      {
        sorted[i]->open = false;
        occupy (live, sorted[i]->first, sorted[i]->last, sorted[i]->bytes);
      }
}

/* Split the copies at their open gaps: the first open gap needs the value on
   the host, each is followed by an upload.  */
static void
split_copies (struct acr_work *w, const struct gaps *g)
{
  const struct acr_copy *old = w->copies;
  const struct acr_transfer *t = w->transfers;
  unsigned nold = w->ncopies, v = 0;
  w->copies = ACR_NEW (w->arena, struct acr_copy, nold + g->count);
  w->transfers
      = ACR_NEW (w->arena, struct acr_transfer, w->ntransfers + 2 * g->count);
  w->transfer_of = ACR_NEW (w->arena, unsigned, w->nvectors + 1);
  w->ncopies = w->ntransfers = 0;
  for (unsigned i = 0; i < nold; i++)
    {
      struct acr_copy c = old[i];
      bool dirty = is_dirty (w, &old[i]);
      while (v < c.vector)
        w->transfer_of[++v] = w->ntransfers;
      if (old[i].up >= 0)
        {
          c.up = w->ntransfers;
          w->transfers[w->ntransfers++] = t[old[i].up];
        }
      c.down = -1;
      for (unsigned j = g->of[i]; j < g->of[i + 1]; j++)
        {
          const struct gap *gap = &g->gap[j];
          if (!gap->open)
            continue;
          c.last = gap->first - 1;
          if (dirty)
            {
              struct acr_transfer x = { .vector = c.vector,
                                        .version = c.version,
                                        .dir = ACR_DOWN,
                                        .earliest = old[i].born,
                                        .latest = gap->first };
              if (old[i].down >= 0 && t[old[i].down].latest < x.latest)
                x.latest = t[old[i].down].latest;
              x.idle = gap->first;
              c.down = w->ntransfers;
              w->transfers[w->ntransfers++] = x;
              dirty = false;
            }
          w->copies[w->ncopies++] = c;
          c = (struct acr_copy){ .vector = c.vector,
                                 .version = c.version,
                                 .first = gap->last + 1,
                                 .born = c.born,
                                 .up = w->ntransfers,
                                 .down = -1 };
          w->transfers[w->ntransfers++]
              = (struct acr_transfer){ .vector = c.vector,
                                       .version = c.version,
                                       .dir = ACR_UP,
                                       .earliest = gap->first,
                                       .latest = c.first,
                                       .idle = c.first };
        }
      c.last = old[i].last;
      if (dirty && old[i].down >= 0)
        {
          c.down = w->ntransfers;
          w->transfers[w->ntransfers++] = t[old[i].down];
        }
      w->copies[w->ncopies++] = c;
    }
  while (v < w->nvectors)
    w->transfer_of[++v] = w->ntransfers;
}

/* (2) Times.  */

/* The steps in which transfer T holds memory for nothing else if it happens
   at boundary AT.  */
static void
idle_steps (const struct acr_transfer *t, unsigned at, int *first, int *last)
{
  *first = t->dir == ACR_UP ? at : t->idle;
  *last = (t->dir == ACR_UP ? t->idle : at) - 1;
}

static int
ups_by_latest (const void *a, const void *b)
{
  const struct acr_transfer *const *x = a, *const *y = b;
  if ((*x)->latest != (*y)->latest)
    return (*x)->latest < (*y)->latest ? -1 : 1;
  return *x < *y ? -1 : *x > *y;
}

static int
downs_by_earliest (const void *a, const void *b)
{
  const struct acr_transfer *const *x = a, *const *y = b;
  if ((*x)->earliest != (*y)->earliest)
    return (*x)->earliest > (*y)->earliest ? -1 : 1;
  return *x < *y ? -1 : *x > *y;
}

/* Move the transfers in direction DIR, which happen where they hold memory
   shortest, to common boundaries.  Returns how many are used.  */
static unsigned
fuse (struct acr_work *w, enum acr_direction dir, size_t *live, size_t cap)
{
  struct acr_transfer **t
      = ACR_NEW (w->arena, struct acr_transfer *, w->ntransfers);
  bool *fixed = ACR_NEW (w->arena, bool, w->ntransfers);
  bool *used = ACR_NEW (w->arena, bool, w->nsteps + 1);
  unsigned n = 0, count = 0;
  int first, last;
  for (unsigned i = 0; i < w->ntransfers; i++)
    if (w->transfers[i].dir == dir)
      t[n++] = &w->transfers[i];
  qsort (t, n, sizeof *t, dir == ACR_UP ? ups_by_latest : downs_by_earliest);

  for (unsigned i = 0; i < n; i++)
    {
      if (fixed[i])
        continue;
      unsigned at = t[i]->at;
      used[at] = true;
      count++;
      for (unsigned j = i + 1; j < n; j++)
        {
          size_t bytes = w->g->vectors[t[j]->vector].bytes;
          if (fixed[j] || at < t[j]->earliest || at > t[j]->latest)
            continue;
          idle_steps (t[j], at, &first, &last);
          if (!fits (live, first, last, bytes, cap))
            continue;
          occupy (live, first, last, bytes);
          t[j]->at = at;
          fixed[j] = true;
        }
    }

  /* Another boundary in use may hold memory for less.  */
  for (unsigned i = 0; i < n; i++)
    {
      size_t bytes = w->g->vectors[t[i]->vector].bytes;
      unsigned at = dir == ACR_UP ? t[i]->latest : t[i]->earliest;
      while (!used[at])
        at += dir == ACR_UP ? -1 : 1;
      idle_steps (t[i], t[i]->at, &first, &last);
      occupy (live, first, last, -bytes);
      t[i]->at = at;
      idle_steps (t[i], at, &first, &last);
      occupy (live, first, last, bytes);
    }
  return count;
}

void
acr_cap_times (struct acr_work *w, size_t cap)
{
  const struct acr_graph *g = w->g;
  size_t *live = ACR_NEW (w->arena, size_t, w->nsteps + 1);
  for (unsigned i = 0; i < g->nuses; i++)
    if (g->kernels[g->uses[i].kernel] == ACR_DEVICE)
      live[g->uses[i].kernel] += g->vectors[g->uses[i].vector].bytes;
  for (unsigned v = 0; v < w->nvectors; v++)
    if ((g->vectors[v].exit & ACR_DEVICE) && acr_graph_defined (g, v))
      live[w->nsteps] += g->vectors[v].bytes;

  struct gaps gaps = find_gaps (w);
  choose_gaps (w, &gaps, live, cap);
  split_copies (w, &gaps);

  /* Whichever direction goes first has more room.  */
  unsigned least = UINT_MAX;
  unsigned *at = ACR_NEW (w->arena, unsigned, w->ntransfers);
  for (int order = ACR_UP; order <= ACR_DOWN; order++)
    {
      for (unsigned i = 0; i < w->ntransfers; i++)
        {
          struct acr_transfer *t = &w->transfers[i];
          t->at = t->dir == ACR_UP ? t->latest : t->earliest;
        }
      acr_cap_live (w, live);
      unsigned count = fuse (w, order, live, cap);
      count += fuse (w, !order, live, cap);
      if (count < least)
        {
          least = count;
          for (unsigned i = 0; i < w->ntransfers; i++)
            at[i] = w->transfers[i].at;
        }
    }
  for (unsigned i = 0; i < w->ntransfers; i++)
    w->transfers[i].at = at[i];
}
