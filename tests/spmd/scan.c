/* Loops that look for a bit: the lowest or the highest, of 32 or 64 bits or fewer, by a
   shift of the number or of a one, left by a return or a break, with variables of other
   types; and some that only look so.  Prints sums.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdint.h>
#include <stdio.h>

enum { COUNT = 5003, LOOPS = 12 };

#pragma omp declare target
static int
lowest (int64_t x)
{
  for (int i = 0; i < 64; i++)
    if ((x >> i) & 1)
      return i + 1;
  return 0;
}

static int
lowest_word (uint32_t x)
{
  unsigned i;
  for (i = 0; i != 32; i++)
    if (x & (1u << i))
      break;
  return i;
}

static int
lowest_of_some (uint64_t x)
{
  long i = 0;
  while (i <= 40 && !((x >> i) & 1))
    i++;
  return i * 3;
}

static int
highest (int32_t x)
{
  for (int i = 31; i >= 0; i--)
    if ((x >> i) & 1)
      return i;
  return -1;
}

static int
highest_of_some (uint64_t x)
{
  int i;
  for (i = 50; i > -1; --i)
    if ((x & ((uint64_t) 1 << i)) != 0)
      break;
  return i * 7;
}

static int
lowest_zero (uint64_t x)
{
  for (int i = 0; i < 64; i++)
    if (!((x >> i) & 1))
      return i;
  return 64;
}

/* These have more to do, or look elsewhere.  */
static int
counts (uint64_t x)
{
  int n = 0, i;
  for (i = 0; i < 64; i++)
    {
      if ((x >> i) & 1)
	break;
      n += (x >> (63 - i)) & 1;
    }
  return n * 100 + i;
}

static int
from_three (uint64_t x)
{
  for (int i = 3; i < 64; i++)
    if ((x >> i) & 1)
      return i;
  return -5;
}

static int
two_bits (uint64_t x)
{
  for (int i = 0; i < 63; i++)
    if ((x >> i) & 3)
      return i;
  return -5;
}

static int
by_two (uint64_t x)
{
  for (int i = 0; i < 64; i += 2)
    if ((x >> i) & 1)
      return i;
  return -5;
}

static int
changes (uint64_t x)
{
  int i;
  for (i = 0; i < 60; i++)
    {
      if ((x >> i) & 1)
	break;
      x ^= x >> 7;
    }
  return i + (int) (x & 15);
}

static int
leaves (uint64_t x)
{
  for (int i = 0; i < 64; i++)
    {
      if (i == (int) (x >> 58))
	return 1000 + i;
      if ((x >> i) & 1)
	return i;
    }
  return -5;
}

static uint64_t
number (unsigned i)
{
  uint64_t x = i * 0x9E3779B97F4A7C15u;
  x ^= x >> 29;
  /* None, one bit, few low or few high bits, any.  */
  switch (i % 6)
    {
    case 0: return i < 600 ? 0 : ~(uint64_t) 0;
    case 1: return (uint64_t) 1 << i / 6 % 64;
    case 2: return x << i / 6 % 64;
    case 3: return x >> i / 6 % 64;
    case 4: return ~(x << i / 6 % 64);
    default: return x;
    }
}

static int
of_loop (unsigned loop, uint64_t x)
{
  switch (loop)
    {
    case 0: return lowest (x);
    case 1: return lowest_word (x);
    case 2: return lowest_of_some (x);
    case 3: return highest (x);
    case 4: return highest_of_some (x);
    case 5: return lowest_zero (x);
    case 6: return counts (x);
    case 7: return from_three (x);
    case 8: return two_bits (x);
    case 9: return by_two (x);
    case 10: return changes (x);
    default: return leaves (x);
    }
}
#pragma omp end declare target

int
main (void)
{
  for (unsigned loop = 0; loop < LOOPS; loop++)
    {
      int64_t sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum)            \
  map(tofrom: sum)
      for (unsigned i = 0; i < COUNT; i++)
	sum += (int64_t) of_loop (loop, number (i)) * (i + 1);
      printf ("%u %lld\n", loop, (long long) sum);
    }
}
