/* Scalars from outside that each iteration sets before it reads them.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { N = 60, M = 40 };
static double a[N], b[N], c[N], p[N][M], q[N][M], r[N];

/* In both bodies, one after the other; what the host has stays as it is.  */
static double
both (int n)
{
  double t = 3, u = 4;
  int j, k = 7;
#pragma acc data copy(a, b, c)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      {
	t = a[i] * 2;
	for (j = 0; j < 3; j++)
	  t += j;
	b[i] = t;
      }
/* REMARK: fused with the one at own.c:18$ */
/* KEPT: 1 load takes what registers have, 0 stores are dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      {
	u = b[i] + 1;
	t = u * 0.5;
	c[i] = t + k;
      }
/* REMARK: fused with the one at own.c:18$ */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      {
	k = i & 3;
	if (c[i] > 9)
	  k = 5;
	a[i] = c[i] + k;
      }
  }
  return t + u + k;
}

/* One of them reads what the host has given it.  */
static double
given (int n)
{
  double t = 3;
#pragma acc data copy(a, b, c)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      {
	t = a[i] + 0.5;
	b[i] = t * t;
      }
    t = 3;
/* REMARK: fused with the one at own.c:55$ */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      c[i] = b[i] + t;
    t = t + 1;
/* REMARK: fused with the one at own.c:55$ */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      b[i] = c[i] * t;
/* REMARK: fused with the one at own.c:55$ */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      {
	double old = b[i];
	t = a[i] + old;
	b[i] = t * 0.25;
      }
  }
  return t;
}

/* Not always, or not first.  */
static double
before (int n)
{
  double t = 3, u = 2, v = 1;
#pragma acc data copy(a, b, c)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      {
	if (a[i] > -1e9)
	  t = a[i] + 0.25;
	b[i] = t;
      }
/* REMARK: not fused .* a scalar that is not their own */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      {
	u = c[i] * 2;
	c[i] = b[i] + u;
      }
/* REMARK: not fused .* a scalar that is not their own */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      {
	b[i] = c[i] + v * 0;
	v = 1.5;
      }
  }
  return t + u + v;
}

/* Of rows, and of threads in them; of one loop inside alone.  */
static double
rows (int n, int m)
{
  double t = 1, u = 2, s = 3, more = 0.75;
  int j, k = 4;
#pragma acc data copy(a, b, p, q) copyout(r)
  {
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	s = a[i] * 0.5;
	b[i] = s;
#pragma acc loop vector
	for (j = 0; j < m; j++)
	  {
	    t = p[i][j] + 1;
	    u = t * s;
	    q[i][j] = u + t;
	  }
      }
/* REMARK: fused with the one at own.c:123$ */
/* INSIDE: no */
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	u = more;
	r[i] = u;
#pragma acc loop vector
	for (j = 0; j < m; j++)
	  {
	    u = q[i][j];
	    for (k = 0; k < 2; k++)
	      u = u * 0.5 + 1;
	    p[i][j] = u;
	  }
      }
/* REMARK: fused with the one at own.c:123$ */
#pragma acc parallel loop gang
    for (int i = 0; i < n; i++)
      {
	s = a[i] + more;
	r[i] += s;
      }
  }
  return t + u + s + k;
}

/* Of threads alone.  */
static double
threads (int n, int m)
{
  double t = 1;
  int j, k = 4;
#pragma acc data copy(p, q)
  {
#pragma acc parallel loop gang num_workers(4) vector_length(32)
    for (int i = 0; i < n; i++)
#pragma acc loop worker vector
      for (j = 0; j < m; j++)
	{
	  t = p[i][j] + 1;
	  for (k = 0; k < 3; k++)
	    t = t * 0.5 + 1;
	  q[i][j] += t;
	}
/* REMARK: fused with the one at own.c:171$ */
/* INSIDE: yes */
#pragma acc parallel loop gang num_workers(4) vector_length(32)
    for (int i = 0; i < n; i++)
#pragma acc loop worker vector
      for (j = 0; j < m; j++)
	{
	  t = q[i][j] * 0.25;
	  p[i][j] = t;
	}
  }
  return t + k;
}

int
main (void)
{
  double sum = 0;
  for (int i = 0; i < N; i++)
    {
      a[i] = i * 0.25;
      b[i] = 3 - i * 0.5;
      c[i] = i & 7;
      for (int j = 0; j < M; j++)
	p[i][j] = i * 0.5 - j;
    }
  /* A host that executes the loops has other last values.  */
  both (N);
  given (N);
  before (N);
  rows (N, M);
  threads (N, M);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++)
      sum += p[i][j] * (j + 1) + q[i][j] * i;
  for (int i = 0; i < N; i++)
    printf ("%.17g %.17g %.17g %.17g\n", a[i], b[i], c[i], r[i]);
  printf ("%.17g\n", sum);
  return 0;
}
