/* Functions with simd constructs that kernels call: each thread has all iterations.

   ACCEPT: 5
   REJECT: a function with a construct
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum
{
  ROWS = 23,
  COLUMNS = 19,
  N = ROWS * COLUMNS,
  LANES = 4
};

static int in[N], out[N], want[N];

#pragma omp declare target
/* Arrays of the function that several loops go over.  */
static int
weigh (const int *from, int scale)
{
  int first[LANES], sum[LANES], all = 0;
#pragma omp simd
  for (int l = 0; l < LANES; l++)
    {
      first[l] = from[l % 2] * scale;
      sum[l] = l;
    }
  for (int k = 0; k < 3; k++)
    {
      int shifted[LANES];
#pragma omp simd
      for (int l = 0; l < LANES; l++)
	shifted[l] = first[l] + k;
      for (int m = 0; m < 2; m++)
#pragma omp simd
	for (int l = 0; l < LANES; l++)
	  sum[l] += shifted[l] * (m + 1);
    }
  for (int l = 0; l < LANES; l++)
    all = 3 * all + sum[l];
  return all;
}

/* What clauses say of variables.  */
static int
combine (const int *from, int n)
{
  int sum = 5, last = -1, step = 2;
#pragma omp simd reduction(+ : sum) lastprivate(last) linear(step : 3)
  for (int k = 0; k < n; k++)
    {
      sum += from[k % 2] * step;
      last = k + sum % 1;
      step += 3;
    }
#pragma omp simd collapse(2) reduction(max : last)
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 5; b++)
      if (a * b > last)
	last = a * b;
  return sum + 7 * last + 11 * step;
}

/* One that leads to both.  */
static int
two (const int *from, int n)
{
  return weigh (from, n) - combine (from, n);
}

/* Not only simd.  */
static int
shared_out (const int *from, int n)
{
  int sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (int k = 0; k < n; k++)
    sum += from[k % 2];
  return sum;
}
#pragma omp end declare target

static void
regions (int scale)
{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N - 1; i++)
    out[i] = weigh (in + i, scale);
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < ROWS - 1; i++)
    for (int j = 0; j < COLUMNS; j++)
      out[i * COLUMNS + j] += combine (in + i * COLUMNS + j, j + 1);
#pragma omp target teams distribute
  for (int i = 0; i < ROWS - 1; i++)
#pragma omp parallel for
    for (int j = 0; j < COLUMNS; j++)
      if (j % 3)
	out[i * COLUMNS + j] += two (in + i * COLUMNS + j, i % 5 + 1);
#pragma omp target teams num_teams(ROWS) thread_limit(32)
#pragma omp distribute
  for (int i = 0; i < ROWS - 1; i++)
    {
      int line[COLUMNS];
#pragma omp parallel for
      for (int j = 0; j < COLUMNS; j++)
	line[j] = weigh (in + i * COLUMNS + j, 2);
#pragma omp parallel for
      for (int j = 0; j < COLUMNS; j++)
	out[i * COLUMNS + j] += line[COLUMNS - 1 - j];
    }
#pragma omp target parallel for
  for (int i = 0; i < COLUMNS; i++)
    out[i] += combine (in + i, 6);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < COLUMNS; i++)
    out[i] += shared_out (in + i, 6);
}

int
main ()
{
  for (int i = 0; i < N; i++)
    in[i] = i * 7919 % 101;
#pragma omp target data map(to : in) map(tofrom : out)
  {
    regions (3);
  }
  for (int i = 0; i < N - 1; i++)
    want[i] = weigh (in + i, 3);
  for (int i = 0; i < ROWS - 1; i++)
    for (int j = 0; j < COLUMNS; j++)
      {
	int k = i * COLUMNS + j;
	want[k] += combine (in + k, j + 1);
	want[k] += j % 3 ? two (in + k, i % 5 + 1) : 0;
	want[k] += weigh (in + i * COLUMNS + COLUMNS - 1 - j, 2);
      }
  for (int i = 0; i < COLUMNS; i++)
    want[i] += combine (in + i, 6) + shared_out (in + i, 6);
  check_ints ("simd", out, want, N);
  return check_status ();
}
