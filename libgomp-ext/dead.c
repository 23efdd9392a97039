/* Copies that would change nothing: back to the host, of what was copied to
   the device for a region that does not write it.

   So it is with a scalar that is only read: when it is declared inside an
   OpenACC data region, GCC maps it tofrom on every region within.

   What must hold, of an operand that is copied back whole:
   - this construct has mapped it anew, which copied all of it to the device,
   so that no earlier work knows its device memory;
   - the region was launched, and its tag (abi.h) says that it writes through
   no operand that shares a byte with it on the host, and through no pointers
   in memory, which could lead to it;
   - no other thread uses devices, which could have found the mapping.
   That the host's side changes meanwhile would be a race with stock's copy.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "construct.h"
#include "dead.h"
#include "ext.h"

/* Whether R may write to the N bytes that operand I of CALL maps.  */
static bool
may_write (const struct acr_region *r, const struct acr_call *call, size_t i)
{
  const char *start = call->hostaddrs[i], *end = start + call->sizes[i];
  for (size_t k = 0; k < call->n; k++)
    {
      const struct acr_operand *op = acr_region_slot (r, k);
      if (!op)
        return true;
      if (!(op->access & ACR_ACCESS_WRITE))
        continue;
      const char *p = call->hostaddrs[k];
      if (op->map == ACR_MAP_PTR || op->map == ACR_MAP_PTR2
          || (p < end && start < p + (call->sizes[k] ? call->sizes[k] : 1)))
        return true;
    }
  return false;
}

bool
acr_copy_is_dead (const void *dst, CUdeviceptr src, size_t n)
{
  struct acr_construct *c = acr_construct_current ();
  if (!c || !c->launched || !c->call->region || acr_opt_off (ACR_OPT_dead)
      || !acr_construct_place (c, src, n).block || !acr_construct_alone ())
    return false;
  const struct acr_call *call = c->call;
  size_t i = 0;
  while (i < call->n
         && !(call->hostaddrs[i] == dst && call->sizes[i] == n
              && acr_call_copies (call, i, ACR_TO | ACR_FROM)))
    i++;
  if (i == call->n)
    return false;
  const struct acr_region *r = acr_region_find (call->region);
  if (!r || r->nops != call->n || may_write (r, call, i))
    return false;
  acr_count (d2h_dead, 1);
  return true;
}
