/* Sequences of small kernels, made up from a seed, that come again and again: some have
   to do with each other, some have not.  One kind has a product and a sum of
   floating-point numbers.  Prints how many elements are wrong.
   usage: batch ROUNDS SEED [LENGTH]
   With 0 as SEED all kernels are independent of each other.  With -DNOWAIT (OpenMP) the
   program waits for kernels where it looks at what they did.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  N = 200,
  ARRAYS = 8,
  MOST = 40,
  KINDS = 7
};
#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))
#ifdef _OPENACC
#define ENTER(...) DO (acc enter data copyin (__VA_ARGS__))
#define EXIT(...) DO (acc exit data copyout (__VA_ARGS__))
#define LOOP DO (acc parallel loop present (a [0:N], b [0:N]))
#define LOOK(p) DO (acc update self (p [0:1]))
#else
#define ENTER(...) DO (omp target enter data map (to : __VA_ARGS__))
#define EXIT(...) DO (omp target exit data map (from : __VA_ARGS__))
#ifdef NOWAIT
#define LOOP                                                                  \
  DO (omp target teams distribute parallel for nowait depend (inout : steps [0]))
#define WAIT DO (omp taskwait)
#else
#define LOOP DO (omp target teams distribute parallel for)
#endif
#define LOOK(p) DO (omp target update from (p [0:1]))
#endif
#ifndef WAIT
#define WAIT
#endif
#define HOST

#ifdef GLOBAL
static unsigned global[N];
#pragma acc declare create(global)
#define ALSO(i) global[i] = i;
#elif defined PRINTS
#define ALSO(i)                                                               \
  if (a[i] == 4294967295u && b[i] == 12345)                                   \
    printf ("rare\n");
#else
#define ALSO(i)
#endif

struct step
{
  int kind, to, from, n;
  unsigned x;
};

static int length = 12;
static struct step steps[MOST];
static unsigned *array[ARRAYS], *must[ARRAYS];

/* STEP of the round with number ROUND on arrays A and B, with LOOP in front of its
   loop.  */
#define WORK(LOOP)                                                            \
  int n = s->n;                                                               \
  unsigned x = s->x + round;                                                  \
  switch (s->kind)                                                            \
    {                                                                         \
    case 0:                                                                   \
      LOOP for (int i = 0; i < n; i++)                                        \
        {                                                                     \
          a[i] = b[i] + x;                                                    \
          ALSO (i)                                                            \
        }                                                                     \
      break;                                                                  \
    case 1:                                                                   \
      LOOP for (int i = 0; i < n; i++) a[i] ^= b[N - 1 - i];                  \
      break;                                                                  \
    case 2:                                                                   \
      LOOP for (int i = 0; i < n / 2; i++) a[2 * i] = b[i] * 7;               \
      break;                                                                  \
    case 3:                                                                   \
      LOOP for (int i = 0; i < n; i++) a[i] = a[i] * 3 + b[i];                \
      break;                                                                  \
    case 4:                                                                   \
      LOOP for (int i = 0; i < 7; i++) a[i] = b[N - 1 - i];                   \
      break;                                                                  \
    case 5:                                                                   \
      LOOP for (int i = 0; i < n; i++)                                        \
        {                                                                     \
          double v = b[i] % 1000 * .5;                                        \
          a[i] = a[i] % 1000 + (unsigned)(v * v + i) % 1000;                  \
        }                                                                     \
      break;                                                                  \
    default:                                                                  \
      LOOP for (int i = 0; i < n; i++)                                        \
      for (int k = 0; k < 3; k++)                                             \
        a[i] = a[i] * 5 + b[(i + k) % N] % 16;                                \
    }

static unsigned
next (unsigned *seed)
{
  *seed = *seed * 1664525 + 1013904223;
  return *seed >> 16;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 40;
  unsigned seed = argc > 2 ? atoi (argv[2]) : 1, all = seed == 0;
  if (argc > 3)
    length = atoi (argv[3]);
  for (int i = 0; i < length; i++)
    {
      struct step *s = &steps[i];
      if (all)
        *s = (struct step){ .kind = i % 5,
                            .to = i % (ARRAYS / 2),
                            .from = ARRAYS / 2 + i % (ARRAYS / 2) };
      else
        {
          s->kind = (int)next (&seed) % KINDS;
          s->to = (int)next (&seed) % ARRAYS;
          s->from = (s->to + 1 + (int)next (&seed) % (ARRAYS - 1)) % ARRAYS;
        }
      s->n = N - next (&seed) % 9;
      s->x = next (&seed);
    }
  for (int k = 0; k < ARRAYS; k++)
    {
      unsigned *p = array[k] = malloc (N * sizeof *p);
      must[k] = malloc (N * sizeof *p);
      for (int i = 0; i < N; i++)
        p[i] = must[k][i] = i * (k + 3);
      ENTER (p [0:N])
    }
  int wrong = 0;
  for (unsigned round = 0; round < (unsigned)rounds; round++)
    {
      for (int i = 0; i < length; i++)
        {
          const struct step *s = &steps[i];
          unsigned *a = array[s->to], *b = array[s->from];
          WORK (LOOP)
        }
      for (int i = 0; i < length; i++)
        {
          const struct step *s = &steps[i];
          unsigned *a = must[s->to], *b = must[s->from];
          WORK (HOST)
        }
      if (round % 13 == 12)
        {
          unsigned *p = array[round % ARRAYS];
          WAIT
          LOOK (p)
          wrong += p[0] != must[round % ARRAYS][0];
        }
    }
  WAIT
  for (int k = 0; k < ARRAYS; k++)
    {
      unsigned *p = array[k];
      EXIT (p [0:N])
      for (int i = 0; i < N; i++)
        wrong += p[i] != must[k][i];
    }
  printf ("%d wrong\n", wrong);
  return wrong != 0;
}
