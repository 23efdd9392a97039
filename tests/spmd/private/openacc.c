/* Scalars that each iteration of a gang loop sets, reduces and reads.
   FLAGS: -fopenacc
   OWN: 15
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "rows.h"

#include <complex.h>

static double y2[N];
static int b[N * K], z[N];
static double module_sum;
double public_sum;

/* The mapping is implicit, and nobody looks at the variable.  */
static void
implicit (void)
{
  double sum;
#pragma acc parallel copyin(a) copyout(y)
#pragma acc loop gang
  for (int j = 0; j < N; j++)
    {
      sum = 0;
#pragma acc loop worker vector reduction(+: sum)
      for (int k = 0; k < K; k++)
	sum += a[j * K + k] * (k % 7);
      y[j] = sum;
    }
  check ("implicit", 1);
}

/* The host looks at it.  */
static double
seen (int n)
{
  double sum = 5;
#pragma acc parallel copyin(a) copy(y) num_gangs(16) num_workers(2) vector_length(32)
#pragma acc loop gang
  for (int j = 0; j < n; j++)
    {
      sum = 0;
#pragma acc loop vector reduction(+: sum)
      for (int k = 0; k < K; k++)
	sum += a[j * K + k] * (k % 7);
      y[j] = sum;
    }
  return sum;
}

/* By a clause, and in a combined directive; three levels, two scalars, one of them
   for the workers.  */
static void
levels (double *last)
{
  double sum = 7, part = 8;
#pragma acc parallel loop gang copyin(a) copyout(y) copy(sum, part)
  for (int j = N - 1; j >= 0; j -= 1)
    {
      sum = 0;
#pragma acc loop worker reduction(+: sum)
      for (int k = 0; k < 4; k++)
	{
	  double in = 0;
#pragma acc loop vector reduction(+: in)
	  for (int i = k; i < K; i += 4)
	    in += a[j * K + i] * (i % 7);
	  sum += in;
	}
      part = sum * 2;
      y[j] = part;
    }
  *last = part - sum;
}

/* Other operations, in one loop.  */
static void
operations (void)
{
  int most = 0, all = 0, any = 0, wrong = 0;
  float product;
#pragma acc parallel loop gang copyin(b) copyout(z)
  for (int j = 0; j < N; j++)
    {
      most = -1;
      all = ~0;
      any = 0;
      product = 1;
#pragma acc loop vector reduction(max: most) reduction(&: all) reduction(|: any) \
  reduction(*: product)
      for (int k = 0; k < K; k++)
	{
	  most = most > b[j * K + k] ? most : b[j * K + k];
	  all &= b[j * K + k];
	  any |= b[j * K + k];
	  product *= 1 + (b[j * K + k] & 1);
	}
      z[j] = most + all * 3 + any * 5 + (product > 2) * 1000;
    }
  for (int j = 0; j < N; j++)
    {
      int m = -1, l = ~0, o = 0;
      float p = 1;
      for (int k = 0; k < K; k++)
	{
	  m = m > b[j * K + k] ? m : b[j * K + k];
	  l &= b[j * K + k];
	  o |= b[j * K + k];
	  p *= 1 + (b[j * K + k] & 1);
	}
      wrong += z[j] != m + l * 3 + o * 5 + (p > 2) * 1000;
    }
  if (wrong)
    printf ("operations: %d rows are wrong\n", wrong);
  bad += wrong != 0;
}

/* Static storage.  */
static void
statics (void)
{
  module_sum = public_sum = 9;
#pragma acc parallel loop gang copyin(a) copyout(y)
  for (int j = 0; j < N; j++)
    {
      module_sum = 0;
      public_sum = 0;
#pragma acc loop vector reduction(+: module_sum, public_sum)
      for (int k = 0; k < K; k++)
	{
	  module_sum += a[j * K + k] * (k % 7);
	  public_sum += a[j * K + k] * (k % 7);
	}
      y[j] = module_sum + public_sum;
    }
  check ("statics", 2);
  left ("static", module_sum, row (N - 1));
  left ("public", public_sum, row (N - 1));
}

/* Mapped by a data construct around two regions, and by none.  */
static void
data (void)
{
  double sum = 3;
#pragma acc data copyin(a) copyout(y) copy(sum)
  {
    for (int t = 0; t < 2; t++)
#pragma acc parallel loop gang present(a, y)
      for (int j = 0; j < N; j++)
	{
	  sum = 0;
#pragma acc loop vector reduction(+: sum)
	  for (int k = 0; k < K; k++)
	    sum += a[j * K + k] * (k % 7);
	  y[j] = sum + t;
	}
#pragma acc parallel loop gang vector present(y)
    for (int j = 0; j < N; j++)
      y[j] -= 1;
  }
  check ("data", 1);
  left ("data", sum, row (N - 1));
}

