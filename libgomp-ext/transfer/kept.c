/* Known contents of free blocks; see kept.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "transfer/kept.h"

#include <stdint.h>

enum
{
  SLOT_BITS = 6
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct acr_small kept[1 << SLOT_BITS];
static _Atomic bool any;

static __thread struct acr_small handed
    __attribute__ ((tls_model ("initial-exec")));

ACR_FORK_KEEPS (lock)

static struct acr_small *
slot_of (CUdeviceptr p)
{
  return &kept[(p >> 9) * UINT64_C (0x9e3779b97f4a7c15) >> (64 - SLOT_BITS)];
}

void
acr_kept_put (const struct acr_small *s)
{
  pthread_mutex_lock (&lock);
  *slot_of (s->addr) = *s;
  any = true;
  pthread_mutex_unlock (&lock);
}

void
acr_kept_handed_out (CUdeviceptr p)
{
  handed.addr = 0;
  if (!any)
    return;
  pthread_mutex_lock (&lock);
  struct acr_small *s = slot_of (p);
  if (s->addr == p)
    {
      handed = *s;
      s->addr = 0;
    }
  pthread_mutex_unlock (&lock);
}

const struct acr_small *
acr_kept_handed (CUdeviceptr p)
{
  return p && handed.addr == p ? &handed : NULL;
}

void
acr_kept_clear (void)
{
  if (!any)
    return;
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < 1 << SLOT_BITS; i++)
    kept[i].addr = 0;
  any = false;
  pthread_mutex_unlock (&lock);
}
