/* Arrays of several dimensions whose subscripts together tell iterations apart, and
   those of variable size.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { N = 40 };
static double z[2 * N][N], cube[2][2][2][2][N][N];

static void
lines (int n)
{
/* REMARK: 2 of 2 loops run in parallel$ */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      z[i + j][j] = z[i + j][j] * 0.5 + i;
/* REMARK: on one GPU thread: iterations may touch the same memory */
#pragma acc kernels
  for (int i = 1; i < n; i++)
    for (int j = 1; j < n; j++)
      z[i + j][j] = z[i + j - 2][j - 1] + i;
/* REMARK: 2 of 2 loops run in parallel$ */
#pragma acc kernels
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      cube[1][0][1][1][j][i] = cube[1][0][1][1][j][i] + cube[0][0][1][1][i][j] + 1;
}

static double
sizes (int n, int m)
{
  double p[2][n + 1][m], sum = 0;
/* REMARK: 2 of 2 loops run in parallel$ */
#pragma acc kernels copyout(p)
  for (int j = 0; j <= n; j++)
    for (int i = 0; i < m; i++)
      {
	p[0][j][i] = j * 2 + i;
	p[1][j][i] = p[0][j][i] * 3;
      }
/* REMARK: on one GPU thread: iterations may touch the same memory */
#pragma acc kernels copy(p)
  for (int j = 1; j <= n; j++)
    for (int i = 1; i < m; i++)
      p[1][j][i] += p[1][j - 1][i - 1];
  for (int j = 0; j <= n; j++)
    for (int i = 0; i < m; i++)
      sum += p[0][j][i] * i + p[1][j][i];
  return sum;
}

int
main (void)
{
  for (int i = 0; i < 2 * N; i++)
    for (int j = 0; j < N; j++)
      z[i][j] = i - j * 0.25;
  lines (N);
  printf ("%g\n", sizes (N, N - 3));
  for (int i = 0; i < 2 * N; i++)
    printf ("%g %g\n", z[i][i % N], cube[1][0][1][1][i % N][3]);
  return 0;
}