/* Written as private, and in a loop that is collapsed.  */
static void
written (void)
{
  double sum = 4, t = 6;
#pragma acc parallel loop gang private(sum) copyin(a) copyout(y)
  for (int j = 0; j < N; j++)
    {
      sum = 0;
#pragma acc loop vector reduction(+: sum)
      for (int k = 0; k < K; k++)
	sum += a[j * K + k] * (k % 7);
      y[j] = sum;
    }
  check ("private", 1);
#pragma acc parallel loop gang collapse(2) copyin(a) copyout(y) copy(t)
  for (int i = 0; i < N / 4; i++)
    for (int j = 0; j < 4; j++)
      {
	t = 0;
#pragma acc loop vector reduction(+: t)
	for (int k = 0; k < K; k++)
	  t += a[(i * 4 + j) * K + k] * (k % 7);
	y[i * 4 + j] = t;
      }
  check ("collapsed", 1);
  left ("private", sum, 4);
  left ("collapsed", t, row (N - 1));
}

/* A kernels region.  */
static void
kernels (void)
{
  double sum = 4;
#pragma acc kernels copyin(a) copyout(y)
#pragma acc loop gang independent
  for (int j = 0; j < N; j++)
    {
      sum = 0;
#pragma acc loop vector independent reduction(+: sum)
      for (int k = 0; k < K; k++)
	sum += a[j * K + k] * (k % 7);
      y[j] = sum;
    }
  check ("kernels", 1);
  left ("kernels", sum, row (N - 1));
}

/* Two loops of one region; a copy in either.  */
static void
twice (void)
{
  double sum;
#pragma acc parallel copyin(a) copyout(y, y2)
  {
#pragma acc loop gang
    for (int j = 0; j < N; j++)
      {
	sum = 0;
#pragma acc loop vector reduction(+: sum)
	for (int k = 0; k < K; k++)
	  sum += a[j * K + k] * (k % 7);
	y[j] = sum;
      }
#pragma acc loop gang
    for (int j = 0; j < N; j++)
      {
	sum = 1;
#pragma acc loop vector reduction(+: sum)
	for (int k = 0; k < K; k++)
	  sum += a[j * K + k] * (k % 7);
	y2[j] = sum;
      }
  }
  check ("first", 1);
  for (int j = 0; j < N; j++)
    y[j] = y2[j] - 1;
  check ("second", 1);
}

/* An iteration may end early, and sets one of them on a condition only.  */
static void
conditions (void)
{
  double sum, t;
#pragma acc parallel loop gang copyin(a, b) copyout(y)
  for (int j = 0; j < N; j++)
    {
      sum = 0;
      if (b[j] & 1)
	{
	  y[j] = 2;
	  continue;
	}
#pragma acc loop vector reduction(+: sum)
      for (int k = 0; k < K; k++)
	sum += a[j * K + k] * (k % 7);
      if (b[j] & 2)
	{
	  t = sum * 3;
	  sum = t / 3;
	}
      y[j] = sum;
    }
  for (int j = 0; j < N; j++)
    if (b[j] & 1)
      {
	bad += y[j] != 2;
	y[j] = row (j);
      }
  check ("conditions", 1);
}

/* What must stay: one gang hands on, or only the first iteration sets.  */
static void
handed (void)
{
  double sum = 0, once = 1;
#pragma acc parallel loop seq copyin(a) copyout(y) copy(sum)
  for (int j = 0; j < N; j++)
    {
      if (j % 3 == 0)
	sum = 0;
      sum += a[j * K];
      y[j] = sum;
    }
#pragma acc parallel loop gang copyout(z) copy(once)
  for (int j = 0; j < N; j++)
    {
      if (j == 7)
	once = 2;
      z[j] = j;
    }
  double s = 0;
  for (int j = 0; j < N; j++)
    {
      s = j % 3 ? s + a[j * K] : a[j * K];
      bad += y[j] != s || z[j] != j;
    }
  left ("handed on", sum, s);
  left ("once", once, 2);
}

int
main (void)
{
  double last;
  fill ();
  for (int i = 0; i < N * K; i++)
    b[i] = i * 7 % 13;
  implicit ();
  left ("seen", seen (N), row (N - 1));
  check ("seen", 1);
  left ("none", seen (0), 5);
  levels (&last);
  left ("levels", last, row (0));
  check ("levels", 2);
  operations ();
  statics ();
  data ();
  written ();
  kernels ();
  twice ();
  conditions ();
  handed ();
  return bad != 0;
}
