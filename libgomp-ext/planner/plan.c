/* Planning, from the graph to DMAs.

   A component of the affinity graph whose vectors are transferred once is
   planned exactly by choosing times first (plan-emit.c).  In the others,
   places couple times: a vector that goes up and comes back, or that is
   updated again and again, has one place for all its transfers.  For these
   we take the best of
     - times first, then the heaviest path by the transfers shared,
     - the heaviest path by affinity, then times,
   improve by turns, and search small components exactly.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "planner/plan.h"

#include <stdlib.h>
#include <string.h>

const struct acr_plan_options acr_plan_defaults = {
  .emit = ACR_EMIT_GREEDY,
  .method = ACR_METHOD_BEST,
  .tries = 4,
  .seed = 1,
  .cap = SIZE_MAX,
  .exact = 10,
  .nodes = 2000,
  .moves = 6000,
};

/* The transfers of the N vectors V.  */
static unsigned
count_transfers (const struct acr_work *w, const unsigned *v, unsigned n)
{
  unsigned count = 0;
  for (unsigned i = 0; i < n; i++)
    count += w->transfer_of[v[i] + 1] - w->transfer_of[v[i]];
  return count;
}

/* The (direction, boundary) pairs that they use.  */
static unsigned
count_times (struct acr_work *w, const unsigned *v, unsigned n)
{
  unsigned count = 0;
  bool *used = ACR_NEW (w->arena, bool, 2 * (w->nsteps + 1));
  for (unsigned i = 0; i < n; i++)
    for (unsigned t = w->transfer_of[v[i]]; t < w->transfer_of[v[i] + 1]; t++)
      {
        const struct acr_transfer *x = &w->transfers[t];
        bool *u = &used[2 * x->at + x->dir];
        count += !*u;
        *u = true;
      }
  return count;
}

/* Orders.  */

static void
place (unsigned *v, const struct acr_weights *a, const unsigned *path)
{
  for (unsigned i = 0; i < a->n; i++)
    v[i] = a->v[path[i]];
}

/* A vector and when it is first transferred.  */
struct dated
{
  unsigned at, vector;
};

static int
by_date (const void *a, const void *b)
{
  const struct dated *x = a, *y = b;
  if (x->at != y->at)
    return x->at < y->at ? -1 : 1;
  return x->vector < y->vector ? -1 : x->vector > y->vector;
}

/* Order V by the boundaries chosen.  */
static void
order_by_date (struct acr_work *w, unsigned *v, unsigned n)
{
  struct dated *d = ACR_NEW (w->arena, struct dated, n);
  for (unsigned i = 0; i < n; i++)
    d[i] = (struct dated){ count_transfers (w, &v[i], 1)
                               ? w->transfers[w->transfer_of[v[i]]].at
                               : 0,
                           v[i] };
  qsort (d, n, sizeof *d, by_date);
  for (unsigned i = 0; i < n; i++)
    v[i] = d[i].vector;
}

/* Order V along a heavy path: the heaviest, if it is small, otherwise the
   heaviest that TRIES depth-first searches with local search, and local
   search from the order that V has, come to.  */
static void
order_by_weights (struct acr_work *w, unsigned *v, const struct acr_weights *a,
                  const unsigned *table)
{
  unsigned n = a->n;
  unsigned *best = ACR_NEW (w->arena, unsigned, n);
  unsigned *path = ACR_NEW (w->arena, unsigned, n);
  uint64_t rng = w->opt->seed;
  if (table)
    acr_path_exact (a, table, best);
  else
    {
      for (unsigned i = 0; i < n; i++)
        best[i] = i;
      acr_path_improve (w->arena, a, &w->moves, best);
      for (unsigned i = 0; i < w->opt->tries; i++)
        {
          acr_path_search (w->arena, a, &rng, path);
          acr_path_improve (w->arena, a, &w->moves, path);
          if (acr_path_weight (a, path) > acr_path_weight (a, best))
            memcpy (best, path, n * sizeof *best);
        }
    }
  place (v, a, best);
}

