/* Two units as one: .version and .target, names that both have, and the text.

   Whoever launches the pair loads it in place of both units, so all of
   both is in it.  Variables and functions of the second unit whose names
   the first one has too get new names, which the text says; declarations
   of what other units define are one.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pair/pair.h"

#include <stdlib.h>
#include <string.h>

static const struct pair_side *
side_of (const struct pair *p, unsigned i)
{
  return &p->side[i];
}

/* ---- .version and .target ---- */

/* What stands behind the architecture's number in TEXT: "a", "f" or
   nothing.  */
static char
kind_of (const char *text)
{
  const char *s = text + strcspn (text, ",") - 1;
  return s > text && (*s == 'a' || *s == 'f') ? *s : 0;
}

/* Does TEXT, a .target, have the option NAME?  */
static bool
has_option (const char *text, const char *name)
{
  return strstr (text, name) != NULL;
}

/* Do both units treat what the options of .target are about alike?  */
static bool
same_options (const struct ptx_unit *a, const struct ptx_unit *b)
{
  static const char *const options[]
    = { "texmode_independent", "map_f64_to_f32" };
  for (unsigned i = 0; i < sizeof options / sizeof *options; i++)
    if (has_option (a->target_text, options[i])
	!= has_option (b->target_text, options[i]))
      return false;
  return true;
}

/* Is an instruction of unit I gone in the pair's .version for SM?  */
static bool
has_lost (const struct pair *p, unsigned i, unsigned sm)
{
  for (const struct ptx_stmt *s = p->unit[i]->first; s; s = s->next)
    if (s->kind == PTX_S_INSN)
      {
	struct ptx_need lost = ptx_insn_lost (s->insn);
	if (lost.version && p->version >= lost.version && sm >= lost.sm)
	  return !pair_refuse (side_of (p, i), s,
			       "%s: not in PTX %u.%u for sm_%u",
			       s->insn->mnemonic, p->version / 10,
			       p->version % 10, sm);
      }
  return false;
}

/* May both units be for the newer of their architectures?  */
static bool
may_join (const struct pair *p, const struct ptx_unit *old,
	  const struct ptx_unit *new)
{
  const struct pair_side *side = side_of (p, old == p->unit[1]);
  if (!same_options (old, new))
    return pair_refuse (side, old->target_stmt,
			"the other unit's .target has other options");
  if (old->target < new->target && kind_of (old->target_text))
    return pair_refuse (side, old->target_stmt,
			"it is for sm_%u only, the other one for sm_%u",
			old->target, new->target);
  if (old->target < PAIR_LANES_SM && new->target >= PAIR_LANES_SM)
    return pair_refuse (side, old->target_stmt,
			"warps work in step for sm_%u, but not for the other "
			"one's sm_%u",
			old->target, new->target);
  return true;
}

/* The unit whose .target the pair has.  */
static const struct ptx_unit *
newer_unit (const struct pair *p)
{
  const struct ptx_unit *a = p->unit[0], *b = p->unit[1] ? p->unit[1] : a;
  if (a->target != b->target)
    return a->target > b->target ? a : b;
  return kind_of (b->target_text) && !kind_of (a->target_text) ? b : a;
}

bool
pair_choose_target (struct pair *p)
{
  for (unsigned i = 0; i < PAIR_SIDES && p->unit[i]; i++)
    if (!p->unit[i]->target || !p->unit[i]->version
	|| p->unit[i]->address_size != 64)
      return pair_refuse (side_of (p, i), NULL,
			  "no .version, .target or .address_size 64");
  const struct ptx_unit *new = newer_unit (p);
  unsigned needed = 0;
  for (unsigned i = 0; i < PAIR_SIDES && p->unit[i]; i++)
    {
      if (p->unit[i] != new && !may_join (p, p->unit[i], new))
	return false;
      if (p->version < p->unit[i]->version)
	p->version = p->unit[i]->version;
    }
  if (ptx_target_known (new->target, &needed) && p->version < needed)
    p->version = needed;
  for (unsigned i = 0; i < PAIR_SIDES && p->unit[i]; i++)
    if (p->unit[1] && has_lost (p, i, new->target))
      return false;
  /* There is no information for debuggers.  */
  p->target = pair_text ("%.*s%s", (int) strcspn (new->target_text, ", "),
			 new->target_text,
			 has_option (new->target_text, "texmode_independent")
			   ? ", texmode_independent"
			   : "");
  return true;
}

/* ---- Names ---- */

/* Does the text of a unit hold NAME?  */
static bool
occurs (const struct pair *p, const char *name)
{
  for (unsigned i = 0; i < PAIR_SIDES && p->unit[i]; i++)
    if (memmem (p->unit[i]->text, p->unit[i]->len, name, strlen (name)))
      return true;
  return false;
}

