/* What passes ask of statements, and do to them, alike.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

const struct ptx_sym *
insn_named (const struct ptx_insn *insn, unsigned i)
{
  const struct ptx_opnd *o = insn->opnd[i];
  if (o->kind == PTX_O_ADDR && o->nelt)
    o = o->elt[0];
  return o->kind == PTX_O_SYM || o->kind == PTX_O_REG ? o->sym : NULL;
}

bool
insn_names (const struct ptx_insn *insn, unsigned i, const char *name)
{
  const struct ptx_sym *sym = i < insn->nopnds ? insn_named (insn, i) : NULL;
  return sym && strcmp (sym->name, name) == 0;
}

struct search
{
  const struct ptx_sym *reg;
  bool found;
};

static void
find_reg (struct ptx_sym *reg, void *closure)
{
  struct search *s = closure;
  s->found |= reg == s->reg;
}

bool
insn_uses (const struct ptx_insn *insn, const struct ptx_sym *reg)
{
  struct search s = { reg, false };
  ptx_insn_uses (insn, find_reg, &s);
  return s.found;
}

bool
insn_sets (const struct ptx_insn *insn, const struct ptx_sym *reg)
{
  struct search s = { reg, false };
  ptx_insn_defs (insn, find_reg, &s);
  return s.found;
}

bool
func_mentions (const struct ptx_func *f, const char *name)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN)
      for (unsigned i = 0; i < s->insn->nopnds; i++)
	if (insn_names (s->insn, i, name))
	  return true;
  return false;
}

bool
func_has_frame (const struct ptx_func *f)
{
  for (const struct ptx_sym *v = f->locals; v; v = v->next)
    if (v->kind == PTX_SYM_VAR && v->space == PTX_SP_LOCAL)
      return true;
  return false;
}

bool
func_names_label (const struct ptx_func *f, const struct ptx_sym *label,
		  const struct ptx_stmt *except)
{
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      for (unsigned i = 0; s->kind == PTX_S_INSN && i < s->insn->nopnds; i++)
	if (s != except && s->insn->opnd[i]->sym == label)
	  return true;
      for (unsigned i = 0; s->kind == PTX_S_DECL && i < s->nsyms; i++)
	if (s->syms[i]->targets)
	  return true;
    }
  return false;
}

static void
note_sym (const struct ptx_sym *sym, func_note *note, void *closure)
{
  if (sym && sym->kind == PTX_SYM_FUNC && sym->func)
    note (sym->func, closure);
}

static void
note_operand (const struct ptx_opnd *o, func_note *note, void *closure)
{
  note_sym (o->sym, note, closure);
  for (unsigned i = 0; i < o->nelt; i++)
    note_operand (o->elt[i], note, closure);
}

void
vars_each_named (const struct ptx_sym *var, func_note *note, void *closure)
{
  for (; var; var = var->next)
    for (const struct ptx_init *i = var->init; i; i = i->next)
      note_sym (i->sym, note, closure);
}

void
func_each_named (const struct ptx_func *f, func_note *note, void *closure)
{
  vars_each_named (f->locals, note, closure);
  for (const struct ptx_stmt *s = f->first; s && s != f->last; s = s->next)
    {
      if (s->kind == PTX_S_INSN)
	for (unsigned i = 0; i < s->insn->nopnds; i++)
	  note_operand (s->insn->opnd[i], note, closure);
      for (unsigned i = 0; s->kind == PTX_S_DECL && i < s->nsyms; i++)
	if (s->syms[i]->targets)
	  note_operand (s->syms[i]->targets, note, closure);
    }
}

const struct ptx_sym *
call_target (const struct ptx_insn *call)
{
  const struct ptx_opnd *target = call->opnd[0];
  if (target->kind == PTX_O_LIST)
    target = call->opnd[1];
  return target->kind == PTX_O_SYM && target->sym->kind == PTX_SYM_FUNC
	   ? target->sym
	   : NULL;
}

const struct ptx_func *
called_function (const struct ptx_stmt *s)
{
  const struct ptx_sym *target
    = s->kind == PTX_S_INSN && s->insn->op == PTX_OP_CALL
	? call_target (s->insn)
	: NULL;
  return target && target->func->has_body ? target->func : NULL;
}

bool
unit_is_opaque (const struct ptx_unit *unit)
{
  for (const struct ptx_stmt *s = unit->first; s; s = s->next)
    if (s->kind == PTX_S_RAW
	|| (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_OPAQUE))
      return true;
  return false;
}

struct ptx_stmt *
func_declaration (const struct ptx_unit *u, const struct ptx_func *f)
{
  struct ptx_stmt *s = u->first;
  while (s->kind != PTX_S_FUNC || s->sym != f->sym)
    s = s->next;
  return s == f->header ? s->prev : s;
}

void
post_insert (struct post *p, struct ptx_func *f, struct ptx_stmt *after,
	     const char *text)
{
  struct ptx_error e;
  bool ok = ptx_insert_after (p->unit, f, after, text, &e);
  assert (ok);
  (void) ok;
}

void
post_set_body (struct post *p, struct ptx_func *f, const char *text)
{
  struct ptx_stmt *before = f->last->prev;
  post_insert (p, f, before, text);
  for (struct ptx_stmt *s = before, *prev; s != f->first; s = prev)
    {
      prev = s->prev;
      if (s->kind != PTX_S_OPEN && s->kind != PTX_S_CLOSE)
	ptx_remove (p->unit, s);
    }
}

bool
post_replace (struct post *p, struct ptx_stmt *s, const char *text)
{
  struct ptx_error e;
  bool done = ptx_insert_after (p->unit, s->func, s, text, &e);
  if (done)
    ptx_remove (p->unit, s);
  return done;
}

void
post_set_from (struct post *p, struct ptx_stmt *s, const char *type,
	       const char *value)
{
  char text[100];
  snprintf (text, sizeof text, "\tmov.%s %s, %s;", type,
	    s->insn->opnd[0]->sym->name, value);
  post_insert (p, s->func, s, text);
  ptx_remove (p->unit, s);
}
