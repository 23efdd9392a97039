/* How many registers a function needs, about: the most that are live at once.

   Liveness is the usual backward data-flow problem.  ptxas allocates registers
   of 32 bits; what it reorders, folds or recomputes is not known here, so the
   number says how two forms of a function compare, not what it will be.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"

#include <string.h>

typedef uint64_t word;
enum { WORD_BITS = 64, MAX_WORDS = 1 << 22 };

struct live
{
  const struct cfg *cfg;
  const struct live_change *change;
  int nchanges;
  size_t words;			/* of a set of registers */
  word *in;			/* by block */
  unsigned *name;		/* by register: whose other name it is */
};

struct pass { const struct live *l; word *set; unsigned pressure; };

static unsigned
cost_of (const struct ptx_sym *reg)
{
  unsigned width = eval_width (reg->type) * reg->vec;
  return width == 1 ? 0 : (width + 31) / 32;
}

/* Make register INDEX live or dead.  */
static void
mark (struct pass *p, unsigned index, bool live)
{
  index = p->l->name[index];
  word bit = (word) 1 << index % WORD_BITS, *w = &p->set[index / WORD_BITS];
  if (!!(*w & bit) != live)
    p->pressure += (live ? 1 : -1) * cost_of (p->l->cfg->f->regs[index]);
  *w = live ? *w | bit : *w & ~bit;
}

static void
define (struct ptx_sym *reg, void *closure)
{
  mark (closure, reg->index, false);
}

static void
use (struct ptx_sym *reg, void *closure)
{
  mark (closure, reg->index, true);
}

/* Step backwards over S.  What writes only sometimes, or a part, ends no
   life.  */
static void
step (struct pass *p, const struct ptx_stmt *s)
{
  bool gone = false;
  for (int i = 0; i < p->l->nchanges; i++)
    gone |= p->l->change[i].stmt == s
	    && (p->l->change[i].copy || !p->l->change[i].use);
  if (s->kind == PTX_S_INSN && !gone)
    {
      if (!s->insn->guard)
	ptx_insn_defs (s->insn, define, p);
      ptx_insn_uses (s->insn, use, p);
    }
  for (int i = 0; i < p->l->nchanges; i++)
    if (p->l->change[i].stmt == s && p->l->change[i].use)
      mark (p, p->l->change[i].use->index, true);
}

/* What is live at the end of block B, and how much that is.  */
static void
enter (struct pass *p, int b)
{
  const struct live *l = p->l;
  const struct cfg_block *block = &l->cfg->block[b];
  memset (p->set, 0, l->words * sizeof *p->set);
  p->pressure = 0;
  for (int k = 0; k < block->nsucc; k++)
    for (size_t i = 0; i < l->words; i++)
      p->set[i] |= l->in[block->succ[k] * l->words + i];
  for (unsigned r = 0; r < l->cfg->f->nregs; r++)
    if (p->set[r / WORD_BITS] >> r % WORD_BITS & 1)
      p->pressure += cost_of (l->cfg->f->regs[r]);
}

/* Step backwards over block B; the most that is live in it.  */
static unsigned
walk (struct pass *p, int b)
{
  const struct cfg_block *block = &p->l->cfg->block[b];
  enter (p, b);
  unsigned most = p->pressure;
  for (const struct ptx_stmt *s = block->last;; s = s->prev)
    {
      step (p, s);
      most = p->pressure > most ? p->pressure : most;
      if (s == block->first)
	return most;
    }
}

static void
name_copies (struct live *l)
{
  for (unsigned r = 0; r < l->cfg->f->nregs; r++)
    l->name[r] = r;
  for (int i = 0; i < l->nchanges; i++)
    if (l->change[i].copy)
      l->name[l->change[i].copy->index] = l->name[l->change[i].use->index];
}

unsigned
live_pressure (const struct cfg *g, const struct live_change *change, int n)
{
  struct live l = { .cfg = g, .change = change, .nchanges = n };
  l.words = (g->f->nregs + WORD_BITS - 1) / WORD_BITS;
  if (!l.words || l.words * g->nblocks > MAX_WORDS)
    return 0;
  l.in = xcalloc (g->nblocks * l.words, sizeof *l.in);
  l.name = xcalloc (g->f->nregs, sizeof *l.name);
  name_copies (&l);
  struct pass p = { .l = &l, .set = xcalloc (l.words, sizeof *p.set) };
  unsigned most = 0;
  for (bool changed = true; changed;)
    {
      changed = false;
      most = 0;
      for (int b = g->nblocks - 1; b >= 0; b--)
	{
	  unsigned here = walk (&p, b);
	  word *in = l.in + b * l.words;
	  most = here > most ? here : most;
	  changed |= memcmp (in, p.set, l.words * sizeof *in) != 0;
	  memcpy (in, p.set, l.words * sizeof *in);
	}
    }
  free (p.set);
  free (l.in);
  free (l.name);
  return most;
}
