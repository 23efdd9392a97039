/* Which operations pay in front of a resident loop; see invariant-int.h.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pass/invariant/invariant-int.h"

#include <string.h>

enum
{
  /* Registers of 32 bits that live.c may count.  ptxas takes half of that or less, as it
     computes again what is cheap: 32 for 55 (a sweep of two parts) and 48 for 109
     (conjugate gradients, four parts), where it took 40 and 56 with all operations in the
     loop.  It has 64 for blocks of 1024 threads.  With some of the operations moved and
     others not it took 68, so that it is all or nothing.  */
  MOST_LIVE = 128
};

/* Is S an instruction of the GPU, about?  */
static bool
is_cheap (const struct ptx_stmt *s)
{
  switch (s->insn->op)
    {
    case PTX_OP_ADD:
    case PTX_OP_SUB:
    case PTX_OP_AND:
    case PTX_OP_OR:
    case PTX_OP_XOR:
    case PTX_OP_NOT:
    case PTX_OP_NEG:
    case PTX_OP_SHL:
    case PTX_OP_SHR:
    case PTX_OP_MIN:
    case PTX_OP_MAX:
    case PTX_OP_MOV:
    case PTX_OP_CVT:
    case PTX_OP_SETP:
    case PTX_OP_SELP:
      return true;
    default:
      return false;
    }
}

/* ---- What pays ---- */

static void
need (struct ptx_sym *reg, void *closure)
{
  struct motion *m = closure;
  if (reg->index < m->nregs)
    m->needed[invariant_first (m, reg)->index] = true;
}

/* Does the statement of ITEM stay, at least as a copy?  */
static bool
leaves (const struct item *item)
{
  return !item->stays && item->stmt->insn->op != PTX_OP_BRA;
}

/* Find the registers that what stays in the loop needs, and what follows it.  */
static void
find_needed (struct motion *m)
{
  memset (m->needed, 0, m->nregs * sizeof *m->needed);
  int next = 0;
  /* Items are in the order of blocks and statements, but for selections.  */
  for (int b = 0; b < m->cfg->nblocks; b++)
    for (struct ptx_stmt *s = m->cfg->block[b].first;; s = s->next)
      {
	while (next < m->nitems && m->item[next].stmt->insn->op == PTX_OP_BRA)
	  next++;
	bool gone = next < m->nitems && m->item[next].stmt == s;
	if (gone)
	  gone = leaves (&m->item[next++]);
	if (s->kind == PTX_S_INSN && !gone
	    && (cfg_in_loop (m->cfg, m->loop, b)
		|| !cfg_dominates (m->cfg, b,
				   m->cfg->loop[m->loop].header)))
	  ptx_insn_uses (s->insn, need, m);
	if (s == m->cfg->block[b].last)
	  break;
      }
}

/* Does INSN read a register with the value of REG?  */
static bool
uses_same (const struct motion *m, const struct ptx_insn *insn,
	   const struct ptx_sym *reg)
{
  for (unsigned n = 1; n < insn->nopnds; n++)
    if (insn->opnd[n]->kind == PTX_O_REG
	&& invariant_first (m, insn->opnd[n]->sym) == reg)
      return true;
  return false;
}

/* Does another item, which does not stay, need what item I sets?  */
static bool
has_followers (const struct motion *m, int i)
{
  const struct ptx_sym *reg = m->item[i].reg;
  if (m->item[i].way == COPIES)
    return false;
  for (int k = i + 1; k < m->nitems; k++)
    {
      const struct item *other = &m->item[k];
      const struct ptx_insn *insn = other->stmt->insn;
      if (!other->stays
	  && (other->way == REPEATS ? other->same == reg
	      : other->way == SELECTS
		? invariant_first (m, insn->guard) == reg
		: uses_same (m, insn, reg)))
	return true;
    }
  return false;
}

/* Registers of 32 bits for REG.  */
static unsigned
width_of (const struct ptx_sym *reg)
{
  return invariant_predicate (reg) ? 0 : (eval_width (reg->type) + 31) / 32;
}

/* The registers that the operands of S take in the loop if S stays there, beside those
   that are needed as it is.  */
static unsigned
operands_taken (const struct motion *m, const struct ptx_stmt *s)
{
  unsigned taken = 0;
  for (unsigned n = 1; n < s->insn->nopnds; n++)
    {
      const struct ptx_opnd *o = s->insn->opnd[n];
      if (o->kind == PTX_O_REG && !m->needed[invariant_first (m, o->sym)->index])
	taken += width_of (o->sym) + invariant_predicate (o->sym);
    }
  return taken;
}

/* Let what is one instruction stay where its operands are needed in the loop as well:
   what sets predicates, and copies; if ALL, also what has a result that takes more
   registers than its operands.  */
static void
keep_cheap (struct motion *m, bool all)
{
  for (int i = m->nitems; i--;)
    {
      struct item *item = &m->item[i];
      if (item->stays || (item->way != MOVES && item->way != COPIES)
	  || !is_cheap (item->stmt) || has_followers (m, i))
	continue;
      unsigned taken = operands_taken (m, item->stmt);
      bool first = invariant_predicate (item->reg) || item->way == COPIES;
      item->stays
	= (first && !taken) || (all && taken < width_of (item->reg))
	  || (item->way == COPIES && item->stmt->insn->op == PTX_OP_MOV);
      if (item->stays)
	find_needed (m);
    }
}

/* Registers of 32 bits that are live at once when items have moved: what moves is gone
   where it was, so that its register is live in all of the loop if it is needed there, as
   is one that is copied.  */
static unsigned
pressure (const struct motion *m)
{
  struct live_change *change = xcalloc (m->nitems, sizeof *change);
  unsigned copies = 0;
  int n = 0;
  for (int i = 0; i < m->nitems; i++)
    {
      const struct item *item = &m->item[i];
      if (!leaves (item))
	continue;
      change[n].stmt = item->stmt;
      if (item->way == REPEATS && m->needed[item->same->index])
	{
	  change[n].use = item->same;
	  change[n].copy = item->reg;
	}
      n++;
      if (item->way == COPIES)
	copies += width_of (item->reg);
    }
  n = live_pressure (m->cfg, change, n) + copies;
  free (change);
  return n;
}

int
invariant_choose (struct motion *m)
{
  int moving = 0;
  find_needed (m);
  keep_cheap (m, false);
  if (pressure (m) > MOST_LIVE)
    keep_cheap (m, true);
  if (pressure (m) > MOST_LIVE)
    {
      post_explain (m->post, m->f->header, false, "too many registers");
      return 0;
    }
  for (int i = 0; i < m->nitems; i++)
    moving += !m->item[i].stays;
  return moving;
}
