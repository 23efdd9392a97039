/* Bytes by variable; see operand.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "report/operand.h"

#include <stdlib.h>
#include <string.h>

enum
{
  MERGED = 32 << 10, /* libgomp's limit (gomp_coalesce_buf_add) */
  SETS = 64,
  ADDRESS = 8 /* bytes of a slot */
};

/* The variable NAME of VS, entered when it is new.  */
static unsigned
index_of (struct acr_variables *vs, const char *name)
{
  for (unsigned i = 0; i < vs->n; i++)
    if (!strcmp (vs->v[i].name, name))
      return i;
  vs->v[vs->n].name = name;
  return vs->n++;
}

struct acr_variables *
acr_variables_new (const struct acr_region *r)
{
  struct acr_variables *vs
      = calloc (1, sizeof *vs + r->nops * sizeof *vs->of);
  if (!vs)
    return NULL;
  vs->nslots = r->nops;
  vs->v = calloc (r->nops, sizeof *vs->v);
  for (unsigned i = 0; vs->v && i < r->nops; i++)
    vs->of[i] = *r->ops[i].name ? index_of (vs, r->ops[i].name) : r->nops;
  if (vs->n)
    return vs;
  acr_variables_free (vs);
  return NULL;
}

void
acr_variables_free (struct acr_variables *vs)
{
  if (vs)
    free (vs->v);
  free (vs);
}

void
acr_variables_clear (struct acr_variables *vs)
{
  for (unsigned i = 0; vs && i < vs->n; i++)
    vs->v[i].sent = vs->v[i].fetched = 0;
}

/* The variable of slot I of OS, or NULL.  */
static struct acr_variable *
variable (struct acr_variables *vs, const struct acr_operands *os, size_t i)
{
  return vs && vs->nslots == os->n && vs->of[i] < vs->n ? &vs->v[vs->of[i]]
                                                        : NULL;
}

void
acr_variables_copy (struct acr_variables *vs, struct acr_operands *os,
                    const void *p, size_t n, enum acr_way way)
{
  for (size_t i = 0; i < os->n; i++)
    {
      size_t at = (uintptr_t)p - (uintptr_t)os->hostaddrs[i];
      if (!n || at >= os->sizes[i] || n > os->sizes[i] - at)
        continue;
      struct acr_variable *v = variable (vs, os, i);
      if (!v)
        continue;
      *(way == ACR_TO ? &v->sent : &v->fetched) += n;
      if (way != ACR_TO)
        return;
      os->bytes += n;
      if (i < SETS)
        os->sent |= (uint64_t)1 << i;
      return;
    }
}

/* Whether libgomp sends operand I of CALL, if at all, merged with others.  */
static bool
may_be_merged (const struct acr_operands *os, const struct acr_call *call,
               size_t i)
{
  return os->sizes[i] && os->sizes[i] <= MERGED && !(os->sent >> i & 1)
         && acr_call_copies (call, i, ACR_TO);
}

void
acr_variables_merged (struct acr_variables *vs, const struct acr_operands *os,
                      const struct acr_call *call, uint64_t bytes)
{
  uint64_t wanted = call->region ? os->n * ADDRESS : 0;
  if (!vs || os->n > SETS)
    return;
  for (size_t i = 0; i < os->n; i++)
    if (may_be_merged (os, call, i))
      wanted += os->sizes[i];
  if (bytes < os->bytes + wanted)
    return;
  for (size_t i = 0; i < os->n; i++)
    {
      struct acr_variable *v = variable (vs, os, i);
      if (v && may_be_merged (os, call, i))
        v->sent += os->sizes[i];
    }
}
