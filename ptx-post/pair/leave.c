/* May threads leave a block while others still meet at its barriers?

   They may where threads of a block go different ways at a branch and there is
   a barrier on one of them, before they meet again: in a kernel that is right,
   those who do not come to it come to none any more.  Threads go one way where
   the branch's condition is the same for the whole block: computed from
   parameters, constants and the block's place in the grid, under such
   conditions.

   Forward analysis of registers, which assumes that all are the same and
   takes back.  Where there is no flow graph the answer is yes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pair/pair.h"

#include "analysis/analysis.h"

#include <string.h>

enum { MAX_CELLS = 1 << 24 };	/* blocks * registers */

struct leaving
{
  const struct pair_side *side;
  struct cfg *cfg;
  unsigned nregs;
  bool *entry;			/* by block and register: differs within the
				   thread block */
  bool *now;			/* by register */
  bool *apart;			/* by block: threads may be elsewhere */
  bool *parts;			/* by block: threads part at its end */
};

static const struct ptx_insn *
last_insn (const struct cfg_block *b)
{
  return b->last->kind == PTX_S_INSN ? b->last->insn : NULL;
}

/* The blocks between block FROM and where its ways meet, for free.  */
static bool *
find_between (const struct cfg *g, int from)
{
  const struct cfg_block *b = &g->block[from];
  int *stack = xcalloc (g->nblocks, sizeof *stack);
  bool *between = xcalloc (g->nblocks, sizeof *between);
  for (int k = 0; k < b->nsucc; k++)
    cfg_flood (g, b->succ[k], b->ipdom, between, stack);
  free (stack);
  return between;
}

struct use { const struct leaving *l; bool varies; };

static void
look_at_use (struct ptx_sym *reg, void *closure)
{
  struct use *u = closure;
  u->varies |= u->l->now[reg->index];
}

static bool
operand_varies (const struct ptx_opnd *o)
{
  if (o->kind == PTX_O_SREG)
    switch (o->sreg)
      {
      case PTX_SR_NTID:
      case PTX_SR_CTAID:
      case PTX_SR_NCTAID:
      case PTX_SR_DYNAMIC_SMEM_SIZE:
	return false;
      default:
	return true;
      }
  for (unsigned i = 0; i < o->nelt; i++)
    if (operand_varies (o->elt[i]))
      return true;
  return false;
}

/* Does INSN load a parameter of the kernel, not what a function returns?  */
static bool
loads_parameter (const struct leaving *l, const struct ptx_insn *insn)
{
  const struct ptx_opnd *a = ptx_insn_address (insn);
  for (const struct ptx_sym *p = l->side->kernel->params; p; p = p->next)
    if (insn->space == PTX_SP_PARAM && a && a->nelt && a->elt[0]->sym == p)
      return true;
  return false;
}

/* Does INSN load the same for all threads that load from the same address?
   Others may write to shared memory only before the barrier that the load
   stands behind or after the next one, when the kernel is right.  */
static bool
loads_same (const struct leaving *l, const struct ptx_insn *insn)
{
  if (insn->op != PTX_OP_LD || insn->mod[PTX_MC_SEM])
    return false;
  return insn->space == PTX_SP_CONST || insn->space == PTX_SP_SHARED
	 || ptx_insn_has (insn, PTX_M_NC) || loads_parameter (l, insn);
}

/* Does INSN work on what differs, or give what may?  */
static bool
insn_varies (const struct leaving *l, const struct ptx_insn *insn)
{
  /* A reduction over the block gives all the same.  */
  if (pair_is_full (insn))
    return insn->guard && l->now[insn->guard->index];
  if (!loads_same (l, insn)
      && (ptx_op_info[insn->op].flags & ~PTX_OF_ADDRESS))
    return true;
  struct use u = { l, false };
  ptx_insn_uses (insn, look_at_use, &u);
  for (unsigned i = 0; i < insn->nopnds; i++)
    u.varies |= operand_varies (insn->opnd[i]);
  return u.varies;
}

struct set { struct leaving *l; bool varies, guarded; };

static void
set_register (struct ptx_sym *reg, void *closure)
{
  struct set *s = closure;
  bool *now = &s->l->now[reg->index];
  *now = s->varies || (s->guarded && *now);
}

