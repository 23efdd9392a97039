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

#include "analysis.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MAX_ROUNDS = 24,
  MAX_ENVIRONMENT = 1 << 22,	/* slots of all blocks together */
  MAX_ACCESSES = 1 << 14,
  MAX_STEP_DEPTH = 12,
  MAX_FRESH = 256		/* unknown values that a statement makes */
};

/* Slots that are no registers: what has been stored to global memory, and to
   the others.  Their "values" only tell states apart.  */
enum { SLOT_GLOBAL, SLOT_OTHER, FIRST_REGISTER };

enum { NO_SLOT = -1 };

/* How a slot goes round a loop, from the best to the worst.  */
enum motion { MOTION_OPEN, MOTION_STEP, MOTION_UNIFORM, MOTION_ANY };

struct round_trip
{
  enum motion motion;
  const struct term *step;
  /* MOTION_ANY: the same for the value in lane 0, which never is
     MOTION_UNIFORM.  */
  enum motion motion0;
  const struct term *step0;
};

struct reg_info
{
  int slot;			/* NO_SLOT: one definition */
  int block, at;		/* of that definition */
};

struct sym_state
{
  bool uniform_params;
  struct origins *origins;
  int nslots;
  const struct ptx_sym **slot_reg;
  struct reg_info *reg;		/* by ptx_sym.index */
  const struct term **single;	/* values of registers without slot */
  const struct term **env;	/* current environment */
  const struct term **out;	/* by block and slot */
  bool *written;		/* by loop and slot */
  struct round_trip *trip;	/* by loop and slot */
  bool *reached, *reached0;	/* by block: in any lane; in lane 0 */
  bool *taken, *taken0;		/* by block and successor */
  const struct term **guard;	/* by block: predicate of its branch */
  bool *divergent;		/* by block: lanes may leave it separately */
  bool *meeting;		/* by block: lanes that diverged meet there */
  bool *syncs;			/* by block: has a barrier of the warp */
  int block;			/* current */
  int at;			/* current statement's number */
  int fresh;			/* unknown values that it has made */
  struct ptx_stmt *stmt;
  bool last_round, too_large;
  int access_room, extension_room;
};

static void *
xcalloc (size_t n, size_t size)
{
  void *p = calloc (n ? n : 1, size);
  if (!p)
    abort ();
  return p;
}

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

/* What SLOT holds at the head of BLOCK; WHERE tells apart what a loop's header
   gets from outside (1), from inside (2), and the value of an iteration, also
   in lane 0 (3).  LANE0, or NULL: the value in lane 0.  */
