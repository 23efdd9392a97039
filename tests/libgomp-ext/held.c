/* A send to each kernel right before it, as programs have it, of which the host
   sees nothing before the end (usage: held ROUNDS).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 500,
  ARRAYS = 4
};

/* Change A, send it, and add it to SUM.  Inlined, so that each is a site.  */
static inline __attribute__ ((always_inline)) void
step (unsigned *a, unsigned *sum, unsigned k)
{
  for (int i = 0; i < N; i++)
    a[i] = a[i] * 3 + k + i;
#pragma acc update device(a[:N])
#pragma acc parallel loop present(a[:N], sum[:N])
  for (int i = 0; i < N; i++)
    sum[i] = sum[i] * 5 + a[i];
}

int
main (int argc, char **argv)
{
  unsigned rounds = argc > 1 ? atoi (argv[1]) : 100, all = 0;
  unsigned *v[ARRAYS], *sum = calloc (N, sizeof *sum);
  for (int i = 0; i < ARRAYS; i++)
    {
      unsigned *a = v[i] = calloc (N, sizeof *a);
#pragma acc enter data create(a[:N])
    }
#pragma acc data copy(sum[:N])
  for (unsigned r = 0; r < rounds; r++)
    {
      step (v[0], sum, r);
      step (v[1], sum, r);
      step (v[2], sum, r);
      step (v[3], sum, r);
    }
  for (int i = 0; i < N; i++)
    all = all * 31 + sum[i];
  printf ("%u\n", all);
  return 0;
}
