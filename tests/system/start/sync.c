/* A region and a taskwait; with MINE, the latter is the program's.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

#ifdef MINE
void
GOMP_taskwait (void)
{
  printf ("mine\n");
}
#endif

int
main (void)
{
  int a[100];
#pragma omp target teams distribute parallel for map(from : a)
  for (int i = 0; i < 100; i++)
    a[i] = i;
#pragma omp taskwait
  printf ("%d\n", a[99]);
}
