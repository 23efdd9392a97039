/* Pass invariant: what each round of a resident loop would compute anew is computed
   once, in front of the loop.

   In each round, and for each part, a thread finds out where its iterations are:

     $round:
       add.u32 %r78, %r52, -2;  ...  div.u32 %r5, %ctaid, %r106;    (130 instructions)
       ... the part's iterations ...
       barrier of the grid
       @%more bra $round;

   from the launch's geometry and from numbers that the loop leaves as they are.  GCC
   divides in front of a loop only what it divides in any case, and takes a part's
   numbers for unknown ones, so that floating-point operations are the region's own
   (plugin/resident/kernel-part.cc); ptxas moves nothing past a branch.  What moves here
   are operations on integers alone, whose result is the same wherever they stand.

   - An operation moves to where the way to the loop begins, the block in front of it
     that all ways to it lead through, and is executed there in any case, which does no
     harm: it accesses nothing, is of no other lane's concern, and a division by zero
     just has no value.
   - Its operands have there what they have in the loop: nothing in the loop sets them,
     and whatever does is a place that all ways to the loop lead through; or they have
     moved before.
   - Where it alone sets its register, all of it moves.  Else another register is set in
     front of the loop, and copied in its place.
   - Where two ways set a register, and meet, one of both results is selected in front of
     the loop, by the predicate that the ways part by:

       @%p bra $a;                          ... %ta, %tb in front;
       ... %r = b; bra $on;          ->     selp %r, %ta, %tb, %p;
       $a: ... %r = a; $on:

     Of a block's instructions that set a register one after the other, as GCC writes
     selections and least numbers, all but the last get registers of their own before.

   - What two of them compute alike, as parts over the same iterations do, one computes.
     (Real numbers that parts make of the same integers ptxas could always see to be the
     same: what GCC takes for unknown is a copy in PTX.)

   A result that is needed in the loop takes a register all the time; so an operation
   stays that is one instruction where its operands are needed in the loop, too, if it
   sets a predicate, of which there are few, or if there are many registers.  Where they
   would be too many for blocks of 1024 threads, as resident loops have, nothing moves.

   Needs: entries with a tag that says that they are resident loops; address spaces,
   which passes before find out by where operations are.  Keeps: all values.  Breaks:
   nothing.
   Source: A. Aho et al., "Compilers: Principles, Techniques, and Tools", 9.5 (loop-
   invariant expressions); J. Allen et al., "Conversion of Control Dependence to Data
   Dependence", POPL 1983 (selections).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"

#include <stdio.h>
#include <string.h>

enum
{
  MOST_ITEMS = 1 << 9,		/* operations that are looked at */
  /* Registers of 32 bits that live.c may count.  ptxas takes half of that or less, as it
     computes again what is cheap: 32 for 55 (a sweep of two parts) and 48 for 109
     (conjugate gradients, four parts), where it took 40 and 56 with all operations in the
     loop.  It has 64 for blocks of 1024 threads.  With some of the operations moved and
     others not it took 68, so that it is all or nothing.  */
  MOST_LIVE = 128
};

/* How an operation leaves the loop.  */
enum way
{
  MOVES,			/* with its register */
  COPIES,			/* another register is set, and copied */
  SELECTED,			/* another register is set, of which a selection has
				   the value */
  SELECTS,			/* a selection of the two before it */
  REPEATS			/* what another register has */
};

/* An operation of the loop whose value is the same in all rounds.  */
struct item
{
  enum way way;
  int block;
  struct ptx_stmt *stmt;	/* SELECTS: the branch that the ways part by */
  struct ptx_sym *result;	/* in front of the loop; NULL: to be made */
  struct ptx_sym *reg;		/* what the operation sets */
  int of[2];			/* SELECTS: items, the branch's target first */
  struct ptx_sym *same;		/* REPEATS: that register */
  bool stays;
};

