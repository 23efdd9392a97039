/* OpenACC regions of three languages, and a library that has one of OpenMP.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

int part (int n);
void twice (int *a, int n);
void thrice (int *a, int n);

int
main (void)
{
  int a[100];
#pragma acc parallel loop copyout (a)
  for (int i = 0; i < 100; i++)
    a[i] = i;
  twice (a, 100);
  thrice (a, 100);
  int same = 1;
  for (int i = 0; i < 100; i++)
    same &= a[i] == 6 * i;
  printf ("%d\n", same ? part (100) : -1);
}