static const struct term *
join_atom (struct sym *s, int slot, int block, int where, unsigned width,
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

/* Whether lanes may have left LOOP in different iterations.  */
static bool
leaves_apart (const struct sym *s, int loop)
{
  const struct cfg *g = s->cfg;
  if (s->lockstep[loop] == SYM_LOCKSTEP_NO)
    return true;
  for (int b = g->loop[loop].header; b < g->nblocks; b++)
    if (s->state->divergent[b] && cfg_in_loop (g, loop, b))
      for (int k = 0; k < g->block[b].nsucc; k++)
	if (!cfg_in_loop (g, loop, g->block[b].succ[k]))
	  return true;
  return false;
}

/* Whether a value of block FROM's loops may differ between the lanes that meet
   in block TO, because they left one of these loops at different times.  */
static bool
is_stale (const struct sym *s, int from, int to, int slot)
{
  const struct cfg *g = s->cfg;
  for (int l = g->block[from].loop; l != CFG_NONE && !cfg_in_loop (g, l, to);
       l = g->loop[l].parent)
    if ((slot == NO_SLOT || s->state->written[l * s->state->nslots + slot])
	&& leaves_apart (s, l))
      return true;
  return false;
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
  if (t && !is_stale (s, r->block, st->block, NO_SLOT))
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

/* Whether control goes from block FROM to TO, by TAKEN.  */
static bool
edge_is_taken (const struct sym *s, const bool *taken, int from, int to)
{
  const struct cfg_block *b = &s->cfg->block[from];
  for (int k = 0; k < b->nsucc; k++)
    if (b->succ[k] == to && taken[2 * from + k])
      return true;
  return false;
}

/* What SLOT holds at the head of BLOCK, where it comes from the edges that are
   back edges or not.  NULL: no such edge is taken.  */
static const struct term *
incoming (struct sym *s, int block, int slot, bool back)
{
  struct sym_state *st = s->state;
  const struct cfg_block *b = &s->cfg->block[block];
  const struct term *r = NULL, *lane0 = NULL;
  bool same = true, same0 = true, uniform = !st->meeting[block];
  for (int k = 0; k < b->npred; k++)
    {
      int p = b->pred[k];
      if (cfg_is_back_edge (p, block) != back || !st->reached[p]
	  || !edge_is_taken (s, st->taken, p, block))
	continue;
      const struct term *t = st->out[(size_t) p * st->nslots + slot];
      if (slot >= FIRST_REGISTER && is_stale (s, p, block, slot))
	{
	  same = same0 = uniform = false;
	  r = t;
	  continue;
	}
      if (edge_is_taken (s, st->taken0, p, block))
	{
	  const struct term *t0 = expr_lane0 (s->pool, t, NULL);
	  same0 &= !lane0 || lane0 == t0;
	  lane0 = t0;
	}
      if (r && t != r)
	same = false;
      uniform &= t->uniform;
      r = t;
    }
  if (!r || same)
    return r;
  int where = !cfg_is_header (s->cfg, block) ? 0 : back ? 2 : 1;
  return join_atom (s, slot, block, where, r->width,
		    uniform || slot < FIRST_REGISTER, same0 ? lane0 : NULL);
}

/* ENTRY plus a STEP for each iteration of LOOP.  */
static const struct term *
after_steps (struct sym *s, int loop, const struct term *entry,
	     const struct term *step)
{
  struct atom count = { .kind = ATOM_COUNT, .width = entry->width,
			.id = loop };
  return expr_add (s->pool, entry,
		   expr_multiply (s->pool, expr_atom (s->pool, &count), step),
		   1);
}

/* What SLOT holds in lane 0 at LOOP's header BLOCK, or NULL.  */
static const struct term *
at_header0 (struct sym *s, int block, int loop, int slot,
	    const struct term *entry)
{
  const struct round_trip *t
    = &s->state->trip[loop * s->state->nslots + slot];
  switch (t->motion0)
    {
    case MOTION_OPEN:
      return join_atom (s, slot, block, 3, entry->width, true, NULL);
    case MOTION_STEP:
      return after_steps (s, loop, expr_lane0 (s->pool, entry, NULL),
			  t->step0);
    default:
      return NULL;
    }
}

/* What SLOT holds at the header BLOCK of LOOP, as far as we assume.  */
static const struct term *
at_header (struct sym *s, int block, int loop, int slot)
{
  struct sym_state *st = s->state;
  const struct term *entry = incoming (s, block, slot, false);
  const struct round_trip *t = &st->trip[loop * st->nslots + slot];
  if (!st->written[loop * st->nslots + slot])
    return entry;
  switch (t->motion)
    {
    case MOTION_STEP:
      return after_steps (s, loop, entry, t->step);
    case MOTION_ANY:
      return join_atom (s, slot, block, 0, entry->width,
			slot < FIRST_REGISTER,
			at_header0 (s, block, loop, slot, entry));
    case MOTION_OPEN:
    case MOTION_UNIFORM:
      break;
    }
  return join_atom (s, slot, block, 0, entry->width, true, NULL);
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
	st->env[slot] = join_atom (s, slot, 0, 0, reg ? width_of (reg) : 1,
				   !reg, NULL);
      }
    else
      st->env[slot] = loop == CFG_NONE ? incoming (s, block, slot, false)
				       : at_header (s, block, loop, slot);
}

/* ---- Checking a round's assumptions ---- */

static bool step_is_invariant (const struct sym *s, const struct term *t,
			       int loop, int depth);

/* Whether A has one value while control stays in LOOP.  */
static bool
is_invariant (const struct sym *s, const struct atom *a, int loop, int depth)
{
  switch (a->kind)
    {
    case ATOM_JOIN:
      return !cfg_in_loop (s->cfg, loop, a->option);
    case ATOM_FRESH:
      return a->option >= 0 && !cfg_in_loop (s->cfg, loop, a->option);
    case ATOM_COUNT:
      return !cfg_in_loop (s->cfg, loop, s->cfg->loop[a->id].header);
    default:
      for (unsigned i = 0; i < a->nargs; i++)
	if (!step_is_invariant (s, a->arg[i], loop, depth + 1))
	  return false;
      return true;
    }
}

static bool
step_is_invariant (const struct sym *s, const struct term *t, int loop,
		   int depth)
{
  if (depth > MAX_STEP_DEPTH)
    return false;
  for (unsigned i = 0; i < t->nparts; i++)
    if (!is_invariant (s, t->part[i].atom, loop, depth))
      return false;
  return true;
}

/* Check how SLOT's value in lane 0 went round LOOP.  */
static bool
check_trip0 (struct sym *s, int loop, int slot, const struct term *entry,
	     const struct term *latch)
{
  struct round_trip *t = &s->state->trip[loop * s->state->nslots + slot];
  enum motion old = t->motion0;
  const struct term *header
    = at_header0 (s, s->cfg->loop[loop].header, loop, slot, entry);
  if (!header)
    return false;
  const struct term *step
    = expr_add (s->pool, expr_lane0 (s->pool, latch, NULL), header, -1);
  if (old == MOTION_STEP && step == t->step0)
    return false;
  t->step0 = step;
  t->motion0 = old == MOTION_OPEN && s->lockstep[loop]
		   && step_is_invariant (s, step, loop, 0)
		 ? MOTION_STEP
		 : MOTION_ANY;
  return true;
}

/* Check how SLOT went round LOOP; true when the assumption did not hold.  */
static bool
check_trip (struct sym *s, int loop, int slot)
{
  struct sym_state *st = s->state;
  int header = s->cfg->loop[loop].header;
  struct round_trip *t = &st->trip[loop * st->nslots + slot];
  struct round_trip old = *t;
  const struct term *entry = incoming (s, header, slot, false);
  const struct term *latch = incoming (s, header, slot, true);
  if (!latch)
    return false;
  if (old.motion == MOTION_ANY)
    return check_trip0 (s, loop, slot, entry, latch);
  if (old.motion <= MOTION_STEP && s->lockstep[loop])
    {
      const struct term *step
	= expr_add (s->pool, latch, at_header (s, header, loop, slot), -1);
      if (old.motion == MOTION_OPEN && step_is_invariant (s, step, loop, 0))
	{
	  t->motion = MOTION_STEP;
	  t->step = step;
	  return true;
	}
      if (old.motion == MOTION_STEP && step == old.step)
	return false;
    }
  bool uniform = s->lockstep[loop] && entry->uniform && latch->uniform
		 && !st->meeting[header];
  t->motion = uniform ? MOTION_UNIFORM : MOTION_ANY;
  return t->motion != old.motion;
}

/* Mark the blocks that BLOCK leads to without passing STOP.  */
static void
flood (const struct cfg *g, int block, int stop, bool *mark, int *stack)
{
  int depth = 0;
  if (block != stop && !mark[block])
    {
      mark[block] = true;
      stack[depth++] = block;
    }
  while (depth)
    {
      const struct cfg_block *b = &g->block[stack[--depth]];
      for (int k = 0; k < b->nsucc; k++)
	if (b->succ[k] != stop && !mark[b->succ[k]])
	  {
	    mark[b->succ[k]] = true;
	    stack[depth++] = b->succ[k];
	  }
    }
}

/* Lanes that go separate ways at BLOCK may meet where both lead.  */
static void
spread_divergence (struct sym *s, int block)
{
  const struct cfg *g = s->cfg;
  const struct cfg_block *b = &g->block[block];
  bool *mark[2];
  int *stack = xcalloc (g->nblocks, sizeof *stack);
  for (int k = 0; k < 2; k++)
    {
      mark[k] = xcalloc (g->nblocks, sizeof *mark[k]);
      if (k < b->nsucc)
	flood (g, b->succ[k], b->ipdom, mark[k], stack);
    }
  for (int i = 0; i < g->nblocks; i++)
    s->state->meeting[i] |= (mark[0][i] && mark[1][i]) || i == b->ipdom;
  free (mark[0]);
  free (mark[1]);
  free (stack);
}

/* Whether an iteration of LOOP can pass no barrier of the warp.  */
static bool
has_free_cycle (const struct sym *s, int loop)
{
  const struct cfg *g = s->cfg;
  int header = g->loop[loop].header, depth = 0;
  bool *mark = xcalloc (g->nblocks, sizeof *mark), found = false;
  int *stack = xcalloc (g->nblocks, sizeof *stack);
  if (!s->state->syncs[header])
    mark[stack[depth++] = header] = true;
  while (depth && !found)
    {
      const struct cfg_block *b = &g->block[stack[--depth]];
      for (int k = 0; k < b->nsucc; k++)
	{
	  int to = b->succ[k];
	  found |= to == header;
	  if (cfg_in_loop (g, loop, to) && !mark[to] && !s->state->syncs[to])
	    mark[stack[depth++] = to] = true;
	}
    }
  free (mark);
  free (stack);
  return found;
}

/* Whether lanes that go separate ways at BLOCK meet again before LOOP's next
   iteration: at the block where all ways meet, none around the loop.  */
static bool
meet_again (const struct sym *s, int block, int loop)
{
  const struct cfg *g = s->cfg;
  const struct cfg_block *b = &g->block[block];
  if (b->ipdom == CFG_NONE || !cfg_in_loop (g, loop, b->ipdom))
    return false;
  bool *mark = xcalloc (g->nblocks, sizeof *mark);
  int *stack = xcalloc (g->nblocks, sizeof *stack);
  for (int k = 0; k < b->nsucc; k++)
    flood (g, b->succ[k], b->ipdom, mark, stack);
  bool around = mark[g->loop[loop].header];
  free (mark);
  free (stack);
  return !around && b->ipdom != g->loop[loop].header;
}

/* Branch BLOCK diverges: loops in which it goes both ways, lanes disagreeing,
   lose their lockstep.  */
static void
lose_lockstep (struct sym *s, int block)
{
  const struct cfg *g = s->cfg;
  for (int l = g->block[block].loop; l != CFG_NONE; l = g->loop[l].parent)
    {
      bool stays = true;
      for (int k = 0; k < g->block[block].nsucc; k++)
	stays &= cfg_in_loop (g, l, g->block[block].succ[k]);
      if (!stays || s->lockstep[l] == SYM_LOCKSTEP_NO
	  || !has_free_cycle (s, l))
	continue;
      s->lockstep[l] = meet_again (s, block, l) ? SYM_LOCKSTEP_LIKELY
						: SYM_LOCKSTEP_NO;
    }
}

/* Find branches on which lanes may disagree; true when there are new ones. */
static bool
check_branches (struct sym *s)
{
  struct sym_state *st = s->state;
  bool changed = false;
  for (int b = 0; b < s->cfg->nblocks; b++)
    {
      const struct ptx_stmt *last = s->cfg->block[b].last;
      if (!st->reached[b] || !st->guard[b] || st->guard[b]->uniform
	  || st->divergent[b]
	  || (last->insn->op == PTX_OP_BRA
	      && last->insn->mod[PTX_MC_MODE] == PTX_M_UNI))
	continue;
      st->divergent[b] = changed = true;
      spread_divergence (s, b);
      lose_lockstep (s, b);
    }
  return changed;
}

/* True when what the round assumed did not hold.  */
static bool
check_round (struct sym *s)
{
  struct sym_state *st = s->state;
  bool changed = check_branches (s);
  for (int l = 0; l < s->cfg->nloops; l++)
    if (st->reached[s->cfg->loop[l].header])
      {
	st->block = s->cfg->loop[l].header;
	for (int slot = 0; slot < st->nslots; slot++)
	  if (st->written[l * st->nslots + slot])
	    changed |= check_trip (s, l, slot);
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
