/* Children that their parent waits for later are through by then.
   FLAGS: -fopenacc
   NESTED: 1
   LAUNCHES: 1
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { N = 64 };
static int out[N * N];
static long sum[N];

int
main (void)
{
#pragma acc parallel loop gang vector copy (out, sum)
  for (int i = 0; i < N; i++)
    {
#pragma acc parallel loop async
      for (int k = 0; k < i; k++)
        out[i * N + k] = i + k;
#pragma acc wait
      sum[i] = 0;
      for (int k = 0; k < N; k++)
        sum[i] += out[i * N + k];
    }
  long all = 0;
  for (int i = 0; i < N; i++)
    all += sum[i] * (i % 7 + 1);
  printf ("%ld\n", all);
  return 0;
}
