/* OpenMP: rows and sums of columns of one matrix, as one kernel.  All values are
   small whole numbers, so that the order of sums does not matter.
   FLAGS: -fopenmp -fplugin-arg-accrete-turn=1
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

/* q = 2 A p; s = 3 transposed A r + j.  */
static void
bicgk (int n, int m, float *a, float *p, float *r, float *q, float *s)
{
#pragma omp target teams distribute
  for (int i = 0; i < n; i++)
    {
      float t = 0;
#pragma omp parallel for reduction(+:t)
      for (int j = 0; j < m; j++)
	t += a[i * m + j] * p[j];
      q[i] = 2 * t;
    }
/* REMARK: fused with the one at turn-omp.c:13 after a check */
/* INSIDE: yes */
#pragma omp target teams distribute
  for (int j = 0; j < m; j++)
    {
      float t = 1;
#pragma omp parallel for reduction(+:t)
      for (int i = 0; i < n; i++)
	t += a[i * m + j] * r[i];
      s[j] = 3 * t + j;
    }
}

/* The same, the columns first; of doubles.  */
static void
columns_first (int n, int m, double *a, double *p, double *r, double *q,
	       double *s)
{
#pragma omp target teams distribute
  for (int j = 0; j < m; j++)
    {
      double t = 0;
#pragma omp parallel for reduction(+:t)
      for (int i = 0; i < n; i++)
	t += r[i] * a[i * m + j];
      s[j] = t;
    }
/* REMARK: fused with the one at turn-omp.c:40 after a check */
/* INSIDE: yes */
#pragma omp target teams distribute
  for (int i = 0; i < n; i++)
    {
      double t = 0;
#pragma omp parallel for reduction(+:t)
      for (int j = 0; j < m; j++)
	t += a[i * m + j] * p[j];
      q[i] = t;
    }
}

/* s = transposed A (A p).  */
static void
atax (long n, long m, float *a, float *p, float *q, float *s)
{
#pragma omp target teams distribute
  for (long i = 0; i < n; i++)
    {
      float t = 0;
#pragma omp parallel for reduction(+:t)
      for (long j = 0; j < m; j++)
	t += a[i * m + j] * p[j];
      q[i] = t;
    }
/* REMARK: fused with the one at turn-omp.c:66 after a check */
/* INSIDE: no */
#pragma omp target teams distribute
  for (long j = 0; j < m; j++)
    {
      float t = 0;
#pragma omp parallel for reduction(+:t)
      for (long i = 0; i < n; i++)
	t += a[i * m + j] * q[i];
      s[j] = t;
    }
}

#define NEW(type, name, count)						      \
  type *name = malloc ((count) * sizeof (type));			      \
  for (long k = 0; k < (count); k++)					      \
    name[k] = (k * 7 + (long) sizeof #name + (k >> 6)) % 11 - 5

#define PRINT(name, count)						      \
  do									      \
    {									      \
      double sum = 0;							      \
      for (long k = 0; k < (count); k++)				      \
	sum += name[k] * (double) (k % 97 + 1);				      \
      printf (#name " %.0f ", sum);					      \
    }									      \
  while (0)

#define TRY(type, call)							      \
  do									      \
    {									      \
      NEW (type, a, n * m);						      \
      NEW (type, p, n + m);						      \
      NEW (type, r, n + m);						      \
      NEW (type, q, n);							      \
      NEW (type, s, m);							      \
      _Pragma ("omp target data map(to: a[:n*m], p[:n+m], r[:n+m]) map(q[:n], s[:m])") \
      call;								      \
      PRINT (q, n);							      \
      PRINT (s, m);							      \
      printf ("%s\n", #call);						      \
      free (a), free (p), free (r), free (q), free (s);			      \
    }									      \
  while (0)

int
main (void)
{
  static const int sizes[][2]
    = { { 1, 1 }, { 40, 70 }, { 7, 513 }, { 90, 3 }, { 5, 4600 }, { 6, 8200 },
	{ 4, 16384 }, { 3, 17000 } };
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++)
    {
      int n = sizes[i][0], m = sizes[i][1];
      printf ("%d %d: ", n, m);
      TRY (float, bicgk (n, m, a, p, r, q, s));
      TRY (double, columns_first (n, m, a, p, r, q, s));
      TRY (float, atax (n, m, a, p, q, s));
    }
  return 0;
}