/* Go through block B.  */
static void
pass_block (struct leaving *l, int b)
{
  const struct cfg_block *block = &l->cfg->block[b];
  memcpy (l->now, l->entry + (size_t) b * l->nregs, l->nregs);
  for (const struct ptx_stmt *s = block->first;; s = s->next)
    {
      if (s->kind == PTX_S_INSN)
	{
	  struct set set = { l, l->apart[b] || insn_varies (l, s->insn),
			     s->insn->guard != NULL };
	  ptx_insn_defs (s->insn, set_register, &set);
	}
      if (s == block->last)
	break;
    }
  const struct ptx_insn *i = last_insn (block);
  l->parts[b] = i && (ptx_op_info[i->op].flags & PTX_OF_CONTROL) && i->guard
		&& l->now[i->guard->index];
}

/* Threads part at the end of block FROM.  */
static void
part (struct leaving *l, int from)
{
  bool *between = find_between (l->cfg, from);
  for (int b = 0; b < l->cfg->nblocks; b++)
    l->apart[b] |= between[b];
  free (between);
}

/* What varies now does where block B begins; whether that is new.  */
static bool
meet (struct leaving *l, int b)
{
  bool new = false;
  bool *entry = l->entry + (size_t) b * l->nregs;
  for (unsigned r = 0; r < l->nregs; r++)
    if (l->now[r] && !entry[r])
      new = entry[r] = true;
  return new;
}

static void
find_varying (struct leaving *l)
{
  const struct cfg *g = l->cfg;
  bool changed;
  do
    {
      changed = false;
      for (int b = 0; b < g->nblocks; b++)
	{
	  bool before = l->parts[b];
	  pass_block (l, b);
	  changed |= l->parts[b] && !before;
	  if (l->parts[b] && !before)
	    part (l, b);
	  for (int k = 0; k < g->block[b].nsucc; k++)
	    changed |= meet (l, g->block[b].succ[k]);
	}
    }
  while (changed);
}

/* Is there a barrier of the whole block in block B, or in what it calls?  */
static bool
has_barrier (const struct leaving *l, int b)
{
  const struct cfg_block *block = &l->cfg->block[b];
  for (const struct ptx_stmt *s = block->first;; s = s->next)
    {
      if (s->kind == PTX_S_INSN && pair_is_full (s->insn))
	return true;
      if (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_CALL)
	{
	  const struct ptx_sym *to = call_target (s->insn);
	  to = to ? pair_behind_alias (l->side->unit, to) : NULL;
	  const struct pair_func *f
	    = to ? pair_find_func (l->side, to->func) : NULL;
	  if (f && f->full_below)
	    return true;
	}
      if (s == block->last)
	return false;
    }
}

/* Is there a barrier on a way from the branch of block B, at which threads go
   different ways, to where they meet?  */
static bool
leaves_at (const struct leaving *l, int b)
{
  const struct cfg *g = l->cfg;
  if (!l->parts[b])
    return false;
  bool *ahead = find_between (g, b), found = false;
  for (int k = 0; k < g->nblocks && !found; k++)
    found = ahead[k] && has_barrier (l, k);
  free (ahead);
  return found;
}

/* Is there such a branch in the flow graph of L?  */
static bool
leaves (struct leaving *l)
{
  size_t n = l->cfg->nblocks, cells = n * l->nregs;
  if (cells > MAX_CELLS)
    return true;
  l->entry = xcalloc (cells, sizeof *l->entry);
  l->now = xcalloc (l->nregs, sizeof *l->now);
  l->apart = xcalloc (n, sizeof *l->apart);
  l->parts = xcalloc (n, sizeof *l->parts);
  find_varying (l);
  bool found = false;
  for (unsigned b = 0; b < n && !found; b++)
    found = leaves_at (l, b);
  free (l->entry);
  free (l->now);
  free (l->apart);
  free (l->parts);
  return found;
}

/* May threads miss barriers in the function F of SIDE?  */
static bool
func_leaves (const struct pair_side *side, const struct ptx_func *f)
{
  const char *why;
  struct leaving l
    = { .side = side, .cfg = cfg_new (f, &why), .nregs = f->nregs };
  bool found = !l.cfg || leaves (&l);
  cfg_free (l.cfg);
  return found;
}

bool
pair_leaves_early (const struct pair_side *side)
{
  for (const struct pair_func *f = side->funcs; f; f = f->next)
    if (f->full_below && func_leaves (side, f->f))
      return true;
  return false;
}
