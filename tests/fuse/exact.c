/* Products that two constructs compute, or one and the next one uses: fused, they
   must round as they do in stock GCC's kernels.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

/* The first contracts its product, the second stores the same one.  Stores of
   integers cannot change the factors, which the pointers do not say.  */
static void
again (int n, double *x, double *v, long *y, double *z)
{
#pragma acc parallel loop present(x[0:n], v[0:n], y[0:n])
  for (int i = 0; i < n; i++)
    y[i] = (long) ((x[i] * v[i] + 0.7) * 0x1p50);
#pragma acc parallel loop present(x[0:n], v[0:n], z[0:n])
  for (int i = 0; i < n; i++)
    z[i] = x[i] * v[i];
}

/* The same, and the factors are handed over.  */
static void
handed (int n, double *restrict x, double *restrict v, double *restrict y,
	double *restrict z)
{
#pragma acc parallel loop present(x[0:n], v[0:n], y[0:n])
  for (int i = 0; i < n; i++)
    y[i] = x[i] * v[i] + 0.7;
#pragma acc parallel loop present(x[0:n], v[0:n], z[0:n])
  for (int i = 0; i < n; i++)
    z[i] = x[i] * v[i];
}

/* A product is handed over and not stored.  */
static void
dropped (int n, double *restrict x, double *restrict v, double *restrict z)
{
  double t[N];
#pragma acc data create(t)
  {
#pragma acc parallel loop present(x[0:n], v[0:n])
    for (int i = 0; i < n; i++)
      t[i] = x[i] * v[i];
#pragma acc parallel loop present(v[0:n], z[0:n])
    for (int i = 0; i < n; i++)
      z[i] = t[i] + v[i];
  }
}

/* The second has the product twice, of loads between which it stores where these may be
   to GCC.  */
static void
twice (int n, double *x, double *restrict v, double *restrict y, double *restrict z)
{
#pragma acc parallel loop present(x[0:n], v[0:n], y[0:n])
  for (int i = 0; i < n; i++)
    y[i] = x[i] - v[i];
#pragma acc parallel loop present(x[0:n], v[0:n], z[0:n])
  for (int i = 0; i < n; i++)
    {
      z[i] = x[i] * v[i] + 0.7;
      z[i] = z[i] * 1.1 + x[i] * v[i];
    }
}

/* The same product in the only loop of a row, which become one.  */
static void
rows (int n, double *x, double *v, long *y, double *z)
{
#pragma acc parallel loop gang present(x[0:n], v[0:n], y[0:n])
  for (int i = 0; i < n / 8; i++)
#pragma acc loop vector
    for (int j = 0; j < 8; j++)
      y[i * 8 + j] = (long) ((x[i * 8 + j] * v[i * 8 + j] + 0.7) * 0x1p50);
#pragma acc parallel loop gang present(x[0:n], v[0:n], z[0:n])
  for (int i = 0; i < n / 8; i++)
#pragma acc loop vector
    for (int j = 0; j < 8; j++)
      z[i * 8 + j] = x[i * 8 + j] * v[i * 8 + j];
}

int
main (void)
{
  static double x[N], v[N], y[N], z[N];
  static long k[N];
  for (int i = 0; i < N; i++)
    {
      x[i] = i * 0.37;
      v[i] = 1.3 - i * 0.01;
    }
#pragma acc data copyin(x, v) copy(y, z, k)
  {
    again (N, x, v, k, z);
    handed (N, x, v, y, z);
  }
  for (int i = 0; i < N; i++)
    printf ("%ld %a %a\n", k[i], y[i], z[i]);
#pragma acc data copyin(x, v) copy(z)
  dropped (N, x, v, z);
  for (int i = 0; i < N; i++)
    printf ("%a\n", z[i]);
#pragma acc data copyin(x, v) copy(y, z)
  twice (N, x, v, y, z);
  for (int i = 0; i < N; i++)
    printf ("%a %a\n", y[i], z[i]);
#pragma acc data copyin(x, v) copy(k, z)
  rows (N, x, v, k, z);
  for (int i = 0; i < N; i++)
    printf ("%ld %a\n", k[i], z[i]);
  return 0;
}
