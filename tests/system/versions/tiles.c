/* Loops that are tiled and unrolled by directives.  Prints how many values are
   wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum
{
  N = 50
};

static int a[N][N];

int
main (void)
{
  int bad = 0, sum = 0;
#pragma omp target teams distribute parallel for map(from : a)
#pragma omp tile sizes(4)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] = i * j;
#pragma omp target map(tofrom : a)
#pragma omp parallel for collapse(2)
#pragma omp tile sizes(4, 8)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i][j] += i;
#pragma omp target teams distribute parallel for reduction(+ : sum)            \
    map(to : a)
#pragma omp unroll partial(4)
  for (int i = 0; i < N; i++)
    {
#pragma omp unroll partial(3)
      for (int j = 0; j < N; j++)
        sum += a[i][j];
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      bad += a[i][j] != i * j + i;
  bad += sum != N * (N - 1) / 2 * (N * (N - 1) / 2 + N);
  printf ("%d\n", bad);
  return bad != 0;
}
