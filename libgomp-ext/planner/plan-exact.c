/* Exact search for components with vectors that are transferred more than
   once, where places and times depend on each other.

   Branch and bound over orders, place by place.  A run is a DMA in the
   making, with the boundaries [lo, hi] that its transfers have in common;
   the next vector's transfers join runs that end at its neighbour in every
   possible way.  What the places left can save at most is the weight of the
   heaviest path through them (acr_path_table), because no adjacency saves
   more than its affinity.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "planner/plan.h"

#include <string.h>

struct run
{
  unsigned lo, hi;
};

struct search
{
  struct acr_work *w;
  const struct acr_weights *a;
  const unsigned *table;
  uint64_t nodes; /* left */
  unsigned target;

  unsigned *path;   /* indices into a->v */
  unsigned mask;    /* those left */
  struct run *runs; /* indexed by the first transfer */
  unsigned *run_of; /* of each transfer */

  unsigned saved; /* the best so far, ... */
  unsigned *best; /* ... its order, ... */
  unsigned *at;   /* ... and boundaries of all transfers */
};

static void place_next (struct search *s, unsigned place, unsigned saved);

static void
record (struct search *s, unsigned saved)
{
  const struct acr_work *w = s->w;
  bool late = w->opt->emit == ACR_EMIT_TIGHT;
  s->saved = saved;
  for (unsigned i = 0; i < s->a->n; i++)
    {
      unsigned v = s->best[i] = s->a->v[s->path[i]];
      for (unsigned t = w->transfer_of[v]; t < w->transfer_of[v + 1]; t++)
        {
          const struct run *r = &s->runs[s->run_of[t]];
          s->at[t] = late && w->transfers[t].dir == ACR_UP ? r->hi : r->lo;
        }
    }
}

/* Decide which run transfer T and those up to T_END join; their vector is at
   PLACE.  As its windows are disjoint, no two of them fit the same run.  */
static void
join (struct search *s, unsigned t, unsigned t_end, unsigned place,
      unsigned saved)
{
  const struct acr_work *w = s->w;
  if (s->nodes == 0)
    return;
  s->nodes--;
  if (t == t_end)
    {
      place_next (s, place + 1, saved);
      return;
    }
  const struct acr_transfer *x = &w->transfers[t];
  unsigned before = place ? s->a->v[s->path[place - 1]] : 0;
  unsigned p = place ? w->transfer_of[before] : 0;
  unsigned end = place ? w->transfer_of[before + 1] : 0;
  for (; p < end; p++)
    {
      struct run *r = &s->runs[s->run_of[p]], old = *r;
      if (w->transfers[p].dir != x->dir || r->lo > x->latest
          || r->hi < x->earliest)
        continue;
      if (r->lo < x->earliest)
        r->lo = x->earliest;
      if (r->hi > x->latest)
        r->hi = x->latest;
      s->run_of[t] = s->run_of[p];
      join (s, t + 1, t_end, place, saved + 1);
      *r = old;
    }
  s->runs[t] = (struct run){ x->earliest, x->latest };
  s->run_of[t] = t;
  join (s, t + 1, t_end, place, saved);
}

static void
place_next (struct search *s, unsigned place, unsigned saved)
{
  const struct acr_weights *a = s->a;
  if (!s->mask && saved > s->saved)
    record (s, saved);
  if (!s->mask)
    return;
  unsigned last = place ? s->path[place - 1] : 0;

  /* The most promising first.  */
  unsigned tried = 0;
  for (;;)
    {
      unsigned next = 0, most = 0;
      for (unsigned rest = s->mask & ~tried; rest; rest &= rest - 1)
        {
          unsigned i = __builtin_ctz (rest);
          unsigned bound = (place ? a->a[last * a->n + i] : 0)
                           + s->table[(s->mask ^ 1u << i) * a->n + i];
          if (bound >= most)
            next = i, most = bound;
        }
      if (tried == s->mask || s->saved >= s->target
          || saved + most / ACR_AFFINITY_UNIT <= s->saved)
        return;
      unsigned v = a->v[next];
      tried |= 1u << next;
      s->path[place] = next;
      s->mask ^= 1u << next;
      join (s, s->w->transfer_of[v], s->w->transfer_of[v + 1], place, saved);
      s->mask ^= 1u << next;
    }
}

unsigned
acr_exact_improve (struct acr_work *w, unsigned *v,
                   const struct acr_weights *a, const unsigned *table,
                   unsigned saved, unsigned target, bool *done)
{
  unsigned n = a->n;
  struct search s = {
    .w = w,
    .a = a,
    .table = table,
    .nodes = w->opt->nodes,
    .target = target,
    .path = ACR_NEW (w->arena, unsigned, n),
    .mask = (1u << n) - 1,
    .runs = ACR_NEW (w->arena, struct run, w->ntransfers),
    .run_of = ACR_NEW (w->arena, unsigned, w->ntransfers),
    .saved = saved,
    .best = ACR_NEW (w->arena, unsigned, n),
    .at = ACR_NEW (w->arena, unsigned, w->ntransfers),
  };
  place_next (&s, 0, 0);
  *done = s.nodes > 0 || s.saved >= target;
  if (s.saved > saved)
    for (unsigned i = 0; i < n; i++)
      {
        v[i] = s.best[i];
        for (unsigned t = w->transfer_of[v[i]]; t < w->transfer_of[v[i] + 1];
             t++)
          w->transfers[t].at = s.at[t];
      }
  return s.saved;
}
