/* Atomic writes, and what is none; see writes.sh.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum
{
  N = 1000
};

int
main (void)
{
  int a[N], seen = 0, wrong = 0;
  unsigned last = N;
  long wide = 0;
  float real = 0;
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma acc parallel loop copyin (a) copy (seen, wide, real, last)
#pragma omp target teams distribute parallel for map (to: a)                  \
  map (tofrom: seen, wide, real, last)
  for (int i = 0; i < N; i++)
    if (a[i] % 7 == 3)
      {
#pragma acc atomic write
#pragma omp atomic write
        seen = 1;
#pragma acc atomic write
#pragma omp atomic write
        wide = 1L << 40;
#pragma acc atomic write
#pragma omp atomic write
        real = 2.5f;
        unsigned was;
#pragma acc atomic capture
#pragma omp atomic capture
        {
          was = last;
          last = 7;
        }
        if (was != N && was != 7)
#pragma acc atomic write
#pragma omp atomic write
          seen = 2;
      }
  wrong += seen != 1;
  wrong += wide != 1L << 40;
  wrong += real != 2.5f;
  wrong += last != 7;
  printf ("%d wrong\n", wrong);
}
