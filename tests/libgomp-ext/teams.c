/* A loop of default OpenMP constructs, each mapping its arrays.
   usage: teams STEPS

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 4096

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 10;
  static float a[N], b[N], c[N];
  double sum = 0;
  for (int i = 0; i < N; i++)
    b[i] = i % 5, c[i] = i % 3;
  for (int t = 0; t < steps; t++)
    {
#pragma omp target teams distribute parallel for map(tofrom : a) map(to : b, c)
      for (int i = 0; i < N; i++)
        a[i] += b[i] * c[i];
    }
  for (int i = 0; i < N; i++)
    sum += a[i];
  printf ("%.6f\n", sum);
  return 0;
}
