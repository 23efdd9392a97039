/* A kernel that is launched often, with as many children each time.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { N = 64, TIMES = 6000 };
static int sum[N];

int
main (void)
{
#pragma omp target data map (tofrom : sum)
  for (int t = 0; t < TIMES; t++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
        {
#pragma omp target teams distribute parallel for
          for (int k = 0; k < N; k++)
#pragma omp atomic
            sum[i] += k;
        }
    }
  for (int i = 0; i < N; i++)
    if (sum[i] != TIMES * N * (N - 1) / 2)
      {
        printf ("%d: %d\n", i, sum[i]);
        return 1;
      }
  return 0;
}
