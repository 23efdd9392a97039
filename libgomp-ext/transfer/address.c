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

/* What libgomp does for a kind (libgomp/target.c, gomp_map_vars_internal): it gives
   the program a device address, takes one, or writes one next to mapped data, with
   which it can be copied back.  */
enum
{
  EXPOSES = 1,
  TAKES = 2,
  ATTACHES = 4
};

static const unsigned char kinds[256] = {
  [ACR_MAP_KIND_USE_DEVICE] = EXPOSES,
  [ACR_MAP_KIND_USE_DEVICE_IF_PRESENT] = EXPOSES,
  [ACR_MAP_KIND_DEVICEPTR] = TAKES,
  [ACR_MAP_KIND_POINTER] = ATTACHES,
  [ACR_MAP_KIND_POINTER_TO_ZERO_LENGTH] = ATTACHES,
  [ACR_MAP_KIND_ALWAYS_POINTER] = ATTACHES,
  [ACR_MAP_KIND_ATTACH] = ATTACHES,
  [ACR_MAP_KIND_ATTACH_ZERO_LENGTH] = ATTACHES,
};

static bool
any_kind (const struct acr_call *call, unsigned fact)
{
  size_t i = 0;
  while (call->kinds && i < call->n && !(kinds[acr_call_kind (call, i)] & fact))
    i++;
  return call->kinds && i < call->n;
}

bool
acr_call_exposes (const struct acr_call *call)
{
  return any_kind (call, EXPOSES);
}

bool
acr_call_takes_address (const struct acr_call *call)
{
  return any_kind (call, TAKES);
}

/* Whether libgomp writes a device address for operand I of CALL where other mapped
   data may be.  A descriptor of Fortran's, a variable of its own, never is.  */
static bool
attaches (const struct acr_call *call, size_t i)
{
  bool described = i && acr_call_kind (call, i - 1) == ACR_MAP_KIND_DESCRIPTOR
                   && (acr_call_kind (call, i) == ACR_MAP_KIND_POINTER
                       || acr_call_kind (call, i)
                              == ACR_MAP_KIND_POINTER_TO_ZERO_LENGTH);
  return kinds[acr_call_kind (call, i)] & ATTACHES && !described;
}

bool
acr_call_may_tell (const struct acr_call *call)
{
  const struct acr_region *r = call->region ? acr_call_closed (call) : NULL;
  if ((call->region && (!r || r->compares)) || (call->n && !call->kinds))
    return true;
  size_t i = 0;
  while (i < call->n && !attaches (call, i))
    i++;
  return i < call->n;
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
  enum
  {
    SMALL = 256
  };
  unsigned kind = acr_call_kind (call, i);
  size_t n = call->sizes[i];
  uintptr_t word;
  if (kind == ACR_MAP_KIND_FIRSTPRIVATE_INT)
    return looks_like_address ((uintptr_t)call->hostaddrs[i]);
  if (kind == ACR_MAP_KIND_FIRSTPRIVATE && n > SMALL)
    return true;
  /* Optional arguments of Fortran's may be absent.  */
  if (n > SMALL || !call->hostaddrs[i]
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
  size_t i = 0;
  while (i < call->n && !may_hold_address (call, i))
    i++;
  return i < call->n;
}
