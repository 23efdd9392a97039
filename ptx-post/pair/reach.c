/* What a side executes: its kernel, the functions that it calls, the shared
   variables and barriers that these use.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pair/pair.h"

#include "analysis/analysis.h"

#include <stdlib.h>
#include <string.h>

struct pair_func *
pair_find_func (const struct pair_side *side, const struct ptx_func *f)
{
  struct pair_func *g = side->funcs;
  while (g && g->f != f)
    g = g->next;
  return g;
}

const struct ptx_sym *
pair_behind_alias (const struct ptx_unit *u, const struct ptx_sym *sym)
{
  for (const struct ptx_alias *a = u->aliases; a; a = a->next)
    if (a->name == sym)
      return a->target;
  return sym;
}

/* The file-scope symbol that W names, or NULL.  */
static const struct ptx_sym *
find_symbol (const struct ptx_unit *u, const struct pair_word *w)
{
  char *name = pair_text ("%.*s", (int) w->base, w->text);
  const struct ptx_sym *sym = ptx_lookup (u, name);
  free (name);
  return pair_behind_alias (u, sym);
}

/* ---- Variables ---- */

bool
pair_is_shared (const struct ptx_sym *sym)
{
  return sym->kind == PTX_SYM_VAR && sym->space == PTX_SP_SHARED;
}

bool
pair_is_dynamic (const struct ptx_sym *var)
{
  return pair_is_shared (var) && var->linkage == PTX_LK_EXTERN
	 && var->is_array && !var->nelem;
}

const struct ptx_opnd *
pair_dynamic_operand (const struct ptx_insn *i)
{
  for (unsigned k = 0; k < i->nopnds; k++)
    if (i->opnd[k]->kind == PTX_O_SYM && pair_is_dynamic (i->opnd[k]->sym))
      return i->opnd[k];
  return NULL;
}

static void
add_variable (struct pair_side *side, const struct ptx_sym *var)
{
  struct pair_var **link = &side->vars;
  for (; *link; link = &(*link)->next)
    if ((*link)->sym == var)
      return;
  *link = xcalloc (1, sizeof **link);
  (*link)->sym = var;
}

/* F uses VAR, in shared memory.  */
static bool
use_shared (const struct pair *p, struct pair_side *side, struct pair_func *f,
	    const struct ptx_stmt *s, const struct ptx_sym *var)
{
  if (pair_is_dynamic (var))
    {
      if (s->kind == PTX_S_INSN && pair_dynamic_operand (s->insn)
	  && s->insn->op != PTX_OP_MOV && s->insn->op != PTX_OP_CVTA)
	return pair_refuse (side, s, "%s of the address of dynamic shared "
			    "memory", s->insn->mnemonic);
      f->dynamic = side->dynamic = true;
      if (side->align < var->align)
	side->align = var->align;
      return true;
    }
  if (var->linkage == PTX_LK_EXTERN && pair_by_threads (p))
    return pair_refuse (side, s,
			"%s: shared memory that another unit defines",
			var->name);
  f->shared = true;
  add_variable (side, var);
  return true;
}

static bool
has_shared_locals (const struct ptx_func *f)
{
  for (const struct ptx_sym *v = f->locals; v; v = v->next)
    if (pair_is_shared (v))
      return true;
  return false;
}

/* Can the shared variables that F declares be a side's own?  */
static bool
accepts_locals (const struct pair *p, const struct pair_side *side,
		const struct ptx_func *f)
{
  for (const struct ptx_sym *v = f->locals; v; v = v->next)
    if (pair_is_dynamic (v) && pair_by_threads (p))
      return pair_refuse (side, v->stmt,
			  "%s: dynamic shared memory of a function", v->name);
  return true;
}

/* ---- Functions ---- */

static struct pair_func *
add_func (struct pair_side *side, const struct ptx_func *f)
{
  struct pair_func **link = &side->funcs;
  for (; *link; link = &(*link)->next)
    if ((*link)->f == f)
      return *link;
  *link = xcalloc (1, sizeof **link);
  (*link)->f = f;
  (*link)->shared = has_shared_locals (f);
  return *link;
}

static bool
use_func (struct pair_side *side, struct pair_func *from,
	  const struct ptx_stmt *s, const struct ptx_func *f)
{
  if (f->is_entry)
    return pair_refuse (side, s, "it launches %s", f->sym->name);
  if (!f->has_body)
    return pair_accepts_outside (f->sym->name)
	   || pair_refuse (side, s, "it calls %s, whose code is not here",
			   f->sym->name);
  struct pair_call *c = xcalloc (1, sizeof *c);
  *c = (struct pair_call) { add_func (side, f), from->calls };
  from->calls = c;
  return true;
}

static bool
look_at_words (const struct pair *p, struct pair_side *side,
	       struct pair_func *f, const struct ptx_stmt *s)
{
  struct pair_word w;
  const char *pos = s->text + s->lead, *end = s->text + s->len;
  while (pair_next_word (&pos, end, &w))
    {
      if (!pair_accepts_word (side, s, &w, &f->reads))
	return false;
      const struct ptx_sym *sym = find_symbol (side->unit, &w);
      if (!sym)
	continue;
      if (pair_is_shared (sym) && !use_shared (p, side, f, s, sym))
	return false;
      if (sym->kind == PTX_SYM_FUNC && !use_func (side, f, s, sym->func))
	return false;
    }
  return true;
}

static void
look_at_insn (struct pair_side *side, struct pair_func *f,
	      const struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->insn;
  if (i->op == PTX_OP_EXIT)
    f->exit = s;
  side->indirect |= i->op == PTX_OP_CALL && !call_target (i);
  f->barriers |= pair_is_barrier (i);
  f->full |= pair_is_full (i);
}

