/* Threads on the host, and OpenACC's regions (ACC), OpenMP's (OMP) or both.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

int
main (void)
{
  int a[100], sum = 0, host = 0;
#pragma omp parallel for reduction(+ : host)
  for (int i = 0; i < 100; i++)
    host += i;
  for (int i = 0; i < 100; i++)
    a[i] = i;
#ifdef ACC
# pragma acc parallel loop copy(a)
  for (int i = 0; i < 100; i++)
    a[i] += 1;
#endif
#ifdef OMP
# pragma omp target teams distribute parallel for map(tofrom : a)
  for (int i = 0; i < 100; i++)
    a[i] += 1;
#endif
  for (int i = 0; i < 100; i++)
    sum += a[i];
  printf ("%d %d\n", host, sum);
}
