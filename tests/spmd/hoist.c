/* Kernels with loads behind divisions and square roots, some of which may not move:
   behind a store to where they load from, of memory that changes, in a branch, with an
   address that comes from the quotient; and behind products of complex numbers, some
   with parts that are infinite or NaN.  Prints sums of bits.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <complex.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bits.h"

enum { N = 700, WIDTH = 40 };

static double x[N * WIDTH], y[N], z[N];
static float f[N * WIDTH], g[N];
static int next[N], three[N];
static double _Complex u[N * 4], v[7 * 4];
static float _Complex u_f[N * 4], v_f[7 * 4];

/* Loads in a row, each used in order; more than are moved.  */
static void
rows (void)
{
#pragma omp target teams distribute parallel for map(to: x) map(tofrom: y)
  for (int i = 0; i < N; i++)
    {
      const double *p = &x[i * WIDTH];
      double q = p[0] / p[1];
      q += p[2] * p[3] + p[4] / (p[5] + 2);
      q += p[6] * p[7] + p[8] * p[9] + sqrt (p[10] + 3) * p[11];
      for (int k = 12; k < WIDTH; k += 14)
	q += p[k] * p[k + 1] + p[k + 2] / (p[k + 3] + 1) + p[k + 4] * p[k + 5]
	     + p[k + 6] * p[k + 7] - p[k + 8] * p[k + 9] + p[k + 10] / p[k + 11];
      y[i] = q;
    }
  print ("rows", y, sizeof y);
}

/* Stores in between, to what is loaded behind them; volatile loads; addresses from
   addresses, and from the quotient.  */
static void
chased (void)
{
#pragma omp target teams distribute parallel for map(tofrom: x, z) \
  map(to: next, three, y)
  for (int i = 0; i < N; i++)
    {
      double *p = &x[i * WIDTH];
      double q = p[1] / (p[2] + 1);
      int a = next[i], b = next[a], c = next[b];
      p[3] = q * (y[a] + y[b] * y[c]);
      q = 1 / (q * q + 1) + p[three[i]] * p[4] + p[5] * p[6] + p[7];
      volatile double *v = p + 8;
      q = q / (p[9] + 1) + *v + p[10] * p[11] + *v;
      double r = p[12] / (q * q + 1);
      const double *at = p + 13 + ((int) (q * 64) & 15);
      q += at[0] / at[1] + at[2] * at[3] + r;
      if (a % 3 == 0)
	q = p[20] / p[21] + p[22] * p[23] + p[24] * p[25];
      z[i] = q;
    }
  print ("chased", z, sizeof z);
  print ("stored", x, sizeof x);
}

/* Of floats, with a sum of all that is exact.  */
static void
floats (void)
{
  long all = 0;
#pragma omp target teams distribute parallel for map(to: f, next) map(tofrom: g) \
  reduction(+: all)
  for (int i = 0; i < N; i++)
    {
      const float *p = &f[i * WIDTH];
      float q = p[0] / p[1];
      all += next[i];
      q += p[2] * p[3] + sqrtf (p[4]) * p[5] + p[6] * p[7] + p[8] * p[9];
      q = 1 / q + p[10] * p[11] + p[12] / p[13] + p[14] * p[15] + p[16] * p[17];
      all += (long) (q / p[18] * 8 + p[19] + p[20] + p[21] + p[22]);
      g[i] = q;
    }
  print ("floats", g, sizeof g);
  print ("sum", &all, sizeof all);
}

/* Products whose parts both are NaN are for libgcc, which makes infinities of some;
   the real parts of what it gives are numbers or have no sign to print.  */
static void
products (void)
{
#pragma omp target teams distribute parallel for map(to: u, v) map(tofrom: y)
  for (int i = 0; i < N; i++)
    {
      const double _Complex *p = &u[i * 4], *q = &v[i % 7 * 4];
      double _Complex all
	= p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
      double part = creal (all);
      y[i] = isnan (part) ? 1 : part;
    }
  print ("products", y, sizeof y);
}

/* The same, of floats, with a store between them to what is loaded behind it.  */
static void
stored_products (void)
{
#pragma omp target teams distribute parallel for map(to: v_f) map(tofrom: u_f)
  for (int i = 0; i < N; i++)
    {
      float _Complex *p = &u_f[i * 4];
      const float _Complex *q = &v_f[i % 7 * 4];
      float _Complex all = p[0] * q[0];
      p[2] = q[2] + 1;
      all += p[1] * q[1] + p[2] * q[2] + p[3] * q[3];
      p[0] = isnan (crealf (all)) ? 1 : crealf (all);
    }
  float sum[N * 4];
  for (int i = 0; i < N * 4; i++)
    sum[i] = isnan (crealf (u_f[i])) ? 1 : crealf (u_f[i]);
  print ("stored products", sum, sizeof sum);
}

int
main (void)
{
  static const double part[]
    = { 1, -2, INFINITY, .5, NAN, 3, -INFINITY, 0, 7, -1, 2 };
  for (int i = 0; i < N * 4; i++)
    {
      u[i] = CMPLX (i % 5 ? i % 17 * .5 : part[i % 11], i % 7 ? 2 : part[i / 7 % 11]);
      u_f[i] = u[i];
    }
  for (int i = 0; i < 7 * 4; i++)
    {
      v[i] = CMPLX (i % 3 ? i : part[i / 3 % 11], i % 4 ? 1.5 : part[i % 11]);
      v_f[i] = v[i];
    }
  for (int i = 0; i < N * WIDTH; i++)
    {
      x[i] = 1 + i % 97 * 0.25 + i % 13;
      f[i] = 1 + i % 89 * 0.5f + i % 11;
    }
  for (int i = 0; i < N; i++)
    next[i] = (i * 37 + 11) % N, three[i] = 3;
  rows ();
  chased ();
  floats ();
  products ();
  stored_products ();
}
