/* Parents that look at what others set.  A child may be launched behind that, when
   nothing follows it that others may be waiting for: as the first one's, not the
   second one's.
   FLAGS: -fopenacc
   NESTED: 2
   LAUNCHES: 1
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum
{
  N = 96
};

static int out[2][N][16];

#pragma acc routine seq
static int __attribute__ ((noinline))
next (int *counter)
{
  int n;
#pragma acc atomic capture
  n = (*counter)++;
  return n;
}

int
main (void)
{
  int seen[2] = { 0, 0 }, again[N];
#pragma acc parallel loop gang vector copy(out, again) copy(seen)
  for (int i = 0; i < N; i++)
    {
      int n = next (&seen[0]);
#pragma acc parallel loop
      for (int k = 0; k < 16; k++)
        out[0][i][k] = k + i + n / N;
      again[i] = out[0][i][15];
    }
#pragma acc parallel loop gang vector copy(out, again) copy(seen)
  for (int i = 0; i < N; i++)
    {
      int n = next (&seen[0]);
#pragma acc parallel loop
      for (int k = 0; k < 16; k++)
        out[1][i][k] = k + i + (n >= N);
      next (&seen[1]);
      again[i] += out[1][i][15];
    }
  printf ("%d %d\n", seen[0], seen[1]);
  for (int i = 0; i < N; i++)
    printf ("%d\n", again[i]);
  return 0;
}