/* Order V for the boundaries chosen.  */
static void
order_by_shared (struct acr_work *w, unsigned *v, unsigned n)
{
  order_by_date (w, v, n);
  if (n > ACR_MATRIX_MAX)
    return;
  struct acr_weights a = acr_shared_weights (w, v, n);
  order_by_weights (w, v, &a,
                    n <= w->opt->exact ? acr_path_table (w->arena, &a) : NULL);
}

/* A state of a component: its order and its boundaries.  */
struct state
{
  unsigned saved;
  unsigned *v, *at;
};

/* Make the state of V, which saves SAVED startups, BEST.  */
static void
keep (struct acr_work *w, const unsigned *v, unsigned n, unsigned saved,
      struct state *best)
{
  if (!best->v)
    {
      best->v = ACR_NEW (w->arena, unsigned, n);
      best->at = ACR_NEW (w->arena, unsigned, count_transfers (w, v, n));
    }
  best->saved = saved;
  memcpy (best->v, v, n * sizeof *v);
  for (unsigned i = 0, k = 0; i < n; i++)
    for (unsigned t = w->transfer_of[v[i]]; t < w->transfer_of[v[i] + 1]; t++)
      best->at[k++] = w->transfers[t].at;
}

/* Keep the state of V in BEST if it saves more.  */
static bool
keep_best (struct acr_work *w, const unsigned *v, unsigned n,
           struct state *best)
{
  unsigned saved = acr_emit_saved (w, v, n);
  if (best->v && saved <= best->saved)
    return false;
  keep (w, v, n, saved, best);
  return true;
}

static void
restore_best (struct acr_work *w, unsigned *v, unsigned n,
              const struct state *best)
{
  memcpy (v, best->v, n * sizeof *v);
  for (unsigned i = 0, k = 0; i < n; i++)
    for (unsigned t = w->transfer_of[v[i]]; t < w->transfer_of[v[i] + 1]; t++)
      w->transfers[t].at = best->at[k++];
}

/* Plan a component whose vectors are transferred more than once; its times
   have been chosen as if places were free.  Returns the fewest startups that
   anybody could reach.  */
static unsigned
plan_coupled (struct acr_work *w, unsigned *v, unsigned n)
{
  enum acr_plan_emit emit = w->opt->emit;
  unsigned transfers = count_transfers (w, v, n);
  unsigned target = transfers - count_times (w, v, n);
  struct state best = { 0 };
  struct acr_weights a;
  unsigned *table = NULL;

  w->moves = w->opt->moves;
  order_by_shared (w, v, n);
  keep_best (w, v, n, &best);
  if (best.saved == target || n > ACR_MATRIX_MAX)
    return transfers - target;

  a = acr_affinity_weights (w, v, n);
  if (n <= w->opt->exact)
    {
      uint64_t heaviest = 0;
      table = acr_path_table (w->arena, &a);
      for (unsigned i = 0; i < n; i++)
        {
          unsigned rest = ((1u << n) - 1) ^ 1u << i;
          if (table[rest * n + i] > heaviest)
            heaviest = table[rest * n + i];
        }
      if (heaviest / ACR_AFFINITY_UNIT < target)
        target = heaviest / ACR_AFFINITY_UNIT;
    }
  order_by_weights (w, v, &a, table);
  acr_emit_ordered (w, v, n, emit);
  keep_best (w, v, n, &best);

  /* By turns: the best order for these times, the best times for it.  */
  for (bool more = best.saved < target; more;)
    {
      restore_best (w, v, n, &best);
      order_by_shared (w, v, n);
      more = keep_best (w, v, n, &best);
      acr_emit_ordered (w, v, n, emit);
      more |= keep_best (w, v, n, &best);
    }
  restore_best (w, v, n, &best);
  if (table && best.saved < target)
    {
      bool done;
      best.saved
          = acr_exact_improve (w, v, &a, table, best.saved, target, &done);
      if (done)
        target = best.saved;
    }
  return transfers - target;
}

/* The paper's method; see plan_coupled.  Of TRIES searches the one is taken whose
   result is best ("picking the best result out of only 4 attempts", section 5.1):
   which saves most, and of equal ones the one with the heaviest path, which has more
   operands of one kernel side by side.  The paper leaves open how its search goes on
   at a dead end (ours goes back) and which of several times it takes (ours,
   acr_emit_ordered, which is best for the order, so that the comparison does not
   blame the search for it).  */
