/* Kernels regions of several parts: scalars that parts and the host hand on.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { N = 300 };

static int A[N], B[N], C[N];
static double D[N];
static int global_sum = 4, global_bound = 200;
static double global_real = 1.5;

static void
begin (void)
{
  for (int i = 0; i < N; i++)
    A[i] = i * 7 % 23, B[i] = i * 5 % 19, C[i] = i % 3, D[i] = i;
}

static void
show (const char *what, int x, int y)
{
  unsigned h = 0;
  for (int i = 0; i < N; i++)
    h = h * 31 + A[i] + 3 * B[i] + 7 * C[i] + (unsigned) (8 * D[i]);
  printf ("%s %u %d %d\n", what, h, x, y);
}

/* A loop inside has another variable of that name.  */
static void
private_inside (int n)
{
  int t = -3;
  begin ();
/* REMARK: 2 parts: 2 of 3 loops run in parallel$ */
#pragma acc kernels
  {
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      {
#pragma acc loop seq private(t)
	for (int j = 0; j < 3; j++)
	  {
	    t = j;
	    B[i] += t;
	  }
	t = A[i];
	C[i] = t;
      }
    for (int i = 0; i < n; i++)
      A[i] = t;
  }
  show ("private_inside", t, 0);
}

/* A scalar whose address the region has, in a test.  */
static void
addressed (int n)
{
  double x = 17;
  begin ();
#pragma acc kernels
  {
    double *t = &x;
#pragma acc loop independent
    for (int i = 0; i < 1; i++)
      t[i] = n;
    if (x > 20)
#pragma acc loop independent
      for (int i = 0; i < n; i++)
	A[i] = 1;
    for (int i = 0; i < n; i++)
      B[i] = 1;
  }
  show ("addressed", x, 0);
}

/* A sum of each row, whose last one the next nest sees.  */
static void
rows (int n)
{
  int t = 9;
  begin ();
/* REMARK: 2 parts: 3 of 3 loops run in parallel$ */
#pragma acc kernels
  {
#pragma acc loop independent
    for (int i = 0; i < 20; i++)
      {
	t = 0;
#pragma acc loop independent reduction(+ : t)
	for (int j = 0; j < n; j++)
	  t += A[j] * i;
	B[i] = t;
      }
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      C[i] += t;
  }
  show ("rows", t, 0);
}

/* Set in some iterations only.  */
static void
sometimes (int n)
{
  int last = -5;
  begin ();
/* REMARK: 2 parts: 1 of 2 loops run in parallel$ */
#pragma acc kernels
  {
    for (int i = 0; i < n; i++)
      {
	if (A[i] & 1)
	  last = i;
	B[i] = i;
      }
    for (int i = 0; i < n; i++)
      A[i] += last;
  }
  show ("sometimes", last, 0);
}

/* What the clauses map the data around have as well.  */
static void
mapped (int n)
{
  int s = 4, m = 0;
  begin ();
#pragma acc kernels copy(s) copyout(m)
  {
#pragma acc loop independent reduction(+ : s)
    for (int i = 0; i < n; i++)
      s += A[i];
    m = s / 2;
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      B[i] = s + m;
  }
#pragma acc data copy(s)
  {
#pragma acc parallel present(s)
    s = 77;
#pragma acc kernels
    {
      for (int i = 0; i < n; i++)
	A[i] = s;
      s = s + 1;
      for (int i = 0; i < n; i++)
	C[i] = s;
    }
#pragma acc parallel present(s)
    s = s + 1000;
  }
  show ("mapped", s, m);
}

/* A nest changes the condition of the next one, and of the one around.  */
static void
condition_changes (int n)
{
  int on = 0, k = 0;
  begin ();
  for (int step = 0; step < 4; step++)
    {
/* REMARK: 4 parts: 3 of 4 loops run in parallel$ */
#pragma acc kernels
      {
	for (int i = 0; i < n; i++)
	  on += A[i] & step;
	if (on > 100)
	  {
	    for (int i = 0; i < n; i++)
	      {
		A[i] += k;
		on = i & 1;
	      }
	    if (on)
	      k += 3;
	  }
	else
	  {
	    k += 2;
	    for (int i = 0; i < k; i++)
	      B[i] += step;
	  }
	for (int i = k; i < n; i++)
	  C[i] += A[i] + B[i];
	k++;
      }
    }
  show ("condition_changes", k, on);
}

