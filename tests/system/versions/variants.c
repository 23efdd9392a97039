/* Directives and functions that are chosen by the device.  Prints how many values
   are wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum
{
  N = 300
};

#pragma omp declare target
int
on_gpu (int x)
{
  return x + 100;
}
int
in_region (int x)
{
  return x + 200;
}
#pragma omp declare variant(on_gpu) match(device = { kind(gpu) })
int
by_kind (int x)
{
  return x;
}
#pragma omp declare variant(in_region) match(construct = { target })
int
by_construct (int x)
{
  return x;
}
#pragma omp end declare target

static int a[N], b[N];

int
main (void)
{
  int bad = 0, n = N, kind = 0, construct = 0, sum = 0;
#pragma omp metadirective when(user = { condition(n > 10) }                   \
                               : target teams distribute parallel for map(    \
                                   from : a)) default(parallel for)
  for (int i = 0; i < N; i++)
    a[i] = 2 * i;
#pragma omp metadirective when(implementation = { vendor(gnu) }               \
                               : target teams distribute parallel for map(    \
                                   from : b)) default(nothing)
  for (int i = 0; i < N; i++)
    b[i] = 3 * i;
#pragma omp target map(tofrom : kind, construct)
  {
    kind = by_kind (1);
    construct = by_construct (1);
  }
#pragma omp target teams distribute parallel for reduction(+ : sum)
  for (int i = 0; i < N; i++)
    sum += by_kind (i) - i;
  for (int i = 0; i < N; i++)
    bad += (a[i] != 2 * i) + (b[i] != 3 * i);
  bad += (kind != 101) + (construct != 201) + (sum != 100 * N);
  bad += by_construct (1) != 1;
  printf ("%d\n", bad);
  return bad != 0;
}
