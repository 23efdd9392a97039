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
  return total != 4 * 5003 + 5000;
}
