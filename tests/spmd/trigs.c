/* sin, cos and sincos in kernels: every STEP-th float (the first argument) and next to
   multiples of pi/4, and doubles (as many as the second says, of 16 kinds) of any size,
   in the range without libm's own function, with each exponent, next to multiples and
   next to where functions change their way.  Prints sums of bits.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#define _GNU_SOURCE
#include "bits.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma omp declare target
static uint64_t
bits_of (double x)
{
  uint64_t bits;
  memcpy (&bits, &x, 8);
  /* One NaN is as good as another.  */
  return x != x ? 7 : bits;
}

static uint64_t
bits_of_float (float x)
{
  uint32_t bits;
  memcpy (&bits, &x, 4);
  return x != x ? 7 : bits;
}

static uint64_t
sum_of (uint64_t x, uint64_t sine, uint64_t cosine, uint64_t one, uint64_t other)
{
  return mixed (sine * (x | 1) + cosine) + mixed (one * (x | 1) ^ other);
}

static uint64_t
of_float (uint32_t bits)
{
  float x, sine, cosine;
  memcpy (&x, &bits, 4);
  sincosf (x, &sine, &cosine);
  return sum_of (bits, bits_of_float (sine), bits_of_float (cosine),
                 bits_of_float (sinf (x + x)), bits_of_float (cosf (x * 3)));
}

/* The I-th float next to a multiple of pi/4.  */
static uint64_t
of_near (unsigned i)
{
  float x = (i / 64) * 0x1.921fb6p-1f;
  uint32_t bits;
  memcpy (&bits, &x, 4);
  bits += i / 2 % 32 - 16;
  return of_float (bits ^ i << 31);
}

/* The number of KIND that BITS make.  */
static double
argument (unsigned kind, uint64_t bits)
{
  static const uint64_t bounds[]
    = { 0x413921fc00000000, 0x3e40000000000000, 0x3fe921fc00000000,
	0x4002d97c00000000, 0x3fd3333300000000, 0x3fe9000100000000,
	0x7ff0000000000000, 0x0000000000000008, 0x4048000000000000,
	/* a third part of pi/2 makes others of these */
	0x40efe9e875a67a0b, 0x41041fde4b8af12e, 0x410b16eb242b3df5 };
  double x;
  uint64_t at;
  switch (kind % 8)
    {
    case 0:
      at = bits;
      break;
    case 1:
      return (double) (int64_t) bits * 0x1p-63 * 823549;
    case 2:
      return (double) (int64_t) bits * 0x1p-63 * 4;
    case 3:
      at = (bits & 0x800fffffffffffff) | (0x3ffu - 30 + (bits >> 52) % 50) << 52;
      break;
    case 4:			/* multiples of pi/4, few and many */
    case 5:
      x = (bits % (kind % 8 == 4 ? 80 : 1048576)) * 0x1.921fb54442d18p-1;
      memcpy (&at, &x, 8);
      at = (at + (bits >> 32) % 16 - 8) | bits >> 63 << 63;
      break;
    case 6:			/* the upper word is a multiple's, or next to it */
      x = (bits % 70) * 0x1.921fb54442d18p-1;
      memcpy (&at, &x, 8);
      at = (at >> 32) + (bits >> 32) % 3 - 1;
      at = at << 32 | mixed (bits) >> 32;
      break;
    default:
      at = (bounds[bits % 12] + (bits >> 32) % 16 - 8) | bits >> 63 << 63;
      break;
    }
  memcpy (&x, &at, 8);
  return x;
}

static uint64_t
of_double (unsigned kind, uint64_t n)
{
  double x = argument (kind, mixed (n)), sine, cosine;
  sincos (x, &sine, &cosine);
  return sum_of (bits_of (x), bits_of (sine), bits_of (cosine),
                 bits_of (sin (x * 2)), bits_of (cos (-x)));
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
	sum += of_float ((part * kind + i) * step) + of_near (i * 16 + kind);
#pragma omp target teams distribute parallel for reduction(+: sums)           \
  map(tofrom: sums)
      for (unsigned i = 0; i < doubles; i++)
	sums += of_double (kind, (uint64_t) doubles * kind + i);
      printf ("%u %016llx %016llx\n", kind, (unsigned long long) sum,
	      (unsigned long long) sums);
    }
}
