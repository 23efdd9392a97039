/* OpenMP: pairs that become one construct, and pairs that must not.
   FLAGS: -fopenmp
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 200 };

static double
chain (int n, double *restrict x, double *restrict y, double *restrict w)
{
  double s = 0;
#pragma omp target data map(to: x[0:n]) map(tofrom: y[0:n]) map(alloc: w[0:n])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      w[i] = x[i] * 2;
/* REMARK: fused with the one at omp.c:16$ */
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      y[i] = w[i] + y[i];
/* REMARK: fused with the one at omp.c:16$ */
#pragma omp target teams distribute parallel for map(tofrom: s) reduction(+: s)
    for (int i = 0; i < n; i++)
      s += y[i];
  }
  return s;
}

/* Each loop is its own distance away from the other.  */
static void
distance (int n, double *restrict x, double *restrict y)
{
#pragma omp target data map(tofrom: x[0:n], y[0:n])
  {
#pragma omp target teams loop
    for (int i = 1; i < n; i++)
      x[i] = y[i];
/* REMARK: not fused .* may be read by another iteration */
#pragma omp target teams loop
    for (int i = 1; i < n; i++)
      y[i] = x[i - 1];
  }
}

/* The same, by `teams loop' and `simd'.  */
static void
others (int n, double *restrict x, double *restrict y)
{
#pragma omp target data map(tofrom: x[0:n], y[0:n])
  {
#pragma omp target teams loop
    for (int i = 0; i < n; i++)
      x[i] += 1;
/* REMARK: fused with the one at omp.c:53$ */
#pragma omp target teams loop
    for (int i = 0; i < n; i++)
      y[i] += x[i];
/* REMARK: not fused .* a clause bind */
#pragma omp target teams distribute parallel for simd
    for (int i = 0; i < n; i++)
      x[i] *= 2;
/* REMARK: fused with the one at omp.c:61$ */
#pragma omp target teams distribute parallel for simd
    for (int i = 0; i < n; i++)
      y[i] -= x[i];
  }
}

/* Data from elsewhere: what the pointers say is not known.  */
static void
entered (int n, double *x, double *y, double *z)
{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    x[i] += z[i];
/* REMARK: fused with the one at omp.c:75 after a check$ */
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    y[i] = z[i] * 2;
}

/* Numbers of teams and threads are the program's own business.  */
static void
numbers (int n, double *x)
{
#pragma omp target teams distribute parallel for num_teams(2) map(tofrom: x[0:n])
  for (int i = 0; i < n; i++)
    x[i] += 3;
/* REMARK: not fused .* num teams */
#pragma omp target teams distribute parallel for num_teams(2) map(tofrom: x[0:n])
  for (int i = 0; i < n; i++)
    x[i] *= 2;
}

/* More memory at once than each of them had, unless y is there.  */
static void
memory (int n, double *restrict x, double *restrict y, double *restrict z)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
  for (int i = 0; i < n; i++)
    y[i] += x[i];
/* REMARK: fused with .* after a check */
#pragma omp target teams distribute parallel for map(to: y[0:n]) map(from: z[0:n])
  for (int i = 0; i < n; i++)
    z[i] = y[i];
}

/* The function's own memory.  */
static void
own (int n, double *restrict x, double *restrict y)
{
  double *u = malloc (n * sizeof *u), v[n];
#pragma omp target data map(alloc: u[0:n]) map(from: v)
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      u[i] = x[i] + 1;
/* KEPT: 2 loads take what registers have, 1 store is dropped */
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      v[i] = u[i] * x[i];
/* KEPT: 1 load takes what registers have, 1 store is dropped */
#pragma omp target teams distribute parallel for
    for (int i = 0; i < n; i++)
      y[i] = v[i] + y[i];
  }
  free (u);
}

/* Rows whose threads do more than one loop.  */
static void
sums (int n, double *restrict a, double *restrict x, double *restrict y)
{
  int m = n / 8;
#pragma omp target data map(to: a[0:8 * m]) map(tofrom: x[0:8], y[0:8])
  {
#pragma omp target teams distribute
    for (int i = 0; i < 8; i++)
      {
	double s = 0;
#pragma omp parallel for reduction(+:s)
	for (int j = 0; j < m; j++)
	  s += a[i * m + j];
	x[i] += s;
      }
/* REMARK: not fused .* constructs in its loop that are no loops$ */
#pragma omp target teams distribute
    for (int i = 0; i < 8; i++)
      {
	double s = 0;
#pragma omp parallel
	{
#pragma omp for reduction(+:s)
	  for (int j = 0; j < m; j++)
	    s += 2 * a[i * m + j];
	}
	y[i] += s + x[i];
      }
  }
}

int
main (void)
{
  static double x[N], y[2 * N], w[N];
  for (int i = 0; i < N; i++)
    x[i] = i % 7, y[i] = y[N + i] = i % 5;
  printf ("%g\n", chain (N, x, y, w));
  distance (N, x, y);
  others (N, x, y);
#pragma omp target enter data map(to: x, y)
  entered (N, x, y, y + N);
  entered (N - 1, y + 1, y, x);
  entered (N, y, y + 1, x);
  own (N, x, y);
#pragma omp target exit data map(from: x, y)
  numbers (N, x);
  memory (N, x, y, w);
  sums (N, w, x, y);
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += x[i] + 3 * y[i] + 7 * w[i] * (i % 3);
  printf ("%.17g\n", sum);
  return 0;
}