struct motion
{
  struct post *post;
  struct ptx_func *f;
  struct cfg *cfg;
  int loop;
  unsigned nregs;		/* of what follows */
  unsigned *ndefs;		/* by register: instructions that set it */
  bool *changes;		/* by register: set in the loop, or where not all ways
				   to it lead through */
  bool *inner;			/* by register: of a scope inside the function */
  int *item_of;			/* by register: the item that sets it, or -1 */
  struct ptx_sym **same;	/* by register: another one with its value, or NULL */
  bool *needed;			/* by register: by what stays */
  struct item *item;
  int nitems, room;
  unsigned nnames;
};

/* ---- Instructions ---- */

static bool
is_register (const struct ptx_opnd *o)
{
  return o->kind == PTX_O_REG && !o->sel && !o->comp;
}

/* The register that S alone sets, all of it and in any case; or NULL.  */
static struct ptx_sym *
only_result (const struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->kind == PTX_S_INSN ? s->insn : NULL;
  return i && !i->guard && i->nopnds && ptx_op_info[i->op].roles[0] == 'd'
	   && is_register (i->opnd[0]) && i->opnd[0]->sym->vec == 1
	 ? i->opnd[0]->sym
	 : NULL;
}

/* Is O the same whenever a thread reads it, but for registers?  */
static bool
is_steady (const struct ptx_opnd *o)
{
  return is_register (o) || o->kind == PTX_O_INT
	 || (o->kind == PTX_O_SREG && eval_steady (o->sreg));
}

/* Does S compute, from integers and predicates alone, the one that it sets, and nothing
   else?  */
static bool
is_operation (const struct ptx_stmt *s)
{
  if (!only_result (s) || ptx_op_info[s->insn->op].flags || s->insn->flags
      || s->insn->vec != 1)
    return false;
  const struct ptx_insn *i = s->insn;
  for (unsigned t = 0; t < i->ntypes; t++)
    if (ptx_type_info[i->type[t]].cls & (PTX_TC_FLOAT | PTX_TC_PACKED))
      return false;
  for (unsigned n = 1; n < i->nopnds; n++)
    if (!is_steady (i->opnd[n]))
      return false;
  unsigned cls = ptx_type_info[only_result (s)->type].cls;
  /* There are no copies of a byte.  */
  return !(cls & (PTX_TC_FLOAT | PTX_TC_PACKED))
	 && (cls & PTX_TC_PRED || eval_width (only_result (s)->type) > 8);
}

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

static bool
is_predicate (const struct ptx_sym *reg)
{
  return ptx_type_info[reg->type].cls & PTX_TC_PRED;
}

/* ---- Registers ---- */

static void
count_def (struct ptx_sym *reg, void *closure)
{
  struct motion *m = closure;
  m->ndefs[reg->index]++;
}

struct place { struct motion *m; bool before; };

static void
note_def (struct ptx_sym *reg, void *closure)
{
  struct place *at = closure;
  at->m->changes[reg->index] |= !at->before;
}

/* Note which registers are declared inside of braces.  */
static void
find_inner (struct motion *m)
{
  unsigned depth = 0;
  for (struct ptx_stmt *s = m->f->first; s != m->f->last; s = s->next)
    if (s->kind == PTX_S_OPEN)
      depth++;
    else if (s->kind == PTX_S_CLOSE)
      depth--;
    else if (s->kind == PTX_S_DECL && depth > 1)
      for (unsigned i = 0; i < s->nsyms; i++)
	if (s->syms[i]->kind == PTX_SYM_REG)
	  m->inner[s->syms[i]->index] = true;
}

static void
forget_registers (struct motion *m)
{
  free (m->ndefs);
  free (m->changes);
  free (m->inner);
  free (m->item_of);
  free (m->same);
  free (m->needed);
}