static void
plan_paper (struct acr_work *w, unsigned *v, unsigned n, uint64_t *rng)
{
  struct acr_weights a;
  unsigned *path = ACR_NEW (w->arena, unsigned, n);
  uint64_t heaviest = 0;
  struct state best = { 0 };
  if (n < 2 || n > ACR_MATRIX_MAX)
    {
      acr_emit_ordered (w, v, n, w->opt->emit);
      return;
    }
  a = acr_affinity_weights (w, v, n);
  for (unsigned i = 0; i < w->opt->tries; i++)
    {
      acr_path_search (w->arena, &a, rng, path);
      place (v, &a, path);
      acr_emit_ordered (w, v, n, w->opt->emit);
      unsigned saved = acr_emit_saved (w, v, n);
      uint64_t weight = acr_path_weight (&a, path);
      if (best.v
          && (saved < best.saved || (saved == best.saved && weight <= heaviest)))
        continue;
      heaviest = weight;
      keep (w, v, n, saved, &best);
    }
  restore_best (w, v, n, &best);
}

/* Plan the component of the N vectors V; see plan_coupled.  */
static unsigned
plan_best (struct acr_work *w, unsigned *v, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    if (count_transfers (w, &v[i], 1) > 1)
      return plan_coupled (w, v, n);
  order_by_date (w, v, n);
  return count_times (w, v, n);
}

/* Plan all components as if memory were unlimited; returns the fewest startups that
   any plan has which makes each transfer once.  */
static unsigned
plan_all (struct acr_work *w)
{
  uint64_t rng = w->opt->seed;
  unsigned least = 0;
  acr_affinity_components (w);
  acr_emit_times (w, w->opt->emit);
  w->boundaries = count_times (w, w->order, w->nvectors);
  for (unsigned i = 0; i < w->ncomponents; i++)
    {
      unsigned *v = w->order + w->component[i];
      unsigned n = w->component[i + 1] - w->component[i];
      if (w->opt->method == ACR_METHOD_BEST)
        least += plan_best (w, v, n);
      else
        {
          least += count_times (w, v, n);
          plan_paper (w, v, n, &rng);
        }
    }
  return least;
}

static size_t
peak (struct acr_work *w)
{
  size_t *live = ACR_NEW (w->arena, size_t, w->nsteps + 1);
  size_t most = 0;
  acr_cap_live (w, live);
  for (unsigned s = 0; s <= w->nsteps; s++)
    if (live[s] > most)
      most = live[s];
  return most;
}

/* Keep the work's plan below the cap: as it is if that will do, or with the
   shortest lifetimes, or with a plan made for the purpose.  */
static void
apply_cap (struct acr_work *w)
{
  struct acr_plan_options tight = *w->opt;
  if (peak (w) <= w->opt->cap)
    return;
  tight.emit = ACR_EMIT_TIGHT;
  if (w->opt->emit != ACR_EMIT_TIGHT)
    {
      const struct acr_plan_options *opt = w->opt;
      w->opt = &tight;
      plan_all (w);
      w->opt = opt;
      if (peak (w) <= opt->cap)
        return;
    }
  acr_cap_times (w, w->opt->cap);
  acr_affinity_components (w);
  w->moves = w->opt->moves;
  for (unsigned i = 0; i < w->ncomponents; i++)
    order_by_shared (w, w->order + w->component[i],
                     w->component[i + 1] - w->component[i]);
}

/* The transfer of V in direction DIR at boundary AT, or NULL.  */
static struct acr_transfer *
find_transfer (struct acr_work *w, unsigned v, enum acr_direction dir,
               unsigned at)
{
  for (unsigned t = w->transfer_of[v]; t < w->transfer_of[v + 1]; t++)
    if (w->transfers[t].dir == dir && w->transfers[t].at == at)
      return &w->transfers[t];
  return NULL;
}

static int
by_boundary (const void *a, const void *b)
{
  const struct acr_dma *x = a, *y = b;
  if (x->at != y->at)
    return x->at < y->at ? -1 : 1;
  if (x->dir != y->dir)
    return x->dir == ACR_DOWN ? -1 : 1;
  return x->first < y->first ? -1 : x->first > y->first;
}

