/* Handles of the emulated driver: which pointers are live objects, and what
   a context owns.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <search.h>
#include <stdlib.h>

#include "driver/driver.h"

static void *live;		/* tree of objects, by address */

static int
by_address (const void *a, const void *b)
{
  return (a > b) - (a < b);
}

void *
emu_object_new (enum emu_kind kind, size_t size, struct CUctx_st *ctx)
{
  struct emu_object *o = calloc (1, size);
  if (!o || !tsearch (o, &live, by_address))
    {
      free (o);
      return NULL;
    }
  o->kind = kind;
  o->ctx = ctx;
  if (ctx)
    {
      o->next = ctx->objects;
      o->link = &ctx->objects;
      if (o->next)
	o->next->link = &o->next;
      ctx->objects = o;
    }
  return o;
}

void
emu_object_retire (struct emu_object *o)
{
  tdelete (o, &live, by_address);
  if (o->link)
    {
      *o->link = o->next;
      if (o->next)
	o->next->link = o->link;
      o->link = NULL;
    }
}

bool
emu_object_is (const void *handle, enum emu_kind kind)
{
  return handle && tfind (handle, &live, by_address)
	 && ((const struct emu_object *) handle)->kind == kind;
}

struct CUctx_st *
emu_object_context (const void *handle)
{
  return handle && tfind (handle, &live, by_address)
	 ? ((const struct emu_object *) handle)->ctx : NULL;
}