/* Find out what M says of registers.  */
static void
find_registers (struct motion *m)
{
  const struct cfg *g = m->cfg;
  int header = g->loop[m->loop].header;
  m->nregs = m->f->nregs;
  m->ndefs = xcalloc (m->nregs, sizeof *m->ndefs);
  m->changes = xcalloc (m->nregs, sizeof *m->changes);
  m->inner = xcalloc (m->nregs, sizeof *m->inner);
  m->item_of = xcalloc (m->nregs, sizeof *m->item_of);
  m->same = xcalloc (m->nregs, sizeof *m->same);
  m->needed = xcalloc (m->nregs, sizeof *m->needed);
  find_inner (m);
  for (unsigned r = 0; r < m->nregs; r++)
    m->item_of[r] = -1;
  for (int b = 0; b < g->nblocks; b++)
    {
      bool before = !cfg_in_loop (g, m->loop, b) && cfg_dominates (g, b, header);
      struct place at = { m, before };
      for (struct ptx_stmt *s = g->block[b].first;; s = s->next)
	{
	  if (s->kind == PTX_S_INSN)
	    {
	      ptx_insn_defs (s->insn, count_def, m);
	      ptx_insn_defs (s->insn, note_def, &at);
	    }
	  if (s == g->block[b].last)
	    break;
	}
    }
}

/* A new register of the type of LIKE.  */
static struct ptx_sym *
new_register (struct motion *m, const struct ptx_sym *like)
{
  char text[100];
  snprintf (text, sizeof text, "\n\t.reg.%s %%acr_round%u;",
	    ptx_type_info[like->type].text, ++m->nnames);
  post_insert (m->post, m->f, m->f->first, text);
  return m->f->first->next->syms[0];
}

/* The largest number that such a register of M's function has.  */
static unsigned
last_name (const struct motion *m)
{
  unsigned last = 0, number;
  for (unsigned r = 0; r < m->f->nregs; r++)
    if (sscanf (m->f->regs[r]->name, "%%acr_round%u", &number) == 1
	&& number > last)
      last = number;
  return last;
}

/* ---- Registers that a block sets several times ---- */

/* O, with REG by the name TO.  */
static struct ptx_opnd *
renamed (struct motion *m, struct ptx_opnd *o, const struct ptx_sym *reg,
	 struct ptx_sym *to)
{
  struct ptx_opnd *own = ptx_alloc (m->post->unit, sizeof *own);
  *own = *o;
  if (o->kind == PTX_O_REG && o->sym == reg)
    own->sym = to;
  if (o->nelt)
    own->elt = ptx_alloc (m->post->unit, o->nelt * sizeof *own->elt);
  for (unsigned i = 0; i < o->nelt; i++)
    own->elt[i] = renamed (m, o->elt[i], reg, to);
  return own;
}

/* Let S read TO where it reads REG.  */
static void
read_instead (struct motion *m, struct ptx_stmt *s, const struct ptx_sym *reg,
	      struct ptx_sym *to)
{
  if (s->kind != PTX_S_INSN || !insn_uses (s->insn, reg))
    return;
  struct ptx_insn *i = s->insn;
  if (i->guard == reg)
    i->guard = to;
  unsigned first = only_result (s) == reg;
  for (unsigned n = first; n < i->nopnds; n++)
    i->opnd[n] = renamed (m, i->opnd[n], reg, to);
  s->changed = true;
}

/* The next instruction of the block that ends with LAST, behind S, that sets REG as
   only_result has it, with no other that sets it in between; or NULL.  */
static struct ptx_stmt *
set_again (struct ptx_stmt *s, const struct ptx_stmt *last,
	   const struct ptx_sym *reg)
{
  while (s != last)
    {
      s = s->next;
      if (s->kind == PTX_S_INSN && insn_sets (s->insn, reg))
	return only_result (s) == reg ? s : NULL;
    }
  return NULL;
}

/* Give what S of block B sets a register of its own, where the block sets the register
   again.  */
static void
rename_result (struct motion *m, struct ptx_stmt *s, int b)
{
  struct ptx_sym *reg = only_result (s);
  struct ptx_stmt *end
    = set_again (s, m->cfg->block[b].last, reg);
  if (!end)
    return;
  struct ptx_sym *to = new_register (m, reg);
  s->insn->opnd[0] = renamed (m, s->insn->opnd[0], reg, to);
  s->changed = true;
  while (s != end)
    read_instead (m, s = s->next, reg, to);
}

static void
rename_results (struct motion *m)
{
  for (int b = 0; b < m->cfg->nblocks; b++)
    if (cfg_in_loop (m->cfg, m->loop, b))
      for (struct ptx_stmt *s = m->cfg->block[b].first;
	   s != m->cfg->block[b].last; s = s->next)
	if (is_operation (s))
	  rename_result (m, s, b);
}

