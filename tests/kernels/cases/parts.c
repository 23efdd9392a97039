/* Kernels regions of several parts: nests, host code between them, what one
   thread executes.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 300, M = 20 };

static int A[N], B[N], C[N], T[N], G[M][M];
static int global_sum, global_bound = N - 7;

static void
show (const char *what, int x, int y)
{
  unsigned h = 0;
  for (int i = 0; i < N; i++)
    h = h * 31 + A[i] + 3 * B[i] + 7 * C[i];
  for (int i = 0; i < M * M; i++)
    h = h * 31 + G[0][i];
  printf ("%s %u %d %d\n", what, h, x, y);
}

/* What one nest writes the next one reads; a created array lives as long as the
   construct.  */
static void
two (int n)
{
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels copyin(A, B) copyout(C) create(T)
  {
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      T[i] = A[i] * 2;
#pragma acc loop independent
    for (int i = 0; i < N; i++)
      C[i] = i < n ? T[n - 1 - i] + B[i] : i;
  }
  show ("two", 0, 0);
}

/* Tests of scalars around nests; nests that are not met.  */
static void
conditional (int n, int way, int deep)
{
/* REMARK: 5 parts: 6 of 6 loops run in parallel$ */
#pragma acc kernels
  {
    if (way == 1)
      {
	for (int i = 0; i < n; i++)
	  A[i] += way;
	if (deep > 3)
	  for (int i = 1; i < n; i += 2)
	    B[i] = A[i] - 3;
      }
    else if (way == 2)
      for (int j = 0; j < M; j++)
	for (int i = 0; i < M; i++)
	  G[j][i] += i * j;
    else
      for (int i = n; i < N; i++)
	C[i] = 5;
    for (int i = 0; i < n; i++)
      C[i] += A[i] + B[i];
  }
  show ("conditional", way, deep);
}

static void
chosen (int n, int way)
{
/* REMARK: 3 parts: 3 of 3 loops run in parallel$ */
#pragma acc kernels
  switch (way)
    {
    case 0:
    case 3:
      for (int i = 0; i < n; i++)
	A[i] = i;
      break;
    case 1:
      for (int i = 0; i < n; i++)
	B[i] = i;
      /* FALLTHRU */
    default:
      for (int i = 0; i < n; i++)
	C[i] = way;
    }
  show ("chosen", way, 0);
}

/* A sum that the next nest and a test use; a scalar that a nest's last iteration
   sets; scalars that the host computes.  */
static void
scalars (int n)
{
  int sum = 3, last = -1, twice, i, j = 11;
/* REMARK: 3 parts: 3 of 3 loops run in parallel$ */
#pragma acc kernels
  {
    for (i = 0; i < n; i++)
      {
	sum += A[i] & 7;
	last = B[i] + i;
      }
    twice = 2 * sum + last;
    if (twice & 1)
      twice++;
    for (j = 0; j < n; j += 3)
      C[j] = twice + sum;
    sum -= j;
    for (i = 2; i < n - 2; i++)
      B[i] = sum + C[i];
  }
  show ("scalars", sum + 3 * last + 5 * twice, 100 * i + j);
}

/* Only the next nest looks at what the first one's last iteration has set.  */
static void
handed_on (int n)
{
  int last;
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels
  {
    for (int i = 0; i < n - 1; i++)
      last = A[i] + i;
    for (int i = 0; i < n - 1; i++)
      B[i] = last;
  }
  show ("handed_on", 0, 0);
}

/* What stands in front of a nest is loaded before that stores there.  */
static void
loaded_before (int n, int k)
{
/* REMARK: 2 parts: 1 of 1 loops run in parallel$ */
#pragma acc kernels
  {
    int x = A[k];
    for (int i = 0; i < n; i++)
      A[i] = x + i;
  }
  show ("loaded_before", 0, 0);
}

/* A variable in the device's memory.  */
static void
address (int n)
{
  int x = 17, *px = &x;
#pragma acc kernels
  {
    int *t = &x;
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      B[i] = *t + i;
  }
  show ("address", *px, 0);
}

/* A loop that leaves out what follows it.  */
static void
skips (int n, int most)
{
/* REMARK: on one GPU thread: a jump leaves a loop */
#pragma acc kernels
  {
    for (int i = 0; i < n; i++)
      if (A[i] > most)
	goto out;
    for (int i = 0; i < n; i++)
      C[i] = 3;
  out:
    for (int i = 0; i < n; i++)
      B[i] = C[i] + 3;
  }
  show ("skips", 0, 0);
}

/* Data that a queue gives back before the construct takes them.  */
static void
queued_data (int n, int q)
{
#pragma acc parallel loop async(q) copy(A)
  for (int i = 0; i < n; i++)
    A[i] = 3 * i + 1;
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels async(q) copy(A, B)
  {
    for (int i = 0; i < n; i++)
      B[i] = A[i] + 2;
    for (int i = 0; i < n; i++)
      A[i] = B[n - 1 - i];
  }
#pragma acc wait
  show ("queued_data", 0, 0);
}

/* A bound changes between the nests, and is changed back.  */
static void
bounds (int n)
{
  int i = -1;
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels
  {
    n -= 3;
    for (i = 0; i < n; i++)
      A[i] += i;
    n = n / 2;
    for (i = 1; i <= n; i++)
      B[i] += i;
  }
  show ("bounds", n, i);
}

/* Globals are copied in and out as well.  */
static void
globals (void)
{
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels
  {
    global_sum = 1;
#pragma acc loop reduction(+ : global_sum)
    for (int i = 0; i < global_bound; i++)
      global_sum += A[i];
    global_bound--;
    for (int i = 0; i < global_bound; i++)
      B[i] = global_sum;
  }
  show ("globals", global_sum, global_bound);
}

