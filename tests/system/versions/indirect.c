/* Functions that device code calls by the host's addresses of them.  Prints how
   many values are wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum
{
  N = 1000
};

#pragma omp begin declare target indirect
int
add (int a, int b)
{
  return a + b;
}
int
mul (int a, int b)
{
  return a * b;
}
#pragma omp end declare target

static int a[N];

int
main (void)
{
  int (*table[2]) (int, int) = { add, mul }, (*one) (int, int) = mul;
  int bad = 0, r = 0, s = 0;
#pragma omp target map(from : r)
  r = one (6, 7);
#pragma omp target teams distribute parallel for map(to : table) map(from : a)
  for (int i = 0; i < N; i++)
    a[i] = table[i & 1](i, 3);
#pragma omp target teams distribute parallel for reduction(+ : s)
  for (int i = 0; i < N; i++)
    s += one (i & 7, 2);
  for (int i = 0; i < N; i++)
    bad += a[i] != (i & 1 ? 3 * i : i + 3);
  bad += (r != 42) + (s != 7000);
  printf ("%d\n", bad);
  return bad != 0;
}
