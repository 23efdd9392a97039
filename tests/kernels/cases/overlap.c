/* Nests that the program has to check, with values for which iterations touch the
   same memory and with values for which they do not: what they leave behind is
   what they do in order.  (GCC's vectorizer takes what its parallelizer does for
   independent; the program for the host must be right.)
   FLAGS: -fopenacc -fno-tree-vectorize
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { SIZE = 8192, N = 20 };

static int A[SIZE], X[N * N], W[N];

static void
store (long n, long s1, long s2)
{
/* REMARK: 2 of 2 loops run in parallel after a check$ */
#pragma acc kernels copy(A)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      A[i * s1 + j * s2] = i * 3 + j;
}

static void
update (long n, long s1, long s2)
{
/* REMARK: 2 of 2 loops run in parallel after a check$ */
#pragma acc kernels copy(A)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      A[i * s1 + j * s2] += i * j + A[i * s1 + j * s2] / 7;
}

/* The stride that is known is the smaller one.  */
static void
columns (long n, long m, long s)
{
/* REMARK: 2 of 2 loops run in parallel after a check$ */
#pragma acc kernels copy(A)
  for (long i = 0; i < n; i++)
    for (long j = m - 1; j >= 0; j -= 2)
      A[i + j * s] = A[i + j * s] * 3 + i;
}

static void
box (long n, long s1, long s2, long s3)
{
/* REMARK: 3 of 3 loops run in parallel after a check$ */
#pragma acc kernels copy(A)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < n; k++)
	A[4000 + i * s1 + j * s2 + k * s3] = A[4000 + i * s1 + j * s2 + k * s3] * 3
					     + i * 100 + j * 10 + k;
}

/* Rows may be apart; in a row the inner loops never are.  */
static void
convolve (long n, long m, long s)
{
/* REMARK: 3 of 3 loops run in parallel after a check$ */
#pragma acc kernels copy(A) copyin(X, W)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      for (long k = 0; k < m; k++)
	A[i * s + j + k] = A[i * s + j + k] * 3 + X[i * n + j] * W[k];
}

/* One element for all.  */
static void
single (long n, long s)
{
/* REMARK: its loop runs in parallel after a check$ */
#pragma acc kernels copy(A)
  for (long i = 0; i < n; i++)
    A[i * s] = i;
}

static void
pointers (int n, int *p, const int *q)
{
/* REMARK: its loop runs in parallel after a check$ */
#pragma acc kernels present(p[:n], q[:n])
  for (int i = 0; i < n; i++)
    p[i] = q[i] * 3 + 1;
}

/* What the region sets and leaves behind, besides.  */
static void
scalars (long n, long s1, long s2, long *left)
{
  long i = 70, j = 80, at = left[0], last = 90;
  int sum = 5;
/* REMARK: 2 of 2 loops run in parallel after a check$ */
#pragma acc kernels copy(A)
  {
    at = at + 3;
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
	{
	  sum += X[i * n + j];
	  last = i * 2 + j;
	  A[at + i * s1 + j * s2] = last;
	}
  }
  left[0] = i;
  left[1] = j;
  left[2] = at;
  left[3] = last;
  left[4] = sum;
}

static int
directives (long n, long s1, long s2)
{
  int sum = 0, most = 0;
/* REMARK: 2 of 2 loops run in parallel after a check$ */
#pragma acc kernels loop gang worker collapse(2) copy(A)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      A[i * s1 + j * s2] = A[i * s1 + j * s2] * 3 + j;
  int own = 3;
/* REMARK: 2 of 2 loops run in parallel after a check$ */
#pragma acc kernels copy(A) copyin(X) num_gangs(7) num_workers(2) vector_length(32)
#pragma acc loop gang reduction(+: sum) private(own)
  for (long i = 0; i < n; i++)
    {
      own = X[i];
#pragma acc loop vector reduction(+: sum)
      for (long j = 0; j < n; j++)
	{
	  A[i * s1 + j * s2] = A[i * s1 + j * s2] * 3 + own;
	  sum += X[i * n + j];
	}
    }
/* REMARK: 2 of 2 loops run in parallel after a check$ */
#pragma acc kernels loop auto copy(A) copyin(X) reduction(max: most)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      {
	A[i * s1 + j * s2] = i - j;
	most = most > X[i * n + j] ? most : X[i * n + j];
      }
  return sum * 1000 + most;
}

static void
show (const char *what)
{
  unsigned long sum = 0;
  for (int i = 0; i < SIZE; i++)
    sum = sum * 31 + A[i];
  printf ("%s %lx\n", what, sum);
}

int
main (void)
{
  static const long strides[][3] = {
    { 20, 1, 400 }, { 1, 20, 400 }, { 400, 20, 1 }, { 20, 400, 1 },
    { 19, 1, 361 }, { 1, 19, 400 }, { 19, 2, 7 }, { 10, 1, 100 }, { 1, 1, 1 },
    { 3, 3, 60 }, { 2, 40, 17 }, { 39, 2, 1 }, { 0, 1, 3 }, { 1, 0, 5 },
    { 0, 0, 0 }, { -20, 1, 5 }, { 7, -140, 1 },
  };
  for (int i = 0; i < SIZE; i++)
    A[i] = i;
  for (int i = 0; i < N * N; i++)
    X[i] = i * 7 % 11;
  for (int i = 0; i < N; i++)
    W[i] = i % 3;
  for (unsigned at = 0; at < sizeof strides / sizeof *strides; at++)
    {
      const long *s = strides[at];
      if (s[0] >= 0 && s[1] >= 0)
	{
	  store (N, s[0], s[1]);
	  show ("store");
	  update (N, s[0], s[1]);
	  show ("update");
	  convolve (N, 1 + at % 3 * 9, s[0]);
	  show ("convolve");
	  single (N, s[0]);
	  show ("single");
	  columns (N, N, s[1]);
	  show ("columns");
	  long left[5] = { at };
	  scalars (N, s[0], s[1], left);
	  show ("scalars");
	  for (int i = 0; i < 5; i++)
	    printf ("%ld\n", left[i]);
	  printf ("%d\n", directives (N, s[0], s[1]));
	  show ("directives");
	}
      for (int n = 1; n <= 7; n++)
	{
	  box (n, s[0], s[1], s[2]);
	  show ("box");
	}
    }
#pragma acc data copy(A)
  {
    pointers (500, A, A + 500);
    pointers (500, A, A + 499);
    pointers (500, A + 1, A);
    pointers (500, A, A + 1);
    pointers (500, A, A);
  }
  show ("pointers");
  return 0;
}
