/* Points from lists: what tells iterations apart are all subscripts together.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { N = 9, POINTS = N * N, PLANES = 3 * N };
static double v[3][N][N][N], w[3][N][N][N], a[3][POINTS], t[3][POINTS];
static double x[POINTS], y[POINTS], z[N * 2][N];
static int in[PLANES][POINTS], jn[PLANES][POINTS], np[PLANES];
static int order[POINTS], colour[3][POINTS];
static unsigned long far[POINTS];

/* The points of plane L need those of the plane before.  */
static void
plane (int l, int points)
{
  int i, j, k, m;
#pragma acc data present(v, a, t, in, jn)
  {
#pragma acc parallel loop num_gangs((points + 31) / 32) vector_length(32)
    for (int n = 0; n < points; n++)
      {
	j = jn[l][n];
	i = in[l][n];
	k = l - i - j;
	for (m = 0; m < 3; m++)
	  v[m][k][j][i] -= a[m][n] * v[0][k - 1][j][i];
      }
/* REMARK: fused with the one at wave.c:21$ */
/* KEPT: 2 loads take what registers have */
#pragma acc parallel loop num_gangs((points + 31) / 32) vector_length(32)
    for (int n = 0; n < points; n++)
      {
	j = jn[l][n];
	i = in[l][n];
	k = l - i - j;
	for (m = 0; m < 3; m++)
	  t[m][n] = v[m][k][j][i] - 0.25 * (v[0][k][j - 1][i] + v[1][k][j][i - 1]);
	v[1][k][j][i] = t[0][n] * 0.5;
	v[0][k][j][i] = t[1][n] - v[1][k][j][i];
      }
  }
}

/* Those of the plane itself.  */
static void
same_plane (int l, int points)
{
#pragma acc data present(v, w, in, jn)
  {
#pragma acc parallel loop
    for (int n = 0; n < points; n++)
      {
	int j = jn[l][n], i = in[l][n], k = l - i - j;
	v[0][k][j][i] = v[1][k - 1][j][i] * 0.5;
      }
/* REMARK: not fused .* v, stored on line 56, may be read by another iteration */
#pragma acc parallel loop
    for (int n = 0; n < points; n++)
      {
	int j = jn[l][n], i = in[l][n], k = l - i - j;
	w[0][k][j][i] = v[0][k - 1][j + 1][i] + v[0][k][j][i];
      }
  }
}

/* Places that no body stores in every iteration.  */
static void
sometimes (int l, int points, int from, int to)
{
#pragma acc data present(v, w, x, in, jn)
  {
#pragma acc parallel loop
    for (int n = 0; n < points; n++)
      {
	int j = jn[l][n], i = in[l][n], k = l - i - j;
	if (x[n] > 3)
	  v[0][k][j][i] = v[1][k - 1][j][i] * 0.5;
      }
/* REMARK: not fused .* v, stored on line 79, may be read by another iteration */
#pragma acc parallel loop
    for (int n = 0; n < points; n++)
      {
	int j = jn[l][n], i = in[l][n], k = l - i - j;
	if (x[n] > 2)
	  v[0][k][j][i] += 0.5;
      }
/* REMARK: not fused .* v, stored on line 87, may be read by another iteration */
#pragma acc parallel loop
    for (int n = 0; n < points; n++)
      {
	int j = jn[l][n], i = in[l][n], k = l - i - j;
	for (int m = from; m < to; m++)
	  v[m][k][j][i] += 0.25;
      }
/* REMARK: fused with the one at wave.c:90$ */
#pragma acc parallel loop
    for (int n = 0; n < points; n++)
      {
	int j = jn[l][n], i = in[l][n], k = l - i - j;
	for (int m = 2; m >= 0; m--)
	  v[m][k][j][i] *= 0.75;
	w[0][k][j][i] = 1;
      }
  }
}

/* Lists that one of them changes, and of which each iteration has several places.  */
static void
lists (int n)
{
#pragma acc data present(x, y, z, order, colour, a, t)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      x[order[i]] += i & 3;
/* REMARK: fused with the one at wave.c:115$ */
/* KEPT: 3 loads take what registers have */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      y[order[i]] = x[order[i]] * 2;
/* REMARK: not fused .* x, stored on line 117, may be stored by another iteration */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      x[order[n - 1 - i]] = y[order[i]];
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      x[order[i]] += i & 1;
/* REMARK: not fused .* x, stored on line 129, may be read by another iteration */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      {
	order[i] = n - 1 - order[i];
	x[order[i]] *= 2;
      }
#pragma acc parallel loop
    for (int i = 0; i < n / 3; i++)
      for (int m = 0; m < 3; m++)
	a[0][colour[m][i]] += 1;
/* REMARK: not fused .* a, stored on line 140, may be read by another iteration */
#pragma acc parallel loop
    for (int i = 0; i < n / 3; i++)
      for (int m = 0; m < 3; m++)
	t[0][colour[m][i]] = a[0][colour[2 - m][i]];
  }
}

