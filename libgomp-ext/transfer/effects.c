/* Effects; see effects.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "abi/map-kind.h"
#include "base/thread.h"
#include "ext.h"
#include "transfer/effects.h"

/* ---- libgomp ----------------------------------------------------------- */

unsigned
acr_call_find_facts (const struct acr_call *call)
{
  unsigned facts = ACR_FACTS;
  for (size_t i = 0; call->kinds && i < call->n; i++)
    facts |= acr_kind_facts[acr_call_kind (call, i)]
             | (call->sizes[i] <= ACR_SMALL_BYTES ? ACR_SMALL : 0);
  return facts;
}

/* Whether there was no clause for operand I of CALL.  */
static bool
is_implicit (const struct acr_call *call, size_t i)
{
  return (call->kinds[i] & ACR_MAP_KIND_IMPLICIT) == ACR_MAP_KIND_IMPLICIT;
}

bool
acr_call_copies (const struct acr_call *call, size_t i, unsigned ways)
{
  if (!call->kinds)
    return false;
  unsigned kind = acr_call_kind (call, i);
  if (is_implicit (call, i))
    kind &= ~ACR_MAP_KIND_IMPLICIT;
  unsigned modifier = kind & ~ACR_MAP_KIND_COPIES;
  if (modifier == ACR_MAP_KIND_ALWAYS || modifier == ACR_MAP_KIND_FORCE
      || modifier == ACR_MAP_KIND_ALWAYS_PRESENT)
    kind &= ACR_MAP_KIND_COPIES;
  return kind <= ACR_MAP_KIND_COPIES && (kind & ways) == ways;
}

/* Operand I of CALL, LEAST bytes or more.  */
static struct acr_bytes
operand (const struct acr_call *call, size_t i, size_t least)
{
  uintptr_t begin = (uintptr_t)call->hostaddrs[i];
  size_t n = call->sizes[i] > least ? call->sizes[i] : least;
  return (struct acr_bytes){ begin, begin + n };
}

static bool
shares (struct acr_bytes a, struct acr_bytes b)
{
  return a.begin < b.end && b.begin < a.end;
}

bool
acr_call_object (const struct acr_call *call, size_t i, struct acr_bytes *object)
{
  /* Of a pointer the size is something else.  */
  *object = operand (call, i, sizeof (void *));
  return acr_call_copies (call, i, 0)
         || (call->kinds && acr_call_has (call, i, ACR_MAPS_BYTES));
}

bool
acr_call_maps (const struct acr_call *call, const void *p, size_t n)
{
  struct acr_bytes bytes = { (uintptr_t)p, (uintptr_t)p + n };
  if (!call->kinds)
    return call->n;
  for (size_t i = 0; i < call->n; i++)
    if (!acr_call_has (call, i, ACR_LEAVES_HOST)
        && shares (operand (call, i, sizeof (void *)), bytes))
      return true;
  return false;
}

/* Whether GCC maps operand I of CALL by itself, and that is a scalar or a
   function's own.  */
static bool
is_own (const struct acr_call *call, size_t i)
{
  enum
  {
    SCALAR = 16
  };
  return is_implicit (call, i)
         && (call->sizes[i] <= SCALAR
             || acr_thread_has_on_stack (call->hostaddrs[i]));
}

bool
acr_call_needs_frame (const struct acr_call *call)
{
  if (!call->kinds)
    return call->n;
  for (size_t i = 0; i < call->n; i++)
    if (acr_call_copies (call, i, 0)
            ? is_own (call, i)
            : !acr_call_has (call, i, ACR_LEAVES_FRAMES))
      return true;
  return false;
}

/* ---- Regions ----------------------------------------------------------- */

const struct acr_region *
acr_call_tag (const struct acr_call *call)
{
  const struct acr_region *r
      = call->region ? acr_region_find (call->region) : NULL;
  return r && r->nops == call->n ? r : NULL;
}

const struct acr_region *
acr_call_bounded (const struct acr_call *call)
{
  const struct acr_region *r = acr_call_tag (call);
  if (!r || !r->closed || r->launches > 1 || !call->kinds
      || acr_call_facts (call) & ACR_MEMBERS)
    return NULL;
  return r;
}

const struct acr_region *
acr_call_closed (const struct acr_call *call)
{
  const struct acr_region *r = acr_call_bounded (call);
  return r && !r->addresses ? r : NULL;
}

/* Whether OP's accesses go through pointers in memory, which lead anywhere.  */
static bool
leads_anywhere (const struct acr_operand *op)
{
  return op->map == ACR_MAP_PTR || op->map == ACR_MAP_PTR2;
}

bool
acr_region_may_write (const struct acr_region *r, const struct acr_call *call,
                      struct acr_bytes bytes)
{
  for (size_t i = 0; r && i < call->n; i++)
    {
      const struct acr_operand *op = acr_region_slot (r, i);
      if (!op
          || (op->access & ACR_ACCESS_WRITE
              && (leads_anywhere (op)
                  /* It may be of a size that is not known.  */
                  || shares (operand (call, i, 1), bytes))))
        return true;
    }
  return !r;
}

bool
acr_call_may_read (const struct acr_call *call, size_t i)
{
  const struct acr_region *r = acr_call_tag (call);
  const struct acr_operand *to = r ? acr_region_slot (r, i) : NULL;
  for (size_t k = 0; to && k < call->n; k++)
    {
      const struct acr_operand *op = acr_region_slot (r, k);
      if (!op)
        return true;
      bool apart = op->group != ACR_ALIAS_ANY && to->group != ACR_ALIAS_ANY
                   && op->group != to->group;
      if (op->access & ACR_ACCESS_READ && !apart
          && (leads_anywhere (op)
              || shares (operand (call, k, 0), operand (call, i, 0))))
        return true;
    }
  return !to;
}
