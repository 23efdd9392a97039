/* Loads of what another load has fetched, in this lane or another one.

   Load B may take the value that load A got DELTA lanes further when
   A(lane + DELTA) = B(lane) for all lanes of a warp that is complete, when A
   comes before B on every way to B, in the same iteration of every loop
   around A, and nothing in between may have written there.  Addresses are
   compared as sums (expr.c): equal but for a constant that is DELTA times
   the sum's stride from lane to lane.

   A stride through a sign or zero extension of 32-bit index arithmetic holds
   only where that does not overflow.  Nobody proves that here; the rewriter
   checks it when the code runs (reuse_wrap).

   "In between" is a data-flow problem like available expressions: a load is
   available where every path has it and no possible store to it after it.
   A loop's header and its exits drop the loads of its body, whose last
   instance is of another iteration.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t word;
enum { WORD_BITS = 64, MAX_WORDS = 1 << 22 };

static bool
get (const word *set, int i)
{
  return set[i / WORD_BITS] >> i % WORD_BITS & 1;
}

static void
put (word *set, int i, bool value)
{
  word bit = (word) 1 << i % WORD_BITS;
  set[i / WORD_BITS] = value ? set[i / WORD_BITS] | bit
			     : set[i / WORD_BITS] & ~bit;
}

/* What the search works on.  */
struct search
{
  struct reuse *r;
  const struct origins *origins;
  const struct acr_region *region;
  int max_delta;
  int words;			/* of a set of loads */
  word *in, *out;		/* by block: available loads */
  int *load_of;			/* by access: index of the load, or -1 */
  word *kill;			/* by access that writes: loads it may change */
};

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

/* ---- Which loads, which stores ---- */

const struct ptx_sym *
reuse_register (const struct ptx_insn *insn, unsigned k)
{
  const struct ptx_opnd *o = insn->opnd[0];
  if (insn->vec > 1)
    o = o->kind == PTX_O_VEC && k < o->nelt ? o->elt[k] : NULL;
  return o && o->kind == PTX_O_REG && !o->comp ? o->sym : NULL;
}

