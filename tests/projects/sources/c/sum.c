/* The sum of 0 to 99, by OpenMP.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

int
main (void)
{
  int a[100], sum = 0;
#pragma omp target teams distribute parallel for map(from : a)
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma omp target teams distribute parallel for map(to : a) \
  reduction(+ : sum)
  for (int i = 0; i < 100; i++)
    sum += a[i];
  printf ("%d\n", sum);
  return sum != 4950;
}
