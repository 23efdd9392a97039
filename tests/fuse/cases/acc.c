/* OpenACC: pairs that become one construct, and pairs that must not.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 200 };
static double a[N], b[N], c[N], d[N];
static int at[N];

/* Map, map, reduction.  */
static double
chain (int n, double *restrict x, double *restrict y, double *restrict w)
{
  double s = 0;
#pragma acc data copyin(x[0:n]) copy(y[0:n]) create(w[0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      w[i] = x[i] * 2;
/* REMARK: fused with the one at acc.c:19$ */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      y[i] = w[i] + y[i];
/* REMARK: fused with the one at acc.c:19$ */
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < n; i++)
      s += y[i];
  }
  return s;
}

/* A result of the first is used beside its place.  */
static void
stencil (int n, double *restrict x, double *restrict y)
{
#pragma acc data copy(x[0:n], y[0:n])
  {
#pragma acc parallel loop
    for (int i = 1; i < n - 1; i++)
      x[i] = y[i] + 1;
/* REMARK: not fused .* \*x, stored on line 42, may be read by another iteration on line 46$ */
#pragma acc parallel loop
    for (int i = 1; i < n - 1; i++)
      y[i] = x[i - 1] * 2;
  }
}

/* The second stores where another iteration of the first reads.  */
static void
anti (int n, double *restrict x, double *restrict y)
{
#pragma acc data copy(x[0:n], y[0:n])
  {
#pragma acc parallel loop
    for (int i = 1; i < n - 1; i++)
      y[i] = x[i + 1];
/* REMARK: not fused .* may be read by another iteration */
#pragma acc parallel loop
    for (int i = 1; i < n - 1; i++)
      x[i] = y[i] * 2;
  }
}

/* Pointers that may overlap: the host looks.  */
static void
checked (int n, double *x, double *y, double *z)
{
#pragma acc parallel loop present(x[0:n], y[0:n])
  for (int i = 0; i < n; i++)
    y[i] = x[i] + 1;
/* REMARK: fused with the one at acc.c:70 after a check$ */
#pragma acc parallel loop present(x[0:n], z[0:n])
  for (int i = 0; i < n; i++)
    z[i] = x[i] * 3;
}

/* Subscripts from memory.  */
static void
gather (int n)
{
#pragma acc data copy(a, b, c) copyin(at)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      a[i] = b[i] + 1;
/* REMARK: not fused .* a, stored on line 87, may be read */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      c[i] = a[at[i]] + b[i];
  }
}

/* Host code between: scalars may, a look may not.  */
static double
between (int n, double f)
{
  double seen = 0;
#pragma acc data copy(a, b, c)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      a[i] = b[i] * 2;
    double g = f * 0.5;
/* REMARK: fused with the one at acc.c:102$ */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      c[i] = a[i] * g;
#pragma acc update self(a[4:1])
    seen = a[4];
/* REMARK: not a neighbour */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      b[i] = c[i] * seen;
  }
  return seen;
}

/* The result of a reduction is used.  */
static void
result (int n)
{
  double s = 0;
#pragma acc data copy(a, b)
  {
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < n; i++)
      s += a[i];
/* REMARK: not fused .* (reduces or reads|only one of them) */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      b[i] = a[i] * s;
  }
}

/* Ranges that overlap: each body keeps its own.  */
static void
hull (int n)
{
#pragma acc data copy(a, b)
  {
#pragma acc parallel loop
    for (int i = 1; i < n; i++)
      a[i] += 1;
/* REMARK: fused with the one at acc.c:143 */
#pragma acc parallel loop
    for (int i = 0; i < n - 3; i++)
      b[i] = a[i] + 2;
/* REMARK: not fused .* bounds */
#pragma acc parallel loop
    for (int i = 0; i < n / 2; i++)
      b[i] += a[i];
  }
}

/* A bound that changes between.  */
static void
bound (int n)
{
#pragma acc data copy(a, b)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      a[i] += 1;
    n = n - 1;
/* REMARK: not fused .* (changes|bounds) */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      b[i] = a[i] * 2;
  }
}

/* A copy that is thrown away: the second sees the host's values.  */
static void
thrown_away (int n)
{
#pragma acc parallel loop copyin(a) copy(b)
  for (int i = 0; i < n; i++)
    a[i] = b[i] = 5;
/* REMARK: not fused .* changes a copy */
#pragma acc parallel loop copyin(a) copy(b)
  for (int i = 0; i < n; i++)
    b[i] = a[i] + b[i];
}

/* Copies of the same, once.  */
static void
copies (int n)
{
#pragma acc parallel loop copyin(c) copyout(d)
  for (int i = 0; i < N; i++)
    d[i] = c[i] + 5;
/* REMARK: fused with the one at acc.c:191$ */
#pragma acc parallel loop copyin(c) copy(d)
  for (int i = 0; i < N; i++)
    d[i] = d[i] * c[i];
  (void) n;
}

/* Queues: the same, and others.  */
static void
queues (int n)
{
#pragma acc data copy(a, b, c)
  {
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++)
      a[i] += b[i];
/* REMARK: fused with the one at acc.c:207$ */
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++)
      c[i] = a[i];
#pragma acc wait
#pragma acc parallel loop async(1)
    for (int i = 0; i < n; i++)
      a[i] += b[i];
/* REMARK: not fused .* a clause async */
#pragma acc parallel loop async(2)
    for (int i = 0; i < n; i++)
      c[i] += b[i];
#pragma acc wait
  }
}

