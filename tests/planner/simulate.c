/* Execute plans of random programs on a model of the two memories, and see
   that every kernel finds its inputs, that every wanted value arrives, and
   that the cap is kept.  The model knows nothing of windows: it follows the
   values.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random.h"

enum { GARBAGE = -1 };

struct machine
{
  const struct acr_graph *g;
  const struct acr_plan *p;
  int *truth;		/* the version that the program has made */
  int *host, *device;	/* the version in each memory */
  const struct acr_copy **copy;	/* that holds the vector now */
  size_t peak;
  const char *wrong;	/* the first thing that was wrong */
};

static void
expect (struct machine *m, bool good, const char *what)
{
  if (!good && !m->wrong)
    m->wrong = what;
}

/* Does the plan hang together: DMAs of neighbours, each transfer in one?  */
static void
check_form (struct machine *m)
{
  const struct acr_plan *p = m->p;
  unsigned *place = calloc (p->nvectors, sizeof *place);
  bool *seen = calloc (p->nvectors, sizeof *seen);
  size_t offset = 0, carried = 0;
  expect (m, p->nvectors == m->g->nvectors, "number of vectors");
  for (unsigned i = 0; i < p->nvectors; i++)
    {
      unsigned v = p->order[i];
      expect (m, !seen[v], "a vector has two places");
      expect (m, p->offset[v] == offset, "offset");
      seen[v] = true;
      place[v] = i;
      offset += m->g->vectors[v].bytes;
    }
  for (unsigned i = 0; i < p->ntransfers; i++)
    {
      const struct acr_transfer *t = &p->transfers[i];
      const struct acr_dma *d = &p->dmas[t->dma];
      expect (m, t->dma < p->ndmas && d->dir == t->dir && d->at == t->at
	      && place[t->vector] - d->first < d->count, "transfer's DMA");
      expect (m, t->earliest <= t->at && t->at <= t->latest, "window");
    }
  for (unsigned i = 0; i < p->ndmas; i++)
    {
      const struct acr_dma *d = &p->dmas[i];
      size_t bytes = 0;
      for (unsigned k = 0; k < d->count; k++)
	bytes += m->g->vectors[p->order[d->first + k]].bytes;
      expect (m, bytes == d->bytes, "bytes of a DMA");
      carried += d->count;
      expect (m, i == 0 || d[-1].at < d->at
	      || (d[-1].at == d->at
		  && (d[-1].dir > d->dir
		      || (d[-1].dir == d->dir
			  && d[-1].first + d[-1].count < d->first))),
	      "DMAs out of order or not fused");
    }
  expect (m, carried == p->ntransfers, "transfers in DMAs");
  expect (m, p->startups_after == p->ndmas, "startups after");
  expect (m, p->startups_least <= p->startups_after, "bound");
  expect (m, p->startups_before <= p->ntransfers, "startups before");
  free (place);
  free (seen);
}

/* Do the DMAs in direction DIR at boundary B.  */
static void
run_dmas (struct machine *m, unsigned b, enum acr_direction dir)
{
  const struct acr_plan *p = m->p;
  for (unsigned i = 0; i < p->ndmas; i++)
    if (p->dmas[i].at == b && p->dmas[i].dir == dir)
      for (unsigned k = 0; k < p->dmas[i].count; k++)
	{
	  unsigned v = p->order[p->dmas[i].first + k];
	  expect (m, m->copy[v], "transfer without device memory");
	  if (dir == ACR_UP)
	    m->device[v] = m->host[v];
	  else
	    m->host[v] = m->device[v];
	}
}

/* Device memory changes hands at boundary B.  */
static void
change_copies (struct machine *m, unsigned b)
{
  const struct acr_plan *p = m->p;
  const struct acr_copy **now = calloc (p->nvectors, sizeof *now);
  size_t bytes = 0;
  for (unsigned i = 0; i < p->ncopies; i++)
    {
      const struct acr_copy *c = &p->copies[i];
      if (c->first > (int) b || c->last < (int) b)
	continue;
      expect (m, !now[c->vector], "two copies of a vector at once");
      now[c->vector] = c;
      bytes += m->g->vectors[c->vector].bytes;
    }
  for (unsigned v = 0; v < p->nvectors; v++)
    if (now[v] != m->copy[v])
      {
	bool in_place = now[v] && m->copy[v] && now[v]->up < 0
			&& now[v]->version == m->copy[v]->version + 1;
	bool entry = b == 0 && now[v] && now[v]->up < 0;
	if (!in_place && !entry)
	  m->device[v] = GARBAGE;
	m->copy[v] = now[v];
      }
  free (now);
  if (bytes > m->peak)
    m->peak = bytes;
}

static void
run_kernel (struct machine *m, unsigned k)
{
  const struct acr_graph *g = m->g;
  bool on_device = g->kernels[k] == ACR_DEVICE;
  int *memory = on_device ? m->device : m->host;
  for (unsigned i = 0; i < g->nuses; i++)
    {
      const struct acr_use *u = &g->uses[i];
      unsigned v = u->vector;
      if (u->kernel != k)
	continue;
      expect (m, !on_device || m->copy[v], "operand without device memory");
      if (u->access & ACR_ACCESS_READ)
	expect (m, memory[v] == m->truth[v],
		on_device ? "stale input on the device"
			  : "stale input on the host");
      if (u->access & ACR_ACCESS_WRITE)
	memory[v] = ++m->truth[v];
    }
}

