/* Small copies to the device of what is there already.

   A region's block of argument addresses, and of scalars that GCC maps, is
   allocated, written and freed again with every construct; in a loop the pool
   hands out the same block, and it gets the same bytes.

   What must hold for the beginning of a block to be what it was:
   - the construct that had it last has put these bytes there by one copy,
   nothing else was copied over them, and its region, launched once, writes
   none of them.  Its tag (abi.h) says so: it writes through no pointers in
   memory, and the operands that it writes are larger than what was copied,
   and so not in it;
   - meanwhile no other thread used devices, which could have found the
   mapping;
   - nobody had the block since, and it did not go back to the driver (kept.h).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "transfer/same.h"

#include <string.h>

void
acr_same_alloc (struct acr_construct *c, CUdeviceptr p)
{
  if (!c->call->region || c->small_state != ACR_SMALL_NONE)
    return;
  const struct acr_small *k = acr_kept_handed (p);
  c->small_state = ACR_SMALL_FRESH;
  c->small.addr = p;
  c->small.n = 0;
  if (k)
    c->small = *k;
}

bool
acr_same_copy (CUdeviceptr dst, const void *src, size_t n)
{
  struct acr_construct *c = acr_construct_current ();
  if (!c || c->small_state == ACR_SMALL_NONE)
    return false;
  struct acr_small *s = &c->small;
  if (c->small_state != ACR_SMALL_FRESH || dst != s->addr || n > ACR_SMALL_MAX
      || c->launched || acr_opt_off (ACR_OPT_same))
    {
      acr_same_changed (dst, n);
      return false;
    }
  c->small_state = ACR_SMALL_SENT;
  bool same
      = s->n == n && !memcmp (s->bytes, src, n) && acr_construct_alone ();
  if (!same)
    {
      s->n = n;
      memcpy (s->bytes, src, n);
    }
  acr_count (h2d_same, same);
  return same;
}

void
acr_same_changed (CUdeviceptr p, size_t n)
{
  struct acr_construct *c = acr_construct_current ();
  if (c && c->small_state != ACR_SMALL_NONE
      && p < c->small.addr + ACR_SMALL_MAX && c->small.addr < p + n)
    c->small_state = ACR_SMALL_UNKNOWN;
}

void
acr_same_launched (void)
{
  struct acr_construct *c = acr_construct_current ();
  if (c && c->launched)
    acr_same_changed (0, SIZE_MAX);
}

void
acr_same_freed (CUdeviceptr p)
{
  struct acr_construct *c = acr_construct_current ();
  if (c && c->small_state == ACR_SMALL_SENT && c->small.addr == p
      && acr_construct_alone () && acr_call_keeps (c->call, c->small.n))
    acr_kept_put (&c->small);
}
