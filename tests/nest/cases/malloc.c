/* Parents that allocate what their children work on: the device's malloc and
   free need no stack, and nobody knows what they do to data; that bars
   nothing.
   NESTED: 1
   LAUNCHES: 1
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 100
};

int
main (void)
{
  static int sum[N];
#pragma omp target teams distribute parallel for map(tofrom: sum)
#pragma acc parallel loop gang vector copy(sum)
  for (int i = 0; i < N; i++)
    {
      int n = 8 + i % 40;
      int *p = malloc (n * sizeof *p);
#pragma omp target teams distribute parallel for
#pragma acc parallel loop
      for (int k = 0; k < n; k++)
        p[k] = k + i;
      int s = 0;
      for (int k = 0; k < n; k++)
        s += p[k];
      free (p);
      sum[i] = s;
    }
  for (int i = 0; i < N; i++)
    printf ("%d\n", sum[i]);
  return 0;
}
