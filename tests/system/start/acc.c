/* The sum of 0 to 99, by OpenACC.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

int
main (void)
{
  int a[100], sum = 0;
#pragma acc parallel loop copyout (a)
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma acc parallel loop copyin (a) reduction (+ : sum)
  for (int i = 0; i < 100; i++)
    sum += a[i];
  printf ("%d\n", sum);
}
