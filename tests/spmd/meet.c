/* What threads bring together: extremes, by all operators that keep what they have;
   rows of several widths; and what a row's threads hand to each other through memory.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 100000,
  ROWS = 60,
  WIDE = 700
};

static double a[N];
static float f[N];
static long l[N];
static int x[ROWS * WIDE], y[ROWS * WIDE], b[ROWS], sum[ROWS];

static int
extremes (void)
{
  double m = -0.0, zero = -0.0;
  float n = 5;
  long b = -1, o = 0;
  int all = 1, any = 0;
  double want_m = 0;
  float want_n = 5;
  for (int i = 0; i < N; i++)
    {
      want_m = fmax (want_m, a[i]);
      want_n = fminf (want_n, f[i]);
    }
#ifdef _OPENACC
# pragma acc parallel loop reduction(max : m, zero) reduction(min : n)        \
    reduction(& : b) reduction(| : o) reduction(&& : all) reduction(|| : any) \
    copyin(a, f, l) copy(m, zero, n, b, o, all, any)
#else
# pragma omp target teams distribute parallel for reduction(max : m, zero)    \
    reduction(min : n) reduction(& : b) reduction(| : o) reduction(&& : all)  \
    reduction(|| : any) map(to : a, f, l)                                     \
    map(tofrom : m, zero, n, b, o, all, any)
#endif
  for (int i = 0; i < N; i++)
    {
      m = a[i] > m ? a[i] : m;
      zero = zero > 0. ? zero : 0.;
      n = f[i] < n ? f[i] : n;
      b &= l[i];
      o |= 1L << (i % 61);
      all = all && a[i] >= 0;
      any = any || i == 77777;
    }
  return m != want_m || signbit (zero) || n != want_n
         || b != (long)0xffffff0000000000 || o != 0x1fffffffffffffff
         || all != 1 || any != 1;
}

static int
rows (int wide)
{
  int wrong = 0;
#ifdef _OPENACC
# ifdef LANES
#  pragma acc parallel loop gang vector_length(LANES) num_workers(WORKERS)    \
    copyin(x) copyout(sum)
# else
#  pragma acc parallel loop gang copyin(x) copyout(sum)
# endif
#else
# pragma omp target teams distribute map(to : x) map(from : sum)              \
    thread_limit(512)
#endif
  for (int i = 0; i < ROWS; i++)
    {
      int s = i;
#ifdef _OPENACC
# pragma acc loop worker vector reduction(+ : s)
#else
# pragma omp parallel for reduction(+ : s)
#endif
      for (int j = 0; j < wide; j++)
        s += x[i * WIDE + j];
      sum[i] = s;
    }
  for (int i = 0; i < ROWS; i++)
    {
      int s = i;
      for (int j = 0; j < wide; j++)
        s += x[i * WIDE + j];
      wrong += sum[i] != s;
    }
  return wrong;
}

/* The first of a row's threads stores what all of them read, they store what the first
   reads, and so on: a barrier at each of these places.  */
static int
handed (void)
{
  int wrong = 0;
#ifdef _OPENACC
# pragma acc parallel loop gang copyin(x) copyout(y, b, sum)
#else
# pragma omp target teams distribute map(to : x) map(from : y, b, sum)        \
    thread_limit(512)
#endif
  for (int i = 0; i < ROWS; i++)
    {
      b[i] = 3 * i;
#ifdef _OPENACC
# pragma acc loop worker vector
#else
# pragma omp parallel for
#endif
      for (int j = 0; j < WIDE; j++)
        y[i * WIDE + j] = x[i * WIDE + j] + b[i];
      int last = y[i * WIDE + WIDE - 1], twice = 2 * last;
      b[i] = twice;
      sum[i] = last + b[i];
#ifdef _OPENACC
# pragma acc loop worker vector
#else
# pragma omp parallel for
#endif
      for (int j = 0; j < WIDE; j++)
        y[i * WIDE + j] += b[i];
      b[i] = y[i * WIDE + WIDE / 2];
    }
  for (int i = 0; i < ROWS; i++)
    {
      int last = x[i * WIDE + WIDE - 1] + 3 * i;
      for (int j = 0; j < WIDE; j++)
        wrong += y[i * WIDE + j] != x[i * WIDE + j] + 3 * i + 2 * last;
      wrong += sum[i] != 3 * last || b[i] != y[i * WIDE + WIDE / 2];
    }
  return wrong;
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    {
      a[i] = i * 7919L % 100003;
      f[i] = -(float)(i * 31L % 50021);
      l[i] = ~(1L << (i % 40));
    }
  for (int i = 0; i < ROWS * WIDE; i++)
    x[i] = i % 1009;
  int wrong = extremes ();
  for (int wide = 0; wide <= WIDE; wide += 175)
    wrong += rows (wide);
  wrong += handed ();
  printf ("%d wrong\n", wrong);
  return wrong > 0;
}
