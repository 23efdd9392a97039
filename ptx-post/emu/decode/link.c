/* Linking, as the driver's linker does: a visible definition beats a weak one,
   which beats a common one; an extern symbol that nothing defines is an error
   when something uses it.  Functions get addresses; what only the machine has
   (malloc, vprintf ...) is a builtin.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>

#include "decode/module.h"

enum { MAX_LOG = 64 << 10 };	/* bytes of complaints */

/* ---- Definitions ------------------------------------------------------- */

static int
rank (const struct ptx_sym *s)
{
  return s->linkage == PTX_LK_VISIBLE ? 3
	 : s->linkage == PTX_LK_WEAK  ? 2
	 : s->linkage == PTX_LK_COMMON ? 1 : 0;
}

/* Enter the definition of SYM at *G, or keep the better one that is there.
   False when there are two equals.  */
static bool
define (struct emu_module *m, struct unit *u, struct ptx_sym *sym,
	bool *no_memory)
{
  struct global *g = module_lookup (m, sym->name);
  if (!g)
    {
      g = emu_module_alloc (m, sizeof *g);
      if (!g)
	{
	  *no_memory = true;
	  return true;
	}
      g->name = sym->name;
      module_enter (m, g);
    }
  else if (rank (g->sym) == 3 && rank (sym) == 3)
    {
      module_message (m, "error   : Multiple definition of '%s' in '%s', "
		  "first defined in '%s'",
	       sym->name, u->ptx->name, g->unit->ptx->name);
      return false;
    }
  else if (rank (g->sym) > rank (sym)
	   || (rank (g->sym) == rank (sym)
	       && (rank (sym) != 1 || g->sym->size >= sym->size)))
    return true;
  g->sym = sym;
  g->unit = u;
  return true;
}

static bool
is_definition (const struct ptx_sym *s)
{
  return s->linkage != PTX_LK_EXTERN
	 && (s->kind == PTX_SYM_VAR
	     || (s->kind == PTX_SYM_FUNC && s->func && s->func->has_body
		 && s->func->sym == s));
}

CUresult
module_define (struct emu_module *m)
{
  bool unique = true, no_memory = false;
  for (unsigned k = 0; k < m->nunits; k++)
    {
      struct unit *u = &m->unit[k];
      for (struct ptx_sym *s = u->ptx->vars; s; s = s->next)
	if (is_definition (s) && s->linkage != PTX_LK_NONE)
	  unique &= define (m, u, s, &no_memory);
      for (struct ptx_func *f = u->ptx->funcs; f; f = f->next)
	if (f->has_body && (f->sym->linkage != PTX_LK_NONE || f->is_entry)
	    && f->sym->linkage != PTX_LK_EXTERN)
	  unique &= define (m, u, f->sym, &no_memory);
      for (struct ptx_alias *a = u->ptx->aliases; a; a = a->next)
	if (a->name->kind == PTX_SYM_FUNC && a->name->linkage != PTX_LK_EXTERN
	    && a->name->linkage != PTX_LK_NONE)
	  unique &= define (m, u, a->name, &no_memory);
    }
  return no_memory ? CUDA_ERROR_OUT_OF_MEMORY
	 : unique  ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}

/* Whether SYM is the definition its name stands for.  */
static bool
wins (const struct emu_module *m, const struct ptx_sym *sym)
{
  if (sym->linkage == PTX_LK_NONE)
    return true;
  const struct global *g = module_lookup (m, sym->name);
  return g && g->sym == sym;
}

bool
module_defines (const struct emu_module *m, const struct ptx_sym *sym)
{
  return is_definition (sym) && wins (m, sym);
}

/* ---- Functions --------------------------------------------------------- */

static unsigned
chunks (const struct ptx_sym *s)
{
  unsigned n = 0;
  for (; s; s = s->next)
    n += (unsigned) (((s->kind == PTX_SYM_REG ? ptx_type_info[s->type].bytes
					      : s->size) + 3) / 4);
  return n;
}

static struct emu_func *
new_func (struct emu_module *m, const char *name)
{
  if (m->nfuncs == m->maxfuncs)
    {
      size_t max = m->maxfuncs ? 2 * m->maxfuncs : 64;
      struct emu_func **p = realloc (m->func, max * sizeof *p);
      if (!p)
	return NULL;
      m->func = p;
      m->maxfuncs = max;
    }
  struct emu_func *f = emu_module_alloc (m, sizeof *f);
  if (!f)
    return NULL;
  f->name = name;
  f->module = m;
  m->func[m->nfuncs++] = f;
  return f;
}

static uint64_t
func_addr (const struct emu_module *m)
{
  return EMU_FUNC_WINDOW + (m->nfuncs - 1) * EMU_FUNC_STEP;
}

