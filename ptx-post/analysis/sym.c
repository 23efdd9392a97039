/* Symbolic emulation of a function: the value of every register at every
   statement, for all threads, blocks and arguments at once.

   The blocks are emulated once a round, in reverse post-order.  What a
   register holds where flows meet is a new atom unless all bring the same
   term.  At a loop's header we assume how each register goes round: as its
   value at entry plus a step per iteration (an induction variable, the step
   may be 0), as something equal in all lanes, or as anything.  A round checks
   by induction what the one before assumed, starting from the best; wrong
   assumptions get weaker, until a round confirms all.  The same rounds settle
   which branches diverge.

   Uniform means equal in all lanes that execute the statement together.  Lanes
   that left a loop in different iterations no longer agree on what it
   computed (temporal divergence).  Lanes of a loop count its iterations
   together only where it is in lockstep: every branch in it on which lanes
   may disagree leaves it, or each iteration has a barrier of the whole warp.
   Nothing else about convergence is assumed, for PTX promises nothing else;
   where the usual hardware does more, that is a likely lockstep, for the
   rewriter to check when the code runs.

   GCC's code for the parts of a region that one lane works on branches around
   them in lanes where %tid.x is not 0, and broadcasts what it needs from lane
   0.  So a join also knows what lane 0 brings to it, if that is one term.

   Registers with one definition have one value.  The others, and the states of
   memory, have a slot in the environment of each block.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/sym-int.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MAX_ROUNDS = 24,
  MAX_ENVIRONMENT = 1 << 22,	/* slots of all blocks together */
  MAX_ACCESSES = 1 << 14,
  MAX_FRESH = 256		/* unknown values that a statement makes */
};

/* ---- Registers ---- */

struct census { struct sym *s; int block, at; };

static void
give_slot (struct sym_state *st, const struct ptx_sym *reg)
{
  struct reg_info *r = &st->reg[reg->index];
  if (r->slot != NO_SLOT)
    return;
  r->slot = st->nslots++;
  st->slot_reg[r->slot] = reg;
}

static void
count_definition (struct ptx_sym *reg, void *closure)
{
  struct census *c = closure;
  struct reg_info *r = &c->s->state->reg[reg->index];
  if (r->block == CFG_NONE)
    {
      r->block = c->block;
      r->at = c->at;
    }
  else
    give_slot (c->s->state, reg);
}

/* A register that may be read before it is written is one of those that differ
   from path to path.  */
static void
check_use (struct ptx_sym *reg, void *closure)
{
  struct census *c = closure;
  const struct reg_info *r = &c->s->state->reg[reg->index];
  if (r->block == CFG_NONE || r->at >= c->at
      || !cfg_dominates (c->s->cfg, r->block, c->block))
    give_slot (c->s->state, reg);
}

static void
find_slots (struct sym *s)
{
  struct sym_state *st = s->state;
  const struct ptx_func *f = s->cfg->f;
  st->reg = xcalloc (f->nregs, sizeof *st->reg);
  st->slot_reg = xcalloc (f->nregs + FIRST_REGISTER, sizeof *st->slot_reg);
  st->nslots = FIRST_REGISTER;
  for (unsigned i = 0; i < f->nregs; i++)
    st->reg[i] = (struct reg_info) { NO_SLOT, CFG_NONE, 0 };
  for (int pass = 0; pass < 2; pass++)
    {
      struct census c = { s, 0, 0 };
      for (c.block = 0; c.block < s->cfg->nblocks; c.block++)
	{
	  const struct cfg_block *b = &s->cfg->block[c.block];
	  for (const struct ptx_stmt *t = b->first;; t = t->next)
	    {
	      c.at++;
	      if (t->kind == PTX_S_INSN && pass == 0)
		ptx_insn_defs (t->insn, count_definition, &c);
	      else if (t->kind == PTX_S_INSN)
		ptx_insn_uses (t->insn, check_use, &c);
	      if (t == b->last)
		break;
	    }
	}
    }
}

