/* Choosing the boundary of every transfer: before the vectors have places,
   or for an order that is given.

   Before.  All transfers of one direction at one boundary are one DMA if
   their vectors can be placed next to each other.  The least number of
   boundaries that meet all windows bounds the startups from below: it equals
   the largest number of windows no two of which meet (interval graphs are
   perfect).  A vector that is transferred once can always be placed with its
   companions, so in a component of such vectors the bound is reached and no
   search for a Hamiltonian path can do better.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "planner/plan.h"

#include <limits.h>
#include <stdlib.h>

/* A window, for downloads mirrored in time, so that waiting always costs
   before IDLE and lasts until LATEST.  */
struct span
{
  unsigned earliest, latest, idle;
  size_t bytes;
  struct acr_transfer *t;
};

static int
by_latest (const void *a, const void *b)
{
  const struct span *x = a, *y = b;
  if (x->latest != y->latest)
    return x->latest < y->latest ? -1 : 1;
  return x->t < y->t ? -1 : x->t > y->t;
}

/* The spans of the transfers in direction DIR, by latest.  */
static unsigned
collect (struct acr_work *w, enum acr_direction dir, bool mirror,
         struct span *spans)
{
  unsigned n = 0, end = w->nsteps;
  for (unsigned i = 0; i < w->ntransfers; i++)
    {
      struct acr_transfer *t = &w->transfers[i];
      size_t bytes = w->g->vectors[t->vector].bytes;
      if (t->dir != dir)
        continue;
      if (!mirror)
        spans[n++]
            = (struct span){ t->earliest, t->latest, t->idle, bytes, t };
      else
        spans[n++]
            = (struct span){ end - t->latest, end - t->earliest,
                             t->idle > end ? 0 : end - t->idle, bytes, t };
    }
  qsort (spans, n, sizeof *spans, by_latest);
  return n;
}

/* Greedy: whenever a window is about to close, all open ones are served, at
   the boundary where the last of them opened.  */
static void
times_greedy (struct span *s, unsigned n)
{
  bool more = n > 0;
  while (more)
    {
      unsigned close = UINT_MAX, at = 0;
      more = false;
      for (unsigned i = 0; i < n; i++)
        if (s[i].t)
          {
            if (close == UINT_MAX)
              close = s[i].latest;
            if (s[i].earliest > close)
              more = true;
            else if (s[i].earliest > at)
              at = s[i].earliest;
          }
      for (unsigned i = 0; i < n; i++)
        if (s[i].t && s[i].earliest <= close)
          {
            s[i].t->at = at;
            s[i].t = NULL;
          }
    }
}

/* Tight.  POINT[0] < POINT[1] ... are the boundaries where a window closes;
   some cheapest solution uses no others, for a later point in the same
   windows costs no more.  Each transfer happens at the last point chosen in
   its window.  Dynamic programming over the last point but one.  */
struct step
{
  unsigned count, prev;
  uint64_t waste; /* byte-steps */
};

static void
times_tight (struct acr_work *w, struct span *s, unsigned n, bool mirror)
{
  unsigned *point = ACR_NEW (w->arena, unsigned, n + 1);
  unsigned npoints = 0;
  for (unsigned i = 0; i < n; i++)
    if (npoints == 0 || point[npoints - 1] != s[i].latest)
      point[npoints++] = s[i].latest;

  /* best[q + 1]: q is chosen, and all windows that closed before are met;
     best[0]: none is chosen; q = npoints: the end.  */
  struct step *best = ACR_NEW (w->arena, struct step, npoints + 2);
  for (unsigned q = 1; q <= npoints + 1; q++)
    best[q].count = UINT_MAX;
  for (unsigned p = 0; p <= npoints; p++)
    {
      uint64_t waste = best[p].waste;
      unsigned i = 0;
      if (p > 0)
        while (i < n && s[i].latest < point[p - 1])
          i++;
      for (unsigned q = p + 1; q <= npoints + 1; q++)
        {
          struct step *b = &best[q];
          bool met = true;
          for (; i < n && (q > npoints || s[i].latest < point[q - 1]); i++)
            if (p == 0 || s[i].earliest > point[p - 1])
              met = false;
            else if (s[i].idle > point[p - 1])
              waste += s[i].bytes * (s[i].idle - point[p - 1]);
          if (!met)
            break;
          if (best[p].count + 1 < b->count
              || (best[p].count + 1 == b->count && waste < b->waste))
            *b = (struct step){ best[p].count + 1, p, waste };
        }
    }

  unsigned i = n;
  for (unsigned q = best[npoints + 1].prev; q > 0; q = best[q].prev)
    for (; i > 0 && s[i - 1].latest >= point[q - 1]; i--)
      s[i - 1].t->at = mirror ? w->nsteps - point[q - 1] : point[q - 1];
}

