/* Divisions of 64 bits, of which some could be of 32 (ptx-post's pass division).

   ACCEPT: 2
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"
#include <stdint.h>

enum { EDGES = 18, N = EDGES * EDGES };
static const uint64_t edge[EDGES]
  = { 0, 1, 2, 3, 7, 10, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
      0x100000000, 0x100000001, 0x7fffffffffffffff, 0x8000000000000000,
      0x8000000000000001, 0xfffffffffffffffe, 0xffffffff00000000, 12345678901 };
static uint64_t a[N], b[N], quotient[N], rest[N];

/* What C leaves undefined is not asked for.  */
static void
begin (int is_signed)
{
  for (int i = 0; i < N; i++)
    {
      a[i] = edge[i / EDGES];
      b[i] = edge[i % EDGES];
      if (b[i] == 0
	  || (is_signed && a[i] == 0x8000000000000000 && b[i] == UINT64_MAX))
	b[i] = 5;
    }
}

static void
check (const char *what, int is_signed)
{
  for (int i = 0; i < N; i++)
    {
      uint64_t q = is_signed ? (uint64_t) ((int64_t) a[i] / (int64_t) b[i])
			     : a[i] / b[i];
      check_long (what, quotient[i], q);
      check_long (what, rest[i], a[i] - q * b[i]);
    }
}

int
main (void)
{
  begin (0);
#pragma omp target teams distribute parallel for map (to: a, b)              \
    map (from: quotient, rest)
  for (int i = 0; i < N; i++)
    {
      quotient[i] = a[i] / b[i];
      rest[i] = a[i] % b[i];
    }
  check ("unsigned", 0);
  begin (1);
#pragma omp target teams distribute parallel for map (to: a, b)              \
    map (from: quotient, rest)
  for (int i = 0; i < N; i++)
    {
      quotient[i] = (int64_t) a[i] / (int64_t) b[i];
      rest[i] = (int64_t) a[i] % (int64_t) b[i];
    }
  check ("signed", 1);
  return check_status ();
}