const struct term *
sym_join (struct sym *s, int slot, int block, int where, unsigned width,
	  bool uniform, const struct term *lane0)
{
  static const struct ptx_sym memory = { .name = "memory" };
  const struct ptx_sym *reg = s->state->slot_reg[slot];
  struct atom model = { .kind = ATOM_JOIN, .width = width,
			.id = 4 * slot + where, .option = block,
			.uniform = uniform, .sym = reg ? reg : &memory };
  if (!uniform && lane0)
    {
      model.nargs = 1;
      model.arg[0] = lane0;
    }
  return expr_atom (s->pool, &model);
}

const struct term *
sym_fresh (struct sym *s, const struct ptx_sym *reg, unsigned width,
	   bool uniform)
{
  struct atom model = { .kind = ATOM_FRESH, .width = width ? width : 1,
			.id = MAX_FRESH * s->state->at + s->state->fresh,
			.option = s->state->block, .sym = reg,
			.uniform = uniform };
  s->state->fresh = (s->state->fresh + 1) % MAX_FRESH;
  return expr_atom (s->pool, &model);
}

static unsigned
width_of (const struct ptx_sym *reg)
{
  unsigned width = eval_width (reg->type) * reg->vec;
  return width > 64 ? 64 : width;
}
const struct term *
sym_read (struct sym *s, const struct ptx_sym *reg)
{
  struct sym_state *st = s->state;
  if (reg->kind != PTX_SYM_REG)
    return sym_fresh (s, NULL, 1, false);
  const struct reg_info *r = &st->reg[reg->index];
  if (r->slot != NO_SLOT)
    return st->env[r->slot];
  const struct term *t = st->single[reg->index];
  if (t && !sym_is_stale (s, r->block, st->block, NO_SLOT))
    return t;
  struct atom model = { .kind = ATOM_FRESH, .width = width_of (reg),
			.id = -1, .option = st->block, .sym = reg };
  return expr_atom (s->pool, &model);
}

bool
sym_is_defined_once (const struct sym *s, const struct ptx_sym *reg)
{
  return s->state->reg[reg->index].slot == NO_SLOT;
}

void
sym_define (struct sym *s, const struct ptx_sym *reg, const struct term *value)
{
  const struct reg_info *r = &s->state->reg[reg->index];
  if (r->slot != NO_SLOT)
    s->state->env[r->slot] = value;
  else
    s->state->single[reg->index] = value;
}

const struct term *
sym_condition (const struct sym *s, int from, int k)
{
  const struct cfg_block *b = &s->cfg->block[from];
  const struct term *guard = s->state->guard[from];
  if (!guard || !b->last->insn->guard)
    return NULL;
  bool when = b->last->insn->op == PTX_OP_BRA && k == 0;
  return when ? guard
	      : expr_add (s->pool, expr_constant (s->pool, 1, 1), guard, -1);
}

const struct term *
sym_broadcast (struct sym *s, const struct term *value)
{
  return expr_lane0 (s->pool, value, &s->assumes_rows_of_32);
}

bool
sym_uniform_params (const struct sym *s)
{
  return s->state->uniform_params;
}

void
sym_note_extension (struct sym *s, const struct ptx_opnd *opnd,
		    const struct term *arg)
{
  struct sym_state *st = s->state;
  if (!st->last_round || arg->uniform || !arg->linear
      || opnd->kind != PTX_O_REG)
    return;
  if (s->nextensions == st->extension_room)
    {
      st->extension_room = st->extension_room ? 2 * st->extension_room : 16;
      s->extension = realloc (s->extension, st->extension_room
					      * sizeof *s->extension);
      if (!s->extension)
	abort ();
    }
  s->extension[s->nextensions++]
    = (struct sym_extension) { st->stmt, st->block, opnd, arg };
}

/* ---- Memory ---- */

/* Which states an access to SPACE has to do with.  */
static void
states_of (enum ptx_space space, bool *global, bool *other)
{
  *global = space == PTX_SP_GLOBAL || space == PTX_SP_NONE;
  *other = !*global || space == PTX_SP_NONE;
}