/* A text like STEM that is in neither unit.  */
static char *
fresh (const struct pair *p, const char *stem)
{
  char *name = pair_text ("%s", stem);
  for (unsigned n = 2; occurs (p, name); n++)
    {
      free (name);
      name = pair_text ("%s%u", stem, n);
    }
  return name;
}

/* Does another unit define SYM?  */
static bool
is_outside (const struct ptx_sym *sym)
{
  return sym->kind == PTX_SYM_FUNC ? !sym->func->has_body
				   : sym->linkage == PTX_LK_EXTERN;
}

static bool
same_parameters (const struct ptx_sym *a, const struct ptx_sym *b)
{
  for (; a && b; a = a->next, b = b->next)
    if (a->size != b->size || a->space != b->space)
      return false;
  return !a && !b;
}

/* Are A and B, declared in the two units, one?  */
static bool
same_declaration (const struct ptx_sym *a, const struct ptx_sym *b)
{
  if (a->kind != b->kind)
    return false;
  if (a->kind == PTX_SYM_FUNC)
    return same_parameters (a->func->params, b->func->params)
	   && same_parameters (a->func->rets, b->func->rets);
  return a->space == b->space && a->type == b->type && a->size == b->size
	 && a->align == b->align && a->nelem == b->nelem;
}

/* Give the second unit's SYM another name when the first one has its name.  */
static bool
settle_name (struct pair *p, const struct ptx_sym *sym)
{
  const struct ptx_sym *other = ptx_lookup (p->unit[0], sym->name);
  if (!other)
    return true;
  if (is_outside (sym) && is_outside (other)
      && same_declaration (other, sym))
    return true;
  if (is_outside (sym) != is_outside (other))
    return pair_refuse (side_of (p, 1), sym->stmt,
			"one unit declares %s and the other defines it: link "
			"them first",
			sym->name);
  if (is_outside (sym) && !pair_is_dynamic (sym))
    return pair_refuse (side_of (p, 1), sym->stmt,
			"the other unit declares %s otherwise", sym->name);
  char *stem = pair_text ("%s_2", sym->name);
  pair_add_name (&p->renamed, sym->name, fresh (p, stem));
  free (stem);
  return true;
}

bool
pair_choose_names (struct pair *p)
{
  p->prefix = fresh (p, "acr_pair");
  char *stem = pair_text ("%s__%s", p->side[0].name, p->side[1].name);
  p->entry = fresh (p, stem);
  free (stem);
  if (!p->unit[1])
    return true;
  for (const struct ptx_sym *v = p->unit[1]->vars; v; v = v->next)
    if (!settle_name (p, v))
      return false;
  for (const struct ptx_func *f = p->unit[1]->funcs; f; f = f->next)
    if (!settle_name (p, f->sym))
      return false;
  /* Textures, for instance: their names are not known.  */
  for (const struct ptx_stmt *s = p->unit[1]->first; s; s = s->next)
    if (s->kind == PTX_S_RAW && !s->func)
      return pair_refuse (side_of (p, 1), s,
			  "a declaration that is not understood, beside "
			  "another unit");
  return true;
}

/* ---- Text ---- */

/* Is S for the assembler or a debugger alone?  */
static bool
is_dropped (const struct ptx_stmt *s)
{
  static const char *const words[] = { ".version", ".target",
				       ".address_size", ".file", ".loc",
				       ".section" };
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (s->kind == PTX_S_DIRECTIVE && strcmp (s->directive, words[i]) == 0)
      return true;
  return false;
}

/* Does S, at file level, declare what another unit defines?  */
static bool
declares_outside (const struct ptx_stmt *s)
{
  return !s->func && s->sym && (s->kind == PTX_S_FUNC || s->kind == PTX_S_DECL)
	 && is_outside (s->sym);
}

/* Has the first unit declared the same as S of the second one?  */
static bool
is_declared (const struct pair *p, unsigned i, const struct ptx_stmt *s)
{
  const struct ptx_sym *other
    = i ? ptx_lookup (p->unit[0], s->sym->name) : NULL;
  return other && same_declaration (other, s->sym);
}

/* Write the statements of unit I that declare (OUTSIDE) what others define, or
   the rest.  */
static void
write_statements (const struct pair *p, unsigned i, bool outside)
{
  const struct pair_names *names = i ? &p->renamed : NULL;
  for (const struct ptx_stmt *s = p->unit[i]->first; s; s = s->next)
    {
      const char *end = s->text + s->len;
      if (declares_outside (s) != outside)
	continue;
      if (is_dropped (s))
	end = s->text + s->lead;
      if (!outside || !is_declared (p, i, s))
	pair_write (p->out, s->text, end, names);
    }
}

void
pair_write_units (const struct pair *p)
{
  for (unsigned outside = 2; outside-- > 0;)
    for (unsigned i = 0; i < PAIR_SIDES && p->unit[i]; i++)
      {
	write_statements (p, i, outside);
	putc ('\n', p->out);
      }
}
