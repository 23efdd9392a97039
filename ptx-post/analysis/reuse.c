/* Loads of what another load has fetched, in this lane or another one.

   Load B may take the value that load A got DELTA lanes further when
   A(lane + DELTA) = B(lane) for all lanes of a warp that is complete, when A
   comes before B on every way to B, in the same iteration of every loop
   around A, and nothing in between may have written there.  Addresses are
   compared as sums (expr.c): equal but for a constant that is DELTA times
   the sum's stride from lane to lane.

   It may also take what A got in the previous iteration of a loop, in this
   lane, when A's address there is B's here.

   A stride through a sign or zero extension of 32-bit index arithmetic holds
   only where that does not overflow.  Nobody proves that here; the rewriter
   checks it when the code runs (reuse_wrap).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/reuse-int.h"

#include <string.h>

/* ---- Addresses ---- */

/* The wrap condition for the extension X; or -1.  ARG is its argument's part
   without constant.  */
static int
find_wrap (struct reuse *r, const struct term *arg, bool is_signed)
{
  for (int i = 0; i < r->nwraps; i++)
    if (r->wrap[i].arg == arg && r->wrap[i].is_signed == is_signed)
      return i;
  if (r->nwraps == REUSE_MAX_WRAPS)
    return -1;
  r->wrap[r->nwraps] = (struct reuse_wrap) { .arg = arg,
					     .is_signed = is_signed };
  return r->nwraps++;
}

/* T less its constant.  */
static const struct term *
without_constant (struct expr_pool *p, const struct term *t)
{
  return expr_add (p, t, expr_constant (p, t->width, 1), -t->constant);
}

/* Extension X of a sum whose lanes may overflow: as one of the sum without its
   constant, plus the constant.  NULL: too many such.  */
static const struct term *
open_extension (struct reuse *r, const struct atom *x, unsigned *wraps)
{
  struct expr_pool *p = r->sym->pool;
  const struct term *arg = without_constant (p, x->arg[0]);
  int64_t offset = expr_signed (x->arg[0]);
  int i = find_wrap (r, arg, x->kind == ATOM_SIGN);
  if (i < 0)
    return NULL;
  struct reuse_wrap *w = &r->wrap[i];
  w->low = offset < w->low ? offset : w->low;
  w->high = offset > w->high ? offset : w->high;
  *wraps |= 1u << i;
  return expr_add (p, expr_resize (p, arg, x->width, w->is_signed),
		   expr_constant (p, x->width, 1), offset);
}

/* Fill in L's key, offset and wraps.  */
static void
normalise (struct reuse *r, struct reuse_load *l)
{
  struct expr_pool *p = r->sym->pool;
  const struct term *a = l->access->address;
  const struct term *sum = expr_constant (p, a->width, a->constant);
  for (unsigned i = 0; i < a->nparts; i++)
    {
      const struct atom *x = a->part[i].atom;
      const struct term *t = NULL;
      int64_t low, high;
      if ((x->kind == ATOM_SIGN || x->kind == ATOM_ZERO) && !x->uniform
	  && x->arg[0]->linear && x->arg[0]->width == 32
	  && !expr_range (x->arg[0], x->kind == ATOM_SIGN, &low, &high))
	t = open_extension (r, x, &l->wraps);
      sum = expr_add (p, sum, t ? t : expr_of (p, x), a->part[i].coefficient);
    }
  l->offset = expr_signed (sum);
  l->key = without_constant (p, sum);
}

/* ---- Which loads ---- */

const struct ptx_sym *
reuse_register (const struct ptx_insn *insn, unsigned k)
{
  const struct ptx_opnd *o = insn->opnd[0];
  if (insn->vec > 1)
    o = o->kind == PTX_O_VEC && k < o->nelt ? o->elt[k] : NULL;
  return o && o->kind == PTX_O_REG && !o->comp ? o->sym : NULL;
}

/* Whether F's threads have local memory whose address they might follow: there
   the same address is another place in each lane.  */
