/* Plans of small graphs against all placements and all times.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random.h"

/* A graph as brute force sees it: the vectors that are transferred.  */
struct problem
{
  struct acr_work w;
  unsigned n, v[16];
  unsigned saved;	/* most startups, over all orders and times */
  uint64_t waste;	/* least byte-steps of idle memory then */
};

/* The most that any order of V, which starts with V[0..FIXED), saves.  */
static unsigned
best_order (struct problem *p, unsigned fixed)
{
  unsigned most = 0;
  if (fixed == p->n)
    return acr_emit_saved (&p->w, p->v, p->n);
  for (unsigned i = fixed; i < p->n; i++)
    {
      unsigned v = p->v[fixed];
      p->v[fixed] = p->v[i];
      p->v[i] = v;
      unsigned saved = best_order (p, fixed + 1);
      p->v[i] = p->v[fixed];
      p->v[fixed] = v;
      if (saved > most)
	most = saved;
    }
  return most;
}

static uint64_t
idle_memory (const struct acr_graph *g, const struct acr_transfer *t,
	     unsigned n)
{
  uint64_t sum = 0;
  for (unsigned i = 0; i < n; i++, t++)
    if (t->dir == ACR_UP)
      sum += g->vectors[t->vector].bytes * (t->idle - t->at);
    else if (t->at > t->idle)
      sum += g->vectors[t->vector].bytes * (t->at - t->idle);
  return sum;
}

/* Try all times of the transfers from I on.  */
static void
try_times (struct problem *p, unsigned i)
{
  struct acr_work *w = &p->w;
  if (i < w->ntransfers)
    {
      struct acr_transfer *t = &w->transfers[i];
      for (t->at = t->earliest; t->at <= t->latest; t->at++)
	try_times (p, i + 1);
      return;
    }
  unsigned saved = best_order (p, 0);
  uint64_t waste = idle_memory (w->g, w->transfers, w->ntransfers);
  if (saved > p->saved || (saved == p->saved && waste < p->waste))
    {
      p->saved = saved;
      p->waste = waste;
    }
}

/* How many cases brute force has to look at.  */
static uint64_t
cases (struct problem *p)
{
  uint64_t n = 1;
  p->n = 0;
  for (unsigned v = 0; v < p->w.nvectors; v++)
    if (p->w.transfer_of[v] < p->w.transfer_of[v + 1])
      {
	p->v[p->n++] = v;
	n *= p->n;
      }
  for (unsigned i = 0; i < p->w.ntransfers && n < UINT32_MAX; i++)
    n *= p->w.transfers[i].latest - p->w.transfers[i].earliest + 1;
  return n;
}

struct tally
{
  unsigned graphs, saving, coupled, exact_bad, bound_bad, near, tight_bad;
};

static void
compare (struct problem *p, struct tally *t)
{
  const struct acr_graph *g = p->w.g;
  struct acr_plan_options opt = acr_plan_defaults;
  struct acr_plan *plan;
  bool coupled = false;
  for (unsigned v = 0; v < g->nvectors; v++)
    coupled |= p->w.transfer_of[v] + 1 < p->w.transfer_of[v + 1];
  unsigned least = p->w.ntransfers - p->saved;
  t->graphs++;
  t->saving += p->saved > 0;
  t->coupled += coupled;

  if (acr_plan_make (g, &opt, &plan))
    exit (99);
  t->bound_bad += plan->startups_least > least
		  || plan->startups_after < least;
  t->near += plan->startups_after == least;
  acr_plan_free (plan);

  opt.nodes = UINT64_MAX;
  for (int emit = ACR_EMIT_GREEDY; emit <= ACR_EMIT_TIGHT; emit++)
    {
      opt.emit = emit;
      if (acr_plan_make (g, &opt, &plan))
	exit (99);
      if (plan->startups_after != least || plan->startups_least != least)
	{
	  if (t->exact_bad++ == 0)
	    {
	      diag ("%u startups, bound %u, brute force %u",
		    plan->startups_after, plan->startups_least, least);
	      diag_graph (g);
	    }
	}
      else if (emit == ACR_EMIT_TIGHT && !coupled
	       && idle_memory (g, plan->transfers, plan->ntransfers)
		    != p->waste)
	if (t->tight_bad++ == 0)
	  diag_graph (g);
      acr_plan_free (plan);
    }
}

static struct tally
try_many (const struct shape *shape, unsigned count, uint64_t limit)
{
  uint64_t rng = 77;
  struct tally t = { 0 };
  while (t.graphs < count)
    {
      struct acr_arena arena = { .chunks = NULL };
      struct acr_graph *g = random_graph (&rng, shape);
      struct problem p
	= { .w = { .arena = &arena, .g = g, .nvectors = g->nvectors,
		   .nsteps = g->nkernels },
	    .waste = UINT64_MAX };
      if (setjmp (arena.nomem))
	exit (99);
      acr_work_analyse (&p.w);
      uint64_t n = cases (&p);
      if (n > 1 && n <= limit)
	{
	  try_times (&p, 0);
	  compare (&p, &t);
	}
      acr_arena_free (&arena);
      acr_graph_free (g);
    }
  return t;
}

int
main (int argc, char **argv)
{
  unsigned count = argc > 1 ? strtoul (argv[1], NULL, 10) : 600;
  static const struct shape single = { 9, 8, 3, 9, true },
			    coupled = { 7, 10, 4, 9, false },
			    updated = { 5, 16, 4, 9, false };
  struct tally t = try_many (&single, count, 50000);
  ok (t.saving > count / 2, "%u single-transfer graphs, %u save startups",
      count, t.saving);
  ok_int (t.exact_bad, 0, "their plans are optimal, and proved so");
  ok_int (t.near, count, "within the default limits as well");
  ok_int (t.bound_bad, 0, "bounds hold");
  ok_int (t.tight_bad, 0, "tight plans hold the least memory");

  const struct shape *const shapes[] = { &coupled, &updated };
  for (unsigned i = 0; i < 2; i++)
    {
      t = try_many (shapes[i], count, 200000);
      ok (t.saving > count / 2 && t.coupled > count / 3,
	  "%u graphs, %u save startups, %u with repeated transfers", count,
	  t.saving, t.coupled);
      ok_int (t.exact_bad, 0, "their exact plans are optimal, proved so");
      ok (t.near >= count * 99 / 100, "%u of the default plans are optimal",
	  t.near);
      ok_int (t.bound_bad, 0, "bounds hold");
      ok_int (t.tight_bad, 0, "tight plans hold the least memory");
    }
  return done_testing ();
}