/* ---- What is the same in all rounds ---- */

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

/* The register that stands for all that have REG's value.  */
static struct ptx_sym *
first_of (const struct motion *m, struct ptx_sym *reg)
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
      return first_of (m, a->sym) == first_of (m, b->sym);
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
  const struct ptx_sym *reg = only_result (s);
  if (i->op == PTX_OP_MOV && is_register (i->opnd[1])
      && i->opnd[1]->sym->type == reg->type)
    return first_of (m, i->opnd[1]->sym);
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
	  struct ptx_sym *reg = is_operation (s) ? only_result (s) : NULL;
	  if (reg && s->insn->op == PTX_OP_MOV && m->ndefs[reg->index] == 1
	      && is_register (s->insn->opnd[1]) && !m->inner[reg->index]
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
  if (!is_operation (s))
    return;
  struct ptx_sym *reg = only_result (s);
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
	  || first_of (m, item->stmt->insn->guard)
	       != first_of (m, branch->guard)
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
	  || m->ndefs[reg->index] != 2 || is_predicate (reg))
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

static void
find_items (struct motion *m)
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

/* ---- What pays ---- */

static void
need (struct ptx_sym *reg, void *closure)
{
  struct motion *m = closure;
  if (reg->index < m->nregs)
    m->needed[first_of (m, reg)->index] = true;
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
	&& first_of (m, insn->opnd[n]->sym) == reg)
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
		? first_of (m, insn->guard) == reg
		: uses_same (m, insn, reg)))
	return true;
    }
  return false;
}

