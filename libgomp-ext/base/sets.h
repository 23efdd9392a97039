/* A small table of what was last seen: keys of 64 bits, in sets of a few slots
   each, the one that was used last first.  What a full set has not used for
   longest is forgotten.  With one slot for each key, two keys of a loop that
   have the same slot would forget each other for ever.

   The table is an array of SETS * ACR_SETS_WAYS slots of SIZE bytes, zero at
   first, each beginning with its key, a uint64_t that is not 0.

   Not thread-safe: the caller locks.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_SETS_H
#define ACCRETE_SETS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/hash.h"

enum
{
  ACR_SETS_WAYS = 4,
  ACR_SETS_LARGEST = 128 /* bytes of a slot at most */
};

static inline char *
acr_sets_set (void *table, unsigned sets, size_t size, uint64_t key)
{
  size_t set = acr_hash_word (0, key) % sets;
  return (char *)table + set * ACR_SETS_WAYS * size;
}

/* KEY's slot, or NULL.  */
static inline void *
acr_sets_find (void *table, unsigned sets, size_t size, uint64_t key)
{
  char *slot = acr_sets_set (table, sets, size, key);
  for (unsigned i = 0; i < ACR_SETS_WAYS; i++, slot += size)
    if (!memcmp (slot, &key, sizeof key))
      return slot;
  return NULL;
}

/* KEY's slot, the first of its set from here on; zero but for the key if it is
   new.  */
static inline void *
acr_sets_first (void *table, unsigned sets, size_t size, uint64_t key)
{
  char slot[ACR_SETS_LARGEST];
  char *set = acr_sets_set (table, sets, size, key);
  char *found = acr_sets_find (table, sets, size, key);
  char *last = found ? found : set + (ACR_SETS_WAYS - 1) * size;
  memset (slot, 0, sizeof slot);
  memcpy (slot, found ? found : (char *)&key, found ? size : sizeof key);
  memmove (set + size, set, last - set);
  return memcpy (set, slot, size);
}

#endif /* ACCRETE_SETS_H */
