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
   - nobody had the block since, and it did not go back to the driver.

   Guarded by LOCK: the blocks that are free and hold known bytes.  What is
   known of a block in use is its construct's (struct acr_small).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "same.h"

#include <pthread.h>
#include <string.h>

enum
{
  NKEPT = 64
};

struct kept
{
  CUdeviceptr addr; /* 0: none */
  size_t n;
  unsigned char bytes[ACR_SMALL_MAX];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept kept[NKEPT];
static _Atomic bool any;

static struct kept *
slot_of (CUdeviceptr p)
{
  return &kept[(p >> 9) * 0x9e3779b97f4a7c15u >> 58];
}

void
acr_same_clear (void)
{
  if (!any)
    return;
  pthread_mutex_lock (&lock);
  for (struct kept *k = kept; k < kept + NKEPT; k++)
    k->addr = 0;
  any = false;
  pthread_mutex_unlock (&lock);
}

/* Whether the first N bytes of a block of CALL's stay as they are while its
   region runs.  */
static bool
region_keeps (const struct acr_call *call, size_t n)
{
  const struct acr_region *r = acr_region_find (call->region);
  if (!r || r->nops != call->n)
    return false;
  for (size_t i = 0; i < call->n; i++)
    {
      const struct acr_operand *op = acr_region_slot (r, i);
      if (!op
          || (op->access & ACR_ACCESS_WRITE
              && (op->map == ACR_MAP_PTR || op->map == ACR_MAP_PTR2
                  || call->sizes[i] <= n)))
        return false;
    }
  return true;
}

void
acr_same_alloc (struct acr_construct *c, CUdeviceptr p)
{
  struct acr_small *s
      = c && c->call->region && !c->small.addr ? &c->small : NULL;
  if (s)
    *s = (struct acr_small){ .addr = p };
  if (!any)
    return;
  pthread_mutex_lock (&lock);
  struct kept *k = slot_of (p);
  if (k->addr == p)
    {
      if (s)
        {
          s->n = k->n;
          memcpy (s->bytes, k->bytes, k->n);
        }
      k->addr = 0;
    }
  pthread_mutex_unlock (&lock);
}

bool
acr_same_copy (CUdeviceptr dst, const void *src, size_t n)
{
  struct acr_construct *c = acr_construct_current ();
  struct acr_small *s = c ? &c->small : NULL;
  if (!s || !s->addr)
    return false;
  if (dst != s->addr || s->sent || n > ACR_SMALL_MAX || c->launched
      || acr_opt_off (ACR_OPT_same))
    {
      acr_same_changed (dst, n);
      return false;
    }
  s->sent = true;
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
  struct acr_small *s = c ? &c->small : NULL;
  if (s && s->addr && p < s->addr + ACR_SMALL_MAX && s->addr < p + n)
    s->addr = 1; /* of no block */
}

void
acr_same_freed (struct acr_construct *c, CUdeviceptr p)
{
  const struct acr_small *s = &c->small;
  if (s->addr != p || !s->sent || !acr_construct_alone ()
      || !region_keeps (c->call, s->n))
    return;
  pthread_mutex_lock (&lock);
  struct kept *k = slot_of (p);
  k->addr = p;
  k->n = s->n;
  memcpy (k->bytes, s->bytes, s->n);
  any = true;
  pthread_mutex_unlock (&lock);
}
