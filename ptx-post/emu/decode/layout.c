/* Variables of a module: where they lie and what they start with.

   Shared variables of all units get one layout that every kernel of the
   module sees; those declared inside an entry overlay one another after it.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>

#include "check/check.h"
#include "decode/module.h"
#include "machine/mem.h"

enum { LEAD = 512 };		/* bytes before a module's variables */

typedef bool var_fn (struct emu_module *m, struct emu_func *f,
		     const struct ptx_sym *s);

/* Call FN for every variable that is not in a register or a frame, with the
   function it stands in, or NULL.  */
static bool
each_var (struct emu_module *m, var_fn *fn)
{
  for (unsigned k = 0; k < m->nunits; k++)
    for (const struct ptx_sym *s = m->unit[k].ptx->vars; s; s = s->next)
      if (module_defines (m, s) && !fn (m, NULL, s))
	return false;
  for (size_t k = 0; k < m->nfuncs; k++)
    if (m->func[k]->ptx)
      for (const struct ptx_sym *s = m->func[k]->ptx->locals; s; s = s->next)
	if (s->kind == PTX_SYM_VAR && s->linkage != PTX_LK_EXTERN
	    && !fn (m, m->func[k], s))
	  return false;
  return true;
}

/* Lay S out: PLACE.addr is an offset in the module's memory until
   module_lay_out knows where that is.  */
static bool
lay_out (struct emu_module *m, struct emu_func *f, const struct ptx_sym *s)
{
  uint64_t align = s->align ? s->align : 1;
  struct place p = { PLACE_MEM, 0, NULL };
  if (s->space == PTX_SP_SHARED)
    {
      bool own = f && f->ptx->is_entry;
      uint64_t at = own ? f->shared : m->shared;
      p.kind = PLACE_SHARED;
      p.addr = (at + align - 1) & -align;
      if (s->size > UINT32_MAX - p.addr)
	return false;
      if (own)
	f->shared = (uint32_t) (p.addr + s->size);
      else
	m->shared = p.addr + s->size;
    }
  else if (s->space == PTX_SP_GLOBAL || s->space == PTX_SP_CONST)
    {
      p.addr = (m->mem_bytes + align - 1) & -align;
      if (s->size > ((size_t) 1 << 46) - p.addr)
	return false;
      m->mem_bytes = p.addr + s->size;
      if (s->space == PTX_SP_CONST)
	m->const_bytes += s->size;
    }
  else
    return true;
  struct global *g = module_lookup (m, s->name);
  if (g && g->sym == s)
    g->place = p;
  return module_set_place (m, s, p);
}

static bool
relocate (struct emu_module *m, struct emu_func *f, const struct ptx_sym *s)
{
  struct place *p = (void *) (uintptr_t) map_get (m->place, s);
  if (!p)
    return true;
  if (p->kind == PLACE_MEM)
    p->addr += m->mem;
  else if (f && f->ptx->is_entry)
    p->addr += m->shared;
  struct global *g = module_lookup (m, s->name);
  if (g && g->sym == s)
    g->place = *p;
  return true;
}

static bool
initialise (struct emu_module *m, struct emu_func *f, const struct ptx_sym *s)
{
  const struct place *p = (void *) (uintptr_t) map_get (m->place, s);
  const struct emu_func any = { .module = m };
  if (!p || p->kind != PLACE_MEM)
    return true;
  for (const struct ptx_init *v = s->init; v; v = v->next)
    {
      uint64_t bits = v->bits;
      if (v->sym)
	{
	  struct place to = emu_place (f ? f : &any, v->sym);
	  if (to.kind == PLACE_NONE)
	    {
	      module_message (m, "error   : Undefined reference to '%s' in '%s'",
		       v->sym->name, s->name);
	      return false;
	    }
	  bits += to.addr;
	  if (to.kind == PLACE_SHARED && v->generic)
	    bits += EMU_SHARED_WINDOW;
	  if (v->mask)
	    bits = (bits & v->mask) >> __builtin_ctzll (v->mask);
	}
      if (v->size <= 8 && v->offset <= s->size && v->size <= s->size - v->offset)
	memcpy ((char *) (uintptr_t) p->addr + v->offset, &bits, v->size);
    }
  return true;
}

CUresult
module_lay_out (struct emu_module *m)
{
  /* Programs get away with a little before a variable on the hardware, where
     the driver's own data lies.  */
  m->mem_bytes = LEAD;
  if (!each_var (m, lay_out))
    return CUDA_ERROR_OUT_OF_MEMORY;
  m->shared = (m->shared + 15) & -(size_t) 16;
  if (m->mem_bytes > LEAD)
    {
      CUresult r = emu_mem_alloc (&m->mem, m->mem_bytes);
      if (r != CUDA_SUCCESS)
	return r;
      memset ((void *) (uintptr_t) m->mem, 0, m->mem_bytes);
      emu_check_defined (m->mem, m->mem_bytes);
    }
  each_var (m, relocate);
  return each_var (m, initialise) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_PTX;
}