static bool
add_func (struct emu_module *m, struct unit *u, struct ptx_func *p)
{
  struct emu_func *f = new_func (m, p->sym->name);
  if (!f)
    return false;
  f->unit = u;
  f->ptx = p;
  f->ret_chunks = chunks (p->rets);
  f->arg_chunks = chunks (p->params);
  for (unsigned k = 0; k < p->nregs; k++)
    f->reg_bytes += p->regs[k] ? ptx_type_info[p->regs[k]->type].bytes : 0;
  f->maxntid = 1;
  for (int k = 0; k < 3; k++)
    {
      f->reqntid[k] = p->reqntid[k];
      f->maxntid *= p->maxntid[k] ? p->maxntid[k] : 1;
    }
  if (!p->maxntid[0])
    f->maxntid = 0;
  if (p->is_entry)
    for (const struct ptx_sym *s = p->params; s; s = s->next)
      f->params = ((f->params + s->align - 1) & -(size_t) s->align) + s->size;
  struct place place = { PLACE_FUNC, func_addr (m), f };
  struct global *g = module_lookup (m, p->sym->name);
  if (g && g->sym == p->sym)
    g->place = place;
  return module_set_place (m, p->sym, place);
}

/* A builtin for the declaration S that nothing defines.  */
static bool
add_builtin (struct emu_module *m, struct unit *u, const struct ptx_sym *s)
{
  emu_builtin *fn = emu_find_builtin (s->name);
  struct global *g = fn ? emu_module_alloc (m, sizeof *g) : NULL;
  struct emu_func *f = g ? new_func (m, s->name) : NULL;
  if (!f)
    return !fn;
  f->builtin = fn;
  *g = (struct global){ .name = s->name, .unit = u,
			.place = { PLACE_FUNC, func_addr (m), f } };
  module_enter (m, g);
  return true;
}

/* Put A's name where its target is.  What is no function of this module stays
   undefined, and a use of it is reported.  */
static bool
add_alias (struct emu_module *m, const struct ptx_alias *a)
{
  const struct emu_func any = { .module = m };
  const struct place to = emu_place (&any, a->target);
  if (to.kind != PLACE_FUNC || !wins (m, a->name))
    return true;
  struct global *g = module_lookup (m, a->name->name);
  if (g && g->sym == a->name)
    g->place = to;
  return module_set_place (m, a->name, to);
}

CUresult
module_add_functions (struct emu_module *m)
{
  for (unsigned k = 0; k < m->nunits; k++)
    for (struct ptx_func *f = m->unit[k].ptx->funcs; f; f = f->next)
      if (f->has_body && wins (m, f->sym) && !add_func (m, &m->unit[k], f))
	return CUDA_ERROR_OUT_OF_MEMORY;
  for (unsigned k = 0; k < m->nunits; k++)
    for (struct ptx_alias *a = m->unit[k].ptx->aliases; a; a = a->next)
      if (!add_alias (m, a))
	return CUDA_ERROR_OUT_OF_MEMORY;
  for (unsigned k = 0; k < m->nunits; k++)
    for (struct ptx_func *f = m->unit[k].ptx->funcs; f; f = f->next)
      if (!f->has_body && !module_lookup (m, f->sym->name)
	  && !add_builtin (m, &m->unit[k], f->sym))
	return CUDA_ERROR_OUT_OF_MEMORY;
  return CUDA_SUCCESS;
}

/* ---- Uses -------------------------------------------------------------- */

/* The symbol that operand O uses and that nothing defines, or NULL.  */
static const struct ptx_sym *
undefined_in (const struct emu_func *f, const struct ptx_opnd *o)
{
  const struct ptx_sym *s = o->sym;
  if (o->kind == PTX_O_SYM && s
      && (s->kind == PTX_SYM_UNKNOWN
	  || s->kind == PTX_SYM_FUNC
	  || (s->kind == PTX_SYM_VAR && s->linkage == PTX_LK_EXTERN))
      && emu_place (f, s).kind == PLACE_NONE)
    return s;
  for (unsigned k = 0; k < o->nelt; k++)
    if ((s = undefined_in (f, o->elt[k])))
      return s;
  return NULL;
}

/* Complain about what functions use and nobody defines.  */
CUresult
module_check_uses (struct emu_module *m)
{
  CUresult r = CUDA_SUCCESS;
  for (size_t k = 0; k < m->nfuncs; k++)
    {
      const struct emu_func *f = m->func[k];
      if (!f->ptx)
	continue;
      for (const struct ptx_stmt *s = f->ptx->first; s && s != f->ptx->last;
	   s = s->next)
	for (unsigned n = 0; s->insn && n < s->insn->nopnds; n++)
	  {
	    const struct ptx_sym *u = undefined_in (f, s->insn->opnd[n]);
	    if (!u)
	      continue;
	    if (u->kind == PTX_SYM_UNKNOWN)
	      module_message (m, "ptxas %s, line %u; error   : Unknown symbol '%s'",
		       f->unit->ptx->name, s->line, u->name);
	    else
	      module_message (m, "error   : Undefined reference to '%s' in '%s'",
		       u->name, f->unit->ptx->name);
	    r = CUDA_ERROR_INVALID_PTX;
	    if (m->log_len > MAX_LOG)
	      return r;
	  }
    }
  return r;
}
