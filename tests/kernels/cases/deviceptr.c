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
  acc_free (a);
  return 0;
}
