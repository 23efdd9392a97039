/* Kernels regions of several parts: their data, and pointers to these.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 300 };

static int A[N], B[N], C[N];
static int resident[N];
#pragma acc declare create(resident)

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

static void
show_block (const char *what, const char *p, int bytes)
{
  unsigned h = 0;
  for (int i = 0; i < bytes; i++)
    h = h * 31 + p[i];
  printf ("%s %u\n", what, h);
}

/* An array of the region's own, of which a pointer tells the next nest.  */
static void
own_address (int n)
{
  begin ();
/* REMARK: on one GPU thread: parts may share an array of the region's own */
#pragma acc kernels
  {
    int x[4];
    int *t = x;
#pragma acc loop independent
    for (int i = 0; i < 4; i++)
      t[i] = i + 5;
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      A[i] = t[i & 3];
  }
  show ("own_address", 0, 0);
}

/* The text's address is the device's.  */
static void
text (int n)
{
  begin ();
#pragma acc kernels
  {
    const char *to = n > 3 ? "parts" : "nests";
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      A[i] = to[i % 5];
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      B[i] = to[4 - i % 5] + A[i];
  }
  show ("text", 0, 0);
}

/* A pointer to mapped data moves, between nests or in one.  */
static void __attribute__ ((noinline, noclone))
moves (int n, int *p)
{
/* REMARK: on one GPU thread: the operand of a clause changes in the region */
#pragma acc kernels copy(p[:2 * n])
  {
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      p[i] += 1;
    p = p + n;
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      p[i] += 2;
  }
}

static void __attribute__ ((noinline, noclone))
moves_inside (int n, int *p)
{
  begin ();
#pragma acc data copy(p[:N])
/* REMARK: on one GPU thread: the operand of a clause changes in the region */
#pragma acc kernels present(p[:N])
  {
    for (int i = 0; i < 10; i++)
      {
	p = p + 1;
	*p += 3;
      }
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      A[i] = p[i];
  }
  show ("moves_inside", 0, 0);
}

/* How much is mapped was said in front of the region.  */
static void __attribute__ ((noinline, noclone))
size_changes (unsigned long n, char *p)
{
/* REMARK: on one GPU thread: the operand of a clause changes in the region */
#pragma acc kernels copy(p[:n])
  {
#pragma acc loop independent
    for (unsigned long i = 0; i < n; i++)
      p[i] += 1;
    n = n * 2;
#pragma acc loop independent
    for (int i = 0; i < 10; i++)
      p[i] += n;
  }
}

static void
gangs_change (int n, int g)
{
  begin ();
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels num_gangs(g)
  {
    for (int i = 0; i < n; i++)
      A[i] += 1;
    g = -4;
    for (int i = 0; i < n; i++)
      B[i] += A[i];
  }
  show ("gangs_change", g, 0);
}

struct vector
{
  int n, *p;
};

static void
member (int n)
{
  struct vector s = { n, malloc (n * sizeof (int)) };
  begin ();
  for (int i = 0; i < n; i++)
    s.p[i] = i;
#pragma acc kernels copy(s.p[:n])
  {
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      s.p[i] += 3;
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      A[i] = s.p[n - 1 - i];
  }
  show ("member", s.p[3], s.n);
  free (s.p);
}

/* Data that need not be there, that are always there, that the program has put
   there.  */
static void
no_create (int n, int there)
{
  begin ();
  if (there)
    {
#pragma acc enter data copyin(A)
    }
/* REMARK: 2 parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels no_create(A) copy(B)
  {
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      {
	B[i] += 2;
	if (there)
	  A[i] = B[i];
      }
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      if (there)
	A[i] += B[n - 1 - i];
  }
  if (there)
    {
#pragma acc exit data copyout(A)
    }
  show ("no_create", 0, there);
}

static void
declared (int n)
{
  int s = 0;
  begin ();
/* REMARK: 3 parts: 3 of 3 loops run in parallel */
#pragma acc kernels
  {
    for (int i = 0; i < n; i++)
      resident[i] = A[i];
    for (int i = 0; i < n; i++)
      B[i] = resident[n - 1 - i];
    for (int i = 0; i < n; i++)
      s += B[i];
  }
  show ("declared", s, 0);
}

static void __attribute__ ((noinline, noclone))
device_pointer (int n, int *q)
{
  begin ();
#pragma acc kernels deviceptr(q) copyout(C)
  {
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      q[i] = i;
#pragma acc loop independent
    for (int i = 0; i < N; i++)
      C[i] = i < n ? q[i] + 1 : 0;
  }
  show ("device_pointer", 0, 0);
}

static void __attribute__ ((noinline, noclone))
device_pointer_moves (int n, int *q)
{
/* REMARK: on one GPU thread */
#pragma acc kernels deviceptr(q) copyout(C)
  {
    q = q + 2;
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      q[i] = i;
#pragma acc loop independent
    for (int i = 0; i < N; i++)
      C[i] = i < n ? q[i] + 3 : 0;
  }
  show ("device_pointer_moves", 0, 0);
}

/* A nest writes what bounds are read from.  */
static void
bounds_written (int n)
{
  begin ();
  A[0] = 20, A[1] = 200;
/* REMARK: on one GPU thread: a loop bound or subscript may change */
#pragma acc kernels
  {
    for (int i = 0; i < n; i++)
      A[i] = i * 40;
    for (int i = 0; i < A[1]; i++)
      B[i] = 1;
    int m = A[2] < 100 ? A[2] : 100, i;
    for (i = 0; i < m; i++)
      C[i] = 4;
    C[200] = i;
  }
  show ("bounds_written", 0, 0);
}

/* One array in several ways; a check that does not hold leaves tests, sums and
   scalars as they were.  */
static void __attribute__ ((noinline, noclone))
overlap (int n, int *p, int *q)
{
  int s = 1, i;
/* REMARK: parts: . of 3 loops run in parallel after a check$ */
#pragma acc kernels present(p[:n], q[:n])
  {
    if (s == 1)
      for (i = 0; i < n; i++)
	p[i] = q[i] + 1;
    s = s + i;
    for (i = 0; i < n - 1; i++)
      {
	q[i] += s;
	s = s ^ p[i];
      }
    s++;
    for (i = 0; i < n; i++)
      p[i] = q[i] * s;
  }
  printf ("overlap %d %d\n", s, i);
}

int
main (void)
{
  static int b[3 * N];
  static char c[2 * N];
  own_address (N);
  text (N);
  moves (N, b);
  show_block ("moves", (char *) b, sizeof b);
  for (int i = 0; i < N; i++)
    b[i] = i;
  moves_inside (N - 20, b);
  size_changes (N, c);
  size_changes (20, c + 20);
  show_block ("size_changes", c, sizeof c);
  gangs_change (N, 4);
  member (N);
  no_create (N, 0);
  no_create (N, 1);
  declared (N);
#pragma acc data create(b)
#pragma acc host_data use_device(b)
  {
    device_pointer (N, b);
    device_pointer_moves (N, b);
  }
  bounds_written (N);
  for (int shift = 0; shift < 3; shift++)
    {
      for (int i = 0; i < 3 * N; i++)
	b[i] = i;
#pragma acc data copy(b)
      overlap (N, b + (shift == 1 ? 5 : 0), b + (shift == 2 ? 1 : shift ? 0 : N));
      show_block ("overlap", (char *) b, sizeof b);
    }
  return 0;
}
