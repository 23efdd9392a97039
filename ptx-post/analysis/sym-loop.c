/* What registers hold where flows meet and at the headers of loops, as far as
   a round of the emulation assumes, and whether that was right (see sym.c).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/sym-int.h"

enum { MAX_STEP_DEPTH = 12 };

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

const struct term *
sym_incoming (struct sym *s, int block, int slot, bool back)
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
      if (slot >= FIRST_REGISTER && sym_is_stale (s, p, block, slot))
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
  return sym_join (s, slot, block, where, r->width,
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
      return sym_join (s, slot, block, 3, entry->width, true, NULL);
    case MOTION_STEP:
      return after_steps (s, loop, expr_lane0 (s->pool, entry, NULL),
			  t->step0);
    default:
      return NULL;
    }
}

const struct term *
sym_at_header (struct sym *s, int block, int loop, int slot)
{
  struct sym_state *st = s->state;
  const struct term *entry = sym_incoming (s, block, slot, false);
  const struct round_trip *t = &st->trip[loop * st->nslots + slot];
  if (!st->written[loop * st->nslots + slot])
    return entry;
  switch (t->motion)
    {
    case MOTION_STEP:
      return after_steps (s, loop, entry, t->step);
    case MOTION_ANY:
      return sym_join (s, slot, block, 0, entry->width,
		       slot < FIRST_REGISTER,
		       at_header0 (s, block, loop, slot, entry));
    case MOTION_OPEN:
    case MOTION_UNIFORM:
      break;
    }
  return sym_join (s, slot, block, 0, entry->width, true, NULL);
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

static const struct term *next_value (const struct sym *s,
				      const struct term *t, int loop,
				      int depth);

/* A as it is in the next iteration of LOOP, or NULL.  */
static const struct term *
next_atom (const struct sym *s, const struct atom *a, int loop, int depth)
{
  struct expr_pool *p = s->pool;
  struct atom model = *a;
  if (a->kind == ATOM_COUNT && a->id == loop)
    return expr_add (p, expr_of (p, a), expr_constant (p, a->width, 1), 1);
  if (is_invariant (s, a, loop, depth))
    return expr_of (p, a);
  for (unsigned i = 0; i < a->nargs; i++)
    if (!(model.arg[i] = next_value (s, a->arg[i], loop, depth + 1)))
      return NULL;
  switch (a->kind)
    {
    case ATOM_SIGN:
    case ATOM_ZERO:
      return expr_resize (p, model.arg[0], a->width, a->kind == ATOM_SIGN);
    case ATOM_PRODUCT:
      return expr_multiply (p, model.arg[0], model.arg[1]);
    case ATOM_OP:
    case ATOM_LOAD:
      return expr_atom (p, &model);
    default:
      return NULL;
    }
}

static const struct term *
next_value (const struct sym *s, const struct term *t, int loop, int depth)
{
  if (depth > MAX_STEP_DEPTH)
    return NULL;
  const struct term *r = expr_constant (s->pool, t->width, t->constant);
  for (unsigned i = 0; i < t->nparts; i++)
    {
      const struct term *x = next_atom (s, t->part[i].atom, loop, depth);
      if (!x)
	return NULL;
      r = expr_add (s->pool, r, x, t->part[i].coefficient);
    }
  return r;
}

const struct term *
sym_next_iteration (const struct sym *s, const struct term *t, int loop)
{
  return next_value (s, t, loop, 0);
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

bool
sym_check_trip (struct sym *s, int loop, int slot)
{
  struct sym_state *st = s->state;
  int header = s->cfg->loop[loop].header;
  struct round_trip *t = &st->trip[loop * st->nslots + slot];
  struct round_trip old = *t;
  const struct term *entry = sym_incoming (s, header, slot, false);
  const struct term *latch = sym_incoming (s, header, slot, true);
  if (!latch)
    return false;
  if (old.motion == MOTION_ANY)
    return check_trip0 (s, loop, slot, entry, latch);
  if (old.motion <= MOTION_STEP && s->lockstep[loop])
    {
      const struct term *step
	= expr_add (s->pool, latch, sym_at_header (s, header, loop, slot), -1);
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
