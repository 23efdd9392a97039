/* exp and expf in kernels: every STEP-th float (the first argument), and doubles (as
   many as the second says, of 16 kinds) of any size, in their range, where k is
   small, with each exponent, and next to where functions change their way.  Prints
   sums of bits.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "bits.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma omp declare target
static uint64_t
of_float (uint32_t bits)
{
  float x;
  memcpy (&x, &bits, 4);
  float y = expf (x);
  uint32_t got;
  memcpy (&got, &y, 4);
  /* One NaN is as good as another.  */
  return y != y ? 7 : ((uint64_t) got * (bits | 1)) ^ got;
}

/* The number of KIND that BITS make.  */
static double
argument (unsigned kind, uint64_t bits)
{
  static const uint64_t bounds[]
    = { 0x40862e42fefa39ef, 0xc0874910d52d3051, 0x3fd62e42ffffffff,
	0x3fd62e4300000000, 0xbfd62e4300000000, 0x3ff0a2b200000000,
	0xbff0a2b200000000, 0x3df0000000000000, 0xbdf0000000000000,
	0xc086232bdd7abcd2, 0x7ff0000000000000, 0xfff0000000000000 };
  double x;
  uint64_t at = bits;
  switch (kind % 5)
    {
    case 0:
      break;
    case 1:
      return (double) (int64_t) bits * 0x1p-63 * 750;
    case 2:
      return (double) (int64_t) bits * 0x1p-63 * 1.1;
    case 3:
      at = (bits & 0x800fffffffffffff) | (0x3ffu - 34 + (bits >> 52) % 44) << 52;
      break;
    default:
      at = bounds[bits % 12] + (bits >> 32) % 16 - 8;
      break;
    }
  memcpy (&x, &at, 8);
  return x;
}

static uint64_t
of_double (unsigned kind, uint64_t n)
{
  double x = argument (kind, mixed (n)), y = exp (x);
  uint64_t got, bits;
  memcpy (&got, &y, 8);
  memcpy (&bits, &x, 8);
  return y != y ? 7 : (got * (bits | 1)) ^ got >> 7;
}
#pragma omp end declare target

int
main (int argc, char **argv)
{
  unsigned step = argc > 1 ? atoi (argv[1]) : 65537;
  unsigned doubles = argc > 2 ? atoi (argv[2]) : 4096;
  unsigned part = UINT32_MAX / step / 16 + 1;
  for (unsigned kind = 0; kind < 16; kind++)
    {
      uint64_t sum = 0, sums = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)            \
  map(tofrom: sum)
      for (unsigned i = 0; i < part; i++)
	sum += of_float ((part * kind + i) * step);
#pragma omp target teams distribute parallel for reduction(+: sums)           \
  map(tofrom: sums)
      for (unsigned i = 0; i < doubles; i++)
	sums += of_double (kind, (uint64_t) doubles * kind + i);
      printf ("%u %016llx %016llx\n", kind, (unsigned long long) sum,
	      (unsigned long long) sums);
    }
}
