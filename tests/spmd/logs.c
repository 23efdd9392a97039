/* log and pow in kernels: logf and log2f of every STEP-th float (the first argument);
   log and log2 of doubles and powf of pairs (as many as the second says, of each
   kind): any bits, of medium size, with results of any size and next to the largest
   and the smallest, x next to 1 with a large y, x below zero, and all that is special.
   Prints sums of bits, or with a third argument each result of that kind of pair.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "bits.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KINDS = 10, SPECIAL = 46 };

#pragma omp declare target
static const uint32_t special[SPECIAL]
  = { 0, 0x80000000, 1, 0x80000001, 0x007fffff, 0x00800000, 0x3effffff,
      0x3f000000, 0xbf000000, 0x3f400000, 0xbfc00000, 0x3f7ffff3, 0x3f7ffff4,
      0xbf7ffff4, 0x3f7fffff, 0x3f800000, 0xbf800000, 0x3f800007, 0x3f800008,
      0xbf800008, 0x3fe00000, 0x40000000, 0xc0000000, 0x40400000, 0xc0400000,
      0x40800000, 0xc3150000, 0x43160000, 0xc3160000, 0x43000000, 0x4b000001,
      0xcb800001, 0x4d000000, 0x4d000001, 0xcd800000, 0x7f7fffff, 0x7f800000,
      0xff800000, 0x7fc00000, 0x7fa00000, 0x3e800000, 0xbe800000,
      0x3fb0a3d0, 0x3fb0a3cf, 0x3fb5c288, 0x3fb5c289 };

static float
number (uint32_t bits)
{
  float x;
  memcpy (&x, &bits, 4);
  return x;
}

static uint32_t
bits_of (float x)
{
  uint32_t bits;
  memcpy (&bits, &x, 4);
  /* One NaN is as good as another.  */
  return x != x ? 0x7fc00000 : bits;
}

/* The N-th pair of KIND.  */
static void
pair (unsigned kind, uint64_t n, float *x, float *y)
{
  uint64_t r = mixed (n * KINDS + kind);
  uint32_t low = r, high = r >> 32;
  float of_one = (int32_t) high * 0x1p-31f;
  *x = number (low);
  *y = number (high);
  switch (kind)
    {
    case 1:
      *x = low * 0x1p-21f;
      *y = of_one * 5;
      break;
    case 2:
      *x = number (low & 0x7fffffff);
      *y = of_one * 160 / ((int32_t) ((low & 0x7fffffff) - 0x3f7fc000) * 0x1p-23f);
      break;
    case 3:
      *x = number (0x3f800000 + (int32_t) (low % 64) - 32);
      *y = number ((high & 0x80ffffff) + 0x4a000000 + (low >> 8) % 32 * 0x00800000);
      break;
    case 4:
      *x = number (0xbf000000 + low % 0x02000000);
      *y = (int32_t) (high % 301 - 150) * (low & 1 ? 1 : .5f);
      break;
    case 5:
      *x = number (special[n % SPECIAL]);
      *y = number (special[n / SPECIAL % SPECIAL]);
      break;
    case 6:
      *x = number (special[low % SPECIAL]);
      break;
    case 7:
      *y = number (special[high % SPECIAL]);
      break;
    case 8:
      *x = number ((1 + low % 253) * 0x00800000 + (low >> 16) % 5);
      *y = ((high & 1 ? 128 : -152) + (int32_t) (high >> 8 & 3)
	    + (int32_t) (high >> 12 & 15) * 0x1p-16f)
	   / (int32_t) (low % 253 - 126);
      break;
    case 9:
      *x = number (0x3f000000 + low % 0x01000000);
      *y = number (0x3f000000 + high % 0x01800000);
      break;
    }
}

static uint32_t
of_pair (unsigned kind, uint64_t n)
{
  float x, y;
  pair (kind, n, &x, &y);
  return bits_of (powf (x, y));
}

static uint64_t
of_float (uint32_t bits)
{
  float x = number (bits);
  return (uint64_t) bits_of (logf (x)) * (bits | 1)
	 ^ (uint64_t) bits_of (log2f (x)) * (bits | 7);
}

static uint64_t
of_double (unsigned kind, uint64_t n)
{
  uint64_t bits = mixed (n), got, got2;
  /* Next to 1 by any number of bits, in [1/2, 2), subnormal, or any.  */
  if (kind == 1)
    bits = 0x3ff0000000000000
	   + (((int64_t) bits >> 12) >> (bits & 63) % 52);
  else if (kind == 2)
    bits = 0x3fe0000000000000 + (bits & 0x001fffffffffffff);
  else if (kind == 3)
    bits &= 0x001fffffffffffff;
  double x, y;
  memcpy (&x, &bits, 8);
  if (kind == 0 && n < SPECIAL)
    x = number (special[n]);
  y = log (x);
  memcpy (&got, &y, 8);
  y = log2 (x);
  memcpy (&got2, &y, 8);
  return y != y ? 7 : (got * (bits | 1)) ^ got2 * (bits | 7) ^ got >> 7;
}
#pragma omp end declare target

static void
show (unsigned kind, unsigned pairs)
{
  uint32_t *got = malloc (pairs * sizeof *got);
  if (!got)
    abort ();
#pragma omp target teams distribute parallel for map(from: got[:pairs])
  for (unsigned i = 0; i < pairs; i++)
    got[i] = of_pair (kind, i);
  for (unsigned i = 0; i < pairs; i++)
    {
      float x, y;
      pair (kind, i, &x, &y);
      printf ("%08x %08x %08x\n", bits_of (x), bits_of (y), got[i]);
    }
  free (got);
}

int
main (int argc, char **argv)
{
  unsigned step = argc > 1 ? atoi (argv[1]) : 65537;
  unsigned count = argc > 2 ? atoi (argv[2]) : 4096;
  uint64_t floats = UINT32_MAX / step + 1ull;
  uint64_t sum = 0;
  if (argc > 3)
    {
      show (atoi (argv[3]), count);
      return 0;
    }
#pragma omp target teams distribute parallel for reduction(+: sum)            \
  map(tofrom: sum)
  for (uint64_t i = 0; i < floats + SPECIAL; i++)
    sum += of_float (i < floats ? i * step : special[i - floats]);
  printf ("logf %016llx\n", (unsigned long long) sum);
  for (unsigned kind = 0; kind < 4; kind++)
    {
      sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)            \
  map(tofrom: sum)
      for (unsigned i = 0; i < count; i++)
	sum += of_double (kind, i);
      printf ("log %u %016llx\n", kind, (unsigned long long) sum);
    }
  for (unsigned kind = 0; kind < KINDS; kind++)
    {
      sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)            \
  map(tofrom: sum)
      for (unsigned i = 0; i < count; i++)
	sum += (uint64_t) of_pair (kind, i) * (i | 1);
      printf ("powf %u %016llx\n", kind, (unsigned long long) sum);
    }
}
