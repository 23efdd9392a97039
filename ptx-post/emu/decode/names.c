/* What a module keeps while it is made and afterwards: memory, the log, and
   what names stand for.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/module.h"

/* ---- Memory ------------------------------------------------------------ */

/* What emu_module_alloc gives.  */
struct chunk
{
  struct chunk *next;
  _Alignas (16) char data[];
};

void *
emu_module_alloc (struct emu_module *m, size_t bytes)
{
  struct chunk *c = calloc (1, sizeof *c + bytes);
  if (!c)
    return NULL;
  c->next = m->chunks;
  m->chunks = c;
  return c->data;
}

void
module_free_chunks (struct emu_module *m)
{
  while (m->chunks)
    {
      struct chunk *c = m->chunks;
      m->chunks = c->next;
      free (c);
    }
}

/* ---- The log ----------------------------------------------------------- */

void
module_add_log (struct emu_module *m, const char *text, size_t len)
{
  char *p = realloc (m->log, m->log_len + len + 1);
  if (!p)
    return;
  memcpy (p + m->log_len, text, len);
  m->log_len += len;
  p[m->log_len] = 0;
  m->log = p;
}

void
module_message (struct emu_module *m, const char *fmt, ...)
{
  char line[512];
  va_list ap;
  va_start (ap, fmt);
  int n = vsnprintf (line, sizeof line - 1, fmt, ap);
  va_end (ap);
  if (n < 0)
    return;
  strcat (line, "\n");
  module_add_log (m, line, strlen (line));
}

/* ---- Names ------------------------------------------------------------- */

static unsigned
hash (const char *s)
{
  unsigned h = 5381;
  for (; *s; s++)
    h = h * 33 ^ (unsigned char) *s;
  return h % BUCKETS;
}

struct global *
module_lookup (const struct emu_module *m, const char *name)
{
  for (struct global *g = m->global[hash (name)]; g; g = g->next)
    if (!strcmp (g->name, name))
      return g;
  return NULL;
}

void
module_enter (struct emu_module *m, struct global *g)
{
  unsigned h = hash (g->name);
  g->next = m->global[h];
  m->global[h] = g;
}

bool
module_set_place (struct emu_module *m, const struct ptx_sym *sym, struct place p)
{
  struct place *copy = emu_module_alloc (m, sizeof *copy);
  if (!copy)
    return false;
  *copy = p;
  return map_put (m->place, sym, (uintptr_t) copy);
}

struct place
emu_place (const struct emu_func *f, const struct ptx_sym *sym)
{
  const struct emu_module *m = f->module;
  const struct place *p = (void *) (uintptr_t) map_get (m->place, sym);
  if (p)
    return *p;
  /* Another unit's definition, which may have beaten a weak one.  */
  if (sym->linkage != PTX_LK_NONE || sym->kind == PTX_SYM_FUNC)
    {
      const struct global *g = module_lookup (m, sym->name);
      if (g)
	return g->place;
      /* extern .shared x[]: what the launch adds, after the rest.  */
      if (sym->space == PTX_SP_SHARED && sym->size == 0)
	return (struct place){ PLACE_SHARED, emu_dynamic_shared (f), NULL };
    }
  return (struct place){ PLACE_NONE, 0, NULL };
}
