/* Blocks that a multiprocessor holds at a time; see room.h.

   Why this is right.  SPMD kernels that may have any grid have no dynamic shared memory of
   their own, and ask for none when they are launched, so that nobody sees how much there
   is; one that asks is left as it is.  A launch that asks for more than it may would
   fail: the driver has been asked before whether blocks with so much fit, and how many.
   What a function may ask for at the most only grows.

   What was found is kept until a module or a context goes, whose functions may be
   others then.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "launch/room.h"

#include "base/fork.h"
#include "base/hash.h"
#include "base/sets.h"
#include "ext.h"
#include "launch/gpu.h"
#include "launch/launch.h"

enum
{
  SETS = 32,
  STEP = 256 /* bytes: shared memory comes in so many or fewer */
};

/* What one launch asks for.  */
struct slot
{
  uint64_t key;
  bool known;
  unsigned bytes; /* 0: there is no limit */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot slots[SETS * ACR_SETS_WAYS];

ACR_FORK_KEEPS (lock)

static int
gpu_has (CUdevice_attribute attribute)
{
  int value;
  return acr_gpu_attribute (&value, attribute) ? value : 0;
}

/* Let blocks of FN have BYTES of dynamic shared memory.  */
static bool
allow (CUfunction fn, int bytes)
{
  const CUfunction_attribute most
      = CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES;
  int now;
  return !acr_driver.func_get_attribute (&now, most, fn)
         && (now >= bytes || !acr_driver.func_set_attribute (fn, most, bytes));
}

/* Bytes that a block of L is to ask for, 0 where that does not make them so many
   QUARTERS.  */
static unsigned
find (const struct acr_launch *l, unsigned quarters)
{
  int all, own, now, threads = l->block[0] * l->block[1] * l->block[2];
  if (!acr_driver.func_get_attribute || !acr_driver.func_set_attribute
      || !acr_driver.occupancy_blocks
      || acr_driver.occupancy_blocks (&all, l->fn, threads, 0)
      || acr_driver.func_get_attribute (
          &own, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, l->fn))
    return 0;
  int each = all * (int)quarters / 4;
  each = each ? each : 1;
  own += gpu_has (CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  int shared = gpu_has (CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  /* One block more would not fit.  */
  int bytes = (shared / (each + 1) / STEP + 1) * STEP - own;
  if (each >= all || bytes <= 0
      || bytes + own
             > gpu_has (CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)
      || !allow (l->fn, bytes)
      || acr_driver.occupancy_blocks (&now, l->fn, threads, bytes))
    return 0;
  return now == each ? bytes : 0;
}

bool
acr_room_limit (struct acr_launch *l, unsigned quarters)
{
  if (l->shared)
    return false;
  uint64_t key = acr_hash_word ((uintptr_t)l->fn, quarters);
  key = acr_hash_word (key, l->block[0] | (uint64_t)l->block[1] << 32);
  key = acr_hash_word (key, l->block[2]) | 1;
  pthread_mutex_lock (&lock);
  struct slot *s = acr_sets_first (slots, SETS, sizeof *slots, key);
  if (!s->known)
    *s = (struct slot){ key, true, find (l, quarters) };
  l->shared = s->bytes;
  pthread_mutex_unlock (&lock);
  return l->shared;
}

void
acr_room_forget (void)
{
  pthread_mutex_lock (&lock);
  memset (slots, 0, sizeof slots);
  pthread_mutex_unlock (&lock);
}
