/* What a round of a host loop over regions costs.
   usage: rounds [-n CALLS] [NAME [SIZE]]
   jacobi  two sweeps of floats between two grids of SIZE x SIZE
   norm    one, and another that computes the norm that ends the loop
   cg      conjugate gradients with a 5-point matrix, doubles
   Prints the name, the size, the median and least time of a round in
   microseconds, and what the loop has left behind.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stopwatch.h"

/* Each program carries the directives of both models.  */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum
{
  ROUNDS = 50
};

#define FOR_EACH_POINT                                                        \
  for (int i = 1; i < n - 1; i++)                                             \
    for (int j = 1; j < n - 1; j++)

#define AROUND(a)                                                             \
  (.25f * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1]         \
           + a[i * n + j + 1]))

static double
jacobi (float *restrict a, float *restrict b, int n)
{
  for (int t = 0; t < ROUNDS; t++)
    {
#pragma acc parallel loop collapse (2) present (a[0:n * n], b[0:n * n])
#pragma omp target teams distribute parallel for collapse (2)
      FOR_EACH_POINT
        b[i * n + j] = AROUND (a);
#pragma acc parallel loop collapse (2) present (a[0:n * n], b[0:n * n])
#pragma omp target teams distribute parallel for collapse (2)
      FOR_EACH_POINT
        a[i * n + j] = AROUND (b);
    }
  return 0;
}

static double
norm (float *restrict a, float *restrict b, int n)
{
  float most = 1;
  for (int t = 0; t < ROUNDS && most > 1e-6f; t++)
    {
#pragma acc parallel loop collapse (2) present (a[0:n * n], b[0:n * n])
#pragma omp target teams distribute parallel for collapse (2)
      FOR_EACH_POINT
        b[i * n + j] = AROUND (a);
      most = 0;
#pragma acc parallel loop collapse (2) present (a[0:n * n], b[0:n * n])       \
  reduction (max: most)
#pragma omp target teams distribute parallel for collapse (2)                 \
  reduction (max: most) map (tofrom: most)
      FOR_EACH_POINT
        {
          float next = AROUND (b), d = fabsf (next - b[i * n + j]);
          a[i * n + j] = next;
          most = d > most ? d : most;
        }
    }
  return most;
}

/* P, Q, R and X are vectors of n x n elements.  */
static double
cg (double *restrict p, double *restrict q, double *restrict r,
    double *restrict x, int n)
{
  double rho = 0;
#pragma acc parallel loop present (r[0:n * n]) reduction (+: rho)
#pragma omp target teams distribute parallel for reduction (+: rho)           \
  map (tofrom: rho)
  for (int i = 0; i < n * n; i++)
    rho += r[i] * r[i];
  for (int t = 0; t < ROUNDS; t++)
    {
      double dot = 0, next = 0;
#pragma acc parallel loop collapse (2) present (p[0:n * n], q[0:n * n])
#pragma omp target teams distribute parallel for collapse (2)
      for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
          {
            double sum = 4.1 * p[i * n + j];
            sum -= i > 0 ? p[(i - 1) * n + j] : 0;
            sum -= i < n - 1 ? p[(i + 1) * n + j] : 0;
            sum -= j > 0 ? p[i * n + j - 1] : 0;
            sum -= j < n - 1 ? p[i * n + j + 1] : 0;
            q[i * n + j] = sum;
          }
#pragma acc parallel loop present (p[0:n * n], q[0:n * n]) reduction (+: dot)
#pragma omp target teams distribute parallel for reduction (+: dot)           \
  map (tofrom: dot)
      for (int i = 0; i < n * n; i++)
        dot += p[i] * q[i];
      double alpha = rho / dot;
#pragma acc parallel loop present (x[0:n * n], p[0:n * n], q[0:n * n], r[0:n * n])
#pragma omp target teams distribute parallel for
      for (int i = 0; i < n * n; i++)
        {
          x[i] += alpha * p[i];
          r[i] -= alpha * q[i];
        }
#pragma acc parallel loop present (r[0:n * n]) reduction (+: next)
#pragma omp target teams distribute parallel for reduction (+: next)          \
  map (tofrom: next)
      for (int i = 0; i < n * n; i++)
        next += r[i] * r[i];
      double beta = next / rho;
      rho = next;
#pragma acc parallel loop present (p[0:n * n], r[0:n * n])
#pragma omp target teams distribute parallel for
      for (int i = 0; i < n * n; i++)
        p[i] = r[i] + beta * p[i];
    }
  return rho;
}

static void *
grid (int n, size_t size)
{
  void *p = malloc ((size_t)n * n * size);
  if (!p)
    exit (2);
  return p;
}

static void
run (const char *name, int n, int calls)
{
  float *a = grid (n, sizeof *a), *b = grid (n, sizeof *b);
  double *p = grid (n, sizeof *p), *q = grid (n, sizeof *q);
  double *r = grid (n, sizeof *r), *x = grid (n, sizeof *x);
  double *us = malloc (calls * sizeof *us), sum = 0, last = 0;
  for (int c = 0; c < calls; c++)
    {
      for (int i = 0; i < n * n; i++)
        {
          a[i] = b[i] = i * 7 % 101;
          x[i] = 0;
          p[i] = r[i] = 1 + i % 7;
        }
#pragma acc data copy (a[0:n * n], b[0:n * n], p[0:n * n], q[0:n * n],        \
                       r[0:n * n], x[0:n * n])
#pragma omp target data map (tofrom: a[0:n * n], b[0:n * n], p[0:n * n],      \
                               q[0:n * n], r[0:n * n], x[0:n * n])
      {
        double begin = 1e6 * stopwatch_seconds ();
        last = !strcmp (name, "jacobi") ? jacobi (a, b, n)
               : !strcmp (name, "norm") ? norm (a, b, n)
                                        : cg (p, q, r, x, n);
#pragma acc wait
        us[c] = (1e6 * stopwatch_seconds () - begin) / ROUNDS;
      }
    }
  for (int i = 0; i < n * n; i++)
    sum += a[i] + x[i];
  double median = stopwatch_median (us, calls);
  printf ("%-6s %5d %10.2f %10.2f us a round  %.9g %.6g\n", name, n, median,
          us[0], sum, last);
}

int
main (int argc, char **argv)
{
  static const char *const names[] = { "jacobi", "norm", "cg" };
  static const int sizes[] = { 64, 256, 512, 1024, 1536, 2048 };
  int calls = 8;
  for (int o; (o = getopt (argc, argv, "n:")) != -1;)
    if (o == 'n')
      calls = atoi (optarg);
    else
      return 2;
  for (int k = 0; k < 3; k++)
    if (optind == argc || !strcmp (names[k], argv[optind]))
      for (int s = 0; s < 6; s++)
        if (optind + 1 < argc)
          {
            run (names[k], atoi (argv[optind + 1]), calls);
            break;
          }
        else
          run (names[k], sizes[s], calls);
}
