/* OpenACC: loops whose iterations are rows, with loops in them.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 40, M = 70 };

/* Two products of matrices and a vector, and their sum.  */
static void
products (int n, int m, double *restrict a, double *restrict b,
	  double *restrict x, double *restrict y, double *restrict t)
{
  double f = 2, g = .5 * n;
#pragma acc data copyin(a[:n*m], b[:n*m], x[:m]) copy(y[:n], t[:n])
  {
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	double s = 0;
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m; j++)
	  s += a[i * m + j] * x[j];
	y[i] = f * s;
      }
/* REMARK: fused with the one at rows.c:18$ */
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	double s = 0;
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m; j++)
	  s += b[i * m + j] * x[j] * j;
	t[i] = g * s;
      }
/* REMARK: fused with the one at rows.c:18$ */
/* KEPT: 2 loads take what registers have */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      y[i] = y[i] + t[i];
/* REMARK: not fused .* \*y, stored on line 25, may be read by another iteration */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      t[i] = y[n - 1 - i];
  }
}

/* Rows that read rows: their own, and others.  */
static void
stencils (int n, int m, double *restrict a, double *restrict b,
	  double *restrict c)
{
#pragma acc data copyin(a[:n*m]) copy(b[:n*m], c[:n*m])
  {
#pragma acc parallel loop gang
    for (int i = 1; i < n - 1; i++)
      {
	double s = 1;
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m; j++)
	  s += a[i * m + j];
#pragma acc loop vector
	for (int j = 0; j < m; j++)
	  b[i * m + j] = a[i * m + j] + s;
      }
/* REMARK: fused with the one at rows.c:56 after a check$ */
#pragma acc parallel loop gang
    for (int i = 1; i < n - 1; i++)
      {
	double s = b[i * m];
#pragma acc loop vector
	for (int j = 0; j < m; j++)
	  c[i * m + j] = b[i * m + j] * b[i * m + 1] - s;
	c[i * m] = s;
      }
/* REMARK: not fused .* \*c, stored on line 74, may be read by another iteration on line 84$ */
#pragma acc parallel loop gang
    for (int i = 1; i < n - 1; i++)
      {
	double s = 0;
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m; j++)
	  s += c[(i + 1) * m + j];
	b[i * m] = s;
      }
  }
}

/* Each thread has its row for itself.  The counter is the function's.  */
static void
plain (int n, int m, double *restrict a, double *restrict x,
       double *restrict y, double *restrict z)
{
  int j;
#pragma acc data copyin(a[:n*m], x[:m]) copy(y[:n], z[:n])
  {
#pragma acc parallel loop private(j)
    for (int i = 0; i < n; i++)
      {
	double s = 0;
	for (j = 0; j < m; j++)
	  s += a[i * m + j] * x[j];
	y[i] = s;
      }
/* REMARK: fused with the one at rows.c:98$ */
/* KEPT: 1 load takes what registers have, 0 stores */
#pragma acc parallel loop private(j)
    for (int i = 0; i < n; i++)
      {
	double s = y[i];
	for (j = 0; j < m; j++)
	  s += a[i * m + j];
	z[i] = s;
      }
  }
}

/* A loop without rows in front of one with rows stays apart.  */
static void
in_front (int n, int m, double *restrict a, double *restrict y)
{
#pragma acc data copyin(a[:n*m]) copy(y[:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      y[i] = y[i] + 1;
/* REMARK: not a neighbour */
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	double s = y[i];
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m; j++)
	  s += a[i * m + j];
	y[i] = s;
      }
  }
}

/* Rounding of a loop that is no row's: in a row it might be another one.  Inner
   variables that are somebody else's outside.  */
static void
not_alike (int n, int m, double *restrict a, double *restrict x,
	   double *restrict y, double *restrict z)
{
  double t = 3;
#pragma acc data copyin(a[:n*m]) copy(x[:n], y[:n], z[:n])
  {
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	double s = 0;
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m; j++)
	  s += a[i * m + j];
	y[i] = s;
      }
/* REMARK: not fused .* products that might be rounded otherwise$ */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      z[i] = y[i] * 1.1 - x[i] * 1.3;
#pragma acc parallel loop gang firstprivate(t)
    for (int i = 0; i < n; i++)
      {
	z[i] = z[i] + t;
#pragma acc loop vector private(t)
	for (int j = 0; j < m; j++)
	  {
	    t = a[i * m + j];
	    if (j == 3)
	      y[i] = t * t;
	    t = 3;
	  }
      }
/* REMARK: not fused .* set a scalar that is not their own$ */
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	double s = 0;
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m; j++)
	  s += a[i * m + j];
	x[i] = s + z[i];
      }
  }
}

