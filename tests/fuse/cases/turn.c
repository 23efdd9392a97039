/* OpenACC: rows and sums of columns of one matrix, as one kernel.  All values are
   small whole numbers, so that the order of sums does not matter.
   FLAGS: -fopenacc -fplugin-arg-accrete-turn=1
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* q = 2 A p; s = 3 transposed A r + j.  */
static void
bicgk (int n, int m, float *a, float *p, float *r, float *q, float *s)
{
#pragma acc parallel loop gang present(a[:n*m], p[:m], q[:n])
  for (int i = 0; i < n; i++)
    {
      float t = 0;
#pragma acc loop vector reduction(+:t)
      for (int j = 0; j < m; j++)
	t += a[i * m + j] * p[j];
      q[i] = 2 * t;
    }
/* REMARK: fused with the one at turn.c:14 after a check */
/* INSIDE: yes */
#pragma acc parallel loop gang present(a[:n*m], r[:n], s[:m])
  for (int j = 0; j < m; j++)
    {
      float t = 1;
#pragma acc loop vector reduction(+:t)
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
#pragma acc parallel loop gang present(a[:n*m], r[:n], s[:m])
  for (int j = 0; j < m; j++)
    {
      double t = 0;
#pragma acc loop vector reduction(+:t)
      for (int i = 0; i < n; i++)
	t += r[i] * a[i * m + j];
      s[j] = t;
    }
/* REMARK: fused with the one at turn.c:41 after a check */
/* INSIDE: yes */
#pragma acc parallel loop gang present(a[:n*m], p[:m], q[:n])
  for (int i = 0; i < n; i++)
    {
      double t = 0;
#pragma acc loop vector reduction(+:t)
      for (int j = 0; j < m; j++)
	t += a[i * m + j] * p[j];
      q[i] = t;
    }
}

/* s = transposed A (A p).  */
static void
atax (long n, long m, float *a, float *p, float *q, float *s)
{
#pragma acc parallel loop gang present(a[:n*m], p[:m], q[:n])
  for (long i = 0; i < n; i++)
    {
      float t = 0;
#pragma acc loop vector reduction(+:t)
      for (long j = 0; j < m; j++)
	t += a[i * m + j] * p[j];
      q[i] = t;
    }
/* REMARK: fused with the one at turn.c:67 after a check */
/* INSIDE: no */
#pragma acc parallel loop gang present(a[:n*m], q[:n], s[:m])
  for (long j = 0; j < m; j++)
    {
      float t = 0;
#pragma acc loop vector reduction(+:t)
      for (long i = 0; i < n; i++)
	t += a[i * m + j] * q[i];
      s[j] = t;
    }
}

/* Integers, and columns 2 to m - 1 of rows 1 to n.  */
static void
parts (int n, int m, int *a, int *p, int *r, int *q, int *s)
{
#pragma acc parallel loop gang present(a[:n*m], p[:m], q[:n])
  for (int i = 1; i < n; i++)
    {
      int t = 0;
#pragma acc loop vector reduction(+:t)
      for (int j = 2; j <= m - 2; j++)
	t += a[i * m + j] * p[j];
      q[i] = t;
    }
/* REMARK: fused with the one at turn.c:93 after a check */
#pragma acc parallel loop gang present(a[:n*m], r[:n], s[:m])
  for (int j = 2; j <= m - 2; j++)
    {
      int t = -1;
#pragma acc loop vector reduction(+:t)
      for (int i = 1; i < n; i++)
	t += a[i * m + j] * r[i] + i;
      s[j] = t * 2;
    }
}

/* What must stay two kernels.  */
static void
apart (int n, int m, float *restrict a, float *restrict p, float *restrict q,
       float *restrict s)
{
#pragma acc parallel loop gang present(a[:n*m], p[:m], s[:m])
  for (int j = 0; j < m; j++)
    {
      float t = 0;
#pragma acc loop vector reduction(+:t)
      for (int i = 0; i < n; i++)
	t += a[i * m + j] * p[i];
      s[j] = t;
    }
  /* All sums must be there.  */
/* REMARK: not fused .* other bounds than the one before */
#pragma acc parallel loop gang present(a[:n*m], q[:n], s[:m])
  for (int i = 0; i < n; i++)
    {
      float t = 0;
#pragma acc loop vector reduction(+:t)
      for (int j = 0; j < m; j++)
	t += a[i * m + j] * s[j];
      q[i] = t;
    }
  /* The order of the sum is the program's.  */
/* REMARK: not fused .* other bounds than the one before */
#pragma acc parallel loop gang present(a[:n*m], p[:m], s[:m])
  for (int j = 0; j < m; j++)
    {
      float t = 0;
#pragma acc loop seq
      for (int i = 0; i < n; i++)
	t += a[i * m + j] * p[i];
      s[j] = t;
    }
  /* It reads what the sums are stored over.  */
/* REMARK: not fused .* other bounds than the one before */
#pragma acc parallel loop gang present(a[:n*m], q[:n], s[:m])
  for (int i = 0; i < n; i++)
    {
      float t = 0;
#pragma acc loop vector reduction(+:t)
      for (int j = 0; j < m; j++)
	t += a[i * m + j] * s[j];
      q[i] = t;
    }
/* REMARK: not fused .* other bounds than the one before */
#pragma acc parallel loop gang present(a[:n*m], p[:m], s[:m])
  for (int j = 0; j < m; j++)
    {
      float t = 0;
#pragma acc loop vector reduction(+:t)
      for (int i = 0; i < n; i++)
	t += a[i * m + j] * p[i];
      s[j] = t;
    }
}

/* Sums of two matrices, which may be where the other matrix is; sums that are added
   to what is there; and sums with a factor that is set in front of the loop.  */
static void
others (int n, int m, float g, float *a, float *b, float *p, float *r, float *q,
	float *s)
{
#pragma acc parallel loop gang present(a[:n*m], p[:m], q[:n])
  for (int i = 0; i < n; i++)
    {
      float t = q[i];
#pragma acc loop vector reduction(+:t)
      for (int j = 0; j < m; j++)
	t += a[i * m + j] * p[j];
      q[i] = t;
    }
/* REMARK: not fused .* other bounds than the one before */
#pragma acc parallel loop gang present(a[:n*m], r[:n], s[:m])
  for (int j = 0; j < m; j++)
    {
      float t = 0;
#pragma acc loop vector reduction(+:t)
      for (int i = 0; i < n; i++)
	t += a[i * m + j] * r[i];
      s[j] = t + s[j];
    }
#pragma acc parallel loop gang present(a[:n*m], p[:m], q[:n])
  for (int i = 0; i < n; i++)
    {
      float t = q[i];
#pragma acc loop vector reduction(+:t)
      for (int j = 0; j < m; j++)
	t += a[i * m + j] * p[j];
      q[i] = t;
    }
/* REMARK: not fused .* other bounds than the one before */
#pragma acc parallel loop gang present(a[:n*m], r[:n], s[:m])
  for (int j = 0; j < m; j++)
    {
      float t = 1, f = g;
#pragma acc loop vector reduction(+:t)
      for (int i = 0; i < n; i++)
	t += f * a[i * m + j] * r[i];
      s[j] = t;
    }
#pragma acc parallel loop gang present(a[:n*m], p[:m], q[:n])
  for (int i = 0; i < n; i++)
    {
      float t = 0;
#pragma acc loop vector reduction(+:t)
      for (int j = 0; j < m; j++)
	t += a[i * m + j] * p[j];
      q[i] = t;
    }
/* REMARK: fused with the one at turn.c:217 after a check */
#pragma acc parallel loop gang present(a[:n*m], b[:n*m], r[:n], s[:m])
  for (int j = 0; j < m; j++)
    {
      float t = 0;
#pragma acc loop vector reduction(+:t)
      for (int i = 0; i < n; i++)
	t += (a[i * m + j] + b[i * m + j]) * r[i];
      s[j] = t;
    }
}

/* Data that the constructs bring to the device: each for itself.  */
static void
mapped (int n, int m, float *restrict a, float *restrict p, float *restrict r,
	float *restrict q, float *restrict s)
{
#pragma acc parallel loop gang copyin(a[:n*m], p[:m], r[:n]) copyout(q[:n])   \
  copy(s[:m])
  for (int i = 0; i < n; i++)
    {
      float t = 0;
#pragma acc loop vector reduction(+:t)
      for (int j = 0; j < m; j++)
	t += a[i * m + j] * p[j];
      q[i] = t;
    }
/* REMARK: fused with the one at turn.c:243 after a check */
#pragma acc parallel loop gang copyin(a[:n*m], r[:n]) copyout(s[:m])
  for (int j = 0; j < m; j++)
    {
      float t = 2;
#pragma acc loop vector reduction(+:t)
      for (int i = 0; i < n; i++)
	t += a[i * m + j] * r[i];
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
      _Pragma ("acc data copyin(a[:n*m], p[:n+m], r[:n+m]) copy(q[:n], s[:m])") \
      call;								      \
      PRINT (q, n);							      \
      PRINT (s, m);							      \
      printf ("%s\n", #call);						      \
      free (a), free (p), free (r), free (q), free (s);			      \
    }									      \
  while (0)

/* Results that lie in the matrix, or in each other.  */
static void
aliases (int n, int m)
{
  NEW (float, a, 4L * n * m);
  NEW (float, p, n + m);
#pragma acc data copyin(p[:n+m]) copy(a[:4*n*m])
  {
    others (n, m, 3, a, a + n * m, p, p, a + 3 * n * m, a + n * m + 3 * m);
    bicgk (n, m, a, p, p, a + n * m, a + n * m + n);
    bicgk (n, m, a, p, p, a + n * m, a + n * m + n / 2);
    bicgk (n, m, a, p, p, a + n * m, a + n * m - m);
    atax (n, m, a, p, a + 3 * n * m, a + m);
  }
  PRINT (a, 4L * n * m);
  printf ("aliases\n");
  free (a), free (p);
}

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
      if (m > 4)
	TRY (int, parts (n, m, a, p, r, q, s));
      TRY (float, apart (n, m, a, p, q, s));
      TRY (float, others (n, m, 2, a, a, p, r, q, s));
    }
  aliases (20, 30);
  int n = 9, m = 50;
  NEW (float, a, n * m);
  NEW (float, p, m);
  NEW (float, r, n);
  NEW (float, q, n);
  NEW (float, s, m);
  mapped (n, m, a, p, r, q, s);
  PRINT (q, n);
  PRINT (s, m);
  printf ("mapped\n");
  return 0;
}
