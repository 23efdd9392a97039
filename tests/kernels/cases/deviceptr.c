/* Loops over arrays that the host knows by their addresses on the device.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#ifdef _OPENACC
#include <openacc.h>
#else
#define acc_malloc malloc
#define acc_free free
#define acc_deviceptr(what) (what)
#endif

enum { N = 40 };

static double got[N * N];

static void
show (const char *name, double *from)
{
  double sum = 0;
#pragma acc parallel loop deviceptr(from) copyout(got)
  for (int i = 0; i < N * N; i++)
    got[i] = from[i];
  for (int i = 0; i < N * N; i++)
    sum = sum * 1.0625 + got[i];
  printf ("%s %.17g\n", name, sum);
}

/* Both are.  */
static void
transpose (double *a, double *b)
{
/* REMARK: 2 of 2 loops run in parallel after a check */
#pragma acc kernels deviceptr(a, b)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      b[i * N + j] += a[j * N + i];
}

/* What one of them leads to may be the other's copy on the device.  */
static void
mixed (double *a, double *c)
{
/* REMARK: it depends on values that only the device knows */
#pragma acc kernels deviceptr(a) copy(c[0:N])
  for (int i = 0; i < N; i++)
    c[i] += a[i + 1];
}

/* A pointer that a call gives is a variable which no pointer leads to: what is
   stored there leaves the pointer itself alone.  */
static void
of_a_call (int n)
{
  double *a = acc_malloc (n * sizeof *a);
/* REMARK: its loop runs in parallel$ */
#pragma acc kernels deviceptr(a)
  for (int i = 0; i < n; i++)
    a[i] = i % 13;
  show ("a call's", a);
  acc_free (a);
}

__attribute__ ((noipa)) static double *
moved (double *a, int by)
{
  return a + by;
}

/* Two of them may lead to the same; rows as long as a variable says.  */
static void
rows_of_a_call (double *all, int order, int by)
{
  double (*const a)[order] = (double (*)[order]) moved (all, 0);
  double (*const b)[order] = (double (*)[order]) moved (all, by);
/* REMARK: 2 of 2 loops run in parallel after a check */
#pragma acc kernels deviceptr(a, b)
  for (int i = 0; i < order; i++)
    for (int j = 0; j < order; j++)
      {
	b[i][j] += a[j][i];
	a[j][i] += 1;
      }
}

/* One leads to a variable.  */
static void
of_a_variable (void)
{
  static double c[N];
  double *p;
#pragma acc data copy(c)
  {
    p = acc_deviceptr (c);
/* REMARK: it depends on values that only the device knows */
#pragma acc kernels present(c) deviceptr(p)
    for (int i = 1; i < N; i++)
      c[i] = p[i - 1] + i;
  }
  for (int i = 0; i < N; i++)
    printf ("%g ", c[i]);
  puts ("");
}

int
main (void)
{
  double *a = acc_malloc ((2 * N * N + 1) * sizeof *a), *b = a + N * N;
  static double c[N];
#pragma acc parallel loop deviceptr(a)
  for (int i = 0; i < 2 * N * N + 1; i++)
    a[i] = i % 17;
  transpose (a, b);
  show ("apart", b);
  transpose (a, a + 1);
  show ("upon each other", a);
  transpose (a + 3 * N, a);
  show ("upon each other, below", a);
  mixed (a, c);
  for (int i = 0; i < N; i++)
    printf ("%g ", c[i]);
  puts ("");
  of_a_call (N * N);
  rows_of_a_call (a, N, N * N);
  show ("rows", a);
  rows_of_a_call (a, N, 3);
  show ("rows upon each other", a);
  acc_free (a);
  of_a_variable ();
  return 0;
}