static enum ptx_space
space_of (const struct sym *s, const struct ptx_insn *insn)
{
  if (insn->space != PTX_SP_NONE || !s->state->origins)
    return insn->space;
  struct origin o = origin_of_access (s->state->origins, insn);
  return o.kind == ORIGIN_SPACE ? o.space : PTX_SP_NONE;
}

const struct term *
sym_memory (struct sym *s, const struct ptx_insn *insn)
{
  if (insn->mod[PTX_MC_SEM] && insn->mod[PTX_MC_SEM] != PTX_M_WEAK)
    return NULL;
  if (ptx_insn_has (insn, PTX_M_NC) || insn->space == PTX_SP_CONST)
    return expr_constant (s->pool, 1, 0);
  bool global, other;
  states_of (space_of (s, insn), &global, &other);
  if (global && other)
    {
      struct atom both = { .kind = ATOM_OP, .width = 1, .mnemonic = "memory",
			   .nargs = 2, .arg = { s->state->env[SLOT_GLOBAL],
						s->state->env[SLOT_OTHER] } };
      return expr_atom (s->pool, &both);
    }
  return s->state->env[global ? SLOT_GLOBAL : SLOT_OTHER];
}

static void
note_write (struct sym *s, const struct ptx_insn *insn)
{
  bool global = true, other = true;
  if (ptx_op_info[insn->op].flags & PTX_OF_ADDRESS)
    states_of (space_of (s, insn), &global, &other);
  if (insn->space == PTX_SP_PARAM)
    return;
  const struct term *state = sym_fresh (s, NULL, 1, true);
  if (global)
    s->state->env[SLOT_GLOBAL] = state;
  if (other)
    s->state->env[SLOT_OTHER] = state;
}

static void
note_access (struct sym *s, struct ptx_stmt *stmt, const struct term *address)
{
  struct sym_state *st = s->state;
  if (s->naccesses == MAX_ACCESSES)
    {
      st->too_large = true;
      return;
    }
  if (s->naccesses == st->access_room)
    {
      st->access_room = st->access_room ? 2 * st->access_room : 64;
      s->access = realloc (s->access, st->access_room * sizeof *s->access);
      if (!s->access)
	abort ();
    }
  s->access[s->naccesses++] = (struct sym_access) { stmt, st->block, address };
}

/* ---- Blocks ---- */

/* Whether all lanes of a warp meet at INSN.  */
static bool
is_warp_barrier (const struct ptx_insn *insn)
{
  const struct ptx_opnd *o
    = insn->nopnds ? insn->opnd[insn->nopnds - 1] : NULL;
  if (insn->guard)
    return false;
  switch (insn->op)
    {
    case PTX_OP_BAR_WARP:
    case PTX_OP_SHFL:
    case PTX_OP_VOTE:
      return ptx_insn_has (insn, PTX_M_SYNC) && o && o->kind == PTX_O_INT
	     && (uint32_t) o->bits == UINT32_MAX;
    case PTX_OP_BAR:
    case PTX_OP_BARRIER:
      return insn->mod[PTX_MC_MODE] != PTX_M_ARRIVE && insn->nopnds == 1;
    default:
      return false;
    }
}

/* Whether GUARD, of the branch at the end of B, is known not to have the value
   WHEN.  */
static bool
excludes (const struct cfg_block *b, const struct term *guard, bool when)
{
  return guard && b->last->insn->guard && expr_is_constant (guard)
	 && guard->constant != when;
}

