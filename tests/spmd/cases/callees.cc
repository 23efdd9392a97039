/* OpenACC: calls of functions that no directive declares, which the compiler
   takes where it inlines them, and objects for the values of expressions.

   FLAGS: -fopenacc
   LEVEL: -O2
   ACCEPT: 8
   REJECT: a call

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <algorithm>
#include <cmath>
#include <complex>

#include "check.h"

enum
{
  N = 1500
};
static double x[N], y[N];
static int a[N], b[N], want[N];

static void
start ()
{
  for (int i = 0; i < N; i++)
    {
      x[i] = i % 31 - 15;
      a[i] = i % 53;
      b[i] = want[i] = -1;
    }
}

template <typename T>
T
magnitude (T v)
{
  return v < 0 ? -v : v;
}

struct point
{
  double x, y;
  constexpr point (double a, double b) : x (a), y (b) {}
  point &
  operator+= (const point &p)
  {
    x += p.x;
    y += p.y;
    return *this;
  }
};

inline point
operator* (const point &p, double f)
{
  return point (p.x * f, p.y * f);
}

/* Longer than what is inlined early.  */
template <int N>
inline int
mixed (int v)
{
  for (int i = 0; i < N; i++)
    {
      v = v % 3 ? v * 3 + i : v / 3;
      if (v > 10000)
	v -= 9999 * (v / 10000);
      else if (v % 7 == 3)
	v += magnitude (i - v);
    }
  return v;
}

static void
library (int n)
{
  start ();
  double sum = 0, sum_want = 0;
#pragma acc parallel loop reduction (+ : sum) copyin (x)
  for (int i = 0; i < n; i++)
    sum += std::abs (x[i]) + magnitude (x[i]);
#pragma acc parallel loop copyin (a) copy (b)
  for (int i = std::max (2, n - 400); i <= std::min (n - 1, 1400); i++)
    b[i] = std::max (a[i], a[i - 1]) + std::min (i, 20);
  for (int i = 0; i < n; i++)
    sum_want += 2 * (x[i] < 0 ? -x[i] : x[i]);
  for (int i = n - 400; i <= n - 1 && i <= 1400; i++)
    want[i] = (a[i] > a[i - 1] ? a[i] : a[i - 1]) + (i < 20 ? i : 20);
  check_double ("library", sum, sum_want);
  check_ints ("bounds by functions", b, want, N);
}

static void
objects (int n)
{
  start ();
  std::complex<double> *c = new std::complex<double>[n];
#pragma acc parallel loop copyout (c[0:n]) copyin (x)
  for (int i = 0; i < n; i++)
    {
      std::complex<double> s = 0;
      for (int k = 0; k < 3; k++)
	s += std::complex<double> (x[i], k) * std::complex<double> (1, x[i]);
      c[i] = s;
    }
  double error = 0;
  for (int i = 0; i < n; i++)
    {
      std::complex<double> s = 0;
      for (int k = 0; k < 3; k++)
	s += std::complex<double> (x[i], k) * std::complex<double> (1, x[i]);
      error += std::abs (s - c[i]);
    }
  check_double ("complex", error, 0);
  delete[] c;
#pragma acc parallel loop copyin (x) copyout (y)
  for (int i = 0; i < N; i++)
    {
      point p (1, 2);
      p += point (x[i], i) * 3.0;
      p += p * x[i];
      y[i] = p.x - p.y;
    }
  double sum = 0, sum_want = 0;
  for (int i = 0; i < N; i++)
    {
      double px = 1 + 3 * x[i], py = 2 + 3.0 * i;
      sum_want += (px - py) * (1 + x[i]) * (i % 11);
      sum += y[i] * (i % 11);
    }
  check_double ("point", sum, sum_want);
}

/* In teams of one loop inside another; and by one thread.  */
static void
longer (int n)
{
  start ();
#pragma acc parallel copy (b)
#pragma acc loop gang
  for (int i = 0; i < n / 10; i++)
#pragma acc loop vector
    for (int j = 0; j < 10; j++)
      b[10 * i + j] = magnitude (j - i);
#pragma acc parallel copy (b) num_gangs (1)
  b[n] = std::max (b[0], 77);
  for (int i = 0; i < n / 10; i++)
    for (int j = 0; j < 10; j++)
      want[10 * i + j] = j < i ? i - j : j - i;
  want[n] = 77;
  check_ints ("longer", b, want, N);
}

static int small (int v) { return v + 1; }

/* Where its variables are only the compiler knows that inlines it.  */
static int base = 5;
#pragma acc declare copyin (base)
inline int
above (int v)
{
  return v + base;
}

static void
others (int n)
{
  start ();
#pragma acc parallel loop copyin (a) copy (b)
  for (int i = 0; i < n; i++)
    b[i] = small (a[i]);
  for (int i = 0; i < n; i++)
    want[i] = a[i] + 1;
  check_ints ("not declared inline", b, want, N);
#pragma acc parallel loop copyin (a) copy (b)
  for (int i = 0; i < n; i++)
    b[i] = above (a[i]);
  for (int i = 0; i < n; i++)
    want[i] = a[i] + 5;
  check_ints ("variables", b, want, N);
}

/* Which stock GCC does not build.  */
static void
large (int n)
{
  start ();
#pragma acc parallel loop copyin (a) copy (b)
  for (int i = 0; i < n; i++)
    b[i] = mixed<40> (a[i]);
  for (int i = 0; i < n; i++)
    want[i] = mixed<40> (a[i]);
  check_ints ("not inlined early", b, want, N);
}

int
main ()
{
  library (1450);
  objects (1200);
  longer (1000);
  others (N);
  large (N);
  return check_status ();
}
