/* What a program's results are, to the last bit.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TEST_SPMD_BITS_H
#define ACCRETE_TEST_SPMD_BITS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Print a hash (FNV-1a) of the BYTES of DATA, which is called WHAT.  */
static void
print (const char *what, const void *data, size_t bytes)
{
  const unsigned char *p = data;
  uint64_t sum = 14695981039346656037u;
  for (size_t i = 0; i < bytes; i++)
    sum = (sum ^ p[i]) * 1099511628211u;
  printf ("%s %016llx\n", what, (unsigned long long) sum);
}

/* Bits that look like chance, others for each N.  */
#pragma omp declare target
static inline uint64_t
mixed (uint64_t n)
{
  n *= 0x9E3779B97F4A7C15u;
  n = (n ^ n >> 29) * 0xBF58476D1CE4E5B9u;
  return n ^ n >> 32;
}
#pragma omp end declare target

#endif