static void
kinds (int n)
{
  float f = 3;
  double d = 0.1;
  long l = 7;
  unsigned char u = 250;
  _Bool b = 0;
  begin ();
/* REMARK: parts: . of 3 loops run in parallel$ */
#pragma acc kernels
  {
    for (int i = 0; i < n; i++)
      D[i] = i * d;
    f = f / 7;
    d = d - f;
    l = l << 3;
    u = u + 10;
    b = u > 3;
    for (int i = 0; i < n; i++)
      D[i] += l + u + b;
    l = f > 4 ? l : -l;
    for (int i = 0; i < n; i++)
      D[i] += l;
  }
  show ("kinds", l + u + b, f < d);
}

/* A product and a sum, or what leads from one to the other, give the bits that the
   device gives.  */
static void
contracted (int n, double a, double b, double c)
{
  double x, y, want, want_minus;
  begin ();
#pragma acc parallel copyout(want)
  want = a * b + c;
#pragma acc parallel copyout(want_minus)
  {
    double p = a * b, q = -p;
    want_minus = q + c;
  }
#pragma acc kernels
  {
    for (int i = 0; i < n; i++)
      A[i] = i;
    x = a * b + c;
    for (int i = 0; i < n; i++)
      B[i] = i;
    double p = a * b, q = -p;
    y = q + c;
    for (int i = 0; i < n; i++)
      C[i] = i;
  }
  show ("contracted", x == want, y == want_minus);
}

static void
globals (int n)
{
  begin ();
#pragma acc kernels
  {
    for (int i = 0; i < n; i++)
      global_sum += A[i];
    if (global_sum > 100)
      for (int i = 0; i < global_bound; i++)
	B[i] = global_sum;
    else
      global_sum = 0;
    global_real = global_real + 1;
    for (int i = 0; i < n; i++)
      D[i] = global_real;
  }
  show ("globals", global_sum, 4 * global_real);
}

/* Nests that are not reached, and what counts in them.  */
static void
unreached (int n, unsigned k, unsigned m)
{
  int i = -7, j = -8;
  unsigned u = 1;
  long d = 3;
  short last = 0;
  begin ();
#pragma acc kernels
  {
    if (n > 100)
      for (i = 0; i < n; i++)
	A[i] = i;
    for (j = 0; j < 40; j++)
      B[j] = j + i;
    if (j > n)
      for (u = 0; u < k; u++)
	A[u] = u;
    for (d = (long) u - 1; d >= 0; d -= 2)
      B[d] = d;
    last = d;
    for (u = m; u < k; u++)
      C[u] = last;
  }
  show ("unreached", i + 10 * j, u + d * 100 + last);
}

static int thrice (int x);
#pragma acc routine (thrice) seq
static int
thrice (int x)
{
  return x * 3;
}

static void
calls (int n)
{
  int k = 2;
  begin ();
/* REMARK: parts: 2 of 2 loops run in parallel$ */
#pragma acc kernels
  {
    k = thrice (k);
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      A[i] = thrice (i + k);
    k = thrice (k);
#pragma acc loop independent
    for (int i = 0; i < n; i++)
      B[i] = k;
  }
  show ("calls", k, 0);
}

static void
ways_out (int n, int m, int k)
{
  int i = 0, j = -1, hits = 0;
  begin ();
/* REMARK: parts: 2 of 4 loops run in parallel$ */
#pragma acc kernels
  {
    do
      {
	A[i] = i;
	i++;
      }
    while (i < m);
    for (int j = 0; j < n; j++)
      {
	if (A[j] % 3 == 0)
	  continue;
	B[j] = i;
      }
    for (int j = 0; j < n; j++)
      {
	if (A[j] % 3 == 0)
	  hits++;
	if (j == m)
	  break;
      }
    for (int j = 0; j < n; j++)
      C[j] = hits;
  }
/* REMARK: on one GPU thread: a jump leaves a loop */
#pragma acc kernels
  {
    for (i = 0; i < n; i++)
      for (j = 0; j < n; j++)
	if (A[j] == k)
	  goto out;
    k = 99;
  out:
    for (int i = 0; i < n; i++)
      B[i] += k;
  }
  show ("ways_out", i + 10 * j, hits + 100 * k);
}

int
main (void)
{
  private_inside (N);
  addressed (N);
  addressed (2);
  rows (N);
  sometimes (N);
  mapped (N);
  condition_changes (N);
  kinds (N);
  contracted (N, 1.1, 1.3, -1.42999);
  contracted (N, 1e8 + 1, 1e8 - 1, -1e16);
  globals (N);
  globals (3);
  unreached (50, 20, 10);
  unreached (150, 30, 3);
  unreached (20, 30, 40);
  calls (N);
  ways_out (N, 20, 5);
  ways_out (30, 20, 500);
  return 0;
}
