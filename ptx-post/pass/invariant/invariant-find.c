/* What is the same in all rounds of a resident loop; see invariant-int.h.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pass/invariant/invariant-int.h"

#include <string.h>

struct question { const struct motion *m; bool yes; };

/* Does REG have one value from the way to the loop on?  */
static bool
is_known (const struct motion *m, const struct ptx_sym *reg)
{
  unsigned r = reg->index;
  if (r >= m->nregs || m->inner[r])
    return false;
  if (m->item_of[r] >= 0)
    return true;
  return m->ndefs[r] && !m->changes[r];
}

static void
ask_known (struct ptx_sym *reg, void *closure)
{
  struct question *q = closure;
  q->yes &= is_known (q->m, reg);
}

static struct item *
add_item (struct motion *m, enum way way, int block, struct ptx_stmt *s,
	  struct ptx_sym *reg)
{
  if (m->nitems == m->room)
    {
      m->room = m->room ? 2 * m->room : 64;
      m->item = realloc (m->item, m->room * sizeof *m->item);
      if (!m->item)
	abort ();
    }
  struct item *i = &m->item[m->nitems++];
  *i = (struct item){ .way = way, .block = block, .stmt = s, .reg = reg };
  return i;
}

struct ptx_sym *
invariant_first (const struct motion *m, struct ptx_sym *reg)
{
  return m->same[reg->index] ? m->same[reg->index] : reg;
}

/* Have the operands A and B of operations one value?  */
static bool
is_same (const struct motion *m, const struct ptx_opnd *a,
	 const struct ptx_opnd *b)
{
  if (a->kind != b->kind || a->neg != b->neg)
    return false;
  switch (a->kind)
    {
    case PTX_O_REG:
      return invariant_first (m, a->sym) == invariant_first (m, b->sym);
    case PTX_O_INT:
      return a->bits == b->bits;
    default:
      return a->sreg == b->sreg && a->comp == b->comp;
    }
}

/* Do the operations A and B compute the same?  */
static bool
computes_same (const struct motion *m, const struct ptx_insn *a,
	       const struct ptx_insn *b)
{
  bool same = a->nopnds == b->nopnds && strcmp (a->mnemonic, b->mnemonic) == 0;
  for (unsigned n = 1; same && n < a->nopnds; n++)
    same = is_same (m, a->opnd[n], b->opnd[n]);
  return same;
}

/* The register that has what the operation S computes, or NULL.  */
static struct ptx_sym *
has_already (const struct motion *m, const struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->insn;
  const struct ptx_sym *reg = invariant_result (s);
  if (i->op == PTX_OP_MOV && invariant_register (i->opnd[1])
      && i->opnd[1]->sym->type == reg->type)
    return invariant_first (m, i->opnd[1]->sym);
  for (int k = 0; k < m->nitems; k++)
    {
      const struct item *item = &m->item[k];
      if (item->way == MOVES && item->reg->type == reg->type
	  && computes_same (m, item->stmt->insn, i))
	return item->reg;
    }
  return NULL;
}

/* Note which copies in front of the loop stand for what they copy.  */
static void
find_copies (struct motion *m)
{
  const struct cfg *g = m->cfg;
  int header = g->loop[m->loop].header;
  for (int b = 0; b < header; b++)
    if (cfg_dominates (g, b, header))
      for (struct ptx_stmt *s = g->block[b].first;; s = s->next)
	{
	  struct ptx_sym *reg = invariant_operation (s) ? invariant_result (s) : NULL;
	  if (reg && s->insn->op == PTX_OP_MOV && m->ndefs[reg->index] == 1
	      && invariant_register (s->insn->opnd[1]) && !m->inner[reg->index]
	      && m->ndefs[s->insn->opnd[1]->sym->index] == 1
	      && is_known (m, s->insn->opnd[1]->sym))
	    m->same[reg->index] = has_already (m, s);
	  if (s == g->block[b].last)
	    break;
	}
}

