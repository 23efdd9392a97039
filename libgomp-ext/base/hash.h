/* A hash of bytes: 64 bits, to find things and to notice accidents.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_HASH_H
#define ACCRETE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t
acr_hash_word (uint64_t h, uint64_t word)
{
  h = (h ^ word) * 0x9e3779b97f4a7c15u;
  return h ^ h >> 32;
}

/* H, of what comes before, goes on with the BYTES at DATA.  */
static inline uint64_t
acr_hash (uint64_t h, const void *data, size_t bytes)
{
  const char *p = data, *end = p + bytes;
  uint64_t word = 0;
  for (; (size_t)(end - p) >= sizeof word; p += sizeof word)
    {
      memcpy (&word, p, sizeof word);
      h = acr_hash_word (h, word);
    }
  word = 0;
  memcpy (&word, p, end - p);
  return p < end ? acr_hash_word (h, word) : h;
}

#endif /* ACCRETE_HASH_H */