static bool
look_at_func (const struct pair *p, struct pair_side *side,
	      struct pair_func *f)
{
  if (!accepts_locals (p, side, f->f))
    return false;
  for (const struct ptx_stmt *s = f->f->first; s != f->f->last; s = s->next)
    {
      if (!pair_accepts (p, side, s) || !look_at_words (p, side, f, s))
	return false;
      if (s->kind != PTX_S_INSN)
	continue;
      look_at_insn (side, f, s);
      if (pair_is_barrier (s->insn) && pair_by_threads (p)
	  && !pair_add_barrier (side, f->f, s))
	return false;
    }
  return true;
}

/* A call by address may be of any function of the unit.  */
static void
add_all_funcs (struct pair_side *side)
{
  for (const struct ptx_func *f = side->unit->funcs; f; f = f->next)
    if (f->has_body && !f->is_entry)
      add_func (side, f);
}

/* Let what is true of functions be so of those that call them.  */
static void
pass_on (struct pair_side *side)
{
  bool changed;
  do
    {
      changed = false;
      for (struct pair_func *f = side->funcs; f; f = f->next)
	for (const struct pair_call *c = f->calls; c; c = c->next)
	  if (f->needs_copy < c->to->needs_copy
	      || f->full_below < c->to->full_below)
	    {
	      f->needs_copy |= c->to->needs_copy;
	      f->full_below |= c->to->full_below;
	      changed = true;
	    }
    }
  while (changed);
}

bool
pair_reach (const struct pair *p, struct pair_side *side)
{
  side->full_id = -1;
  add_func (side, side->kernel);
  bool all = false;
  for (struct pair_func *f = side->funcs; f; f = f->next)
    {
      if (!look_at_func (p, side, f))
	return false;
      if (side->indirect && !all)
	add_all_funcs (side);
      all = side->indirect;
      f->full_below = f->full;
      side->dynamic |= f->reads >> PAIR_V_DYNAMIC & 1;
    }
  pass_on (side);
  for (const struct pair_func *f = side->funcs->next; f; f = f->next)
    if (f->exit && side->funcs->full_below && pair_by_threads (p))
      return pair_refuse (side, f->exit,
			  "a function ends the thread, and there are "
			  "barriers of the whole block");
  return true;
}

/* ---- Names ---- */

/* Does F mean something else in a pair than alone?  */
static bool
needs_copy (const struct pair *p, const struct pair_func *f)
{
  unsigned reads = f->reads;
  if (!p->moves_dynamic)
    reads &= ~(1u << PAIR_V_DYNAMIC);
  return reads || (f->dynamic && p->moves_dynamic)
	 || (pair_by_threads (p) && (f->shared || f->barriers));
}

bool
pair_reads_record (const struct pair *p, const struct pair_side *side,
		   const struct pair_func *f)
{
  unsigned size = 1u << PAIR_V_DYNAMIC;
  return f->reads & ~size
	 || (p->moves_dynamic && (f->dynamic || f->reads & size))
	 || (f->full && pair_by_threads (p) && !pair_threads (side));
}

/* What NAME is called in SIDE.  */
static char *
side_name (const struct pair *p, const struct pair_side *side,
	   const char *name)
{
  bool register_like = *name == '%';
  return pair_text ("%s%s%u_%s", register_like ? "%" : "", p->prefix,
		    side->index + 1, name + register_like);
}

static void
name_after_side (const struct pair *p, struct pair_side *side,
		 const char *name)
{
  pair_add_name (&side->names, name, side_name (p, side, name));
}

static void
name_values (const struct pair *p, struct pair_side *side)
{
#define PAIR_VALUE(id, sreg, name, slot)				      \
  if (PAIR_V_##id != PAIR_V_DYNAMIC || p->moves_dynamic)		      \
    pair_add_name (&side->names, sreg, pair_text ("%%%s_" name, p->prefix));
#include "pair/values.def"
}

static void
name_shared (const struct pair *p, struct pair_side *side)
{
  for (const struct pair_var *v = side->vars; v; v = v->next)
    if (pair_by_threads (p))
      name_after_side (p, side, v->sym->name);
  for (const struct ptx_sym *v = side->unit->vars; v; v = v->next)
    if (pair_is_dynamic (v) && p->moves_dynamic)
      pair_add_name (&side->names, v->name,
		     pair_text ("%%%s_dynamic", p->prefix));
}

void
pair_name_side (const struct pair *p, struct pair_side *side)
{
  for (struct pair_func *f = side->funcs; f; f = f->next)
    f->needs_copy = needs_copy (p, f);
  pass_on (side);
  name_values (p, side);
  name_shared (p, side);
  for (struct pair_func *f = side->funcs; f; f = f->next)
    {
      bool copied = f->needs_copy || f == side->funcs;
      for (const struct ptx_sym *v = f->f->locals; copied && v; v = v->next)
	if (pair_is_shared (v))
	  name_after_side (p, side, v->name);
      if (f == side->funcs || !f->needs_copy)
	continue;
      name_after_side (p, side, f->f->sym->name);
      f->copy = side_name (p, side, f->f->sym->name);
      side->record |= pair_reads_record (p, side, f);
      for (const struct ptx_alias *a = side->unit->aliases; a; a = a->next)
	if (a->target == f->f->sym)
	  pair_add_name (&side->names, a->name->name, strdup (f->copy));
    }
  for (const struct ptx_sym *s = side->kernel->params; s; s = s->next)
    name_after_side (p, side, s->name);
}