static enum ptx_space
space_of (const struct search *s, const struct ptx_insn *insn)
{
  if (insn->space != PTX_SP_NONE || !s->origins)
    return insn->space;
  struct origin o = origin_of_access (s->origins, insn);
  return o.kind == ORIGIN_SPACE ? o.space : PTX_SP_NONE;
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

static const struct acr_operand *
operand_of (const struct search *s, const struct ptx_insn *insn)
{
  if (!s->region || !s->origins)
    return NULL;
  struct origin o = origin_of_access (s->origins, insn);
  return o.kind == ORIGIN_SPACE && o.slot != ORIGIN_NO_SLOT
	   ? acr_region_slot (s->region, o.slot)
	   : NULL;
}

/* Whether nothing writes what INSN reads while the kernel runs.  */
static bool
reads_constant (const struct search *s, const struct ptx_insn *insn)
{
  const struct acr_operand *op = operand_of (s, insn);
  return ptx_insn_has (insn, PTX_M_NC)
	 || (op && acr_region_constant (s->region, op->slot));
}

/* Whether the access A, which writes, may change what load INSN reads.  */
static bool
may_change (const struct search *s, const struct sym_access *a,
	    const struct ptx_insn *insn)
{
  const struct ptx_insn *write = a->stmt->insn;
  if (reads_constant (s, insn))
    return false;
  if (!a->address)
    return true;
  enum ptx_space from = space_of (s, write), to = space_of (s, insn);
  if (from != PTX_SP_NONE && to != PTX_SP_NONE && from != to)
    return false;
  const struct acr_operand *x = operand_of (s, write);
  const struct acr_operand *y = operand_of (s, insn);
  return !x || !y || x->group == ACR_ALIAS_ANY || y->group == ACR_ALIAS_ANY
	 || x->group == y->group;
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
  enum ptx_space space = space_of (s, insn);
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

/* ---- Available loads ---- */

/* What ACCESS does to the set of available loads.  */
static void
step_over (const struct search *s, int access, word *set)
{
  int load = s->load_of[access];
  const struct sym_access *a = &s->r->sym->access[access];
  if (ptx_op_info[a->stmt->insn->op].flags & PTX_OF_WRITES_MEM)
    for (int i = 0; i < s->words; i++)
      set[i] &= ~s->kill[(size_t) access * s->words + i];
  if (load >= 0 && s->r->load[load].candidate)
    put (set, load, true);
}

/* The loads of loops that control is no longer in, or whose next iteration
   begins, are no longer available in block B.  */
static void
drop_other_iterations (const struct search *s, int b, word *set)
{
  const struct cfg *g = s->r->sym->cfg;
  for (int i = 0; i < s->r->nloads; i++)
    {
      int from = s->r->load[i].access->block;
      int loop = g->block[from].loop;
      if (get (set, i)
	  && (!cfg_in_loop (g, loop, b)
	      || (cfg_is_header (g, b)
		  && cfg_in_loop (g, g->block[b].loop, from))))
	put (set, i, false);
    }
}

/* Index of the first access of block B or a later one.  */
static int
first_access (const struct sym *sym, int b)
{
  int low = 0, high = sym->naccesses;
  while (low < high)
    {
      int mid = (low + high) / 2;
      if (sym->access[mid].block < b)
	low = mid + 1;
      else
	high = mid;
    }
  return low;
}

static void
find_available (struct search *s)
{
  const struct sym *sym = s->r->sym;
  const struct cfg *g = sym->cfg;
  size_t words = s->words;
  word *set = xcalloc (words, sizeof *set);
  memset (s->out, 0xff, g->nblocks * words * sizeof *s->out);
  for (bool changed = true; changed;)
    {
      changed = false;
      for (int b = 0; b < g->nblocks; b++)
	{
	  memset (set, b == 0 ? 0 : 0xff, words * sizeof *set);
	  for (int k = 0; k < g->block[b].npred; k++)
	    for (size_t i = 0; i < words; i++)
	      set[i] &= s->out[g->block[b].pred[k] * words + i];
	  drop_other_iterations (s, b, set);
	  memcpy (s->in + b * words, set, words * sizeof *set);
	  for (int a = first_access (sym, b);
	       a < sym->naccesses && sym->access[a].block == b; a++)
	    step_over (s, a, set);
	  if (memcmp (s->out + b * words, set, words * sizeof *set) != 0)
	    {
	      memcpy (s->out + b * words, set, words * sizeof *set);
	      changed = true;
	    }
	}
    }
  free (set);
}

static void
find_kills (struct search *s)
{
  const struct sym *sym = s->r->sym;
  for (int a = 0; a < sym->naccesses; a++)
    if (ptx_op_info[sym->access[a].stmt->insn->op].flags & PTX_OF_WRITES_MEM)
      for (int i = 0; i < s->r->nloads; i++)
	if (s->r->load[i].candidate)
	  put (s->kill + (size_t) a * s->words, i,
	       may_change (s, &sym->access[a],
			   s->r->load[i].access->stmt->insn));
}

/* ---- The nearest source ---- */

/* Whether T is another value in each iteration of LOOP.  */
static bool
counts (const struct term *t, int loop)
{
  for (unsigned i = 0; i < t->nparts; i++)
    if (t->part[i].atom->kind == ATOM_COUNT && t->part[i].atom->id == loop)
      return true;
  return false;
}

/* Whether lanes that load L together are in the same iteration of each loop
   around it; L->check when their addresses have to show it.  */
static bool
in_lockstep (const struct sym *sym, struct reuse_load *l)
{
  const struct cfg *g = sym->cfg;
  for (int loop = g->block[l->access->block].loop; loop != CFG_NONE;
       loop = g->loop[loop].parent)
    if (sym->lockstep[loop] == SYM_LOCKSTEP_NO)
      return false;
    else if (sym->lockstep[loop] == SYM_LOCKSTEP_LIKELY)
      {
	/* The address is to tell iterations of one loop apart.  */
	if (l->check || !counts (l->key, loop))
	  return false;
	l->check = true;
      }
  return true;
}

static bool
same_type (const struct ptx_insn *a, const struct ptx_insn *b)
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

/* The number of lanes between loads A and B; false when there is none.  */
static bool
delta_of (const struct search *s, const struct reuse_load *a,
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
choose_source (struct search *s, int b, const word *set)
{
  struct reuse_load *load = s->r->load, *to = &load[b];
  bool lockstep = in_lockstep (s->r->sym, to);
  to->why = !to->access->address->linear
	      ? "the lanes' addresses have no constant distance"
	      : "no load before it fetches the same from another lane";
  for (int a = b - 1; a >= 0; a--)
    {
      const struct reuse_load *from = &load[a];
      int delta;
      if (!from->candidate || !delta_of (s, from, to, &delta)
	  || !same_type (from->access->stmt->insn, to->access->stmt->insn))
	continue;
      if (!get (set, a))
	to->why = "memory may change, or control flow is in the way";
      else if (delta && from->source >= 0)
	continue;
      else if (delta && !lockstep)
	to->why = "lanes may be in different iterations of a loop";
      else if (to->source < 0 || abs (delta) < abs (to->delta))
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

static void
choose_sources (struct search *s)
{
  const struct sym *sym = s->r->sym;
  word *set = xcalloc (s->words, sizeof *set);
  int block = CFG_NONE;
  for (int a = 0; a < sym->naccesses; a++)
    {
      if (sym->access[a].block != block)
	{
	  block = sym->access[a].block;
	  memcpy (set, s->in + (size_t) block * s->words,
		  s->words * sizeof *set);
	}
      int load = s->load_of[a];
      if (load >= 0 && s->r->load[load].candidate)
	choose_source (s, load, set);
      step_over (s, a, set);
    }
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
	    const struct acr_region *region, int max_delta)
{
  struct reuse *r = xcalloc (1, sizeof *r);
  struct search s = { .r = r, .origins = origins, .region = region,
		      .max_delta = max_delta };
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
      *l = (struct reuse_load) { .access = access, .source = -1 };
      l->why = why_no_candidate (&s, l);
      l->candidate = !l->why;
      normalise (r, l);
    }
  s.words = (r->nloads + WORD_BITS - 1) / WORD_BITS;
  size_t sets = (size_t) sym->naccesses + 2 * sym->cfg->nblocks;
  if (s.words && sets * s.words <= MAX_WORDS)
    {
      s.kill = xcalloc ((size_t) sym->naccesses * s.words, sizeof *s.kill);
      s.in = xcalloc ((size_t) sym->cfg->nblocks * s.words, sizeof *s.in);
      s.out = xcalloc ((size_t) sym->cfg->nblocks * s.words, sizeof *s.out);
      find_kills (&s);
      find_available (&s);
      choose_sources (&s);
      place_wraps (r);
    }
  free (s.kill);
  free (s.in);
  free (s.out);
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
