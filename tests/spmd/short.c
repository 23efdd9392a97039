/* Nests whose innermost loops have a few constant iterations: argument 1 is one of them,
   0 the same work by a single loop.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 1440
};

static float a[36 * N], b[36 * N];

#define PRAGMA(x) _Pragma (#x)
#ifdef _OPENACC
# define NEST(n) PRAGMA (acc parallel loop collapse (n) copy (a) copyin (b))
#else
# define NEST(n)                                                              \
   PRAGMA (omp target teams distribute parallel for collapse (n)              \
             map (tofrom : a) map (to : b))
#endif

static void
single (void)
{
  NEST (1)
  for (int i = 0; i < 36 * N; i++)
    a[i] += 2 * b[i];
}

static void
matrices (void)
{
  NEST (4)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < 4; j++)
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
          {
            int at = ((i * 4 + j) * 3 + k) * 3 + l;
            a[at] += 2 * b[at];
          }
}

static void
pairs (void)
{
  NEST (2)
  for (int i = 0; i < 18 * N; i++)
    for (int j = 1; j >= 0; j--)
      a[2 * i + j] += 2 * b[2 * i + j];
}

static void
fives (void)
{
  NEST (3)
  for (int i = 0; i < N / 5; i++)
    for (int j = 0; j < 36; j++)
      for (int k = 1; k < 10; k += 2)
        {
          int at = (i * 36 + j) * 5 + k / 2;
          a[at] += 2 * b[at];
        }
}

static void
outside (void)
{
  NEST (3)
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 4 * N; k++)
        {
          int at = (i * 3 + j) * 4 * N + k;
          a[at] += 2 * b[at];
        }
}

int
main (int argc, char **argv)
{
  static void (*const nests[]) (void)
      = { single, matrices, pairs, fives, outside };
  int wrong = 0;
  for (int i = 0; i < 36 * N; i++)
    {
      a[i] = i % 11;
      b[i] = i % 1000;
    }
  nests[argc > 1 ? atoi (argv[1]) : 0]();
  for (int i = 0; i < 36 * N; i++)
    wrong += a[i] != i % 11 + 2 * (i % 1000);
  printf ("%d wrong\n", wrong);
  return wrong > 0;
}