static void
emulate_block (struct sym *s, int block)
{
  struct sym_state *st = s->state;
  const struct cfg_block *b = &s->cfg->block[block];
  st->guard[block] = NULL;
  for (struct ptx_stmt *t = b->first;; t = t->next)
    {
      st->at++;
      st->fresh = 0;
      st->stmt = t;
      if (t->kind == PTX_S_INSN)
	{
	  unsigned flags = ptx_op_info[t->insn->op].flags;
	  if (t == b->last && (flags & PTX_OF_CONTROL)
	      && !(flags & PTX_OF_CONVERGENT))
	    st->guard[block] = eval_guard (s, t->insn);
	  else
	    {
	      const struct term *address = eval_insn (s, t->insn);
	      bool writes = flags & PTX_OF_WRITES_MEM;
	      if (writes)
		note_write (s, t->insn);
	      if (st->last_round
		  && (writes || (flags & PTX_OF_READS_MEM)))
		note_access (s, t, address);
	    }
	  st->syncs[block] |= is_warp_barrier (t->insn);
	}
      if (t == b->last)
	break;
    }
  memcpy (st->out + (size_t) block * st->nslots, st->env,
	  st->nslots * sizeof *st->env);

  /* Which way a branch may go; what is known to be false is never taken.  */
  const struct term *guard = st->guard[block];
  bool branches = b->last->kind == PTX_S_INSN
		  && b->last->insn->op == PTX_OP_BRA;
  const struct term *guard0
    = guard ? expr_lane0 (s->pool, guard, NULL) : NULL;
  for (int k = 0; k < b->nsucc; k++)
    {
      int to = b->succ[k];
      bool when = branches && k == 0;
      st->taken[2 * block + k] = !excludes (b, guard, when);
      st->taken0[2 * block + k]
	= st->reached0[block] && !excludes (b, guard0, when);
      st->reached[to] |= st->taken[2 * block + k];
      st->reached0[to] |= st->taken0[2 * block + k];
    }
}
static void
enter_block (struct sym *s, int block)
{
  struct sym_state *st = s->state;
  int loop = cfg_is_header (s->cfg, block) ? s->cfg->block[block].loop
					   : CFG_NONE;
  st->block = block;
  for (int slot = 0; slot < st->nslots; slot++)
    if (block == 0 && loop == CFG_NONE)
      {
	const struct ptx_sym *reg = st->slot_reg[slot];
	st->env[slot] = sym_join (s, slot, 0, 0, reg ? width_of (reg) : 1,
				   !reg, NULL);
      }
    else
      st->env[slot] = loop == CFG_NONE ? sym_incoming (s, block, slot, false)
				       : sym_at_header (s, block, loop, slot);
}
/* True when what the round assumed did not hold.  */
static bool
check_round (struct sym *s)
{
  struct sym_state *st = s->state;
  bool changed = sym_check_branches (s);
  for (int l = 0; l < s->cfg->nloops; l++)
    if (st->reached[s->cfg->loop[l].header])
      {
	st->block = s->cfg->loop[l].header;
	for (int slot = 0; slot < st->nslots; slot++)
	  if (st->written[l * st->nslots + slot])
	    changed |= sym_check_trip (s, l, slot);
      }
  return changed;
}

static void
emulate (struct sym *s)
{
  struct sym_state *st = s->state;
  memset (st->reached, 0, s->cfg->nblocks * sizeof *st->reached);
  memset (st->reached0, 0, s->cfg->nblocks * sizeof *st->reached0);
  st->reached[0] = st->reached0[0] = true;
  st->at = st->fresh = 0;
  for (int b = 0; b < s->cfg->nblocks && !expr_exhausted (s->pool); b++)
    {
      const struct ptx_stmt *t = s->cfg->block[b].first;
      if (st->reached[b])
	{
	  enter_block (s, b);
	  emulate_block (s, b);
	  continue;
	}
      for (st->at++; t != s->cfg->block[b].last; t = t->next)
	st->at++;
    }
}

/* ---- The whole ---- */

struct writes { struct sym *s; int loop; };

static void
mark_written (struct ptx_sym *reg, void *closure)
{
  struct writes *w = closure;
  struct sym_state *st = w->s->state;
  int slot = st->reg[reg->index].slot;
  if (slot != NO_SLOT)
    st->written[w->loop * st->nslots + slot] = true;
}

