/* Gangs of kernels constructs.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

static void
asked_2_quotient (int *x, int n)
{
#pragma acc kernels loop gang((n + 2999) / 3000) vector independent copy (x[:30000])
  for (int i = 0; i < n; i++)
    x[i]++;
}

static void
asked_40_vector (int *x, int n)
{
#pragma acc kernels loop gang((n + 127) / 128) vector(128) independent copy (x[:30000])
  for (int i = 0; i < n; i++)
    x[i]++;
}

static void
asked_9_variable (int *x, int n, int g)
{
#pragma acc kernels copy (x[:30000])
  {
    int more = g + 2;
#pragma acc loop gang(more) independent
    for (int i = 0; i < n; i++)
      x[i]++;
  }
}

static void
count_5003_vector (int *x, int n)
{
#pragma acc kernels loop gang vector(1024) independent copy (x[:30000])
  for (int i = 0; i < n; i++)
    x[i]++;
}

static void
count_5000_inner (int *x, int n)
{
#pragma acc kernels loop gang independent copy (x[:30000])
  for (int i = 0; i < n; i++)
    {
#pragma acc loop vector (i + 1) independent
      for (int j = 0; j < 10; j++)
        x[10 * i + j]++;
    }
}

/* A warp for each gang, of which a block has four; but no fewer blocks than fill the
   GPU.  */
static void
team_1250_128_rows (int *x, int n)
{
#pragma acc parallel num_gangs(n) num_workers(4) vector_length(32)            \
    copy (x[:30000])
  {
#pragma acc loop gang
    for (int i = 0; i < n; i++)
      {
        int sum = 0;
#pragma acc loop worker vector reduction(+ : sum)
        for (int j = 0; j < 6; j++)
          sum += x[6 * i + j];
        x[6 * i] += sum;
      }
  }
}

static void
team_40_128_rows (int *x, int n)
{
#pragma acc parallel num_gangs(n) num_workers(4) vector_length(32)            \
    copy (x[:30000])
  {
#pragma acc loop gang
    for (int i = 0; i < n; i++)
      {
        int sum = 0;
#pragma acc loop worker vector reduction(+ : sum)
        for (int j = 0; j < 100; j++)
          sum += x[100 * i + j];
        x[100 * i] -= sum;
      }
  }
}

int
main (void)
{
  int total = 0;
  int *x = calloc (30000, sizeof *x);
  asked_2_quotient (x, 5003);
  asked_40_vector (x, 5003);
  asked_9_variable (x, 5003, 7);
  count_5003_vector (x, 5003);
  count_5000_inner (x, 500);
  for (int i = 0; i < 30000; i++)
    total += x[i];
  printf ("%d\n", total);
  if (total != 4 * 5003 + 5000)
    return 1;
  for (int i = 0; i < 30000; i++)
    x[i] = 1;
  team_1250_128_rows (x, 5000);
  for (int i = 0; i < 30000; i++)
    if (x[i] != (i % 6 ? 1 : 7))
      return 1;
  for (int i = 0; i < 30000; i++)
    x[i] = 1;
  team_40_128_rows (x, 40);
  for (int i = 0; i < 30000; i++)
    if (x[i] != (i % 100 || i >= 4000 ? 1 : -99))
      return 1;
}