/* Fuse the transfers of neighbours at the same boundary.  */
static void
find_dmas (struct acr_work *w, struct acr_plan *p)
{
  struct acr_dma *dmas = ACR_NEW (w->arena, struct acr_dma, w->ntransfers);
  for (unsigned i = 0; i < w->nvectors; i++)
    for (unsigned t = w->transfer_of[w->order[i]];
         t < w->transfer_of[w->order[i] + 1]; t++)
      {
        struct acr_transfer *x = &w->transfers[t];
        struct acr_transfer *before
            = i ? find_transfer (w, w->order[i - 1], x->dir, x->at) : NULL;
        x->dma = before ? before->dma : p->ndmas++;
        struct acr_dma *d = &dmas[x->dma];
        if (!before)
          *d = (struct acr_dma){ .dir = x->dir, .at = x->at, .first = i };
        d->count++;
        d->bytes += w->g->vectors[x->vector].bytes;
      }
  qsort (dmas, p->ndmas, sizeof *dmas, by_boundary);
  for (unsigned i = 0; i < p->ndmas; i++)
    for (unsigned k = 0; k < dmas[i].count; k++)
      find_transfer (w, w->order[dmas[i].first + k], dmas[i].dir, dmas[i].at)
          ->dma
          = i;
  p->dmas = dmas;
}

static void
make_plan (struct acr_work *w, struct acr_plan *p)
{
  acr_work_analyse (w);
  p->startups_before = w->ntransfers;
  p->startups_least = plan_all (w);
  apply_cap (w);
  /* A vector that is transferred again for lack of memory may stand between two that
     are transferred then in any case, and make their DMAs one.  */
  if (w->ntransfers > p->startups_before)
    p->startups_least = w->boundaries;
  p->peak = peak (w);
  find_dmas (w, p);
  p->startups_after = p->ndmas;

  size_t *offset = ACR_NEW (w->arena, size_t, w->nvectors);
  size_t sum = 0;
  for (unsigned i = 0; i < w->nvectors; i++)
    {
      offset[w->order[i]] = sum;
      sum += w->g->vectors[w->order[i]].bytes;
    }
  for (unsigned i = 0; i < w->ncopies; i++)
    {
      struct acr_copy *c = &w->copies[i];
      acr_cap_extent (w, c, &c->first, &c->last);
    }
  p->nvectors = w->nvectors;
  p->order = w->order;
  p->offset = offset;
  p->ncomponents = w->ncomponents;
  p->component = w->component;
  p->ntransfers = w->ntransfers;
  p->transfers = w->transfers;
  p->ncopies = w->ncopies;
  p->copies = w->copies;
}

/* A plan and the memory that it lies in.  */
struct plan_box
{
  struct acr_plan plan;
  struct acr_arena arena;
};

enum acr_plan_status
acr_plan_make (const struct acr_graph *g, const struct acr_plan_options *opt,
               struct acr_plan **plan)
{
  uint64_t byte_steps;
  *plan = NULL;
  if (acr_graph_least_cap (g, NULL) > opt->cap)
    return ACR_PLAN_CAP;
  if (__builtin_mul_overflow (g->bytes, (uint64_t)g->nkernels + 1, &byte_steps)
      || opt->exact > ACR_EXACT_LIMIT)
    return ACR_PLAN_RANGE;

  struct plan_box *box = calloc (1, sizeof *box);
  if (!box)
    return ACR_PLAN_NOMEM;
  if (setjmp (box->arena.nomem))
    {
      acr_plan_free (&box->plan);
      return ACR_PLAN_NOMEM;
    }
  struct acr_work w = { .arena = &box->arena,
                        .g = g,
                        .opt = opt,
                        .nvectors = g->nvectors,
                        .nsteps = g->nkernels };
  make_plan (&w, &box->plan);
  *plan = &box->plan;
  return ACR_PLAN_OK;
}

void
acr_plan_free (struct acr_plan *plan)
{
  struct plan_box *box = (struct plan_box *)plan;
  if (!box)
    return;
  acr_arena_free (&box->arena);
  free (box);
}
