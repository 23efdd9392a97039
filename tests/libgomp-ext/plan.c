/* A sequence of constructs that allocate, send, compute and fetch, over and
   over, and that deviates in some rounds (usage: plan [ROUNDS [DEVIATION]]).
   Every kernel mixes what its operands hold into others, so that a byte in the
   wrong place changes the sum.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 2000,
  ARRAYS = 8
};

enum deviation
{
  NONE,
  SITE,  /* another kernel */
  SIZE,  /* of an array */
  ORDER, /* what is sent first */
  MORE,  /* constructs */
  FEWER,
  BLOCKS, /* allocated by a construct */
  LOOK,   /* of the host's in between */
  OTHER,  /* thread's construct */
  ALL     /* of these by turns */
};

static unsigned *v[ARRAYS];

static inline __attribute__ ((always_inline)) void
mix (unsigned *to, const unsigned *p, const unsigned *q, int n)
{
#pragma acc parallel loop present(to[:n], p[:n], q[:n])
  for (int i = 0; i < n; i++)
    to[i] = p[i] * 5 + (q[i] ^ (q[i] >> 7)) + 1;
}

/* V[0], V[1] and V[6] come from the host; V[4], V[5] and V[7] go back.  */
static void
round_of (enum deviation d)
{
  unsigned *a = v[0], *b = v[1], *c = v[2], *e = v[3], *f = v[4], *g = v[5],
           *h = v[6], *k = v[7];
  int n = d == SIZE ? N - 300 : N;
  if (d == ORDER)
    {
#pragma acc enter data copyin(h[:N])
    }
  if (d == BLOCKS)
    {
#pragma acc enter data copyin(a[:n]) create(c[:n], e[:n])
    }
  else
    {
#pragma acc enter data copyin(a[:n]) create(c[:n])
    }
  mix (c, a, a, n);
#pragma acc enter data copyin(b[:n])
  if (d != BLOCKS)
    {
#pragma acc enter data create(e[:n])
    }
  if (d == SITE)
    mix (e, c, b, n);
  else
    mix (e, b, c, n);
#pragma acc exit data delete (a[:n])
  if (d == MORE)
    {
#pragma acc enter data copyin(g[:N])
#pragma acc exit data delete (g[:N])
    }
  if (d == LOOK)
    {
#pragma acc update self(c[:n])
      h[3] += c[5];
    }
  if (d != ORDER)
    {
#pragma acc enter data copyin(h[:N])
    }
#pragma acc enter data create(f[:n], g[:n])
  mix (f, e, h, n);
  if (d != FEWER)
    mix (g, f, c, n);
#pragma acc exit data delete (b[:n], c[:n], e[:n])copyout(f[:n])
  h[0] += f[n - 1];
#pragma acc enter data create(k[:n])
#pragma acc update device(h[:N])
  mix (k, h, h, n);
  if (d == FEWER)
    mix (g, h, k, n);
#pragma acc exit data copyout(k[:n], g[:n]) delete (h[:N])
}

static void *
other (void *p)
{
  unsigned *x = p;
#pragma acc parallel loop copy(x[:N])
  for (int i = 0; i < N; i++)
    x[i] += i;
  return NULL;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 60;
  enum deviation deviation = argc > 2 ? atoi (argv[2]) : NONE;
  unsigned sum = 0;
  for (int i = 0; i < ARRAYS; i++)
    v[i] = calloc (N, sizeof *v[i]);
  for (int r = 0; r < rounds; r++)
    {
      enum deviation d = r % 9 != 8        ? NONE
                         : deviation < ALL ? deviation
                                           : (enum deviation) (r / 9 % ALL);
      for (int i = 0; i < N; i++)
        {
          v[0][i] += i * r;
          v[1][i] ^= v[0][i] + r;
          v[6][i] += v[1][i] * 3;
        }
      round_of (d);
      if (d == OTHER)
        {
          pthread_t t;
          if (pthread_create (&t, NULL, other, v[7]) || pthread_join (t, NULL))
            return 1;
        }
      for (int i = 0; i < ARRAYS * N; i++)
        sum = sum * 31 + v[i % ARRAYS][i / ARRAYS];
      printf ("%d %u\n", r, sum);
    }
  return 0;
}