/* S, of block B, may be an operation with known operands.  */
static void
look_at (struct motion *m, struct ptx_stmt *s, int b)
{
  struct question q = { m, true };
  if (!invariant_operation (s))
    return;
  struct ptx_sym *reg = invariant_result (s);
  ptx_insn_uses (s->insn, ask_known, &q);
  if (!q.yes || m->inner[reg->index])
    return;
  bool alone = m->ndefs[reg->index] == 1;
  struct ptx_sym *same = alone ? has_already (m, s) : NULL;
  struct item *item
    = add_item (m, same ? REPEATS : alone ? MOVES : COPIES, b, s, reg);
  item->same = m->same[reg->index] = same;
  if (alone)
    m->item_of[reg->index] = m->nitems - 1;
}

/* The item by which block B sets REG, or -1; REG is not used behind that in the
   block.  */
static int
item_in (const struct motion *m, int b, const struct ptx_sym *reg)
{
  for (int i = m->nitems; i--;)
    if (m->item[i].way == COPIES && m->item[i].block == b
	&& m->item[i].reg == reg)
      {
	for (struct ptx_stmt *s = m->item[i].stmt;
	     s != m->cfg->block[b].last;)
	  {
	    s = s->next;
	    if (s->kind == PTX_S_INSN && insn_uses (s->insn, reg))
	      return -1;
	  }
	return i;
      }
  return -1;
}

/* Is block B a way from the block FROM alone, to one block alone?  */
static bool
is_way (const struct motion *m, int b, int from)
{
  const struct cfg_block *block = &m->cfg->block[b];
  return block->npred == 1 && block->pred[0] == from && block->nsucc == 1;
}

/* The register of a selection that gives what SELECT does, or NULL.  */
static struct ptx_sym *
selects_already (const struct motion *m, const struct item *select)
{
  const struct ptx_insn *branch = select->stmt->insn;
  for (int k = 0; k < m->nitems; k++)
    {
      const struct item *item = &m->item[k];
      if (item == select || item->way != SELECTS
	  || item->reg->type != select->reg->type
	  || invariant_first (m, item->stmt->insn->guard)
	       != invariant_first (m, branch->guard)
	  || item->stmt->insn->guard_neg != branch->guard_neg)
	continue;
      bool same = true;
      for (unsigned i = 0; i < 2; i++)
	same &= computes_same (m, m->item[item->of[i]].stmt->insn,
			       m->item[select->of[i]].stmt->insn);
      if (same)
	return item->reg;
    }
  return NULL;
}

/* Where two ways meet in block B, select what both set.  */
static void
look_at_ways (struct motion *m, int b)
{
  const struct cfg_block *block = &m->cfg->block[b];
  int from = block->idom;
  if (block->npred != 2 || from == CFG_NONE)
    return;
  const struct cfg_block *parts = &m->cfg->block[from];
  struct ptx_stmt *branch = parts->last;
  if (parts->nsucc != 2 || parts->succ[0] == parts->succ[1]
      || branch->kind != PTX_S_INSN || branch->insn->op != PTX_OP_BRA
      || !branch->insn->guard || !is_known (m, branch->insn->guard)
      || !is_way (m, parts->succ[0], from) || !is_way (m, parts->succ[1], from)
      || m->cfg->block[parts->succ[0]].succ[0] != b
      || m->cfg->block[parts->succ[1]].succ[0] != b)
    return;
  for (int i = 0; i < m->nitems; i++)
    {
      struct ptx_sym *reg = m->item[i].reg;
      if (m->item[i].way != COPIES || m->item[i].block != parts->succ[0]
	  || m->ndefs[reg->index] != 2 || invariant_predicate (reg))
	continue;
      int a = item_in (m, parts->succ[0], reg);
      int other = item_in (m, parts->succ[1], reg);
      if (a < 0 || other < 0)
	continue;
      m->item[a].way = m->item[other].way = SELECTED;
      struct item *select = add_item (m, SELECTS, b, branch, reg);
      select->of[0] = a;
      select->of[1] = other;
      select->same = m->same[reg->index] = selects_already (m, select);
      if (select->same)
	select->way = REPEATS;
      m->item_of[reg->index] = m->nitems - 1;
    }
}

void
invariant_find (struct motion *m)
{
  find_copies (m);
  for (int b = 0; b < m->cfg->nblocks; b++)
    if (cfg_in_loop (m->cfg, m->loop, b))
      {
	look_at_ways (m, b);
	for (struct ptx_stmt *s = m->cfg->block[b].first;; s = s->next)
	  {
	    look_at (m, s, b);
	    if (s == m->cfg->block[b].last)
	      break;
	  }
      }
}
