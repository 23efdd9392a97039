/* Constructs with eight operands of N numbers each, in the order of their addresses
   or in another one, with a region and without one: what the device sums up is what
   the host had.
   usage: several ROUNDS N [WAYS]
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum
{
  ARRAYS = 8
};

#define DO(...) _Pragma (#__VA_ARGS__)
#define REGION(...) DO (acc parallel loop copyin (__VA_ARGS__) reduction (+ : s))
#define ENTER(...) DO (acc enter data copyin (__VA_ARGS__))
#define PRESENT(...) DO (acc parallel loop present (__VA_ARGS__) reduction (+ : s))
#define LEAVE(...) DO (acc exit data delete (__VA_ARGS__))
#define ALL a[:n], b[:n], c[:n], d[:n], e[:n], f[:n], g[:n], h[:n]
#define TURNED h[:n], c[:n], b[:n], a[:n], g[:n], f[:n], e[:n], d[:n]

/* Weights tell the operands from one another.  */
#define SUM                                                                    \
  for (int i = 0; i < n; i++)                                                  \
    s += a[i] + 3l * b[i] + 5l * c[i] + 7l * d[i] + 11l * e[i] + 13l * f[i]    \
         + 17l * g[i] + 19l * h[i] + (i & 3) * (a[i] ^ h[i]);

static long
sum (int way, int n, int *a, int *b, int *c, int *d, int *e, int *f, int *g,
     int *h)
{
  long s = 0;
  switch (way)
    {
    case 0:
      REGION (ALL)
      SUM
      break;
    case 1:
      REGION (TURNED)
      SUM
      break;
    case 2:
      {
        ENTER (ALL)
        PRESENT (ALL)
        SUM
        LEAVE (ALL)
      }
      break;
    default:
      SUM
    }
  return s;
}

int
main (int argc, char **argv)
{
  int rounds = atoi (argv[1]), n = atoi (argv[2]), wrong = 0;
  int ways = argc > 3 ? atoi (argv[3]) : 3;
  int *v[ARRAYS];
  for (int i = 0; i < ARRAYS; i++)
    v[i] = malloc (n * sizeof (int));
  for (int round = 0; round < rounds; round++)
    for (int way = 0; way < ways; way++)
      {
        long s[2];
        for (int i = 0; i < ARRAYS; i++)
          for (int k = 0; k < n; k++)
            v[i][k] = (i * 7919 + k * 31 + round * 104729 + way * 611) & 0xffff;
        for (int on_host = 0; on_host < 2; on_host++)
          s[on_host] = sum (on_host ? 3 : way, n, v[0], v[1], v[2], v[3], v[4],
                            v[5], v[6], v[7]);
        wrong += s[0] != s[1];
      }
  printf ("%d wrong\n", wrong);
  return wrong != 0;
}
