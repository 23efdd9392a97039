/* For checker.sh: OpenMP, teams with worker pools, reductions, critical
   sections, barriers, simd, device functions with a stack.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

enum { N = 300 };

#pragma omp declare target
static int
longest (const int *v, int n)
{
  int run[8] = { 0 };
  for (int i = 0; i < n; i++)
    run[v[i] & 7]++;
  int most = 0;
  for (int k = 0; k < 8; k++)
    most = run[k] > most ? run[k] : most;
  return most;
}
#pragma omp end declare target

int
main (void)
{
  int *a = malloc (N * sizeof *a);
  int *b = malloc (N * sizeof *b);
  int sum = 0, most = 0, turns = 0;
  for (int i = 0; i < N; i++)
    a[i] = i;

#pragma omp target data map (to : a[0 : N]) map (from : b[0 : N])
  {
#pragma omp target teams distribute parallel for num_teams (2) num_threads (4)
    for (int i = 0; i < N; i++)
      b[i] = a[i] + 1;
#pragma omp target teams distribute parallel for simd reduction (+ : sum) \
  num_teams (2)
    for (int i = 0; i < N; i++)
      sum += b[i];
  }

#pragma omp target map (to : a[0 : N]) map (tofrom : most, turns)
#pragma omp parallel num_threads (8)
  {
    int mine = 0;
#pragma omp for schedule (dynamic, 4)
    for (int i = 0; i < N - 8; i++)
      {
	int n = longest (a + i, 8);
	mine = n > mine ? n : mine;
      }
#pragma omp critical
    {
      most = mine > most ? mine : most;
      turns++;					/* critical */
    }
#pragma omp barrier
#pragma omp single
    turns *= 2;
#pragma omp for
    for (int i = 0; i < 8; i++)
      {
#pragma omp atomic
	turns++;
      }
  }
  int bad = sum != N * (N + 1) / 2 || most != 1 || turns != 24 || b[N - 1] != N;
  free (a);
  free (b);
  return bad;
}
