/* Pass uniform: what one lane computes for all, all compute for themselves.

   Where OpenACC code is not for the vector, GCC lets lane 0 execute it,

     @p bra L;  ...  L: bar.warp.sync -1;		(p: %tid.x != 0)

   and before the next loop for the vector gives all lanes what is live then, a
   shuffle for each 32 bits, also when it has not changed since the last time.
   When all lanes execute that code instead, what is made of the same values is
   the same in all of them, and the shuffle of it may go.

   Stores are for lane 0 as before.  So are loads, unless their address is the
   same in all lanes, what they load does not change meanwhile
   (origin_is_steady) and no store is beside them; then a barrier of the warp
   stands in front of them, and there is GCC's own behind them.

   A register is uniform at a place when it has one value in all lanes of the
   warp.  That is a forward analysis which assumes the best and takes back.
   Where a branch sends lanes different ways, nothing that is written before
   they meet again is uniform.

   Needs: entries of regions with a tag, PTX 6.0.  Keeps: everything else.
   Breaks: nothing.
   Source: nvptx_single and nvptx_propagate in GCC's config/nvptx/nvptx.cc.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"

#include <string.h>

enum { MAX_CELLS = 1 << 24 };	/* blocks * registers */

/* What is executed by lane 0, as a block of its own.  */
struct solo
{
  struct ptx_sym *p;		/* the guard of the branch; NULL: no such
				   block */
  struct ptx_stmt *branch;
  bool stores, loads;		/* LOADS: all lanes do */
};

struct uniform
{
  struct post *post;
  struct ptx_func *f;
  struct cfg *cfg;
  struct origins *origins;
  unsigned nregs;
  const struct ptx_insn **def;	/* by register: the one that writes it */
  unsigned *ndefs;
  struct solo *solo;		/* by block */
  bool *divergent;		/* by block: lanes may be elsewhere */
  bool *entry;			/* by block and register: uniform */
  bool *now;			/* by register */
};

/* ---- Instructions ---- */

struct count { struct uniform *u; const struct ptx_insn *insn; };

static void
count_def (struct ptx_sym *reg, void *closure)
{
  struct count *c = closure;
  c->u->def[reg->index] = c->insn;
  c->u->ndefs[reg->index]++;
}

static bool
is_register (const struct ptx_opnd *o)
{
  return o->kind == PTX_O_REG;
}

/* The instruction that alone writes the register O, or NULL.  */
static const struct ptx_insn *
only_def (const struct uniform *u, const struct ptx_opnd *o)
{
  return is_register (o) && u->ndefs[o->sym->index] == 1
	 ? u->def[o->sym->index] : NULL;
}

/* Does P say that the lane is not lane 0, all over the function?  */
static bool
tells_other_lanes (const struct uniform *u, const struct ptx_sym *p)
{
  const struct ptx_insn *d = u->ndefs[p->index] == 1 ? u->def[p->index] : NULL;
  if (!d || d->guard || d->op != PTX_OP_SETP || d->mod[PTX_MC_CMP] != PTX_M_NE
      || d->mod[PTX_MC_SUBOP] || d->nopnds != 3 || !is_register (d->opnd[0])
      || d->opnd[2]->kind != PTX_O_INT || d->opnd[2]->bits)
    return false;
  const struct ptx_insn *x = only_def (u, d->opnd[1]);
  return x && !x->guard && x->op == PTX_OP_MOV
	 && x->opnd[1]->kind == PTX_O_SREG && x->opnd[1]->sreg == PTX_SR_TID
	 && x->opnd[1]->comp == 'x';
}

static bool
is_all_lanes (const struct ptx_opnd *o)
{
  return o->kind == PTX_O_INT && (uint32_t) o->bits == UINT32_MAX;
}

/* GCC's broadcast of a register from lane 0 to itself.  */
static bool
is_broadcast (const struct ptx_insn *i)
{
  return i->op == PTX_OP_SHFL && i->nopnds == 5 && !i->guard
	 && i->mod[PTX_MC_MODE] == PTX_M_IDX && is_register (i->opnd[0])
	 && is_register (i->opnd[1]) && i->opnd[2]->kind == PTX_O_INT
	 && i->opnd[2]->bits == 0 && i->opnd[3]->kind == PTX_O_INT
	 && i->opnd[3]->bits == 31 && is_all_lanes (i->opnd[4]);
}