static bool
has_local_memory (const struct ptx_func *f)
{
  if (!f->is_entry)
    return true;
  for (const struct ptx_sym *v = f->locals; v; v = v->next)
    if (v->space == PTX_SP_LOCAL)
      return true;
  return false;
}

/* Whether register K that INSN loads is one that we can copy and shuffle, of
   the same width as the others.  */
static bool
is_movable (const struct ptx_insn *insn, unsigned k)
{
  const struct ptx_sym *reg = reuse_register (insn, k);
  if (!reg || reg->kind != PTX_SYM_REG || reg->vec != 1)
    return false;
  unsigned bytes = ptx_type_info[reg->type].bytes;
  return bytes >= 2 && bytes <= 8
	 && bytes >= ptx_type_info[insn->type[0]].bytes
	 && bytes == ptx_type_info[reuse_register (insn, 0)->type].bytes;
}

/* Why load L is none that we move, or NULL.  */
static const char *
why_no_candidate (const struct search *s, const struct reuse_load *l)
{
  const struct ptx_insn *insn = l->access->stmt->insn;
  enum ptx_space space = reuse_space (s, insn);
  if (insn->op != PTX_OP_LD)
    return "of a form that is not treated";
  if (insn->guard)
    return "conditional";
  if (insn->mod[PTX_MC_SEM] && insn->mod[PTX_MC_SEM] != PTX_M_WEAK)
    return "volatile or ordered";
  for (unsigned k = 0; k < insn->vec; k++)
    if (!is_movable (insn, k))
      return "of a width that is not treated";
  if (space != PTX_SP_GLOBAL && space != PTX_SP_SHARED
      && (space != PTX_SP_NONE || has_local_memory (s->r->sym->cfg->f)))
    return "not from global or shared memory";
  return NULL;
}

/* ---- The nearest source ---- */

/* Whether lanes that load L together are in the same iteration of each loop
   around it; L->check when that has to be checked as the code runs.  */
static bool
in_lockstep (const struct sym *sym, struct reuse_load *l)
{
  const struct cfg *g = sym->cfg;
  for (int loop = g->block[l->access->block].loop; loop != CFG_NONE;
       loop = g->loop[loop].parent)
    if (sym->lockstep[loop] == SYM_LOCKSTEP_NO)
      return false;
    else if (sym->lockstep[loop] == SYM_LOCKSTEP_LIKELY)
      l->check = true;
  return true;
}

bool
reuse_same_type (const struct ptx_insn *a, const struct ptx_insn *b)
{
  unsigned bytes = ptx_type_info[a->type[0]].bytes;
  unsigned wide = ptx_type_info[reuse_register (a, 0)->type].bytes;
  if (bytes != ptx_type_info[b->type[0]].bytes || a->space != b->space
      || a->vec != b->vec
      || wide != ptx_type_info[reuse_register (b, 0)->type].bytes)
    return false;
  /* What is narrower than its register has been extended.  */
  return bytes == wide || a->type[0] == b->type[0];
}

bool
reuse_delta (const struct search *s, const struct reuse_load *a,
	     const struct reuse_load *b, int *delta)
{
  *delta = 0;
  if (a->access->address == b->access->address)
    return true;
  int64_t stride = a->key->stride, distance;
  if (a->key != b->key || !a->key->linear || stride == 0
      || __builtin_sub_overflow (b->offset, a->offset, &distance)
      || distance % stride != 0)
    return false;
  distance /= stride;
  *delta = distance >= -s->max_delta && distance <= s->max_delta ? distance
								 : 0;
  return *delta != 0;
}