/* Two dimensions.  */
static void
plane (int n, double p[restrict][16], double q[restrict][16])
{
#pragma acc data copy(p[0:n], q[0:n])
  {
#pragma acc parallel loop collapse(2)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < 16; i++)
	p[j][i] += 1;
/* REMARK: fused with the one at acc.c:232$ */
#pragma acc parallel loop collapse(2)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < 16; i++)
	q[j][i] = p[j][i] * 2;
/* REMARK: not fused .* may be read by another iteration */
#pragma acc parallel loop collapse(2)
    for (int j = 0; j < n - 0; j++)
      for (int i = 0; i < 16; i++)
	p[j][i] = q[j][15 - i];
  }
}

/* A scalar that an iteration may have from the one before.  */
static void
scalar (int n)
{
  double t = 0;
#pragma acc data copy(a, b, c)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      {
	if (n)
	  t = a[i] * 2;
	b[i] = t;
      }
/* REMARK: not fused .* a scalar that is not their own */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      c[i] = b[i];
  }
}

/* Numbers of gangs: the same, changed, and others.  */
static void
geometry (int n, int g)
{
#pragma acc data copy(a, b, c)
  {
#pragma acc parallel loop num_gangs(g) vector_length(64)
    for (int i = 0; i < n; i++)
      a[i] += b[i];
/* REMARK: fused with the one at acc.c:276$ */
#pragma acc parallel loop num_gangs(g) vector_length(64)
    for (int i = 0; i < n; i++)
      c[i] = a[i];
    g++;
/* REMARK: not fused .* a clause num gangs */
#pragma acc parallel loop num_gangs(g) vector_length(64)
    for (int i = 0; i < n; i++)
      b[i] = c[i];
/* REMARK: not fused .* a clause vector length */
#pragma acc parallel loop num_gangs(g) vector_length(32)
    for (int i = 0; i < n; i++)
      a[i] = b[i] + 1;
  }
}

/* A bound that may change between, and one that does not.  */
static void
branch (int n, int k)
{
  int m = n - 1, l = 2;
#pragma acc data copy(a, b, c)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      a[i] += 1;
    if (k > 3)
      m = n;
/* REMARK: not fused .* other bounds */
#pragma acc parallel loop
    for (int i = 0; i < m; i++)
      b[i] += a[i];
    if (k > 2)
      l = 3;
/* REMARK: fused with the one */
#pragma acc parallel loop
    for (int i = 0; i < m; i++)
      c[i] = b[i] * l;
  }
}

static void
print (const char *name, const double *x, int n)
{
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * (i % 7 + 1);
  printf ("%s %.17g\n", name, sum);
}

/* A sum that begins anew.  */
static double
anew (int n)
{
  double s = 1;
#pragma acc data copyin(a[0:n], b[0:n])
  {
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < n; i++)
      s += a[i];
    s = 2;
/* REMARK: not fused .* a variable of the one before changes$ */
#pragma acc parallel loop reduction(+:s)
    for (int i = 0; i < n; i++)
      s += b[i];
  }
  return s;
}

static void
reset (void)
{
  for (int i = 0; i < N; i++)
    {
      a[i] = i % 13;
      b[i] = i % 11 - 3;
      c[i] = i % 5;
      d[i] = i % 3;
      at[i] = (i * 7) % N;
    }
}

/* Parts of an array: at its begin, or somewhere else.  */
static void
sections (double *restrict y)
{
#pragma acc data copy(y[0:N/2])
  {
#pragma acc parallel loop copy(d[0:N/2])
    for (int i = 0; i < N / 2; i++)
      d[i] = y[i] + 1;
/* REMARK: fused with the one at acc.c:[0-9]*$ */
#pragma acc parallel loop copy(d[0:N/2])
    for (int i = 0; i < N / 2; i++)
      y[i] = d[i] * 2;
/* REMARK: not fused .* parts of one object that begin elsewhere$ */
#pragma acc parallel loop copy(d[N/2:N/2])
    for (int i = 0; i < N / 2; i++)
      d[N / 2 + i] = y[i] - d[N / 2 + i];
  }
}

int
main (void)
{
  static double x[3 * N], p[8][16], q[8][16];
  reset ();
  printf ("chain %g\n", chain (N, a, b, c));
  print ("y", b, N);
  stencil (N, a, b);
  print ("x", a, N);
  print ("y", b, N);
  anti (N, a, b);
  print ("x", a, N);
  for (int shift = 0; shift < 3; shift++)
    {
      for (int i = 0; i < 3 * N; i++)
	x[i] = i % 17;
#pragma acc data copy(x)
      {
	checked (N, x, x + N, x + N + shift);
	checked (N, x + 2 * N, x + shift, x);
      }
      print ("checked", x, 3 * N);
    }
  reset ();
  gather (N);
  print ("gather", c, N);
  printf ("seen %g\n", between (N, 3));
  print ("between", b, N);
  result (N);
  print ("result", b, N);
  hull (N - 5);
  print ("hull", a, N);
  print ("hull", b, N);
  bound (N);
  print ("bound", b, N);
  reset ();
#ifdef _OPENACC
  thrown_away (N);
#else
  for (int i = 0; i < N; i++)
    b[i] = a[i] + 5;
#endif
  print ("thrown away", b, N);
  copies (N);
  print ("copies", d, N);
  queues (N);
  print ("queues", c, N);
  scalar (N);
  print ("scalar", c, N);
  geometry (N, 2);
  print ("geometry", a, N);
  branch (N, 1);
  branch (N, 4);
  print ("branch", b, N);
  print ("branch", c, N);
  plane (8, p, q);
  print ("plane", p[0], 8 * 16);
  sections (a);
  print ("sections", a, N);
  print ("sections", d, N);
  printf ("anew %g\n", anew (N));
  return 0;
}
