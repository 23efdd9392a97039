/* Reductions by every operator.

   ACCEPT: 10
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum { N = 5000 };
static double a[N], b[N];
static int c[N];

#define REGION(map_and_reduce)                                                \
  PRAGMA (omp target teams distribute parallel for map_and_reduce)
#define PRAGMA(x) _Pragma (#x)

static void
sums (int n)
{
  double d = 10, dot = 10;
  float f = 1, few = 1;
  int i = 5, want_i = 5;
  unsigned u = 7, want_u = 7;
  long l = 5, want_l = 5;
  unsigned long long ll = 1, want_ll = 1;
  REGION (map (to: a, b) reduction (+: d, f) reduction (-: i, l))
  for (int k = 0; k < n; k++)
    {
      d += a[k] * b[k];
      f += k & 3;
      i -= k;
      l -= (long) k * k;
    }
  REGION (reduction (*: u, ll))
  for (int k = 0; k < n; k++)
    {
      u *= 2 * k + 1;
      ll *= 2 * k + 3;
    }
  for (int k = 0; k < n; k++)
    {
      dot += a[k] * b[k];
      few += k & 3;
      want_i -= k;
      want_l -= (long) k * k;
      want_u *= 2 * k + 1;
      want_ll *= 2 * k + 3;
    }
  check_double ("+ of double", d, dot);
  check_double ("+ of float", f, few);
  check_long ("- of int", i, want_i);
  check_long ("- of long", l, want_l);
  check_long ("* of unsigned", u, want_u);
  check_long ("* of unsigned long long", ll, want_ll);
}

static void
extremes (int n)
{
  double low = 1e9, high = -1e9;
  float flow = 1e9f;
  int imax = -1000, none = 17;
  long long lmin = 1LL << 60;
  unsigned umax = 3;
  REGION (map (to: a, c) reduction (min: low, flow, lmin)
          reduction (max: high, imax, umax))
  for (int k = 0; k < n; k++)
    {
      double x = a[c[k]] - 2000;
      low = x < low ? x : low;
      flow = x < flow ? (float) x : flow;
      if (c[k] * 3LL - 7000 < lmin)
        lmin = c[k] * 3LL - 7000;
      high = x > high ? x : high;
      if (c[k] - n > imax)
        imax = c[k] - n;
      umax = (unsigned) c[k] > umax ? (unsigned) c[k] : umax;
    }
  REGION (reduction (max: none))
  for (int k = n; k < n; k++)
    none = 100;
  check_double ("min of double", low, -2000);
  check_double ("min of float", flow, -2000);
  check_long ("min of long long", lmin, -7000);
  check_double ("max of double", high, n - 2001);
  check_long ("max of int", imax, -1);
  check_long ("max of unsigned", umax, n - 1);
  check_long ("max of nothing", none, 17);
}

static void
bits (int n)
{
  int all = -1, some = 0, odd = 0, and = 1, or = 0, two = 2;
  unsigned long lall = ~0ul, lsome = 0;
  REGION (reduction (&: all, lall) reduction (|: some, lsome)
          reduction (^: odd))
  for (int k = 0; k < n; k++)
    {
      all &= k | 0x10fc0;
      lall &= ~(1ul << (k % 40));
      some |= k == n - 1 ? 64 : k & 9;
      lsome |= 1ul << (k % 50);
      odd ^= k;
    }
  REGION (map (to: c) reduction (&&: and, two) reduction (||: or))
  for (int k = 0; k < n; k++)
    {
      and = and && c[k] < n;
      two = two && c[k] != 4711;
      or = or || c[k] == 17;
    }
  int want_odd = 0;
  for (int k = 0; k < n; k++)
    want_odd ^= k;
  check_long ("& of int", all, 0x10fc0);
  check_long ("& of long", lall, ~0ul << 40);
  check_long ("| of int", some, 64 | 9);
  check_long ("| of long", lsome, (1ul << 50) - 1);
  check_long ("^ of int", odd, want_odd);
  check_long ("&&, true", and, 1);
  check_long ("&&, false", two, 0);
  check_long ("||", or, 1);
}

/* Blocks and grids of all sizes.  */
static void
shapes (int n, int threads)
{
  int s = 0, t = 0, u = 0;
  REGION (reduction (+: s) collapse (2) num_teams (3) thread_limit (7))
  for (int k = 0; k < n; k++)
    for (int l = 0; l < 3; l++)
      s += k + l;
  REGION (reduction (+: t) num_threads (threads) firstprivate (n))
  for (int k = 0; k < n; k++)
    t += k;
  REGION (reduction (+: u) num_teams (1) thread_limit (1))
  for (int k = n - 1; k >= 0; k--)
    u += k;
  check_long ("collapse, few threads", s, 3 * (n * (n - 1) / 2) + 3 * n);
  check_long ("num_threads", t, n * (n - 1) / 2);
  check_long ("one thread", u, n * (n - 1) / 2);
}

/* Each team adds what its threads found.  */
static void
simd (int n)
{
  double s = 1, want = 1;
  PRAGMA (omp target teams distribute parallel for simd map (to: a) \
          map (tofrom: s) reduction (+: s))
  for (int k = 0; k < n; k++)
    s += a[k] * 0.5;
  for (int k = 0; k < n; k++)
    want += a[k] * 0.5;
  check_double ("simd", s, want);
}

int
main (void)
{
  for (int k = 0; k < N; k++)
    {
      a[k] = k;
      b[k] = 2 * k + 1;
      c[k] = k * 7919LL % N;
    }
  sums (N);
  extremes (N);
  bits (N);
  shapes (1000, 5);
  simd (N);
  return check_status ();
}