static bool
is_plain (const struct ptx_insn *i)
{
  return !i->mod[PTX_MC_SEM] && !i->mod[PTX_MC_SCOPE];
}

static bool
computes_only (const struct ptx_insn *i)
{
  return !(ptx_op_info[i->op].flags & ~PTX_OF_ADDRESS)
	 && !ptx_insn_has (i, PTX_M_CC);
}

/* ---- Blocks of lane 0 ---- */

/* The first instruction of block B, or NULL.  */
static const struct ptx_insn *
first_insn (const struct cfg_block *b)
{
  for (const struct ptx_stmt *s = b->first;; s = s->next)
    if (s->kind == PTX_S_INSN)
      return s->insn;
    else if (s == b->last)
      return NULL;
}

static bool
is_sync (const struct ptx_insn *i)
{
  return i && i->op == PTX_OP_BAR_WARP && !i->guard && i->nopnds == 1
	 && is_all_lanes (i->opnd[0]);
}

/* May all lanes execute block B, with guards on what is for lane 0?  */
static bool
may_share (const struct cfg_block *b, struct solo *solo)
{
  for (const struct ptx_stmt *s = b->first;; s = s->next)
    {
      const struct ptx_insn *i = s->kind == PTX_S_INSN ? s->insn : NULL;
      if (i && (i->op == PTX_OP_ST || i->op == PTX_OP_LD))
	{
	  if (i->guard)
	    return false;
	  solo->stores |= i->op == PTX_OP_ST;
	}
      else if (i && !computes_only (i))
	return false;
      if (s == b->last)
	return true;
    }
}

/* Look whether block B branches around the next one for all lanes but 0.  */
static void
find_solo (struct uniform *u, int b)
{
  const struct cfg_block *from = &u->cfg->block[b];
  const struct ptx_insn *i
    = from->last->kind == PTX_S_INSN ? from->last->insn : NULL;
  if (!i || i->op != PTX_OP_BRA || !i->guard || i->guard_neg
      || i->mod[PTX_MC_MODE] || from->nsucc != 2
      || !tells_other_lanes (u, i->guard))
    return;
  int label = from->succ[0], next = from->succ[1];
  const struct cfg_block *to = &u->cfg->block[next];
  struct solo solo = { i->guard, from->last, false, false };
  if (to->npred == 1 && to->nsucc == 1 && to->succ[0] == label
      && next != label && is_sync (first_insn (&u->cfg->block[label]))
      && may_share (to, &solo))
    u->solo[next] = solo;
}

/* Does block B branch around one that all lanes execute?  */
static bool
goes_around (const struct uniform *u, int b)
{
  const struct cfg_block *from = &u->cfg->block[b];
  return from->nsucc == 2 && u->solo[from->succ[1]].branch == from->last;
}

/* ---- Uniformity ---- */

static void
and_use (struct ptx_sym *reg, void *closure)
{
  struct count *c = closure;
  if (!c->u->now[reg->index])
    c->insn = NULL;
}

static bool
operand_varies (const struct ptx_opnd *o)
{
  if (o->kind == PTX_O_SREG)
    switch (o->sreg)
      {
      case PTX_SR_TID:
	return o->comp == 'x';
      case PTX_SR_NTID:
      case PTX_SR_CTAID:
      case PTX_SR_NCTAID:
	return false;
      default:
	return true;
      }
  for (unsigned k = 0; k < o->nelt; k++)
    if (operand_varies (o->elt[k]))
      return true;
  return false;
}

/* Is all that INSN works on uniform, its guard too?  */
static bool
uses_uniform (struct uniform *u, const struct ptx_insn *insn)
{
  struct count c = { u, insn };
  ptx_insn_uses (insn, and_use, &c);
  for (unsigned k = 0; c.insn && k < insn->nopnds; k++)
    if (operand_varies (insn->opnd[k]))
      return false;
  return c.insn != NULL;
}

/* Does INSN load a parameter of the entry?  */
static bool
is_argument (const struct uniform *u, const struct ptx_insn *insn)
{
  const struct ptx_opnd *a = ptx_insn_address (insn);
  for (const struct ptx_sym *p = u->f->params; p; p = p->next)
    if (insn->space == PTX_SP_PARAM && a && a->nelt && a->elt[0]->sym == p)
      return true;
  return false;
}

