/* Atomic sums of floating-point numbers, which are additions to memory where GCC has
   loops (ptx-post's pass atomics), bit for bit: an element each, also of subnormal
   numbers, and exact sums of many; and updates of integers by those of another sign.

   ACCEPT: 6
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"
#include <omp.h>
#include <stdint.h>
#include <string.h>

enum { N = 4096, BINS = 16 };
static float f[N], want_f[N], by_f[N], bin_f[BINS];
static double d[N], want_d[N], by_d[N], bin_d[BINS];
static uint64_t state = 88172645463325252u;

static uint64_t
next (void)
{
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

/* A number of either sign whose exponent's field is below MOST.  */
static float
small_float (unsigned most)
{
  uint32_t bits = (next () % most) << 23 | (next () & 0x807fffff);
  if (next () % 4 == 0)
    bits &= 0xff800000;
  float x;
  memcpy (&x, &bits, sizeof x);
  return x;
}

static double
small_double (unsigned most)
{
  uint64_t bits = (next () % most) << 52 | (next () & 0x800fffffffffffff);
  double x;
  memcpy (&x, &bits, sizeof x);
  return x;
}

/* Numbers near those that the GPU's addition takes as zero, and around the least
   ones that it may add (exponent's field 26); every third pair cancels nearly.  */
static void
begin (void)
{
  for (int i = 0; i < N; i++)
    {
      f[i] = small_float (i % 2 ? 3 : 52);
      by_f[i] = small_float (i % 5 ? 30 : 254);
      d[i] = small_double (i % 2 ? 3 : 110);
      by_d[i] = small_double (i % 5 ? 60 : 2046);
      if (i % 3 == 0)
	{
	  uint32_t bits;
	  f[i] = -by_f[i];
	  memcpy (&bits, &f[i], sizeof bits);
	  bits ^= next () % 4;
	  memcpy (&f[i], &bits, sizeof bits);
	}
      want_f[i] = f[i];
      want_d[i] = d[i];
    }
}

static void
check_bits (const char *what)
{
  for (int i = 0; i < N; i++)
    {
      uint32_t a, b;
      uint64_t c, e;
      memcpy (&a, &f[i], sizeof a);
      memcpy (&b, &want_f[i], sizeof b);
      memcpy (&c, &d[i], sizeof c);
      memcpy (&e, &want_d[i], sizeof e);
      check_long (what, a, b);
      check_long (what, c, e);
    }
}

static void
add (void)
{
#pragma omp target teams distribute parallel for map(tofrom : f, d) \
  map(to : by_f, by_d)
  for (int i = 0; i < N; i++)
    {
#pragma omp atomic
      f[i] += by_f[i];
#pragma omp atomic
      d[i] += by_d[i];
    }
}

static void
subtract (void)
{
#pragma omp target teams distribute parallel for map(tofrom : f, d) \
  map(to : by_f, by_d)
  for (int i = 0; i < N; i++)
    {
#pragma omp atomic
      f[i] -= by_f[i];
#pragma omp atomic
      d[i] -= by_d[i];
#pragma omp atomic
      d[i] = 1.5 - d[i];
    }
}

#pragma omp declare target
__attribute__ ((noinline)) static void
deposit (float *bin, float by)
{
#pragma omp atomic
  *bin += by;
}
#pragma omp end declare target

/* Exact sums of UNIT, in any order.  */
static void
count (float unit)
{
#pragma omp target teams distribute parallel for map(tofrom : bin_f, bin_d)
  for (int i = 0; i < N; i++)
    {
#pragma omp atomic
      bin_d[i % BINS] += 0.25;
      deposit (&bin_f[i % BINS], unit);
    }
}

/* GCC has loops for these: the new values are of another type than what is stored.  */
static void
of_integers (int *sum, unsigned *difference, int *bits, long long *large)
{
#pragma omp target teams distribute parallel for \
  map(tofrom : sum[0 : BINS], difference[0 : BINS], bits[0 : BINS], large[0 : BINS])
  for (unsigned i = 0; i < N; i++)
    {
#pragma omp atomic
      sum[i % BINS] += i * 0x9e3779b9u;
#pragma omp atomic
      difference[i % BINS] -= (int) i * 3 - 7;
#pragma omp atomic
      bits[i % BINS] ^= i * 2654435761u;
#pragma omp atomic
      large[i % BINS] += i * 0x9e3779b97f4a7c15ull;
    }
}