/* Loops inside that become one, and such as must not: the second uses what follows
   from the first, in a register or in memory; it reads what another iteration of
   the first stores; it counts to somewhere else.  */
static void
inside (int n, int m, double *restrict a, double *restrict b,
	double *restrict x, double *restrict y, double *restrict z)
{
#pragma acc data copyin(a[:n*m]) copy(b[:n*m], x[:n], y[:n], z[:n])
  {
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	double s = 0;
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m; j++)
	  s += a[i * m + j];
	x[i] = s + 2;
      }
/* REMARK: fused with */
/* INSIDE: no */
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	double s = 0;
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m - 1; j++)
	  s += a[i * m + j];
	z[i] = s;
      }
/* REMARK: fused with */
/* INSIDE: no */
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	double s = 0, t = x[i];
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m; j++)
	  s += a[i * m + j] * t;
	y[i] = s;
      }
/* REMARK: fused with */
/* INSIDE: no */
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	double s = 0;
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m; j++)
	  s += a[i * m + j] + y[i];
	z[i] = s;
      }
/* REMARK: fused with */
/* INSIDE: yes */
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	double s = 0;
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m; j++)
	  {
	    b[i * m + j] = a[i * m + j] * 3;
	    s += a[i * m + j];
	  }
	x[i] = x[i] - s;
      }
/* REMARK: fused with */
/* INSIDE: no */
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	double s = 0;
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m; j++)
	  s += b[i * m + m / 2] * a[i * m + j];
	y[i] = s;
      }
  }
}

/* Nests that are nothing else are shared out as one, and stay so.  */
static void
nests (int n, int m, double *restrict a, double *restrict b,
       double *restrict c, double *restrict y)
{
#pragma acc data copyin(a[:n*m]) copy(b[:n*m], c[:n*m], y[:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
#pragma acc loop
      for (int j = 1; j < m; j++)
	b[i * m + j] = a[i * m + j] * 2;
/* REMARK: fused with */
/* INSIDE: yes */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
#pragma acc loop
      for (int j = 1; j < m; j++)
	c[i * m + j] = a[i * m + j] - b[i * m + j];
/* REMARK: not fused .* the loops inside cannot be one$ */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
#pragma acc loop
      for (int j = 1; j < m; j++)
	b[i * m + j] = b[i * m + j] + c[i * m + j - 1];
/* REMARK: not fused .* the loops inside cannot be one$ */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      {
	double s = 0;
#pragma acc loop reduction(+:s)
	for (int j = 1; j < m; j++)
	  s += b[i * m + j];
	y[i] = s;
      }
  }
}

/* What a row has besides the two loops that become one is not counted as theirs.  */
static void
beside (int n, int m, double *restrict a, double *restrict b,
	double *restrict c, double *restrict x, double *restrict y,
	double *restrict t)
{
#pragma acc data copyin(a[:n*m], b[:n*m], x[:m]) copy(c[:n*m], y[:n], t[:n])
  {
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	double s = 0;
#pragma acc loop vector
	for (int j = 0; j < m; j++)
	  {
	    c[i * m + j] = 3;
	    c[i * m + j] = x[j] + i;
	  }
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m; j++)
	  s += a[i * m + j] * x[j];
	y[i] = s;
      }
/* REMARK: fused with */
/* INSIDE: yes */
/* KEPT: not a neighbour */
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	double s = 0;
#pragma acc loop vector reduction(+:s)
	for (int j = 0; j < m; j++)
	  s += b[i * m + j] * x[j];
	t[i] = s;
      }
  }
}

int
main (void)
{
  static double a[N * M], b[N * M], c[N * M], x[M], y[N], t[N], z[N];
  for (int i = 0; i < N * M; i++)
    a[i] = i % 7, b[i] = i % 5 - 2, c[i] = i % 11;
  for (int i = 0; i < M; i++)
    x[i] = i % 3 - 1;
  products (N, M, a, b, x, y, t);
  stencils (N, M, a, b, c);
  plain (N, M, a, x, z, y);
  in_front (N, M, a, y);
  not_alike (N, M, a, t, y, z);
  inside (N, M, a, b, t, y, z);
  nests (N, M, a, b, c, y);
  beside (N, M, a, b, c, x, y, t);
  double sum = 0;
  for (int i = 0; i < N * M; i++)
    sum += b[i] * (i % 13) + c[i] * (i % 17);
  for (int i = 0; i < N; i++)
    sum += y[i] * 3 + t[i] * (i % 3) + z[i];
  printf ("%.17g\n", sum);
  return 0;
}
