/* Rows and sums of columns of an N x M matrix, TIMES times with MS milliseconds behind
   each: by a function, or in a loop of ROUNDS of the host's.  All values are whole numbers
   that a float holds.
   usage: turned TIMES MS N M [ROUNDS]
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define BOTH								      \
  _Pragma ("acc parallel loop gang present(a[:n*m], p[:m], q[:n])")	      \
  for (long i = 0; i < n; i++)						      \
    {									      \
      float t = 0;							      \
      _Pragma ("acc loop vector reduction(+:t)")			      \
      for (long j = 0; j < m; j++)					      \
	t += a[i * m + j] * p[j];					      \
      q[i] = 2 * t;							      \
    }									      \
  _Pragma ("acc parallel loop gang present(a[:n*m], r[:n], s[:m])")	      \
  for (long j = 0; j < m; j++)						      \
    {									      \
      float t = 1;							      \
      _Pragma ("acc loop vector reduction(+:t)")			      \
      for (long i = 0; i < n; i++)					      \
	t += a[i * m + j] * r[i];					      \
      s[j] = 3 * t + j;							      \
    }

__attribute__ ((noipa)) void
neighbours (long n, long m, float *a, float *p, float *r, float *q, float *s)
{
  BOTH
}

#ifndef ALONE
__attribute__ ((noipa)) static void
looped (int rounds, long n, long m, float *a, float *p, float *r, float *q,
	float *s)
{
  for (int k = 0; k < rounds; k++)
    {
      BOTH
    }
}

static float *
filled (long n, int most)
{
  float *p = malloc (n * sizeof *p);
  for (long i = 0; i < n; i++)
    p[i] = i % (2 * most + 1) - most;
  return p;
}

int
main (int argc, char **argv)
{
  int times = atoi (argv[1]), ms = atoi (argv[2]);
  int rounds = argc > 5 ? atoi (argv[5]) : 0;
  long n = atol (argv[3]), m = atol (argv[4]);
  float *a = filled (n * m, 3), *p = filled (m, 2), *r = filled (n, 1);
  float *q = filled (n, 1), *s = filled (m, 1);
  double sum = 0;
#pragma acc data copyin(a[:n*m], p[:m], r[:n]) create(q[:n], s[:m])
  for (int k = 0; k < times; k++)
    {
      if (rounds)
	looped (rounds, n, m, a, p, r, q, s);
      else
	neighbours (n, m, a, p, r, q, s);
      usleep (ms * 1000);
#pragma acc update host(q[:n], s[:m])
      for (long i = 0; i < n; i++)
	sum += q[i] * (i % 11);
      for (long i = 0; i < m; i++)
	sum += s[i] * (i % 13);
    }
  printf ("%.0f\n", sum);
  return 0;
}
#endif
