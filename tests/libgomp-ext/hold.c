/* Sends and kernels in turn, nothing of which the host looks at for a while:
   the same each time, or not (usage: hold [ROUNDS [CHANGES]]).  Each kernel mixes
   what its operands hold at that time into others, so that a send in the wrong
   place changes the sum.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 500,
  ARRAYS = 16
};

static unsigned table[N];
#pragma acc declare create(table)

static unsigned
next (unsigned *x)
{
  return (*x = *x * 1103515245 + 12345) >> 16;
}

/* One of the sends and kernels, after the host has changed what is sent.  */
static inline __attribute__ ((always_inline)) void
step (unsigned what, unsigned k, unsigned **v)
{
  unsigned *a = v[what % ARRAYS], *b = v[what / 16 % ARRAYS],
           *c = v[what / 256 % ARRAYS];
  switch (what / 4096)
    {
    case 0 ... 6:
      for (int i = 0; i < N; i++)
        a[i] = a[i] * 3 + k;
#pragma acc update device(a[:N])
      break;
    case 7:
      a[k % N] += k;
#pragma acc update device(a[k % N:1], b[:N])
      break;
    case 8:
      for (int i = 0; i < N; i++)
        table[i] = table[i] * 5 + k;
#pragma acc update device(table)
      break;
    case 9:
#pragma acc parallel loop present(a[:N], b[:N])
      for (int i = 0; i < N; i++)
        a[i] += b[i] * 7 + table[i];
      break;
    case 10:
      {
#pragma acc exit data delete(c[:N])
#pragma acc enter data copyin(c[:N])
      }
      break;
    default:
#pragma acc parallel loop present(a[:N], b[:N], c[:N])
      for (int i = 0; i < N; i++)
        a[i] += (b[i] ^ c[i]) * 9;
      break;
    }
}

static void
round_of (unsigned seed, unsigned changes, unsigned **v)
{
  unsigned x = seed;
  for (int times = 0; times < 3; times++)
    {
      /* Sites of their own.  */
#pragma GCC unroll 6
      for (int i = 0; i < 6; i++)
        {
          unsigned what = next (&x), k = next (&x);
          if (changes && k % changes == 0)
            what ^= seed;
          step (what % 65536, k, v);
        }
    }
  for (int i = 0; i < ARRAYS; i++)
    {
      unsigned *a = v[i];
#pragma acc update self(a[:N])
    }
}

int
main (int argc, char **argv)
{
  unsigned rounds = argc > 1 ? atoi (argv[1]) : 100;
  unsigned changes = argc > 2 ? atoi (argv[2]) : 0;
  unsigned *v[ARRAYS], sum = 0;
  for (int i = 0; i < ARRAYS; i++)
    {
      unsigned *a = v[i] = calloc (N, sizeof *a);
#pragma acc enter data create(a[:N])
#pragma acc update device(a[:N])
    }
#pragma acc update device(table)
  for (unsigned r = 0; r < rounds; r++)
    {
      round_of (changes == 1 ? r : r / 10, changes, v);
      for (int i = 0; i < ARRAYS * N; i++)
        sum = sum * 31 + v[i % ARRAYS][i / ARRAYS];
      printf ("%u %u\n", r, sum);
    }
  return 0;
}