static void
check_integers (void)
{
  int sum[BINS], bits[BINS], want_sum[BINS], want_bits[BINS];
  unsigned difference[BINS], want_difference[BINS];
  long long large[BINS], want_large[BINS];
  for (int i = 0; i < BINS; i++)
    {
      sum[i] = want_sum[i] = i;
      difference[i] = want_difference[i] = i * 5;
      bits[i] = want_bits[i] = i * 7;
      large[i] = want_large[i] = i * 9;
    }
  of_integers (sum, difference, bits, large);
  for (unsigned i = 0; i < N; i++)
    {
      want_sum[i % BINS] += i * 0x9e3779b9u;
      want_difference[i % BINS] -= (int) i * 3 - 7;
      want_bits[i % BINS] ^= i * 2654435761u;
      want_large[i % BINS] += i * 0x9e3779b97f4a7c15ull;
    }
  for (int i = 0; i < BINS; i++)
    {
      check_long ("a sum of integers", sum[i], want_sum[i]);
      check_long ("a difference of integers", difference[i], want_difference[i]);
      check_long ("bits", bits[i], want_bits[i]);
      check_long ("a sum of large integers", large[i], want_large[i]);
    }
}

/* The sums are captured: these stay loops.  */
static double
capture (void)
{
  double last = 0, most = 0;
#pragma omp target teams distribute parallel for map(tofrom : last) \
  reduction(max : most)
  for (int i = 0; i < N; i++)
    {
      double old;
#pragma omp atomic capture
      {
	old = last;
	last += 1;
      }
      most = old > most ? old : most;
    }
  return most * 10000 + last;
}

/* In shared memory.  */
static void
in_teams (float *sums, double *others, float unit)
{
#pragma omp target teams num_teams(4) thread_limit(64) \
  map(from : sums[0 : 4], others[0 : 4])
  {
    float sum;
    double other;
#pragma omp parallel num_threads(64)
    {
      int t = omp_get_thread_num ();
      if (t == 0)
	{
	  sum = 0;
	  other = 0;
	}
#pragma omp barrier
#pragma omp atomic
      sum += unit;
#pragma omp atomic
      other -= t;
#pragma omp barrier
      if (t == 0)
	{
	  sums[omp_get_team_num ()] = sum;
	  others[omp_get_team_num ()] = other;
	}
    }
  }
}

int
main (void)
{
  begin ();
  add ();
  for (int i = 0; i < N; i++)
    {
      want_f[i] += by_f[i];
      want_d[i] += by_d[i];
    }
  check_bits ("a sum");
  begin ();
  subtract ();
  for (int i = 0; i < N; i++)
    {
      want_f[i] -= by_f[i];
      want_d[i] = 1.5 - (want_d[i] - by_d[i]);
    }
  check_bits ("a difference");
  static const float units[] = { 1, 0x1p-149f, 0x1p-140f, 0x1p-101f, 0x1p-102f };
  for (unsigned u = 0; u < sizeof units / sizeof *units; u++)
    {
      memset (bin_f, 0, sizeof bin_f);
      memset (bin_d, 0, sizeof bin_d);
      count (units[u]);
      for (int i = 0; i < BINS; i++)
	{
	  check_long ("units", bin_f[i] == units[u] * (N / BINS), 1);
	  check_long ("quarters", bin_d[i] == N / BINS * .25, 1);
	}
      float sums[4];
      double others[4];
      in_teams (sums, others, units[u]);
      for (int i = 0; i < 4; i++)
	{
	  check_long ("a team's units", sums[i] == units[u] * 64, 1);
	  check_long ("a team's numbers", others[i] == -64 * 63 / 2, 1);
	}
    }
  check_integers ();
  check_long ("captured", capture () == (N - 1) * 10000. + N, 1);
  return check_failures != 0;
}
