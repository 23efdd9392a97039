/* Collapsed loops whose last is not the one along which memory is contiguous.

   LEVEL: -O2
   ACCEPT: 9
   INTERCHANGED: 5
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum { N = 70, M = 45, K = 40 };
static int a[N * M], b[N * M], want[N * M], c[K * N * M], d[K * N * M], want3[K * N * M];
static double sums[N * M];

static void
begin (void)
{
  for (int i = 0; i < N * M; i++)
    {
      a[i] = i * 7 % 1009;
      b[i] = want[i] = 0;
      sums[i] = i;
    }
  for (int i = 0; i < K * N * M; i++)
    {
      c[i] = i * 11 % 1013;
      d[i] = want3[i] = 0;
    }
}

/* Neighbours along i; the last iteration of all is the last of both loops.  */
static void
last_value (void)
{
  int last = 0, want_last = 0;
  begin ();
#pragma omp target teams distribute parallel for collapse (2) lastprivate (last) \
  map (to : a) map (tofrom : b, last)
  for (int i = 1; i < N - 1; i++)
    for (int j = M - 1; j >= 0; j -= 2)
      {
	b[j * N + i] = a[j * N + i - 1] + a[j * N + i + 1] * 3;
	last = i * 1000 + j;
      }
  for (int i = 1; i < N - 1; i++)
    for (int j = M - 1; j >= 0; j -= 2)
      {
	want[j * N + i] = a[j * N + i - 1] + a[j * N + i + 1] * 3;
	want_last = i * 1000 + j;
      }
  check_ints ("last value", b, want, N * M);
  check_ints ("last", &last, &want_last, 1);
}

/* The first and the second of three.  */
static void
three (int first)
{
  begin ();
  if (first)
#pragma omp target teams distribute parallel for collapse (3) map (to : c) map (tofrom : d)
    for (int i = 0; i < N; i++)
      for (int j = 0; j < M; j++)
	for (int k = 0; k < K; k++)
	  d[(k * M + j) * N + i] = c[(k * M + j) * N + i] + k * 100 + j;
  else
#pragma omp target teams distribute parallel for simd collapse (3) map (to : c) map (tofrom : d)
    for (int j = 0; j < M; j++)
      for (int i = 0; i < N; i++)
	for (int k = 0; k < K; k++)
	  d[(k * M + j) * N + i] = c[(k * M + j) * N + i] + k * 100 + j;
  for (int k = 0; k < K; k++)
    for (int j = 0; j < M; j++)
      for (int i = 0; i < N; i++)
	want3[(k * M + j) * N + i] = c[(k * M + j) * N + i] + k * 100 + j;
  check_ints ("three", d, want3, K * N * M);
}

static void
sum (void)
{
  double got = 0, all = 0;
  begin ();
#pragma omp target teams distribute parallel for collapse (2) reduction (+ : got) \
  map (to : sums) map (tofrom : got)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      got += sums[j * N + i] * (i + 1);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      all += sums[j * N + i] * (i + 1);
  check_double ("sum", got, all);
}

/* What is read by rows is written by columns: no order is better for both.  */
static void
transpose (void)
{
  begin ();
#pragma omp target teams distribute parallel for collapse (2) map (to : a) map (tofrom : b)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      b[j * N + i] = a[i * M + j];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      want[j * N + i] = a[i * M + j];
  check_ints ("transpose", b, want, N * M);
}

/* The program says which thread has what.  */
static void
chunks (void)
{
  begin ();
#pragma omp target teams distribute parallel for collapse (2) schedule (static, 3) \
  map (to : a) map (tofrom : b)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      b[j * N + i] = a[j * N + i] + i;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      want[j * N + i] = a[j * N + i] + i;
  check_ints ("chunks", b, want, N * M);
}

/* Threads have the loop inside.  */
static void
inside (void)
{
  begin ();
#pragma omp target teams distribute collapse (2) map (to : c) map (tofrom : d)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
#pragma omp parallel for
      for (int k = 0; k < K; k++)
	d[(k * M + j) * N + i] = c[(k * M + j) * N + i] + k;
  for (int i = 0; i < K * N * M; i++)
    want3[i] = c[i] + i / (N * M);
  check_ints ("inside", d, want3, K * N * M);
}

/* Two iterations.  */
static void
few (void)
{
  begin ();
#pragma omp target teams distribute parallel for collapse (2) map (to : a) map (tofrom : b)
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < M; j++)
      b[j * N + i] = a[j * N + i] + i;
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < M; j++)
      want[j * N + i] = a[j * N + i] + i;
  check_ints ("few", b, want, N * M);
}

/* A longer body, with what is the same for all of one loop.  */
static void
scaled (const int *restrict x)
{
  begin ();
#pragma omp target teams distribute parallel for collapse (2) map (to : a, x[0 : M]) \
  map (tofrom : b)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      {
	int t = 0;
	for (int k = 0; k < 3; k++)
	  t += x[j] * k;
	b[j * N + i] = a[j * N + i] * t;
      }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      want[j * N + i] = a[j * N + i] * x[j] * 3;
  check_ints ("scaled", b, want, N * M);
}

int
main (void)
{
  int x[M];
  for (int i = 0; i < M; i++)
    x[i] = i - 5;
  last_value ();
  three (1);
  three (0);
  sum ();
  transpose ();
  chunks ();
  inside ();
  few ();
  scaled (x);
  return check_status ();
}
