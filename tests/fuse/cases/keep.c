/* What stays in registers, and which stores are dropped.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 200 };
static double a[N], b[N], c[N], *kept;

static void __attribute__ ((noipa))
keep (double *p)
{
  kept = p;
}

/* The function's own: nobody else looks.  */
static void
own (int n, double *restrict x, double *restrict y)
{
  double t[N], *u = malloc (n * sizeof *u);
  t[3] = 5;
  u[3] = 5;
#pragma acc data copyin(x[0:n]) copy(y[0:n], t) create(u[0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      t[i] = x[i] * 2;
/* REMARK: fused with the one */
/* KEPT: 2 loads take what registers have, 1 store is dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      u[i] = t[i] + x[i];
/* KEPT: 1 load takes what registers have, 1 store is dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      y[i] += u[i];
  }
  free (u);
}

/* Somebody looks: a construct, the host, whoever has the address.  */
static double
seen (int n, double *restrict x, double *restrict y)
{
  double t[N], v[N], *u = malloc (n * sizeof *u);
  for (int i = 0; i < n; i++)
    t[i] = u[i] = v[i] = 0;
#pragma acc data copyin(x[0:n]) copy(y[0:n], t, u[0:n]) create(v)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      t[i] = x[i] + 2;
/* KEPT: 2 loads take what registers have, 0 stores are dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      u[i] = t[i] + x[i];
/* KEPT: 1 load takes what registers have, 0 stores are dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      v[i] = u[i] * 2;
/* KEPT: 1 load takes what registers have, 0 stores are dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      y[i] = v[i] + 1;
#pragma acc parallel loop collapse(2)
    for (int j = 0; j < 2; j++)
      for (int i = 0; i < n / 2; i++)
	y[j * (n / 2) + i] += v[n - 1 - i];
  }
  keep (t);
  double sum = kept[5] + u[n - 1];
  free (u);
  return sum;
}

/* What is given may be present for the caller.  */
static void
given (int n, double *restrict x, double *restrict y, double *restrict w)
{
#pragma acc data present(x[0:n], y[0:n]) create(w[0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      w[i] = x[i] + 7;
/* KEPT: 1 load takes what registers have, 0 stores are dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      y[i] = w[i];
  }
}

/* Overwritten, always, sometimes, and behind a look.  */
static void
overwritten (int n, double *restrict x, double *restrict y,
	     double *restrict w)
{
#pragma acc data copyin(x[0:n]) copy(y[0:n], w[0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      w[i] = x[i];
/* KEPT: 1 load takes what registers have, 1 store is dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      w[i] = w[i] + 3;
/* KEPT: 2 loads take what registers have, 0 stores are dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      if (x[i] > 5)
	w[i] = w[i] * 2;
  }
#pragma acc data copyin(x[0:n]) copy(y[0:n], w[0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      {
	w[i] = x[i] + y[i];
	y[i] = w[i] * 2;
      }
/* KEPT: 1 load takes what registers have, 0 stores are dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      w[i] = y[i];
  }
}

/* Not always stored, and stored elsewhere in between.  */
static void
changed (int n, double *x, double *restrict y)
{
#pragma acc data copy(x[0:n], y[0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      if (x[i] > 3)
	y[i] = x[i] - 1;
/* KEPT: 1 load takes what registers have, 0 stores are dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      x[i] = y[i] + x[i];
/* KEPT: 2 loads take what registers have, 0 stores are dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      y[i] = x[i] + y[i];
  }
}

/* Loaded first, then sometimes stored.  */
static void
stored_between (int n, double *restrict x, double *restrict y)
{
#pragma acc data copy(x[0:n], y[0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      {
	x[i] = x[i] + y[i];
	if (x[i] > 3)
	  y[i] = x[i] - 1;
      }
/* KEPT: 1 load takes what registers have, 0 stores are dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      x[i] = y[i] + 2 * x[i];
  }
}

/* A product, and two that may be the same.  */
static void
products (int n, double *restrict x, double *restrict y, double *restrict w)
{
  double t[N], u[N];
#pragma acc data copyin(x[0:n]) copy(y[0:n], w[0:n]) create(t, u)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      t[i] = x[i] * y[i];
/* KEPT: 2 loads take what registers have, 1 store is dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      w[i] = t[i] + x[i];
  }
#pragma acc data copyin(x[0:n]) copy(y[0:n], w[0:n]) create(t, u)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      {
	u[i] = x[i] * w[i];
	y[i] = x[i] * w[i] + 1;
      }
/* KEPT: 2 loads take what registers have, 0 stores are dropped */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      w[i] = u[i] + w[i];
  }
}

/* So many constants that few threads fit the GPU.  */
#define FEW(k) x[i] * (k + .1) + x[i] * (k + .2) + x[i] * (k + .3)
#define MANY(k) FEW (k) + FEW (k + 1) + FEW (k + 2) + FEW (k + 3) + FEW (k + 4)

static void
crowded (int n, double *restrict x, double *restrict y)
{
#pragma acc data copyin(x[0:n]) copy(y[0:n])
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      y[i] = MANY (1) + MANY (11);
/* REMARK: fused with the one */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      y[i] = x[i] + y[i];
/* REMARK: not a neighbour */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      y[i] = y[i] + MANY (21) + MANY (31);
  }
}

static void
print (const char *name, const double *x)
{
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += x[i] * (i % 7 + 1);
  printf ("%s %.17g\n", name, sum);
}

static void
reset (void)
{
  for (int i = 0; i < N; i++)
    {
      a[i] = i % 13;
      b[i] = i % 11 - 3;
      c[i] = i % 5;
    }
}

int
main (void)
{
  reset ();
  own (N, a, b);
  print ("own", b);
  printf ("seen %g\n", seen (N, a, b));
  print ("seen", b);
#pragma acc data copyin(a) copy(b) copy(c)
  given (N, a, b, c);
  print ("given", b);
  print ("given", c);
  overwritten (N, a, b, c);
  print ("overwritten", b);
  print ("overwritten", c);
  changed (N, a, b);
  print ("changed", a);
  print ("changed", b);
  reset ();
  stored_between (N, a, b);
  print ("stored between", a);
  print ("stored between", b);
  reset ();
  products (N, a, b, c);
  print ("products", b);
  print ("products", c);
  for (int i = 0; i < N; i++)
    a[i] = 0;
  crowded (N, a, b);
  print ("crowded", b);
  return 0;
}