/* What is wrong with plan P of G under CAP; NULL if nothing is.  */
static const char *
simulate (const struct acr_graph *g, const struct acr_plan *p, size_t cap)
{
  /* At entry, a vector that is on the device has memory of its own.  */
  static const struct acr_copy at_entry;
  struct machine m = { .g = g, .p = p };
  m.truth = calloc (g->nvectors, sizeof *m.truth);
  m.host = calloc (g->nvectors, sizeof *m.host);
  m.device = calloc (g->nvectors, sizeof *m.device);
  m.copy = calloc (g->nvectors, sizeof *m.copy);
  for (unsigned v = 0; v < g->nvectors; v++)
    {
      m.host[v] = g->vectors[v].entry & ACR_HOST ? 0 : GARBAGE;
      m.device[v] = g->vectors[v].entry & ACR_DEVICE ? 0 : GARBAGE;
      if (g->vectors[v].entry & ACR_DEVICE)
	m.copy[v] = &at_entry;
    }
  check_form (&m);
  for (unsigned b = 0; b <= g->nkernels; b++)
    {
      run_dmas (&m, b, ACR_DOWN);
      change_copies (&m, b);
      run_dmas (&m, b, ACR_UP);
      if (b < g->nkernels)
	run_kernel (&m, b);
    }
  for (unsigned v = 0; v < g->nvectors; v++)
    if (acr_graph_defined (g, v))
      {
	if (g->vectors[v].exit & ACR_HOST)
	  expect (&m, m.host[v] == m.truth[v], "wanted value, host");
	if (g->vectors[v].exit & ACR_DEVICE)
	  expect (&m, m.copy[v] && m.device[v] == m.truth[v],
		  "wanted value, device");
      }
  expect (&m, m.peak == p->peak, "peak");
  expect (&m, m.peak <= cap, "cap exceeded");
  free (m.truth);
  free (m.host);
  free (m.device);
  free (m.copy);
  return m.wrong;
}

struct tally
{
  unsigned graphs, transfers, saved, reloads, capped;
};

/* Plan COUNT graphs of SHAPE; with CAPPED, between the least cap and what
   they would take without one.  */
static struct tally
try_many (const char *name, const struct shape *shape, unsigned count,
	  struct acr_plan_options opt, bool capped)
{
  uint64_t rng = 20190805;
  struct tally t = { 0 };
  const char *wrong = NULL;
  for (; t.graphs < count && !wrong; t.graphs++)
    {
      struct acr_graph *g = random_graph (&rng, shape);
      struct acr_plan *p;
      opt.seed = t.graphs;
      opt.cap = SIZE_MAX;
      if (acr_plan_make (g, &opt, &p))
	wrong = "no plan";
      if (!wrong && capped)
	{
	  size_t least = acr_graph_least_cap (g, NULL), peak = p->peak;
	  acr_plan_free (p);
	  p = NULL;
	  opt.cap = peak > least ? least + roll (&rng, peak - least) : least;
	  t.capped += opt.cap < peak;
	  if (acr_plan_make (g, &opt, &p))
	    wrong = "no plan under the cap";
	}
      if (!wrong)
	wrong = simulate (g, p, opt.cap);
      if (wrong)
	diag_graph (g);
      else
	{
	  t.transfers += p->ntransfers;
	  t.saved += p->ntransfers - p->ndmas;
	  t.reloads += p->ntransfers - p->startups_before;
	}
      acr_plan_free (p);
      acr_graph_free (g);
    }
  ok (!wrong, "%s: %u programs, %u transfers, %u saved, %u reloads", name,
      t.graphs, t.transfers, t.saved, t.reloads);
  if (wrong)
    diag ("program %u, cap %zu: %s", t.graphs, opt.cap, wrong);
  return t;
}

int
main (int argc, char **argv)
{
  unsigned count = argc > 1 ? strtoul (argv[1], NULL, 10) : 3000;
  static const struct shape small = { 6, 8, 4, 1, false },
			    mixed = { 14, 20, 5, 100, false },
			    single = { 40, 30, 5, 100, true },
			    large = { 60, 80, 6, 1000, false };
  struct acr_plan_options greedy = acr_plan_defaults, tight = greedy,
			  paper = greedy;
  tight.emit = ACR_EMIT_TIGHT;
  paper.method = ACR_METHOD_PAPER;

  struct tally t
    = try_many ("greedy, small", &small, 2 * count, greedy, false);
  ok (t.saved > t.transfers / 10, "which can be fused");
  try_many ("tight, small", &small, 2 * count, tight, false);
  try_many ("greedy", &mixed, count, greedy, false);
  try_many ("tight", &mixed, count, tight, false);
  try_many ("paper", &mixed, count, paper, false);
  try_many ("greedy, single", &single, count, greedy, false);
  try_many ("tight, single", &single, count, tight, false);
  try_many ("greedy, large", &large, count / 30, greedy, false);
  t = try_many ("cap, small", &small, 2 * count, greedy, true);
  ok (t.capped > t.graphs / 4 && t.reloads > 0, "which are short of memory");
  try_many ("cap", &mixed, count, greedy, true);
  try_many ("cap, tight", &mixed, count, tight, true);
  try_many ("cap, single", &single, count, greedy, true);
  t = try_many ("cap, large", &large, count / 30, greedy, true);
  ok (t.capped > t.graphs / 2 && t.reloads > 0, "which are short of memory");
  return done_testing ();
}
