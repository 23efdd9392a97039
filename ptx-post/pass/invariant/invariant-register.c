/* Operations of a resident loop and their registers; see invariant-int.h.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pass/invariant/invariant-int.h"

#include <stdio.h>

/* ---- Operations ---- */

bool
invariant_register (const struct ptx_opnd *o)
{
  return o->kind == PTX_O_REG && !o->sel && !o->comp;
}

struct ptx_sym *
invariant_result (const struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->kind == PTX_S_INSN ? s->insn : NULL;
  return i && !i->guard && i->nopnds && ptx_op_info[i->op].roles[0] == 'd'
	   && invariant_register (i->opnd[0]) && i->opnd[0]->sym->vec == 1
	 ? i->opnd[0]->sym
	 : NULL;
}

bool
invariant_predicate (const struct ptx_sym *reg)
{
  return ptx_type_info[reg->type].cls & PTX_TC_PRED;
}

/* Is O the same whenever a thread reads it, but for registers?  */
static bool
is_steady (const struct ptx_opnd *o)
{
  return invariant_register (o) || o->kind == PTX_O_INT
	 || (o->kind == PTX_O_SREG && eval_steady (o->sreg));
}

bool
invariant_operation (const struct ptx_stmt *s)
{
  if (!invariant_result (s) || ptx_op_info[s->insn->op].flags || s->insn->flags
      || s->insn->vec != 1)
    return false;
  const struct ptx_insn *i = s->insn;
  for (unsigned t = 0; t < i->ntypes; t++)
    if (ptx_type_info[i->type[t]].cls & (PTX_TC_FLOAT | PTX_TC_PACKED))
      return false;
  for (unsigned n = 1; n < i->nopnds; n++)
    if (!is_steady (i->opnd[n]))
      return false;
  unsigned cls = ptx_type_info[invariant_result (s)->type].cls;
  /* There are no copies of a byte.  */
  return !(cls & (PTX_TC_FLOAT | PTX_TC_PACKED))
	 && (cls & PTX_TC_PRED || eval_width (invariant_result (s)->type) > 8);
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

void
invariant_forget (struct motion *m)
{
  free (m->ndefs);
  free (m->changes);
  free (m->inner);
  free (m->item_of);
  free (m->same);
  free (m->needed);
}

void
invariant_registers (struct motion *m)
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

struct ptx_sym *
invariant_new_register (struct motion *m, const struct ptx_sym *like)
{
  char text[100];
  snprintf (text, sizeof text, "\n\t.reg.%s %%acr_round%u;",
	    ptx_type_info[like->type].text, ++m->nnames);
  post_insert (m->post, m->f, m->f->first, text);
  return m->f->first->next->syms[0];
}

unsigned
invariant_last_name (const struct motion *m)
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

void
invariant_read_instead (struct motion *m, struct ptx_stmt *s,
			const struct ptx_sym *reg, struct ptx_sym *to)
{
  if (s->kind != PTX_S_INSN || !insn_uses (s->insn, reg))
    return;
  struct ptx_insn *i = s->insn;
  if (i->guard == reg)
    i->guard = to;
  unsigned first = invariant_result (s) == reg;
  for (unsigned n = first; n < i->nopnds; n++)
    i->opnd[n] = renamed (m, i->opnd[n], reg, to);
  s->changed = true;
}

/* The next instruction of the block that ends with LAST, behind S, that sets REG as
   invariant_result has it, with no other that sets it in between; or NULL.  */
static struct ptx_stmt *
set_again (struct ptx_stmt *s, const struct ptx_stmt *last,
	   const struct ptx_sym *reg)
{
  while (s != last)
    {
      s = s->next;
      if (s->kind == PTX_S_INSN && insn_sets (s->insn, reg))
	return invariant_result (s) == reg ? s : NULL;
    }
  return NULL;
}

/* Give what S of block B sets a register of its own, where the block sets the register
   again.  */
static void
rename_result (struct motion *m, struct ptx_stmt *s, int b)
{
  struct ptx_sym *reg = invariant_result (s);
  struct ptx_stmt *end
    = set_again (s, m->cfg->block[b].last, reg);
  if (!end)
    return;
  struct ptx_sym *to = invariant_new_register (m, reg);
  s->insn->opnd[0] = renamed (m, s->insn->opnd[0], reg, to);
  s->changed = true;
  while (s != end)
    invariant_read_instead (m, s = s->next, reg, to);
}

void
invariant_rename (struct motion *m)
{
  for (int b = 0; b < m->cfg->nblocks; b++)
    if (cfg_in_loop (m->cfg, m->loop, b))
      for (struct ptx_stmt *s = m->cfg->block[b].first;
	   s != m->cfg->block[b].last; s = s->next)
	if (invariant_operation (s))
	  rename_result (m, s, b);
}
