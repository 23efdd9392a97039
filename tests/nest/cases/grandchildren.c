/* What children of children have: atomic updates of copies, last values, sums
   that the program declares; and a function with children in a simd construct.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* NESTED: 2 */
/* LAUNCHES: 1 */
/* DEFERS: 1 */

#include "pair.h"

#include <stdio.h>

enum
{
  N = 6
};

#pragma omp declare target
static void
step (int *p, int n, int v)
{
#pragma omp target teams distribute parallel for simd
  for (int i = 0; i < n; i++)
    p[i] += v;
}
#pragma omp end declare target

int
main (void)
{
  int result[N][N][4], simd[N][N] = { { 0 } };
#pragma omp target teams distribute parallel for map (from : result)
  for (int i = 0; i < N; i++)
    {
      int count = 1;
#pragma omp target teams distribute parallel for
      for (int j = 0; j < N; j++)
        {
          int last = -1, n = 3, k, here = 0;
          struct pair pair = { i, j };
#pragma omp target teams distribute parallel for lastprivate (last) \
  map (tofrom : last)
          for (int m = 0; m <= i + j; m++)
            last = m * 2;
#pragma omp target simd linear (n : 2) lastprivate (k) map (tofrom : n, k)
          for (k = 0; k <= j; k++)
            n += 2;
#pragma omp target teams distribute parallel for reduction (pairs : pair) \
  map (tofrom : pair)
          for (int m = 0; m < 5; m++)
            {
              pair.a += m;
              pair.b += i;
            }
#pragma omp target teams distribute parallel for map (tofrom : here)
          for (int m = 0; m < j; m++)
            {
              int at;
#pragma omp atomic capture
              at = here++;
#pragma omp atomic
              count += at;
            }
          result[i][j][0] = last;
          result[i][j][1] = n * 100 + k;
          result[i][j][2] = pair.a * 100 + (int)pair.b;
          result[i][j][3] = here + count;
        }
    }
#pragma omp target map (tofrom : simd)
  step (simd[0], N, 1);
#pragma omp target simd map (tofrom : simd)
  for (int i = 1; i < N; i++)
    step (simd[i], N, i);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      printf ("%d %d %d %d %d\n", result[i][j][0], result[i][j][1],
              result[i][j][2], result[i][j][3], simd[i][j]);
  return 0;
}
