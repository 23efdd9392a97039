/* The affinity graph (paper, section 4): an edge between two vectors for
   each pair of their transfers, in the same direction, whose windows meet.

   The paper's vectors have one window in each direction.  Ours may have
   several, disjoint ones, so an edge weighs what adjacency can save: the
   largest matching of the windows that meet.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "planner/plan.h"

#include <stdlib.h>
#include <string.h>

/* Connected components.  */

static unsigned
find_root (unsigned *parent, unsigned v)
{
  while (parent[v] != v)
    v = parent[v] = parent[parent[v]];
  return v;
}

static int
by_earliest (const void *a, const void *b)
{
  const struct acr_transfer *const *x = a, *const *y = b;
  if ((*x)->earliest != (*y)->earliest)
    return (*x)->earliest < (*y)->earliest ? -1 : 1;
  return *x < *y ? -1 : *x > *y;
}

/* Join the vectors whose windows in direction DIR meet.  Sorted by their
   begin, a window meets an earlier one iff it meets the one that ends last,
   so the edges need not be looked at one by one.  */
static void
join_windows (struct acr_work *w, enum acr_direction dir,
              const struct acr_transfer **sorted, unsigned *parent)
{
  unsigned n = 0;
  for (unsigned i = 0; i < w->ntransfers; i++)
    if (w->transfers[i].dir == dir)
      sorted[n++] = &w->transfers[i];
  qsort (sorted, n, sizeof *sorted, by_earliest);
  for (unsigned i = 1, last = 0; i < n; i++)
    {
      if (acr_windows_meet (sorted[last], sorted[i]))
        {
          unsigned a = find_root (parent, sorted[last]->vector);
          unsigned b = find_root (parent, sorted[i]->vector);
          /* The lower index stays root.  */
          parent[a > b ? a : b] = a > b ? b : a;
        }
      if (sorted[i]->latest > sorted[last]->latest)
        last = i;
    }
}

void
acr_affinity_components (struct acr_work *w)
{
  unsigned n = w->nvectors;
  unsigned *parent = ACR_NEW (w->arena, unsigned, n);
  unsigned *start = ACR_NEW (w->arena, unsigned, n + 1);
  const struct acr_transfer **sorted
      = ACR_NEW (w->arena, const struct acr_transfer *, w->ntransfers);
  for (unsigned v = 0; v < n; v++)
    parent[v] = v;
  join_windows (w, ACR_UP, sorted, parent);
  join_windows (w, ACR_DOWN, sorted, parent);

  /* Counting sort by root; roots are the lowest vectors of theirs.  */
  w->ncomponents = 0;
  w->component = ACR_NEW (w->arena, unsigned, n + 1);
  w->order = ACR_NEW (w->arena, unsigned, n);
  for (unsigned v = 0; v < n; v++)
    start[find_root (parent, v) + 1]++;
  for (unsigned v = 0; v < n; v++)
    {
      if (start[v + 1])
        w->component[w->ncomponents++] = start[v];
      start[v + 1] += start[v];
    }
  w->component[w->ncomponents] = n;
  for (unsigned v = 0; v < n; v++)
    w->order[start[find_root (parent, v)]++] = v;
}

/* Weights.  */

typedef bool pair_test (const struct acr_transfer *,
                        const struct acr_transfer *);

static bool
same_time (const struct acr_transfer *a, const struct acr_transfer *b)
{
  return a->at == b->at;
}

/* The largest matching between the transfers of X and Y in direction DIR
   that pass TEST.  Their windows are in the order of time and disjoint, so
   the first that pass may be matched, and otherwise the one that ends first
   has no partner left.  */
static unsigned
match (const struct acr_work *w, unsigned x, unsigned y,
       enum acr_direction dir, pair_test *test)
{
  const struct acr_transfer *a = w->transfers + w->transfer_of[x];
  const struct acr_transfer *a_end = w->transfers + w->transfer_of[x + 1];
  const struct acr_transfer *b = w->transfers + w->transfer_of[y];
  const struct acr_transfer *b_end = w->transfers + w->transfer_of[y + 1];
  unsigned count = 0;
  while (a < a_end && b < b_end)
    if (a->dir != dir)
      a++;
    else if (b->dir != dir)
      b++;
    else if (test (a, b))
      count++, a++, b++;
    else if (a->latest < b->latest)
      a++;
    else
      b++;
  return count;
}

unsigned
acr_shared_times (const struct acr_work *w, unsigned x, unsigned y)
{
  return match (w, x, y, ACR_UP, same_time)
         + match (w, x, y, ACR_DOWN, same_time);
}

unsigned
acr_affinity (const struct acr_work *w, unsigned x, unsigned y)
{
  return ACR_AFFINITY_UNIT
         * (match (w, x, y, ACR_UP, acr_windows_meet)
            + match (w, x, y, ACR_DOWN, acr_windows_meet));
}

static struct acr_weights
weigh (struct acr_work *w, const unsigned *v, unsigned n,
       unsigned weight (const struct acr_work *, unsigned, unsigned))
{
  unsigned *copy = ACR_NEW (w->arena, unsigned, n);
  memcpy (copy, v, n * sizeof *v);
  struct acr_weights r = { n, copy, ACR_NEW (w->arena, unsigned, n *n) };
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < i; j++)
      r.a[i * n + j] = r.a[j * n + i] = weight (w, v[i], v[j]);
  return r;
}

struct acr_weights
acr_affinity_weights (struct acr_work *w, const unsigned *v, unsigned n)
{
  struct acr_weights r = weigh (w, v, n, acr_affinity);

  unsigned *index = ACR_NEW (w->arena, unsigned, w->nvectors);
  for (unsigned i = 0; i < n; i++)
    index[v[i]] = i + 1;
  const struct acr_use *u = w->g->uses, *end = u + w->g->nuses;
  for (; u < end; u++)
    for (const struct acr_use *o = u + 1; o < end && o->kernel == u->kernel;
         o++)
      {
        unsigned i = index[u->vector], j = index[o->vector];
        if (!i || !j)
          continue;
        unsigned *ij = &r.a[(i - 1) * n + j - 1];
        if (*ij && *ij % ACR_AFFINITY_UNIT == 0)
          *ij = r.a[(j - 1) * n + i - 1] = *ij + 1;
      }
  return r;
}

struct acr_weights
acr_shared_weights (struct acr_work *w, const unsigned *v, unsigned n)
{
  return weigh (w, v, n, acr_shared_times);
}
