/* Pass shuffle: what forms cost, on every GPU that the result may run on
   (gpu.def).

   Loads and shuffles go through the same pipe of a multiprocessor, which is
   what kernels that load much wait for.  Its time for the loads of a kernel is
   compared: a set of forms is chosen where it is shorter by a margin on all of
   these GPUs, and needs no more registers than let as many warps run.  Registers
   are those of the PTX, of which ptxas makes a few more or fewer: what is measured
   is not left out for some warps less.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pass/shuffle/shuffle-int.h"

/* Percent that a form must save.  */
enum { MARGIN = 10 };

/* Registers that each thread has besides those of the code.  */
enum { RESERVED = 8, GRANULE = 8 };

struct gpu
{
  unsigned sm;
  const char *name;
  unsigned load, shuffle, corner, off, alu, registers, warps;
};

static const struct gpu gpus[] = {
#define GPU_COST(...) { __VA_ARGS__ },
#include "pass/gpu.def"
};

enum { GPUS = sizeof gpus / sizeof *gpus };

/* The first GPU on which a unit for SM runs.  */
static int
first_gpu (unsigned sm)
{
  int i = 0;
  while (i + 1 < GPUS && gpus[i + 1].sm <= sm)
    i++;
  return i;
}

/* ---- Time ---- */

/* The time of load I on GPU G; 0 when that is not known.  */
static unsigned
load_time (const struct rewriter *w, const struct gpu *g, int i)
{
  unsigned pieces = shuffle_count (w, i) * ((shuffle_bits (w, i) + 31) / 32);
  switch (w->form[i])
    {
    case FORM_LOAD:
      return g->load * pieces;
    case FORM_COPY:
      return g->alu ? g->alu * pieces : 1;
    case FORM_KEPT:
      return g->off && g->alu ? g->off + 2 * g->alu * pieces : 0;
    case FORM_CORNER:
      return g->shuffle && g->corner && g->alu
	       ? (g->shuffle + g->alu) * pieces + g->corner
	       : 0;
    case FORM_HALO:
      return g->shuffle && g->off && g->alu
	       ? (g->shuffle + 2 * g->alu) * pieces + g->off
	       : 0;
    }
  return 0;
}

/* That of all loads; 0 when it is not known.  */
static unsigned
time_on (const struct rewriter *w, const struct gpu *g)
{
  unsigned sum = 0;
  for (int i = 0; i < w->r->nloads; i++)
    {
      const struct source *s = &w->source[i];
      unsigned t = w->r->load[i].candidate ? load_time (w, g, i) : g->load;
      if (!t || ((s->up || s->down) && !g->corner))
	return 0;
      sum += t + (!!s->up + !!s->down) * (g->corner + g->alu);
    }
  return sum;
}

void
shuffle_time (const struct rewriter *w, unsigned time[SHUFFLE_GPUS])
{
  _Static_assert ((int) GPUS <= (int) SHUFFLE_GPUS, "a place for every GPU");
  for (int i = 0; i < GPUS; i++)
    time[i] = time_on (w, &gpus[i]);
}

bool
shuffle_is_faster (const struct rewriter *w, const unsigned was[SHUFFLE_GPUS])
{
  for (int i = first_gpu (w->p->opt->sm); i < GPUS; i++)
    {
      unsigned is = time_on (w, &gpus[i]);
      if (!is || is * 100 > was[i] * (100 - MARGIN))
	return false;
    }
  return true;
}

/* ---- Registers ---- */

/* Warps of PRESSURE registers that GPU G runs at once.  */
static unsigned
warps_on (const struct gpu *g, unsigned pressure)
{
  unsigned each = (pressure + RESERVED + GRANULE - 1) / GRANULE * GRANULE;
  unsigned warps = g->registers / (32 * each);
  return warps < g->warps ? warps : g->warps;
}

/* What the loads that are no longer ones change for registers, in CHANGE; and
   registers that loops keep.  */
static int
list_changes (const struct rewriter *w, struct live_change *change,
	      unsigned *kept)
{
  int n = 0;
  for (int i = 0; i < w->r->nloads; i++)
    {
      const struct reuse_load *l = &w->r->load[i];
      unsigned count = w->form[i] == FORM_LOAD ? 0 : shuffle_count (w, i);
      int from = w->form[i] == FORM_KEPT ? l->previous : l->source;
      for (unsigned k = 0; k < count; k++)
	change[n++] = (struct live_change) {
	  .stmt = l->access->stmt,
	  .use = reuse_register (w->r->load[from].access->stmt->insn, k),
	  .copy = w->form[i] == FORM_COPY
		    ? reuse_register (l->access->stmt->insn, k)
		    : NULL
	};
      if (w->source[i].is_kept)
	*kept += 2 * shuffle_count (w, i) * ((shuffle_bits (w, i) + 31) / 32);
    }
  return n;
}

void
shuffle_registers (const struct rewriter *w, unsigned *before, unsigned *after)
{
  enum { VECTOR = 8 };
  const struct cfg *g = w->r->sym->cfg;
  unsigned kept = 0;
  struct live_change *change
    = xcalloc ((size_t) VECTOR * w->r->nloads, sizeof *change);
  int n = list_changes (w, change, &kept);
  *before = live_pressure (g, NULL, 0);
  *after = live_pressure (g, change, n) + kept;
  free (change);
}

bool
shuffle_fits (const struct rewriter *w, unsigned percent)
{
  unsigned before, after;
  shuffle_registers (w, &before, &after);
  for (int i = first_gpu (w->p->opt->sm); i < GPUS; i++)
    if (warps_on (&gpus[i], after) * 100
	< warps_on (&gpus[i], before) * percent)
      return false;
  return true;
}