/* Do all lanes execute the load INSN of block B, once all execute the block?  */
static bool
is_shared_load (struct uniform *u, const struct ptx_insn *insn, int b)
{
  return !u->solo[b].stores && is_plain (insn)
	 && (is_argument (u, insn)
	     || (insn->space != PTX_SP_LOCAL && insn->space != PTX_SP_PARAM
		 && origin_is_steady (u->origins, insn)
		 && uses_uniform (u, insn)));
}

/* Is what INSN of block B writes uniform?  */
static bool
result_uniform (struct uniform *u, const struct ptx_insn *insn, int b)
{
  if (u->divergent[b])
    return false;
  if (insn->op == PTX_OP_LD)
    return u->solo[b].p ? is_shared_load (u, insn, b)
			: is_argument (u, insn);
  return is_broadcast (insn)
	 || (computes_only (insn) && uses_uniform (u, insn));
}

static void
set_def (struct ptx_sym *reg, void *closure)
{
  struct count *c = closure;
  bool was = c->u->now[reg->index];
  c->u->now[reg->index] = c->insn && (!c->insn->guard || was);
}

static void
transfer (struct uniform *u, const struct ptx_insn *insn, int b)
{
  struct count c = { u, result_uniform (u, insn, b) ? insn : NULL };
  ptx_insn_defs (insn, set_def, &c);
}

/* What is uniform now is so where block B begins; whether that takes anything
   back.  */
static bool
meet (struct uniform *u, int b)
{
  bool changed = false;
  bool *entry = u->entry + (size_t) b * u->nregs;
  for (unsigned r = 0; r < u->nregs; r++)
    if (entry[r] && !u->now[r])
      {
	entry[r] = false;
	changed = true;
      }
  return changed;
}

/* Mark what lanes may be at that went different ways at the end of FROM.  */
static bool
spread (struct uniform *u, int from)
{
  const struct cfg *g = u->cfg;
  const struct cfg_block *b = &g->block[from];
  int *stack = xcalloc (g->nblocks, sizeof *stack);
  bool *seen = xcalloc (g->nblocks, sizeof *seen), changed = false;
  for (int k = 0; k < b->nsucc; k++)
    cfg_flood (g, b->succ[k], b->ipdom, seen, stack);
  for (int at = 0; at < g->nblocks; at++)
    {
      changed |= seen[at] && !u->divergent[at];
      u->divergent[at] |= seen[at];
    }
  free (stack);
  free (seen);
  return changed;
}

/* May lanes go different ways at the end of block B?  */
static bool
diverges (struct uniform *u, int b)
{
  const struct cfg_block *from = &u->cfg->block[b];
  const struct ptx_insn *i
    = from->last->kind == PTX_S_INSN ? from->last->insn : NULL;
  if (!i || !(ptx_op_info[i->op].flags & PTX_OF_CONTROL) || !i->guard)
    return false;
  if (i->op == PTX_OP_BRA && i->mod[PTX_MC_MODE] == PTX_M_UNI)
    return false;
  return !goes_around (u, b) && !u->now[i->guard->index];
}

static void
find_uniform (struct uniform *u)
{
  bool changed = true;
  memset (u->entry + u->nregs, true,
	  ((size_t) u->cfg->nblocks - 1) * u->nregs);
  while (changed)
    {
      changed = false;
      for (int b = 0; b < u->cfg->nblocks; b++)
	{
	  const struct cfg_block *block = &u->cfg->block[b];
	  memcpy (u->now, u->entry + (size_t) b * u->nregs, u->nregs);
	  for (const struct ptx_stmt *s = block->first;; s = s->next)
	    {
	      if (s->kind == PTX_S_INSN)
		transfer (u, s->insn, b);
	      if (s == block->last)
		break;
	    }
	  if (diverges (u, b))
	    changed |= spread (u, b);
	  for (int k = goes_around (u, b); k < block->nsucc; k++)
	    changed |= meet (u, block->succ[k]);
	}
    }
}

/* ---- The rewrite ---- */

static void
insert_sync (struct uniform *u, struct ptx_stmt *after)
{
  struct ptx_error e;
  if (!ptx_insert_after (u->post->unit, u->f, after,
			 "\nbar.warp.sync 0xffffffff;", &e))
    abort ();
}

/* Leave S, in the block SOLO, to lane 0 when it is not for all lanes.  */
static void
guard (struct solo *solo, struct ptx_stmt *s, bool all_load)
{
  solo->loads |= s->insn->op == PTX_OP_LD && all_load;
  if (s->insn->op == PTX_OP_ST || (s->insn->op == PTX_OP_LD && !all_load))
    {
      s->insn->guard = solo->p;
      s->insn->guard_neg = true;
      s->changed = true;
    }
}

