/* FLAGS: -fopenmp
   KERNELS: 10

   Host loops over OpenMP regions.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 40 };

static unsigned
hash (const float *p, unsigned n)
{
  unsigned h = 0;
  for (unsigned i = 0; i < n; i++)
    h = h * 31 + (int) p[i];
  return h;
}

/* Two axes, pointers, a scalar by value.  */
static void
jacobi (int n, int steps, float w)
{
  float *a = malloc (n * n * sizeof *a), *b = malloc (n * n * sizeof *b);
  for (int i = 0; i < n * n; i++)
    a[i] = b[i] = i % 64;
#pragma omp target data map (tofrom: a[0:n * n], b[0:n * n])
  for (int t = 0; t < steps; t++)
    {
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma omp target teams distribute parallel for collapse (2)
      for (int i = 1; i < n - 1; i++)
	for (int j = 1; j < n - 1; j++)
	  b[i * n + j] = w * (a[i * n + j - 1] + a[i * n + j + 1]
			      + a[(i - 1) * n + j] + a[(i + 1) * n + j]);
#pragma omp target teams distribute parallel for collapse (2)
      for (int i = 1; i < n - 1; i++)
	for (int j = 1; j < n - 1; j++)
	  a[i * n + j] = b[i * n + j] + t;
    }
  printf ("jacobi %d: %u\n", steps, hash (a, n * n));
  free (a);
  free (b);
}

/* Pointers that may lead to the same memory.  */
static void
overlapping (float *p, float *q, int n, int steps)
{
#pragma omp target data map (tofrom: p[0:N])
  for (int t = 0; t < steps; t++)
    {
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma omp target teams loop
      for (int i = 0; i < n; i++)
	p[i] = p[i] + t;
#pragma omp target teams loop
      for (int i = 0; i < n; i++)
	q[i] = q[i] * 2;
    }
  printf ("overlapping %d: %u\n", steps, hash (p, N));
}

/* Loops over rows with loops inside, of fewer and fewer iterations.  */
static void
triangle (int steps)
{
  float a[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i + j;
#pragma omp target data map (tofrom: a)
  for (int k = 0; k < steps; k++)
    {
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma omp target teams distribute parallel for
      for (int i = k + 1; i < N; i++)
	a[i][k] = a[i][k] - a[k][k];
#pragma omp target teams distribute
      for (int i = k + 1; i < N; i++)
#pragma omp parallel for
	for (int j = k + 1; j < N; j++)
	  a[i][j] = a[i][j] + a[i][k] - a[k][j];
    }
  printf ("triangle %d: %u\n", steps, hash (a[0], N * N));
}

/* Conjugate gradients: numbers that regions reduce to, and the host divides.  */
static void
solve (int most)
{
  static double x[N], r[N], p[N], q[N];
  double rho = 0;
  int t;
  for (int i = 0; i < N; i++)
    {
      x[i] = 0;
      r[i] = p[i] = i % 3 + 1;
      rho += r[i] * r[i];
    }
#pragma omp target data map (tofrom: x, r, p, q)
  for (t = 0; t < most && rho > 1e-9; t++)
    {
      double pq = 0, rr = 0;
/* REMARK: loop over 3 regions: becomes one kernel */
#pragma omp target teams distribute parallel for reduction (+: pq)
      for (int i = 0; i < N; i++)
	{
	  q[i] = 4 * p[i] - (i ? p[i - 1] : 0) - (i < N - 1 ? p[i + 1] : 0);
	  pq += p[i] * q[i];
	}
      double alpha = rho / pq;
#pragma omp target teams distribute parallel for reduction (+: rr)
      for (int i = 0; i < N; i++)
	{
	  x[i] += alpha * p[i];
	  r[i] -= alpha * q[i];
	  rr += r[i] * r[i];
	}
      double beta = rr / rho;
      rho = rr;
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	p[i] = r[i] + beta * p[i];
    }
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += x[i] * (i + 1);
  printf ("solve %d: %d %.7e %.9g\n", most, t, rho > 1e-9 ? rho : 0, sum);
}

/* Real numbers of the host: each is rounded by itself.  */
static void
real (int steps)
{
  float a[N], f = 1.1f, g = .3f;
  double d = 1;
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp target data map (tofrom: a)
  for (int k = 0; k < steps; k++)
    {
/* REMARK: loop over 1 region: becomes one kernel */
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	a[i] = a[i] < f ? a[i] : f;
      f = f * g + f;
      g = g - f / 3;
      d = d * 1.0000001 + g * k;
    }
  printf ("real %d: %a %a %a %u\n", steps, f, g, d, hash (a, N));
}

/* Pointers that change places.  */
static void
turned (int steps)
{
  float *a = malloc (N * sizeof *a), *b = malloc (N * sizeof *b), *p = a, *q = b,
	*spare;
  for (int i = 0; i < N; i++)
    a[i] = b[i] = 64 * (i % 8);
#pragma omp target data map (tofrom: a[0:N], b[0:N])
  for (int t = 0; t < steps; t++)
    {
/* REMARK: loop over 1 region: becomes one kernel */
#pragma omp target teams distribute parallel for
      for (int i = 1; i < N - 1; i++)
	q[i] = (p[i - 1] + p[i + 1]) * .5f;
      spare = p;
      p = q;
      q = spare;
    }
  printf ("turned %d: %u %u %d %d\n", steps, hash (a, N), hash (b, N), p == a,
	  q == a);
  free (a);
  free (b);
}

/* The same, but a region alone has the data.  */
static void
turned_apart (int steps)
{
  float a[N], b[N], *p = a, *q = b;
  for (int i = 0; i < N; i++)
    a[i] = b[i] = 64 * (i % 8);
  for (int t = 0; t < steps; t++)
    {
/* REMARK: stays on the host: pointers that change, and data that only regions map */
#pragma omp target teams distribute parallel for map (tofrom: p[0:N], q[0:N])
      for (int i = 1; i < N - 1; i++)
	q[i] = (p[i - 1] + p[i + 1]) * .5f;
      float *spare = p;
      p = q;
      q = spare;
    }
  printf ("turned apart %d: %u %u %d\n", steps, hash (a, N), hash (b, N), p == a);
}

/* Teams are counted by the program.  */
static void
counted (int steps)
{
  float a[N] = { 1 };
#pragma omp target data map (tofrom: a)
  for (int k = 0; k < steps; k++)
    {
/* REMARK: loop over 1 region: becomes one kernel */
#pragma omp target teams distribute parallel for num_teams (2)
      for (int i = 0; i < N; i++)
	a[i] += k;
    }
  printf ("counted: %u\n", hash (a, N));
}

/* It leaves its value to the next round.  */
static void
late (int steps)
{
  float a[N] = { 1 };
#pragma omp target data map (tofrom: a)
  for (int k = 0; k < steps; k++)
    {
/* REMARK: stays on the host: a call */
#pragma omp target teams distribute parallel for nowait
      for (int i = 0; i < N; i++)
	a[i] += k;
#pragma omp taskwait
    }
  printf ("late: %u\n", hash (a, N));
}

int
main (void)
{
  float p[N + 1];
  jacobi (N, 0, .5f);
  jacobi (N, 6, .25f);
  for (int i = 0; i <= N; i++)
    p[i] = i;
  overlapping (p, p, N, 5);
  overlapping (p, p + 1, N - 1, 5);
  triangle (N - 1);
  triangle (3);
  solve (0);
  solve (30);
  real (0);
  real (17);
  turned (0);
  turned (4);
  turned (7);
  turned_apart (3);
  counted (2);
  late (2);
}