/* Registers of 32 bits for REG.  */
static unsigned
width_of (const struct ptx_sym *reg)
{
  return is_predicate (reg) ? 0 : (eval_width (reg->type) + 31) / 32;
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
      if (o->kind == PTX_O_REG && !m->needed[first_of (m, o->sym)->index])
	taken += width_of (o->sym) + is_predicate (o->sym);
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
      bool first = is_predicate (item->reg) || item->way == COPIES;
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

/* Choose what moves.  Returns how many items do.  */
static int
choose (struct motion *m)
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

/* ---- Moving ---- */

/* What is in front of the loop, where the way to it begins: the last statement that is
   executed in any case, or NULL where that is inside of braces, whose names may be
   others.  */
static struct ptx_stmt *
place_before (const struct motion *m)
{
  int b = m->cfg->block[m->cfg->loop[m->loop].header].idom, depth = 0;
  struct ptx_stmt *s = m->cfg->block[b].last;
  if (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_BRA)
    s = s->prev;
  for (struct ptx_stmt *t = m->f->first; t != s->next; t = t->next)
    depth += (t->kind == PTX_S_OPEN) - (t->kind == PTX_S_CLOSE);
  return depth == 1 ? s : NULL;
}

/* Insert ITEM, an operation, behind AFTER, with RESULT for its register.  */
static void
write_operation (struct motion *m, const struct item *item,
		 struct ptx_sym *result, struct ptx_stmt *after)
{
  char *text;
  size_t len;
  FILE *f = open_memstream (&text, &len);
  if (!f)
    abort ();
  struct ptx_opnd to = *item->stmt->insn->opnd[0];
  struct ptx_opnd *opnd[item->stmt->insn->nopnds];
  struct ptx_insn insn = *item->stmt->insn;
  memcpy (opnd, insn.opnd, sizeof opnd);
  to.sym = result;
  opnd[0] = &to;
  insn.opnd = opnd;
  fputs ("\n\t", f);
  ptx_print_insn (&insn, f);
  if (fclose (f) != 0)
    abort ();
  post_insert (m->post, m->f, after, text);
  free (text);
}

/* Insert the selection ITEM behind AFTER.  */
static void
write_selection (struct motion *m, const struct item *item,
		 struct ptx_stmt *after)
{
  bool neg = item->stmt->insn->guard_neg;
  char text[400];
  int n = snprintf (text, sizeof text, "\n\tselp.b%u %s, %s, %s, %s;",
		    eval_width (item->reg->type), item->reg->name,
		    m->item[item->of[neg]].result->name,
		    m->item[item->of[!neg]].result->name,
		    item->stmt->insn->guard->name);
  if (n < 0 || (size_t) n >= sizeof text)
    abort ();
  post_insert (m->post, m->f, after, text);
}

/* Take out ITEM, whose register another one stands for.  */
static void
drop (struct motion *m, const struct item *item)
{
  post_explain (m->post, item->stmt, true, "what %s has", item->same->name);
  if (item->stmt->insn->op != PTX_OP_BRA)
    ptx_remove (m->post->unit, item->stmt);
  for (struct ptx_stmt *s = m->f->first; s != m->f->last; s = s->next)
    read_instead (m, s, item->reg, item->same);
}

/* Move ITEM behind AFTER.  Returns what is inserted there.  */
static struct ptx_stmt *
move (struct motion *m, struct item *item, struct ptx_stmt *after)
{
  struct ptx_stmt *next = after->next;
  if (item->way == SELECTS)
    write_selection (m, item, after);
  else if (item->way == REPEATS)
    drop (m, item);
  else
    {
      item->result
	= item->way == MOVES ? item->reg : new_register (m, item->reg);
      next = after->next;
      write_operation (m, item, item->result, after);
      post_explain (m->post, item->stmt, true, "in front of the loop");
      if (item->way == COPIES)
	post_set_from (m->post, item->stmt, ptx_type_info[item->reg->type].text,
		       item->result->name);
      else
	ptx_remove (m->post->unit, item->stmt);
    }
  return next ? next->prev : after;
}

/* Take out of the loop of M what is the same in all rounds.  */
static void
move_items (struct motion *m)
{
  struct ptx_stmt *after = place_before (m);
  find_registers (m);
  find_items (m);
  if (!after || m->nitems > MOST_ITEMS)
    post_explain (m->post, m->f->header, false, "%s",
		  after ? "too many operations" : "braces around its beginning");
  else if (m->nitems && choose (m))
    {
      for (int i = 0; i < m->nitems; i++)
	if (!m->item[i].stays)
	  after = move (m, &m->item[i], after);
    }
  forget_registers (m);
}

/* ---- The loops ---- */

/* Do threads of a block wait for each other in LOOP of G?  */
static bool
has_barrier (const struct cfg *g, int loop)
{
  for (int b = 0; b < g->nblocks; b++)
    if (cfg_in_loop (g, loop, b))
      for (struct ptx_stmt *s = g->block[b].first;; s = s->next)
	{
	  if (s->kind == PTX_S_INSN
	      && (s->insn->op == PTX_OP_BAR || s->insn->op == PTX_OP_BARRIER))
	    return true;
	  if (s == g->block[b].last)
	    break;
	}
  return false;
}

/* Outermost loop number N of G of those in which threads wait, or CFG_NONE.  */
static int
find_loop (const struct cfg *g, unsigned n)
{
  for (int l = g->nloops; l--;)
    if (g->loop[l].depth == 1 && has_barrier (g, l) && n-- == 0)
      return l;
  return CFG_NONE;
}

/* Move out of loop number N of F what is the same in all rounds; false when there is no
   such loop.  */
static bool
move_out (struct post *p, struct ptx_func *f, unsigned n)
{
  const char *why = "no loop with barriers";
  struct motion m = { .post = p, .f = f };
  m.cfg = cfg_new (f, &why);
  m.loop = m.cfg ? find_loop (m.cfg, n) : CFG_NONE;
  bool found = m.loop != CFG_NONE;
  if (found && m.cfg->loop[m.loop].header > 0)
    {
      m.nnames = last_name (&m);
      rename_results (&m);
      move_items (&m);
    }
  else if (!n)
    post_explain (p, f->header, false, "%s", why);
  free (m.item);
  cfg_free (m.cfg);
  return found;
}

void
pass_invariant (struct post *p)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    {
      const struct acr_region *tag
	= f->has_body ? tags_find (p->tags, f) : NULL;
      if (tag && tag->resident)
	for (unsigned n = 0; move_out (p, f, n); n++)
	  ;
    }
}
