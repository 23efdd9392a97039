/* Modules: parse PTX units, link them, place their variables; see module.h.
   Functions stay undecoded until they are called.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "decode/module.h"
#include "decode/unit.h"
#include "machine/mem.h"
#include "machine/table.h"

/* ---- Loading ----------------------------------------------------------- */

static CUresult
parse_all (struct emu_module *m, const struct emu_source *src, unsigned n)
{
  m->unit = calloc (n, sizeof *m->unit);
  if (!m->unit)
    return CUDA_ERROR_OUT_OF_MEMORY;
  for (m->nunits = 0; m->nunits < n; m->nunits++)
    {
      struct ptx_unit *u;
      char *log;
      CUresult r = emu_unit_parse (&src[m->nunits], &u, &log);
      if (log)
	module_add_log (m, log, strlen (log));
      free (log);
      if (r)
	return r;
      m->unit[m->nunits].ptx = u;
    }
  return CUDA_SUCCESS;
}

/* Whether each kernel's parameters fit, as ptxas asks.  */
static CUresult
check_parameters (struct emu_module *m)
{
  CUresult r = CUDA_SUCCESS;
  for (size_t k = 0; k < m->nfuncs; k++)
    {
      const struct emu_func *f = m->func[k];
      if (!f->ptx || !f->ptx->is_entry)
	continue;
      const struct ptx_unit *u = f->ptx->unit;
      unsigned most = u->version >= 81 && u->target >= 70 ? 32764 : 4352;
      if (f->params <= most)
	continue;
      module_message (m, "error   : Entry function '%s' uses too much parameter "
			 "space (%#x bytes, %#x max).",
		      f->name, (unsigned) f->params, most);
      r = CUDA_ERROR_INVALID_PTX;
    }
  return r;
}

CUresult
emu_module_load (struct emu_module **module, const struct emu_source *src,
		 unsigned n, char **log)
{
  struct emu_module *m = calloc (1, sizeof *m);
  CUresult r = CUDA_ERROR_OUT_OF_MEMORY;
  *module = NULL;
  if (log)
    *log = NULL;
  if (!m)
    return r;
  pthread_mutex_init (&m->lock, NULL);
  emu_mem_init ();
  emu_isa_init ();
  m->place = map_new ();
  if (constants_init (&m->constants) && m->place
      && (r = parse_all (m, src, n)) == CUDA_SUCCESS
      && (r = module_define (m)) == CUDA_SUCCESS
      && (r = module_add_functions (m)) == CUDA_SUCCESS
      && (r = module_lay_out (m)) == CUDA_SUCCESS)
    {
      r = module_check_uses (m);
      if (r == CUDA_SUCCESS)
	r = check_parameters (m);
    }
  if (log)
    {
      *log = m->log;
      m->log = NULL;
    }
  if (r == CUDA_SUCCESS)
    *module = m;
  else
    emu_module_unload (m);
  return r;
}

void
emu_module_unload (struct emu_module *m)
{
  if (!m)
    return;
  emu_check_unload ();
  for (size_t k = 0; k < m->nfuncs; k++)
    free (m->func[k]->code);
  for (unsigned k = 0; k < m->nunits; k++)
    if (m->unit[k].ptx)
      ptx_unit_free (m->unit[k].ptx);
  if (m->mem)
    emu_mem_free (m->mem);
  constants_free (&m->constants);
  module_free_chunks (m);
  pthread_mutex_destroy (&m->lock);
  map_free (m->place);
  free (m->unit);
  free (m->func);
  free (m->log);
  free (m);
}

CUresult
emu_module_func (struct emu_module *m, const char *name, struct emu_func **f)
{
  const struct global *g = module_lookup (m, name);
  if (!g || g->place.kind != PLACE_FUNC || !g->place.func->ptx
      || !g->place.func->ptx->is_entry)
    return CUDA_ERROR_NOT_FOUND;
  *f = g->place.func;
  return CUDA_SUCCESS;
}

/* A variable that is visible, or else one of a unit's own.  */
CUresult
emu_module_global (struct emu_module *m, const char *name, uint64_t *addr,
		   size_t *bytes)
{
  const struct global *g = module_lookup (m, name);
  const struct ptx_sym *s = g ? g->sym : NULL;
  for (unsigned k = 0; !g && !s && k < m->nunits; k++)
    for (s = m->unit[k].ptx->vars; s; s = s->next)
      if (s->linkage == PTX_LK_NONE && !strcmp (s->name, name))
	break;
  const struct place *p
    = s ? (void *) (uintptr_t) map_get (m->place, s) : NULL;
  if (!p || p->kind != PLACE_MEM)
    return CUDA_ERROR_NOT_FOUND;
  if (addr)
    *addr = p->addr;
  if (bytes)
    *bytes = s->size;
  return CUDA_SUCCESS;
}
