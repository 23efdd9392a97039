/* Loops that must not run in parallel.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stddef.h>

enum { N = 64 };

static int A[N], B[N], P[N][N];
static volatile int device_word;
static float F[N];
struct list { int value, next; } L[N];

extern int outside (int);
#pragma acc routine seq
int
outside (int x)
{
  return x + 1;
}

static void
distances (int n)
{
/* REMARK: on one GPU thread: iterations may touch the same memory */
#pragma acc kernels
  for (int i = 1; i < n; i++)
    A[i] = A[i - 1] + B[i];
/* REMARK: on one GPU thread: iterations may touch the same memory */
#pragma acc kernels
  for (int i = 0; i < n - 1; i++)
    A[i] = A[i + 1] * 3;
/* REMARK: on one GPU thread: iterations may touch the same memory */
#pragma acc kernels
  for (int i = 9; i < n; i++)
    A[i] = A[i - 9] + 1;
/* REMARK: on one GPU thread: iterations may touch the same memory */
#pragma acc kernels
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      P[i][j] = P[i - 1][j - 1] + 1;
/* REMARK: on one GPU thread: iterations may touch the same memory */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    A[n - 1 - i] += A[i];
/* REMARK: on one GPU thread: iterations may touch the same memory */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    A[3] = B[i];
}

static void
indirect (int n)
{
/* REMARK: on one GPU thread: iterations may touch the same memory */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    A[B[i] & 15] = i;
/* REMARK: on one GPU thread: iterations may touch the same memory */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    A[i * i & 31] = i;
}

/* Not even a check would help.  */
static void
aliases (int n, int *p, int **q)
{
/* REMARK: on one GPU thread: iterations may touch the same memory */
#pragma acc kernels copy(p[:n])
  for (int i = 1; i < n; i++)
    p[i] = *(p + i - 1) + 1;
  int *r = n > 3 ? p + 1 : A;
/* REMARK: on one GPU thread: iterations may touch the same memory */
#pragma acc kernels copy(p[:N])
  for (int i = 0; i < n; i++)
    {
      int *s = i & 1 ? p : p + 2;
      s[i] = i;
    }
  (void) q;
  (void) r;
}

static int
ends (int n)
{
  int i;
/* REMARK: on one GPU thread: it may end early */
#pragma acc kernels
  for (i = 0; i < n; i++)
    {
      if (B[i] == 13)
	break;
      A[i] = i;
    }
  return i;
}

static int
scalars (int n)
{
  int carried = 1, k = 0;
/* REMARK: on one GPU thread: an iteration uses a scalar of the one before */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    {
      A[i] = carried;
      carried = B[i];
    }
/* REMARK: on one GPU thread: an iteration uses a scalar of the one before */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    if (B[i] & 1)
      A[k++] = i;
/* REMARK: on one GPU thread: the order of a sum or the like matters */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    {
      k += B[i];
      k *= 3;
    }
/* REMARK: on one GPU thread: not a counted loop */
#pragma acc kernels
  for (int i = 1; i < n; i *= 2)
    A[i] = i;
/* REMARK: on one GPU thread: its index changes */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    {
      A[i] = i;
      i += B[i] & 1;
    }
/* REMARK: on one GPU thread: its bounds are not known */
#pragma acc kernels
  for (int i = 0, m = n; i < m; i++)
    {
      A[i] = i;
      m -= B[i] & 1;
    }
  return carried + k;
}

static float
sums (int n)
{
  float sum = 0, most = 0;
/* REMARK: on one GPU thread: the order of a sum or the like matters */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    sum += F[i];
/* REMARK: on one GPU thread: the order of a sum or the like matters */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    sum -= F[i] * F[i];
/* REMARK: on one GPU thread: an iteration uses a scalar of the one before */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    if (F[i] > most)
      most = F[i];
  return sum + most;
}

static void
other (int n)
{
/* REMARK: on one GPU thread: it calls a function */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    B[i] = outside (i);
/* REMARK: on one GPU thread: volatile access */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    device_word = i;
/* REMARK: on one GPU thread: not a counted loop */
#pragma acc kernels
  for (int i = 0; i >= 0; i = L[i].next)
    L[i].value++;
/* REMARK: on one GPU thread: it is marked seq */
#pragma acc kernels loop seq
  for (int i = 0; i < n; i++)
    B[i]++;
/* REMARK: on one GPU thread: atomic access */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    {
      int old;
#pragma acc atomic capture
      old = A[0]++;
      B[i] = old;
    }
/* REMARK: on one GPU thread: iterations share an array of the region's own */
#pragma acc kernels
  {
    int work[N];
    for (int i = 0; i < n; i++)
      work[i] = B[i];
  }
}

/* The bound is in memory that the loop writes.  */
static void
bound (int *n)
{
/* REMARK: on one GPU thread: */
#pragma acc kernels copy(n[:4])
  for (int i = 0; i < n[0]; i++)
    n[i] = 3;
}

static void
show (const char *what, int x)
{
  unsigned sum = x;
  for (int i = 0; i < N; i++)
    {
      sum = sum * 31 + A[i] * 7 + B[i] + L[i].value;
      for (int j = 0; j < N; j++)
	sum = sum * 3 + P[i][j];
    }
  printf ("%s %u\n", what, sum);
}

int
main (void)
{
  int four[4] = { 2, 9, 9, 9 };
  for (int i = 0; i < N; i++)
    {
      A[i] = i % 7;
      B[i] = i * 5 % 17;
      F[i] = 1.0f / (i + 1);
      L[i] = (struct list){ i, i + 3 < N ? i + 3 : -1 };
      for (int j = 0; j < N; j++)
	P[i][j] = i ^ j;
    }
  distances (N);
  show ("distances", 0);
  indirect (N);
  show ("indirect", 0);
  aliases (N - 2, A, NULL);
  show ("aliases", 0);
  show ("ends", ends (N));
  show ("scalars", scalars (N));
  printf ("sums %.9g\n", sums (N));
  other (N);
  show ("other", device_word);
  bound (four);
  show ("bound", four[0] + four[1] + four[2] + four[3]);
}