/* Lists that may name a place twice, and numbers whose multiples may be anything.  */
static void
marks (int n)
{
#pragma acc data present(x, y, order, far)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      y[order[i]] = 1;
/* REMARK: not fused .* y, stored on line 157, may be stored by another iteration */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      y[order[i]] = 2;
#pragma acc parallel loop
    for (int i = 0; i < n / 3; i++)
      x[3 * far[i]] = i;
/* REMARK: not fused .* x, stored on line 164, may be read by another iteration */
#pragma acc parallel loop
    for (int i = 0; i < n / 3; i++)
      y[i] += x[3 * far[i] + 1];
  }
}

/* Lines across an array.  */
static void
skewed (int n)
{
#pragma acc data present(x, y, z)
  {
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
	z[i + j][j] = x[i] + j;
/* REMARK: fused with the one at wave.c:178$ */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
	y[i] += z[i + j][j] * x[i];
/* REMARK: fused with the one at wave.c:178 after a check */
#pragma acc parallel loop
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n - 1; j++)
	x[i] += z[i + j][j + 1];
  }
}

/* Arrays of a variable size, and of many dimensions.  */
static double
sizes (int n, int m)
{
  double p[3][n + 1][m], q[n][m], sum = 0;
  static double many[2][2][2][2][N][N];
#pragma acc data create(p, q, many) present(z)
  {
#pragma acc parallel loop gang
    for (int j = 0; j < n; j++)
#pragma acc loop vector
      for (int i = 0; i < m; i++)
	{
	  for (int k = 0; k < 3; k++)
	    p[k][j][i] = z[j][i] + k;
	  many[0][1][0][1][j][i] = z[j][i];
	}
/* REMARK: fused with the one at wave.c:203$ */
/* INSIDE: yes */
#pragma acc parallel loop gang
    for (int j = 0; j < n; j++)
#pragma acc loop vector
      for (int i = 0; i < m; i++)
	q[j][i] = p[0][j][i] * p[2][j][i] - many[0][1][0][1][j][i];
/* REMARK: not fused .*p[.0-9]*, stored on line 209, may be read by another iteration */
#pragma acc parallel loop reduction(+:sum) copy(sum)
    for (int j = 0; j < n; j++)
      for (int i = 0; i < m; i++)
	sum += (int) p[1][n - 1 - j][i] + (int) q[j][i];
  }
  return sum;
}

int
main (void)
{
  double sum = 0;
  for (int l = 3; l < PLANES - 3; l++)
    for (int j = 1; j < N - 1; j++)
      for (int i = 1; i < N - 1; i++)
	if (l - i - j > 0 && l - i - j < N)
	  in[l][np[l]] = i, jn[l][np[l]++] = j;
  for (int i = 0; i < 3 * N * N * N; i++)
    (&v[0][0][0][0])[i] = i % 13 * 0.5, (&w[0][0][0][0])[i] = i % 7;
  for (int n = 0; n < POINTS; n++)
    {
      x[n] = n % 5, y[n] = n % 11, order[n] = n * 7 % POINTS;
      for (int m = 0; m < 3; m++)
	a[m][n] = 0.25 * (n % 3 + m), colour[m][n] = (n * 3 + m) % POINTS;
      far[n] = n % 27;
    }
#pragma acc data copy(v, w, a, t, x, y, z, order) copyin(in, jn, colour, far)
  {
    for (int l = 3; l < 2 * N; l++)
      {
	plane (l, np[l]);
	same_plane (l, np[l]);
	sometimes (l, np[l], 0, l % 4);
      }
    lists (POINTS);
    marks (POINTS);
    skewed (N);
    sum = sizes (N, N);
  }
  for (int i = 0; i < 3 * N * N * N; i++)
    printf ("%.10g %.10g\n", (&v[0][0][0][0])[i], (&w[0][0][0][0])[i]);
  for (int i = 0; i < POINTS; i++)
    printf ("%.10g %.10g %.10g %d %.10g\n", x[i], y[i], a[0][i], order[i], t[0][i]);
  printf ("%.10g\n", sum);
  return 0;
}
