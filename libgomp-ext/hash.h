/* A hash of bytes: 64 bits, to find things and to notice accidents.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_HASH_H
#define ACCRETE_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* H, of what comes before, goes on with the BYTES at DATA.  */
static inline uint64_t
acr_hash (uint64_t h, const void *data, size_t bytes)
{
  const char *p = data;
  for (size_t n = bytes; n;)
    {
      uint64_t word = 0;
      size_t k = n < sizeof word ? n : sizeof word;
      memcpy (&word, p, k);
      h = (h ^ word) * 0x9e3779b97f4a7c15u;
      h ^= h >> 32;
      p += k;
      n -= k;
    }
  return h;
}

#endif /* ACCRETE_HASH_H */
