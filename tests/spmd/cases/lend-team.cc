// Variables of the team whose addresses functions get that only load from them, as in
// bounds by std::min, in OpenACC and where the address goes on.
//
// ACCEPT: 4
// REJECT: the loop sets a variable that its threads share
// REJECT: the address of a variable of the team
// FLAGS: -fopenacc
// LEVEL: -O2
//
// SPDX-License-Identifier: GPL-3.0-or-later

#include <algorithm>
#include "check.h"

enum { N = 100, W = 37 };
static int a[N * W], b[N], want[N * W];
static double x[N * W], want_x[N * W];

static void
bounds (int n)
{
#pragma acc parallel loop gang copy(a, b)
  for (int t = 0; t < N; t++)
    {
      const int lo = t % 9;
      const int hi = std::min (n, lo + t);
#pragma acc loop vector
      for (int i = lo; i < std::min (hi, lo + 20); i++)
        a[t * W + i] = 2 * t + std::max (lo, i);
      b[t] = hi;
    }
  for (int t = 0; t < N; t++)
    {
      int lo = t % 9, hi = std::min (n, lo + t);
      for (int i = lo; i < std::min (hi, lo + 20); i++)
        want[t * W + i] = 2 * t + i;
      check_long ("a bound", b[t], hi);
    }
  check_ints ("bounds", a, want, N * W);
}

// In front of the loop over teams.
static void
in_front (int n, int from)
{
  double *to = x;
#pragma acc parallel loop gang copy(to[0:N * W])
  for (int t = std::max (2, from - 3); t <= std::min (from, n + 1); t++)
    {
      const int lo = std::min (n, t);
#pragma acc loop vector
      for (int i = lo; i < std::min (+W, lo + from); i++)
        for (int j = 0; j < std::max (from, lo); j++)
          to[t * W + i] += i + j;
    }
  for (int t = std::max (2, from - 3); t <= std::min (from, n + 1); t++)
    for (int i = std::min (n, t); i < std::min (+W, std::min (n, t) + from); i++)
      for (int j = 0; j < std::max (from, std::min (n, t)); j++)
        want_x[t * W + i] += i + j;
  for (int i = 0; i < N * W; i++)
    check_double ("in front", x[i], want_x[i]);
}

// What the team has sets it, and its loops load it.
static void
chosen (int n)
{
#pragma acc parallel loop gang copy(a, b)
  for (int t = 0; t < N; t++)
    {
      int low = t % 5, high = t % 7;
      const int &least = std::min (low, high);
      int from = least;
      low = 50;
#pragma acc loop vector
      for (int i = 0; i < W; i++)
        a[t * W + i] += from + low;
      b[t] = from + n;
    }
  for (int t = 0; t < N; t++)
    {
      for (int i = 0; i < W; i++)
        want[t * W + i] += std::min (t % 5, t % 7) + 50;
      check_long ("the lesser", b[t], std::min (t % 5, t % 7) + n);
    }
  check_ints ("the lesser of two", a, want, N * W);
}

// Sums in bounds, in front of the team's loop and in it.
static void
sums (int n, int step)
{
#pragma acc parallel loop gang copy(a, b)
  for (int t = 0; t < std::min (+N, n + 3); t++)
    {
      const int lo = step * t % 7 + 1;
#pragma acc loop vector
      for (int i = std::max (lo, step - 1); i < std::min (n, lo + step); i++)
        for (int j = std::max (i - 2, step); j < std::min (n, lo + 2 * step); j++)
          a[t * W + i] += std::max (j - i, lo * 2);
      b[t] += std::min (lo, n - t);
    }
  for (int t = 0; t < std::min (+N, n + 3); t++)
    {
      const int lo = step * t % 7 + 1;
      for (int i = std::max (lo, step - 1); i < std::min (n, lo + step); i++)
        for (int j = std::max (i - 2, step); j < std::min (n, lo + 2 * step); j++)
          want[t * W + i] += std::max (j - i, lo * 2);
      check_long ("beside sums", b[t] - std::min (t % 5, t % 7) - 9,
                  std::min (lo, n - t));
    }
  check_ints ("sums", a, want, N * W);
}

// A team's variable, which the loop sets, is none of them.
static void
kept (int n)
{
#pragma acc parallel loop gang copy(b)
  for (int t = 0; t < N; t++)
    {
      int last = 0;
#pragma acc loop vector
      for (int i = n - 1; i < n; i++)
        {
          last = i + t;
          b[t] = std::max (last, 3);
        }
    }
  for (int t = 0; t < N; t++)
    check_long ("kept", b[t], std::max (n - 1 + t, 3));
}

static void
stored ()
{
#pragma acc parallel loop gang copy(a)
  for (int t = 0; t < N; t++)
    {
      int mine = t;
      int *to = &mine;
      *to += 3;
#pragma acc loop vector
      for (int i = 0; i < W; i++)
        a[t * W + i] = mine;
    }
  for (int i = 0; i < N * W; i++)
    want[i] = i / W + 3;
  check_ints ("stored through an address", a, want, N * W);
}

int
main ()
{
  bounds (W - 5);
  in_front (W, 20);
  in_front (5, 9);
  chosen (9);
  sums (20, 4);
  kept (5);
  stored ();
  return check_status ();
}