/* Is S a broadcast of block B that gives all lanes what they have?  */
static bool
is_idle (const struct uniform *u, const struct ptx_stmt *s, int b)
{
  const struct ptx_insn *i = s->insn;
  return is_broadcast (i) && !u->divergent[b] && s != u->cfg->block[b].last
	 && i->opnd[0]->sym == i->opnd[1]->sym
	 && u->now[i->opnd[0]->sym->index];
}

/* Walk over the blocks as find_uniform did, at the end, and rewrite them when
   GO.  How many broadcasts are idle.

   A broadcast is a barrier of the warp as well, which stays where there is no
   other one since the last access to memory.  */
static unsigned
drop_broadcasts (struct uniform *u, bool go)
{
  unsigned n = 0;
  for (int b = 0; b < u->cfg->nblocks; b++)
    {
      const struct cfg_block *block = &u->cfg->block[b];
      struct ptx_stmt *end = block->last->next;
      bool synced = false;
      memcpy (u->now, u->entry + (size_t) b * u->nregs, u->nregs);
      for (struct ptx_stmt *s = block->first, *next; s != end; s = next)
	{
	  next = s->next;
	  if (s->kind != PTX_S_INSN)
	    continue;
	  bool idle = is_idle (u, s, b);
	  if (is_sync (s->insn) || (is_broadcast (s->insn) && !idle))
	    synced = true;
	  else if (ptx_op_info[s->insn->op].flags
		   & (PTX_OF_READS_MEM | PTX_OF_WRITES_MEM))
	    synced = false;
	  if (go && u->solo[b].p)
	    guard (&u->solo[b], s,
		   s->insn->op == PTX_OP_LD && is_shared_load (u, s->insn, b));
	  transfer (u, s->insn, b);
	  n += idle;
	  if (!idle || !go)
	    continue;
	  if (!synced)
	    insert_sync (u, s);
	  synced = true;
	  post_explain (u->post, s, true, "all lanes have that");
	  ptx_remove (u->post->unit, s);
	}
    }
  return n;
}

static void
open_solos (struct uniform *u)
{
  for (int b = 0; b < u->cfg->nblocks; b++)
    if (u->solo[b].p)
      {
	if (u->solo[b].loads)
	  insert_sync (u, u->solo[b].branch);
	ptx_remove (u->post->unit, u->solo[b].branch);
      }
}

static void
rewrite (struct post *p, struct ptx_func *f, const struct acr_region *tag)
{
  const char *why;
  struct uniform u = { .post = p, .f = f, .nregs = f->nregs };
  /* Frames differ from lane to lane at the same generic address.  */
  if (func_has_frame (f) || !(u.cfg = cfg_new (f, &why)))
    return;
  size_t n = u.cfg->nblocks, cells = n * u.nregs;
  if (cells && cells <= MAX_CELLS && (u.origins = origins_new (f, tag)))
    {
      u.def = xcalloc (u.nregs, sizeof *u.def);
      u.ndefs = xcalloc (u.nregs, sizeof *u.ndefs);
      u.solo = xcalloc (n, sizeof *u.solo);
      u.divergent = xcalloc (n, sizeof *u.divergent);
      u.entry = xcalloc (cells, sizeof *u.entry);
      u.now = xcalloc (u.nregs, sizeof *u.now);
      for (struct ptx_stmt *s = f->first; s != f->last; s = s->next)
	if (s->kind == PTX_S_INSN)
	  ptx_insn_defs (s->insn, count_def, &(struct count){ &u, s->insn });
      for (unsigned b = 0; b < n; b++)
	find_solo (&u, b);
      find_uniform (&u);
      if (drop_broadcasts (&u, false))
	{
	  drop_broadcasts (&u, true);
	  open_solos (&u);
	}
      free (u.def);
      free (u.ndefs);
      free (u.solo);
      free (u.divergent);
      free (u.entry);
      free (u.now);
    }
  origins_free (u.origins);
  cfg_free (u.cfg);
}

void
pass_uniform (struct post *p)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    {
      const struct acr_region *tag = f->is_entry ? tags_find (p->tags, f)
						 : NULL;
      if (tag && tag->spmd == ACR_SPMD_NO && tag->kind != ACR_KIND_OMP_TARGET)
	rewrite (p, f, tag);
    }
}
