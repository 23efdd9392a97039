/* A copy to the device that is held back while a copy back is owed, and the host
   looks at that.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum
{
  N = 1000,
  TIMES = 5
};

static int a[N], b[N];

int
main (void)
{
  int sum = 0;
#pragma acc enter data copyin(a, b)
#pragma omp target enter data map(to : a, b)
  for (int k = 0; k < TIMES; k++)
    {
#pragma acc parallel loop present(a, b)
#pragma omp target parallel for map(alloc : a, b)
      for (int i = 0; i < N; i++)
        a[i] += b[i] + k;
#pragma acc update self(a)
#pragma omp target update from(a)
      b[k] = k;
#pragma acc update device(b)
#pragma omp target update to(b)
      sum += a[k];
    }
#pragma acc exit data copyout(a, b)
#pragma omp target exit data map(from : a, b)
  for (int i = 0; i < N; i++)
    sum = 3 * sum + a[i] + b[i];
  printf ("%d\n", sum);
  return 0;
}
