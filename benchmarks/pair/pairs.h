/* Kernels for pairs: what each has.

   Directives of both models stand in front of each loop; the kernels of a pair
   run beside each other by OpenACC's queues and OpenMP's nowait.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef PAIRS_H
#define PAIRS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* Tests divide sizes by this.  */
#ifndef LESS
#define LESS 1
#endif

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#define INLINE static inline __attribute__ ((always_inline))

struct kernel
{
  const char *name;
  void (*start) (void);       /* allocate and fill what is on the device */
  void (*run) (int n, int queue); /* N sixteenths of its work */
  int (*wrong) (int n); /* fetched results that differ from the host's */
  void (*end) (void);
  const void *results;
  size_t bytes;
};

/* Number I of a sequence without a pattern.  */
INLINE uint32_t
scatter (uint32_t i)
{
  i = (i ^ i >> 16) * 0x7feb352du;
  i = (i ^ i >> 15) * 0x846ca68bu;
  return i ^ i >> 16;
}

/* A float in [0, 1) of it.  */
INLINE float
fraction (uint32_t i)
{
  return (scatter (i) >> 8) * (1.f / (1 << 24));
}

/* Of N results about 1000 are looked at, in a step that is odd.  */
static inline long
sample (long n)
{
  return n / 1000 | 1;
}

#endif /* PAIRS_H */