/* Look for the source of load B among the loads that SET says are there.  */
static void
choose_source (struct search *s, int b, const reuse_word *set, bool lockstep)
{
  struct reuse_load *load = s->r->load, *to = &load[b];
  to->why = !to->access->address->linear
	      ? "the lanes' addresses have no constant distance"
	      : "no load before it fetches the same from another lane";
  for (int a = b - 1; a >= 0; a--)
    {
      const struct reuse_load *from = &load[a];
      int delta;
      if (!from->candidate || !reuse_delta (s, from, to, &delta)
	  || !reuse_same_type (from->access->stmt->insn, to->access->stmt->insn))
	continue;
      if (!reuse_has (s, set, a, delta ? REUSE_WARP : REUSE_LANE))
	{
	  to->why = "memory may change, or control flow is in the way";
	  s->blocked = true;
	  continue;
	}
      if (delta && !lockstep)
	{
	  to->why = "lanes may be in different iterations of a loop";
	  continue;
	}
      to->follows = true;
      to->paper |= !from->follows;
      if (delta && from->source >= 0)
	continue;
      if (to->source < 0 || abs (delta) < abs (to->delta))
	{
	  to->source = a;
	  to->delta = delta;
	}
    }
  if (to->source >= 0)
    {
      to->why = NULL;
      to->wraps = to->delta ? to->wraps | load[to->source].wraps : 0;
    }
}

/* Look for a load whose value of the previous iteration B takes.  An address that
   stays is none: a loop may wait for what another thread stores there.  */
static void
choose_previous (struct search *s, int b, const reuse_word *set)
{
  const struct sym *sym = s->r->sym;
  const struct cfg *g = sym->cfg;
  struct reuse_load *load = s->r->load, *to = &load[b];
  for (int l = g->block[to->access->block].loop; l != CFG_NONE;
       l = g->loop[l].parent)
    {
      const struct term *next
	= sym_next_iteration (sym, to->access->address, l);
      if (!next || next == to->access->address)
	continue;
      for (int a = s->r->nloads - 1; a >= 0; a--)
	if (load[a].candidate && load[a].access->address == next
	    && g->block[load[a].access->block].loop == l
	    && reuse_has (s, set, a, REUSE_PREVIOUS)
	    && reuse_same_type (load[a].access->stmt->insn, to->access->stmt->insn))
	  {
	    to->previous = a;
	    return;
	  }
    }
}

/* Look for the sources of the loads of a block, from access A on, at whose head SET
   is available; the first access behind the block.  */
static int
choose_in_block (struct search *s, int a, reuse_word *set)
{
  const struct sym *sym = s->r->sym;
  int block = sym->access[a].block;
  for (; a < sym->naccesses && sym->access[a].block == block; a++)
    {
      int load = s->load_of[a];
      if (load >= 0 && s->r->load[load].candidate)
	{
	  double start = cpu_milliseconds ();
	  bool lockstep = in_lockstep (sym, &s->r->load[load]);
	  choose_source (s, load, set, lockstep);
	  choose_previous (s, load, set);
	  if (s->r->load[load].source < 0)
	    reuse_prove_source (s, load, set, lockstep);
	  s->r->load[load].proof_ms = cpu_milliseconds () - start;
	}
      reuse_step (s, a, set);
    }
  return a;
}

/* Load L as nothing is known about it but its address.  */
static void
reset (struct reuse *r, struct reuse_load *l)
{
  *l = (struct reuse_load) { .access = l->access, .candidate = l->candidate,
			     .why = l->why, .source = -1, .previous = -1 };
  normalise (r, l);
}

/* Look for sources behind other guards, of loads among the accesses from FIRST to NEXT,
   of one block, that have none.  */
static void
choose_guarded (struct search *s, int first, int next)
{
  for (int a = first; a < next; a++)
    {
      int load = s->load_of[a];
      if (load >= 0 && s->r->load[load].candidate
	  && s->r->load[load].source < 0
	  && in_lockstep (s->r->sym, &s->r->load[load]))
	reuse_prove_guarded (s, load);
    }
}