/* The same temporary in each nest, not listed private.  */
static void
temporaries (int n)
{
  int t, i;
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels
  {
    for (i = 0; i < n; i++)
      {
	t = A[i] * 3;
	B[i] = t + (t >> 1);
      }
    for (i = 0; i < n; i++)
      {
	t = B[i] - 1;
	C[i] = t * t;
      }
  }
  show ("temporaries", 0, 0);
}

/* A recurrence between parallel nests, elements that are set one by one.  */
static void
mixed (int n, int k)
{
/* REMARK: 4 parts: 2 of 3 loops run in parallel$ */
#pragma acc kernels
  {
    for (int i = 0; i < n; i++)
      A[i] += 2;
    for (int i = 1; i < n; i++)
      A[i] = A[i - 1] + 1;
    for (int i = 0; i < n; i++)
      B[i] = A[i];
    B[k] = A[k] / k;
  }
  show ("mixed", 0, 0);
}

/* A value that the device has, in a test, and in front of a nest.  */
static void
from_device (int n, int k)
{
  int first = -4;
/* REMARK: 3 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels
  {
    if (A[k] > 10)
      for (int i = 0; i < n; i++)
	C[i] = k;
    int x = B[k], *to = A;
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      to[i] = x + i;
  }
  show ("from_device", first, 0);
}

/* Addresses are the device's.  */
static void __attribute__ ((noinline, noclone))
through (int n, int *p)
{
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels present(p[:n])
  {
    int *to = p + 2;
#pragma acc loop independent
    for (int i = 0; i < n - 2; i++)
      to[i] += i;
    to = p + n - 1;
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      to[-i] += i;
  }
}

/* The loop ends early: it is in order, what follows it is not.  */
static void
ends_early (int n)
{
  int found = n;
/* REMARK: 2 parts: 1 of 2 loops run in parallel$ */
#pragma acc kernels
  {
    for (int i = 0; i < n; i++)
      if (A[i] > 20)
	{
	  found = i;
	  break;
	}
    for (int i = 0; i < n; i++)
      B[i] = A[i] + found;
  }
  show ("ends_early", found, 0);
}

/* Pointers that may overlap: all checks come first.  */
static void __attribute__ ((noinline, noclone))
checked (int n, int *p, int *q, int *r)
{
/* REMARK: 2 parts: 2 of 2 loops run in parallel after a check$ */
#pragma acc kernels present(p[:n], q[:n], r[:n])
  {
    for (int i = 0; i < n; i++)
      p[i] += 3;
    for (int i = 0; i < n; i++)
      q[i] = r[i] + p[i];
  }
}

/* An array of the region's own, which only one nest uses, or two.  */
static void
own (int n)
{
/* REMARK: on one GPU thread: parts share an array of the region's own */
#pragma acc kernels
  {
    int mine[N];
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      mine[i] = A[i] + 1;
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      C[i] = mine[n - 1 - i];
  }
  show ("own", 0, 0);
}

/* Queues, what must be waited for, conditions.  */
static void
queues (int n, int q, int on)
{
#pragma acc enter data copyin(A, B, C)
#pragma acc parallel loop async(q) present(A)
  for (int i = 0; i < n; i++)
    A[i] = i * q;
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels async(q) present(A, B, C)
  {
    for (int i = 0; i < n; i++)
      B[i] = A[i] + 1;
    q++;
    for (int i = 0; i < n; i++)
      C[i] = B[n - 1 - i];
  }
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels async(q) wait(q - 1) copy(A, B, C)
  {
    for (int i = 0; i < n; i++)
      A[i] += C[i];
    for (int i = 0; i < n; i++)
      C[i] -= A[n - 1 - i];
  }
  int sum = 0;
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels async(5) wait present(A, B)
  {
    for (int i = 0; i < n; i++)
      sum += A[i];
    for (int i = 0; i < n; i++)
      B[i] += sum;
  }
#pragma acc wait
#pragma acc exit data copyout(A, B, C)
  show ("queues", sum, q);
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels if(on)
  {
    for (int i = 0; i < n; i++)
      A[i] += on;
    on = !on;
    for (int i = 0; i < n; i++)
      B[i] += A[i];
  }
  show ("if", on, 0);
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    A[i] = i * 7 % 23, B[i] = i * 5 % 19, C[i] = i % 3;
  int *p = malloc (3 * N * sizeof *p);
  two (N - 3);
  for (int way = 0; way < 4; way++)
    conditional (N - 9, way, 3 * way + 2), chosen (N - 30, way);
  scalars (N);
  scalars (1);
  scalars (N - 1);
  handed_on (N - 1);
  loaded_before (N, 4);
  loaded_before (N, N - 1);
  address (N);
  skips (N, 20);
  skips (N, 10000);
  queued_data (N, 4);
  bounds (N - 2);
  globals ();
  temporaries (N);
  mixed (N, 6);
  from_device (N - 1, 4);
  from_device (N - 2, 250);
  ends_early (N);
  own (N - 50);
  for (int shift = 0; shift < 3; shift++)
    {
      for (int i = 0; i < 3 * N; i++)
	p[i] = i;
#pragma acc data copy(p[:3 * N])
      {
	checked (N, p + N, p + shift * (N / 2), p + 3 * shift);
	through (N, p + shift);
      }
      unsigned h = 0;
      for (int i = 0; i < 3 * N; i++)
	h = h * 31 + p[i];
      printf ("checked %u\n", h);
    }
  queues (N, 3, 1);
  queues (N - 4, 8, 0);
  free (p);
  return 0;
}
