/* A time loop as programs have it, OpenACC: two kernels a step, data present.
   usage: jacobi STEPS

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#define N 1000

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 10;
  static float a[N], b[N];
  double sum = 0;
  for (int i = 0; i < N; i++)
    a[i] = i % 17;
#pragma acc data copy(a) create(b)
  for (int t = 0; t < steps; t++)
    {
#pragma acc parallel loop
      for (int i = 1; i < N - 1; i++)
        b[i] = 0.5f * (a[i - 1] + a[i + 1]);
#pragma acc parallel loop
      for (int i = 1; i < N - 1; i++)
        a[i] = b[i];
    }
  for (int i = 0; i < N; i++)
    sum += a[i];
  printf ("%.6f\n", sum);
  return 0;
}
