/* Kernels regions of several parts: queues, what is waited for, conditions.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { N = 300 };

static int A[N], B[N], C[N];
static int global_sum, global_bound = 200;

static void
begin (void)
{
  for (int i = 0; i < N; i++)
    A[i] = i * 7 % 23, B[i] = i * 5 % 19, C[i] = i % 3;
}

static void
show (const char *what, int x, int y)
{
  unsigned h = 0;
  for (int i = 0; i < N; i++)
    h = h * 31 + A[i] + 3 * B[i] + 7 * C[i];
  printf ("%s %u %d %d\n", what, h, x, y);
}

/* The only nest is left out: the construct waits all the same.  */
static void
waits_without_nest (int n)
{
  begin ();
#pragma acc enter data copyin(A)
#pragma acc parallel loop async(1) present(A)
  for (int i = 0; i < N; i++)
    A[i] += 100;
/* REMARK: its loop runs in parallel$ */
#pragma acc kernels wait(1) present(A)
  {
    if (n > 0)
#pragma acc loop independent
      for (int i = 0; i < n; i++)
	A[i] = n;
  }
#pragma acc parallel loop async(2) present(A) copyout(B)
  for (int i = 0; i < N; i++)
    B[i] = A[N - 1 - i];
#pragma acc wait
#pragma acc exit data copyout(A)
  show ("waits_without_nest", n, 1);
}

/* Sums that a queue gives back, and takes.  */
static void
queue_sums (int n)
{
  int s = 5, t = 0;
  begin ();
  global_sum = 7;
#pragma acc data copy(A, B, C)
  {
#pragma acc parallel loop async(1) reduction(+ : s) copy(s)
    for (int i = 0; i < n; i++)
      s += A[i];
#pragma acc parallel loop async(1) reduction(+ : global_sum) copy(global_sum)
    for (int i = 0; i < n; i++)
      global_sum += A[i];
#pragma acc kernels async(1)
    for (int i = 0; i < n; i++)
      t += A[i];
#pragma acc kernels async(1)
    {
#pragma acc loop independent
      for (int i = 0; i < n; i++)
	B[i] = s + global_sum;
#pragma acc loop independent
      for (int i = 0; i < n; i++)
	A[i] = s + t;
    }
#pragma acc kernels async(1)
    for (int i = 0; i < n; i++)
      C[i] = global_sum;
#pragma acc wait
  }
  show ("queue_sums", s + t, global_sum);
}

/* The function has returned when the queue executes the region.  */
static void __attribute__ ((noinline, noclone))
leave_behind (int n)
{
#pragma acc kernels async(1) present(A, B)
  for (int i = 0; i < global_bound - 2; i++)
    A[i + 1] = A[i] + B[i] + n;
}

static int __attribute__ ((noinline, noclone))
use_stack (int n)
{
  volatile int x[100];
  for (int i = 0; i < 100; i++)
    x[i] = n;
  return x[n];
}

static void
left_behind (int n)
{
  begin ();
#pragma acc enter data copyin(A, B)
  leave_behind (n);
  int x = use_stack (7);
#pragma acc wait
#pragma acc exit data copyout(A, B)
  show ("left_behind", global_bound, x);
}

/* Operands of clauses change in the region, under both conditions.  */
static void
operands (int n, int on, int q)
{
  int s = 0;
  begin ();
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels if(on) async(q) copy(A) copyout(B)
  {
#pragma acc loop reduction(+ : s)
    for (int i = 0; i < n; i++)
      s += A[i];
    on = 1 - on;
    q = q + 1;
#pragma acc loop independent
    for (int i = 0; i < N; i++)
      B[i] = s + on;
  }
#pragma acc wait
  show ("operands", s, on * 10 + q);
}

/* Several queues; one of them goes on with the region's result.  */
static void
several_queues (int n, int other)
{
  begin ();
#pragma acc enter data copyin(A, B, C)
#pragma acc parallel loop async(1) present(A)
  for (int i = 0; i < n; i++)
    A[i] *= 2;
#pragma acc parallel loop async(2) present(B)
  for (int i = 0; i < n; i++)
    B[i] *= 2;
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels wait(1, other) async(3) present(A, B, C)
  {
    if (n > 3)
      for (int i = 0; i < n; i++)
	C[i] = A[i] + B[i];
    for (int i = 0; i < n; i++)
      A[i] = C[n - 1 - i];
  }
/* REMARK: its loop runs in parallel$ */
#pragma acc kernels wait(3) async(other) present(A, C)
  {
    if (n > 3)
      for (int i = 0; i < n; i++)
	C[i] += A[i];
  }
#pragma acc wait
#pragma acc exit data copyout(A, B, C)
  show ("several_queues", 0, 0);
}

int
main (void)
{
  waits_without_nest (0);
  waits_without_nest (5);
  queue_sums (N);
  left_behind (N);
  operands (N, 1, 3);
  operands (N, 0, 3);
  several_queues (N, 2);
  several_queues (2, 2);
  return 0;
}