void
acr_emit_times (struct acr_work *w, enum acr_plan_emit emit)
{
  struct span *s = ACR_NEW (w->arena, struct span, w->ntransfers);
  for (int dir = ACR_UP; dir <= ACR_DOWN; dir++)
    if (emit == ACR_EMIT_GREEDY)
      times_greedy (s, collect (w, dir, false, s));
    else
      {
        bool mirror = dir == ACR_DOWN;
        times_tight (w, s, collect (w, dir, mirror, s), mirror);
      }
}

/* For a given order.  A run is a DMA in the making: transfers of neighbours
   whose windows have [lo, hi] in common.  Each vector's transfers join the
   runs that end at its neighbour, as many as can; where all vectors have one
   transfer in a direction, runs as long as possible are fewest.  */
struct run
{
  unsigned lo, hi;
};

unsigned
acr_emit_ordered (struct acr_work *w, const unsigned *v, unsigned n,
                  enum acr_plan_emit emit)
{
  struct run *runs = ACR_NEW (w->arena, struct run, w->ntransfers);
  unsigned *run_of = ACR_NEW (w->arena, unsigned, w->ntransfers);
  unsigned saved = 0;
  for (unsigned place = 0; place < n; place++)
    {
      unsigned t = w->transfer_of[v[place]];
      unsigned t_end = w->transfer_of[v[place] + 1];
      unsigned begin = place ? w->transfer_of[v[place - 1]] : 0;
      unsigned end = place ? w->transfer_of[v[place - 1] + 1] : 0;
      unsigned next[2] = { begin, begin };
      for (; t < t_end; t++)
        {
          const struct acr_transfer *x = &w->transfers[t];
          unsigned *p = &next[x->dir];
          while (*p < end
                 && (w->transfers[*p].dir != x->dir
                     || runs[run_of[*p]].hi < x->earliest))
            ++*p;
          if (*p < end && runs[run_of[*p]].lo <= x->latest)
            {
              struct run *r = &runs[run_of[*p]];
              r->lo = r->lo > x->earliest ? r->lo : x->earliest;
              r->hi = r->hi < x->latest ? r->hi : x->latest;
              run_of[t] = run_of[*p];
              ++*p;
              saved++;
            }
          else
            {
              runs[t] = (struct run){ x->earliest, x->latest };
              run_of[t] = t;
            }
        }
    }
  for (unsigned place = 0; place < n; place++)
    for (unsigned t = w->transfer_of[v[place]];
         t < w->transfer_of[v[place] + 1]; t++)
      {
        struct acr_transfer *x = &w->transfers[t];
        const struct run *r = &runs[run_of[t]];
        x->at = emit == ACR_EMIT_TIGHT && x->dir == ACR_UP ? r->hi : r->lo;
      }
  return saved;
}

unsigned
acr_emit_saved (const struct acr_work *w, const unsigned *v, unsigned n)
{
  unsigned saved = 0;
  for (unsigned place = 1; place < n; place++)
    saved += acr_shared_times (w, v[place - 1], v[place]);
  return saved;
}
