/* Collapsed loops of which the order means something: a loop in a kernels or a serial
   construct need not be independent.  In a parallel one it is.

   FLAGS: -fopenacc
   LEVEL: -O2
   ACCEPT: 1
   INTERCHANGED: 1
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum { N = 70, M = 45 };
static int a[N * M], b[N * M], want[N * M];

static void
begin (void)
{
  for (int i = 0; i < N * M; i++)
    a[i] = b[i] = want[i] = i % 7;
}

#define LOOPS(to, from)                                                       \
  for (int i = 1; i < N; i++)                                                 \
    for (int j = 0; j < M - 1; j++)                                           \
      to[j * N + i] = from[(j + 1) * N + i - 1] * 3 % 101 + 1;

static void
kernels (void)
{
  begin ();
#pragma acc kernels copy (a)
#pragma acc loop collapse (2)
  LOOPS (a, a)
  LOOPS (want, want)
  check_ints ("kernels", a, want, N * M);
}

static void
kernels_of_two (void)
{
  begin ();
#pragma acc kernels copy (a)
  {
#pragma acc loop collapse (2)
    LOOPS (a, a)
    a[3] = 5;
  }
  LOOPS (want, want)
  want[3] = 5;
  check_ints ("kernels with another statement", a, want, N * M);
}

static void
serial (void)
{
  begin ();
#pragma acc serial copy (a)
#pragma acc loop collapse (2)
  LOOPS (a, a)
  LOOPS (want, want)
  check_ints ("serial", a, want, N * M);
}

static void
parallel (void)
{
  begin ();
#pragma acc parallel loop collapse (2) copyin (b) copy (a)
  LOOPS (a, b)
  LOOPS (want, b)
  check_ints ("parallel", a, want, N * M);
}

int
main (void)
{
  kernels ();
  kernels_of_two ();
  serial ();
  parallel ();
  return check_status ();
}
