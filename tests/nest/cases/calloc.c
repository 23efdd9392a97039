/* Parents that allocate by other functions than malloc, and free what others have
   allocated.
   NESTED: 3
   LAUNCHES: 3
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  N = 100
};

static int *list[N];
#pragma omp declare target to(list)

int
main (void)
{
  static int sum[N];
#pragma omp target teams distribute parallel for map(tofrom: sum)
  for (int i = 0; i < N; i++)
    {
      int n = 8 + i % 40;
      int *p = calloc (n, sizeof *p);
#pragma omp target teams distribute parallel for
      for (int k = 0; k < n; k++)
        p[k] += k + i;
      p = realloc (p, 2 * n * sizeof *p);
#pragma omp target teams distribute parallel for
      for (int k = n; k < 2 * n; k++)
        p[k] = p[k - n] * 3;
      list[i] = p;
    }
#pragma omp target teams distribute parallel for map(tofrom: sum)
  for (int i = 0; i < N; i++)
    {
      int j = (i * 37 + 11) % N, n = 2 * (8 + j % 40), s = 0;
      int *p = list[j], *q = malloc (n * sizeof *q);
#pragma omp target teams distribute parallel for
      for (int k = 0; k < n; k++)
        q[k] = p[k] + 1;
      for (int k = 0; k < n; k++)
        s += q[k] * (k % 5 + 1);
      free (p);
      free (q);
      sum[j] = s;
    }
  for (int i = 0; i < N; i++)
    printf ("%d\n", sum[i]);
  return 0;
}
