/* Maps of what must be present, and a global variable between the pragmas of GCC
   13.  Prints how many values are wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum
{
  N = 300
};

#pragma omp begin declare target
static int table[4] = { 1, 2, 3, 4 };
static int
look (int i)
{
  return table[i & 3];
}
#pragma omp end declare target

static int a[N];

int
main (void)
{
  int bad = 0;
#pragma omp target enter data map(to : a)
  for (int k = 1; k < 4; k++)
    {
      table[1] = 20 * k;
#pragma omp target update to(present : a) to(table)
#pragma omp target teams distribute parallel for map(present, alloc : a)
      for (int i = 0; i < N; i++)
        a[i] = look (i) + k;
#pragma omp target defaultmap(present : aggregate)
      a[0]++;
#pragma omp target update from(present : a)
      for (int i = 0; i < N; i++)
        bad += a[i] != look (i) + k + (i == 0);
    }
#pragma omp target exit data map(delete : a)
  printf ("%d\n", bad);
  return bad != 0;
}