static void
choose_sources (struct search *s)
{
  const struct sym *sym = s->r->sym;
  reuse_word *set = xcalloc (s->words, sizeof *set);
  bool *cut = xcalloc (2 * sym->cfg->nblocks, sizeof *cut), blocked = false;
  s->pairs = s->unproved = 0;
  for (int first = 0, next; first < sym->naccesses; first = next)
    {
      int block = sym->access[first].block;
      s->blocked = false;
      memcpy (set, s->in + (size_t) block * s->words,
	      s->words * sizeof *set);
      next = choose_in_block (s, first, set);
      if (s->blocked && reuse_prove_ways (s, block, cut))
	{
	  for (int a = first; a < next; a++)
	    if (s->load_of[a] >= 0)
	      reset (s->r, &s->r->load[s->load_of[a]]);
	  reuse_flow_to (s, block, cut, set);
	  choose_in_block (s, first, set);
	}
      if (s->blocked)
	choose_guarded (s, first, next);
      blocked |= s->blocked;
    }
  s->blocked = blocked;
  free (cut);
  free (set);
}

/* Where condition W can be checked for the loads of block B: behind an
   extension that comes before them, in the same iterations.  */
static bool
place_wrap (const struct sym *sym, struct reuse_wrap *w, int b)
{
  const struct cfg *g = sym->cfg;
  for (int i = 0; i < sym->nextensions; i++)
    {
      const struct sym_extension *e = &sym->extension[i];
      if (without_constant (sym->pool, e->arg) == w->arg
	  && cfg_dominates (g, e->block, b)
	  && cfg_in_loop (g, g->block[e->block].loop, b)
	  && (!w->extension || w->extension == e))
	{
	  w->extension = e;
	  return true;
	}
    }
  return false;
}

/* Give up loads whose conditions cannot be checked.  */
static void
place_wraps (struct reuse *r)
{
  for (int i = 0; i < r->nloads; i++)
    for (int k = 0; k < r->nwraps && r->load[i].source >= 0; k++)
      if ((r->load[i].wraps >> k & 1)
	  && !place_wrap (r->sym, &r->wrap[k], r->load[i].access->block))
	{
	  r->load[i].source = -1;
	  r->load[i].why = "nothing says that its index does not overflow";
	}
}

struct reuse *
reuse_find (const struct sym *sym, const struct origins *origins,
	    const struct acr_region *region, int max_delta, unsigned proof_ms)
{
  struct reuse *r = xcalloc (1, sizeof *r);
  struct search s = { .r = r, .origins = origins, .region = region,
		      .max_delta = max_delta };
  s.dead = xcalloc (sym->cfg->nblocks, sizeof *s.dead);
  s.solver = solver_new (proof_ms);
  r->sym = sym;
  r->load = xcalloc (sym->naccesses, sizeof *r->load);
  s.load_of = xcalloc (sym->naccesses, sizeof *s.load_of);
  for (int a = 0; a < sym->naccesses; a++)
    {
      const struct sym_access *access = &sym->access[a];
      const struct ptx_insn *insn = access->stmt->insn;
      s.load_of[a] = -1;
      if ((insn->op != PTX_OP_LD && insn->op != PTX_OP_LDU)
	  || insn->space == PTX_SP_PARAM || !access->address)
	continue;
      struct reuse_load *l = &r->load[s.load_of[a] = r->nloads++];
      l->access = access;
      reset (r, l);
      l->why = why_no_candidate (&s, l);
      l->candidate = !l->why;
    }
  if (reuse_flow (&s))
    {
      choose_sources (&s);
      if (s.blocked && reuse_prove_dead (&s))
	{
	  reuse_flow_free (&s);
	  reuse_flow (&s);
	  for (int i = 0; i < r->nloads; i++)
	    reset (r, &r->load[i]);
	  choose_sources (&s);
	}
      place_wraps (r);
    }
  r->is_spent = solver_is_spent (s.solver);
  solver_free (s.solver);
  free (s.dead);
  free (s.values);
  reuse_flow_free (&s);
  free (s.load_of);
  return r;
}

void
reuse_free (struct reuse *r)
{
  if (!r)
    return;
  free (r->load);
  free (r);
}
