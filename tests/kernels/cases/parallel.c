/* Loops that must run in parallel, and what they leave behind.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <string.h>

enum { N = 60, M = 50 };

static float A[N][M], B[N][M];
static int C[N], D[N], H[8];

/* Indices from before the region keep their last values.  */
static void
stencil (int n, int m, int *last)
{
  int i, j;
/* REMARK: 2 of 2 loops run in parallel$ */
#pragma acc kernels
  for (i = 1; i < n - 1; i++)
    for (j = 1; j < m - 1; j += 2)
      B[i][j] = A[i - 1][j] + A[i + 1][j] + A[i][j - 1] * A[i][j + 1];
  last[0] = i;
  last[1] = j;
}

static void
down (int n, int *last)
{
  int i = 17, j = 18;
/* REMARK: 2 of 2 loops run in parallel$ */
#pragma acc kernels
  for (i = n; i >= 3; i -= 4)
    for (j = i; j > 5; j--)
      B[i][j - 6] = i - j;
  last[0] = i;
  last[1] = j;
}

/* No iteration at all.  */
static void
none (int n, int *last)
{
  int i, j = 7;
/* REMARK: 2 of 2 loops run in parallel$ */
#pragma acc kernels
  for (i = n; i < 5; i++)
    for (j = 0; j < n; j++)
      A[i][j] = 1;
  last[0] = i;
  last[1] = j;
}

/* Rows of a linearised array do not overlap when the row is long enough; the
   program finds out.  */
static void
rows (int n, int m, int row, const float *restrict u, float *restrict v)
{
/* REMARK: 2 of 2 loops run in parallel after a check$ */
#pragma acc kernels copyin(u[:N * M]) copy(v[:N * M])
  for (int y = 1; y < n; y++)
    for (int x = 1; x < m; x++)
      v[y * row + x] = 2 * v[y * row + x] + u[(y - 1) * row + x - 1];
}

/* Pointers that may overlap.  */
static void
shifted (int n, const float *u, float *v)
{
/* REMARK: its loop runs in parallel after a check$ */
#pragma acc kernels present(u[:N], v[:N])
  for (int i = 0; i < n; i++)
    v[i] = v[i] + 2 * u[i];
}

/* Integer reductions; what is private to an iteration.  */
static int
reductions (int n, int m)
{
  int sum = 5, all = -1, any = 0;
  unsigned product = 1;
/* REMARK: 2 of 2 loops run in parallel$ */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    {
      int twice = 2 * C[i], row = 0;
      for (int j = 0; j < m; j++)
	row += twice ^ j;
      sum += row;
      if (row > 100)
	any |= C[i];
      all &= C[i] | 0x70;
      product *= 2 * C[i] + 1;
      D[i] = row;
    }
  return sum + 3 * all + 5 * any + 7 * product;
}

/* A clause is the user's word on the order.  */
static float
clause (int n)
{
  float sum = 1;
/* REMARK: its loop runs in parallel$ */
#pragma acc kernels loop reduction(+ : sum)
  for (int i = 0; i < n; i++)
    sum += A[i][3];
  return sum;
}

/* Marked by the user; nothing could be proved here.  */
static void
marked (int n, const int *where)
{
/* REMARK: its loop runs in parallel$ */
#pragma acc kernels loop independent copyin(where[:n])
  for (int i = 0; i < n; i++)
    D[where[i]] = i;
}

static void
histogram (int n)
{
/* REMARK: its loop runs in parallel$ */
#pragma acc kernels loop independent
  for (int i = 0; i < n; i++)
    {
#pragma acc atomic
      H[C[i] & 7]++;
    }
}

/* Sizes on loops and on the region, collapsed loops.  */
static void
sizes (int n, int m)
{
/* REMARK: 2 of 2 loops run in parallel$ */
#pragma acc kernels loop gang(4)
  for (int i = 0; i < n; i++)
#pragma acc loop vector(32)
    for (int j = 0; j < m; j++)
      A[i][j] += 1;
/* REMARK: 2 of 2 loops run in parallel$ */
#pragma acc kernels loop collapse(2) num_gangs(3) vector_length(64)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      A[i][j] *= 2;
}

/* Steps and remainders that keep accesses apart.  */
static void
strides (int n)
{
/* REMARK: its loop runs in parallel$ */
#pragma acc kernels
  for (int i = 0; i < n / 2; i++)
    C[2 * i] = C[2 * i + 1] + 3;
/* REMARK: its loop runs in parallel$ */
#pragma acc kernels
  for (int i = 0; i < n - 2; i += 3)
    {
      C[i] = C[i + 2];
      C[i + 1] = i;
    }
/* REMARK: its loop runs in parallel$ */
#pragma acc kernels
  for (unsigned long i = 1; i < (unsigned long) n; i++)
    C[i - 1] += i;
}

static void
queued (int n)
{
/* REMARK: its loop runs in parallel$ */
#pragma acc kernels async(3) if(n > 2)
  for (int i = 0; i < n; i++)
    D[i] += n;
#pragma acc wait
}

static void
show (const char *what, const void *data, size_t size, int a, int b)
{
  unsigned sum = 17;
  for (size_t i = 0; i < size; i++)
    sum = sum * 31 + ((const unsigned char *) data)[i];
  printf ("%s %u %d %d\n", what, sum, a, b);
}

int
main (void)
{
  int last[2], where[N];
  float u[2 * N * M], v[N * M];
  for (int i = 0; i < N; i++)
    {
      C[i] = i * 7 % 23;
      where[i] = i * 7 % N;
      for (int j = 0; j < M; j++)
	{
	  A[i][j] = i * j % 13;
	  u[i * M + j] = u[N * M + i * M + j] = (i + j) % 7;
	  v[i * M + j] = (i + j) % 5;
	}
    }
  stencil (N, M, last);
  show ("stencil", B, sizeof B, last[0], last[1]);
  down (M - 1, last);
  show ("down", B, sizeof B, last[0], last[1]);
  none (7, last);
  show ("none", A, sizeof A, last[0], last[1]);
  rows (N, M, M, u, v);
  show ("rows", v, sizeof v, 0, 0);
  rows (N, M, 11, u, v);
  show ("short rows", v, sizeof v, 0, 0);
#pragma acc data copy(u, v)
  {
    shifted (N, v, u);
    shifted (N, u, u + N);
    shifted (N, u, u);
    shifted (N, u, u + 1);
    shifted (N, u + 1, u);
  }
  show ("shifted", u, sizeof u, 0, 0);
  show ("reductions", D, sizeof D, reductions (N, M), 0);
  show ("clause", D, sizeof D, clause (N), 0);
  marked (N, where);
  show ("marked", D, sizeof D, 0, 0);
  histogram (N);
  show ("histogram", H, sizeof H, 0, 0);
  sizes (N, M);
  show ("sizes", A, sizeof A, 0, 0);
  strides (N);
  show ("strides", C, sizeof C, 0, 0);
  queued (N);
  queued (2);
  show ("queued", D, sizeof D, 0, 0);
}
