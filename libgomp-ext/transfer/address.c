/* Device addresses; see address.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "abi/map-kind.h"
#include "ext.h"
#include "interpose/events.h"
#include "transfer/address.h"
#include "transfer/effects.h"

#include <string.h>

static _Atomic bool known;

bool
acr_address_known (void)
{
  return atomic_load_explicit (&known, memory_order_relaxed);
}

void
acr_address_tell (void)
{
  if (!atomic_exchange (&known, true))
    acr_events->exposed ();
}

/* ---- Calls ------------------------------------------------------------- */

/* Whether libgomp writes a device address for operand I of CALL where other mapped
   data may be.  A descriptor of Fortran's, a variable of its own, never is.  */
static bool
attaches (const struct acr_call *call, size_t i)
{
  bool described = i && acr_call_kind (call, i - 1) == ACR_MAP_KIND_DESCRIPTOR
                   && (acr_call_kind (call, i) == ACR_MAP_KIND_POINTER
                       || acr_call_kind (call, i)
                              == ACR_MAP_KIND_POINTER_TO_ZERO_LENGTH);
  return acr_call_has (call, i, ACR_ATTACHES) && !described;
}

bool
acr_call_may_tell (const struct acr_call *call)
{
  const struct acr_region *r = call->region ? acr_call_closed (call) : NULL;
  if ((call->region && (!r || r->compares)) || (call->n && !call->kinds))
    return true;
  size_t i = 0, n = acr_call_facts (call) & ACR_ATTACHES ? call->n : 0;
  while (i < n && !attaches (call, i))
    i++;
  return i < n;
}

static bool
looks_like_address (uintptr_t word)
{
  return word >= (uintptr_t)1 << 32 && word < (uintptr_t)1 << 48;
}

/* Whether operand I may hold an address.  (OpenACC's firstprivate variables are
   copies.)  */
static bool
may_hold_address (const struct acr_call *call, size_t i)
{
  unsigned kind = acr_call_kind (call, i);
  size_t n = call->sizes[i];
  uintptr_t word;
  if (kind == ACR_MAP_KIND_FIRSTPRIVATE_INT)
    return looks_like_address ((uintptr_t)call->hostaddrs[i]);
  if (kind == ACR_MAP_KIND_FIRSTPRIVATE && n > ACR_SMALL_BYTES)
    return true;
  /* Optional arguments of Fortran's may be absent.  */
  if (n > ACR_SMALL_BYTES || !call->hostaddrs[i]
      || (kind != ACR_MAP_KIND_FIRSTPRIVATE
          && !acr_call_copies (call, i, ACR_TO)))
    return false;
  for (size_t at = 0; at + sizeof word <= n; at += sizeof word)
    {
      memcpy (&word, (const char *)call->hostaddrs[i] + at, sizeof word);
      if (looks_like_address (word))
        return true;
    }
  return false;
}

bool
acr_call_passes_address (const struct acr_call *call)
{
  if (!call->kinds)
    return call->n;
  bool any = acr_call_facts (call) & (ACR_BY_VALUE | ACR_SMALL);
  size_t i = 0, n = any ? call->n : 0;
  while (i < n && !may_hold_address (call, i))
    i++;
  return i < n;
}
