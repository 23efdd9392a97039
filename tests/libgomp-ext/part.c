/* A kernel that is launched N times with many iterations, each with its own result, and
   waited for.
   usage: part N

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum
{
  SIZE = 40000
};

static unsigned x[SIZE];

int
main (int argc, char **argv)
{
  int n = atoi (argv[argc - 1]);
  unsigned sum = 0;
#pragma omp target data map(tofrom : x)
  for (int k = 0; k < n; k++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < SIZE; i++)
        x[i] = x[i] * 69069u + i;
#pragma omp target update from(x[k % SIZE])
      sum += x[k % SIZE];
    }
  for (int i = 0; i < SIZE; i++)
    sum = sum * 31 + x[i];
  printf ("%u\n", sum);
  return 0;
}