static void
find_written (struct sym *s)
{
  struct sym_state *st = s->state;
  const struct cfg *g = s->cfg;
  st->written = xcalloc ((size_t) g->nloops * st->nslots, 1);
  for (int b = 0; b < g->nblocks; b++)
    {
      struct writes w = { s, g->block[b].loop };
      if (w.loop == CFG_NONE)
	continue;
      for (const struct ptx_stmt *t = g->block[b].first;; t = t->next)
	{
	  if (t->kind == PTX_S_INSN)
	    {
	      ptx_insn_defs (t->insn, mark_written, &w);
	      if (ptx_op_info[t->insn->op].flags & PTX_OF_WRITES_MEM)
		st->written[w.loop * st->nslots + SLOT_GLOBAL]
		  = st->written[w.loop * st->nslots + SLOT_OTHER] = true;
	    }
	  if (t == g->block[b].last)
	    break;
	}
    }
  /* Parents come after their children.  */
  for (int l = 0; l < g->nloops; l++)
    if (g->loop[l].parent != CFG_NONE)
      for (int i = 0; i < st->nslots; i++)
	st->written[g->loop[l].parent * st->nslots + i]
	  |= st->written[l * st->nslots + i];
}

static const char *
run (struct sym *s)
{
  struct sym_state *st = s->state;
  for (s->rounds = 1; s->rounds <= MAX_ROUNDS; s->rounds++)
    {
      emulate (s);
      if (expr_exhausted (s->pool))
	return "its values are too many";
      if (st->last_round)
	return st->too_large ? "it has too many memory accesses" : NULL;
      /* One more round, to write down what there is.  */
      st->last_round = !check_round (s);
    }
  return "its loops are too strange";
}

struct sym *
sym_new (const struct cfg *g, bool uniform_params, struct origins *origins,
	 const char **why)
{
  struct sym *s = xcalloc (1, sizeof *s);
  struct sym_state *st = s->state = xcalloc (1, sizeof *st);
  s->cfg = g;
  s->pool = expr_pool_new ();
  st->uniform_params = uniform_params;
  st->origins = origins;
  find_slots (s);
  size_t cells = (size_t) (g->nblocks + g->nloops) * st->nslots;
  *why = cells > MAX_ENVIRONMENT ? "it is too large" : NULL;
  if (!*why)
    {
      st->single = xcalloc (g->f->nregs, sizeof *st->single);
      st->env = xcalloc (st->nslots, sizeof *st->env);
      st->out = xcalloc ((size_t) g->nblocks * st->nslots, sizeof *st->out);
      st->trip = xcalloc ((size_t) g->nloops * st->nslots, sizeof *st->trip);
      st->reached = xcalloc (g->nblocks, 1);
      st->reached0 = xcalloc (g->nblocks, 1);
      st->taken = xcalloc (2 * g->nblocks, 1);
      st->taken0 = xcalloc (2 * g->nblocks, 1);
      st->guard = xcalloc (g->nblocks, sizeof *st->guard);
      st->divergent = xcalloc (g->nblocks, 1);
      st->meeting = xcalloc (g->nblocks, 1);
      st->syncs = xcalloc (g->nblocks, 1);
      s->lockstep = xcalloc (g->nloops, sizeof *s->lockstep);
      for (int l = 0; l < g->nloops; l++)
	s->lockstep[l] = SYM_LOCKSTEP_YES;
      find_written (s);
      *why = run (s);
    }
  if (!*why)
    return s;
  sym_free (s);
  return NULL;
}

void
sym_free (struct sym *s)
{
  if (!s)
    return;
  struct sym_state *st = s->state;
  free (st->reg);
  free (st->slot_reg);
  free (st->single);
  free (st->env);
  free (st->out);
  free (st->written);
  free (st->trip);
  free (st->reached);
  free (st->reached0);
  free (st->taken);
  free (st->taken0);
  free (st->guard);
  free (st->divergent);
  free (st->meeting);
  free (st->syncs);
  free (st);
  free (s->access);
  free (s->extension);
  free (s->lockstep);
  expr_pool_free (s->pool);
  free (s);
}
