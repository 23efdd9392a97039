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

#include "ext.h"
#include "interpose/construct.h"
#include "transfer/dead.h"

bool
acr_copy_is_dead (const void *dst, CUdeviceptr src, size_t n)
{
  struct acr_construct *c = acr_construct_current ();
  if (!c || !c->launched || !c->call->region || acr_opt_off (ACR_OPT_dead)
      || !acr_construct_place (c, src, n).block || !acr_construct_alone ())
    return false;
  const struct acr_call *call = c->call;
  size_t k = 0, i = c->at;
  for (; k < call->n; k++, i++)
    {
      i = i < call->n ? i : 0;
      if (call->hostaddrs[i] == dst && call->sizes[i] == n)
        break;
    }
  if (k == call->n || !acr_call_copies (call, i, ACR_TO | ACR_FROM))
    return false;
  struct acr_bytes bytes = { (uintptr_t)dst, (uintptr_t)dst + n };
  if (acr_region_may_write (acr_call_tag (call), call, bytes))
    return false;
  acr_count (d2h_dead, 1);
  return true;
}
