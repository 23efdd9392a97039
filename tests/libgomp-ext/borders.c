/* Sequences of small kernels on parts of arrays, made up from a seed, that come again and
   again: rows and columns at the ends, with or without the corners, every other element,
   diagonals, the inside.  Prints how many elements are wrong.
   usage: borders ROUNDS SEED [LENGTH]
   With 0 as SEED four kernels of each array fill its borders without the corners, and are
   independent of each other; with 1 as SEED and -DCORNERS columns have one element more,
   in the first of the rows, and come behind these.  With -DNOWAIT (OpenMP) the program
   waits for kernels where it looks at what they did.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum
{
  X = 17,
  Y = 13,
  N = X * Y,
  ARRAYS = 3,
  MOST = 40,
  KINDS = 9
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

struct step
{
  int kind, to, from, depth, x0, x1, y0, y1, more;
  unsigned x;
};

static int length = 12;
static struct step steps[MOST];
static unsigned *array[ARRAYS], *must[ARRAYS];

/* STEP of the round with number ROUND on arrays A and B, with LOOP in front of its
   loop.  In A are twice DEPTH rows and columns of borders.  */
#define WORK(LOOP)                                                            \
  int depth = s->depth, x0 = s->x0, x1 = s->x1, y0 = s->y0, y1 = s->y1;       \
  int more = s->more;                                                         \
  unsigned x = s->x + round;                                                  \
  unsigned long pitch = X;                                                    \
  switch (s->kind)                                                            \
    {                                                                         \
    case 0: /* bottom */                                                      \
      LOOP for (int j = x0; j < x1; j++)                                      \
      for (int k = 0; k < depth; k++)                                         \
        a[j + (1 - k) * pitch] = a[j + (2 + k) * pitch] * 3 + x;              \
      break;                                                                  \
    case 1: /* top */                                                         \
      LOOP for (int j = x0; j <= x1 - 1; j++)                                 \
      for (int k = 0; k < depth; k++)                                         \
        a[j + (Y - 2 + k) * pitch] = a[j + (Y - 3 - k) * pitch] * 5 + x;      \
      break;                                                                  \
    case 2: /* left */                                                        \
      LOOP for (int k = y0; k < y1 + more; k++)                               \
      for (int j = 0; j < depth; j++)                                         \
        a[(1 - j) + k * pitch] = a[(2 + j) + k * pitch] * 7 + x;              \
      break;                                                                  \
    case 3: /* right, downwards */                                            \
      LOOP for (int k = y1 - 1; k >= y0 - more; k--)                          \
      for (int j = depth - 1; j >= 0; --j)                                    \
        a[(X - 2 + j) + k * pitch] = a[(X - 3 - j) + k * pitch] * 9 + x;      \
      break;                                                                  \
    case 4: /* a diagonal */                                                  \
      LOOP for (int k = y0; k < y1; k++)                                      \
        a[k * pitch + k] = a[k * pitch + k] * 11 + x;                         \
      break;                                                                  \
    case 5: /* every other one */                                             \
      LOOP for (int k = more; k < N / 2 - 1; k++)                             \
        a[2 * k] = a[2 * k] * 3 + x;                                          \
      break;                                                                  \
    case 6: /* the others */                                                  \
      LOOP for (int k = more * 2 + 1; k < N; k += 2)                          \
        a[k] = a[k] * 5 + x;                                                  \
      break;                                                                  \
    case 7: /* some rows of another array */                                  \
      LOOP for (int k = 0; k < depth; k++)                                    \
      for (int j = x0; j < x1; j++)                                           \
        a[(y0 + k) * pitch + j] = b[(y0 + k + more) * pitch + j] + x;         \
      break;                                                                  \
    default: /* the inside */                                                 \
      LOOP for (int k = y0; k < y1; k++)                                      \
      for (int j = x0; j < x1; j++)                                           \
        if (b[k * pitch + j] % 3)                                             \
          a[k * pitch + j] = a[k * pitch + j] * 3                             \
                             + b[(k - 1) * pitch + j]                         \
                             + b[k * pitch + j + 1] + x;                      \
    }

static unsigned
next (unsigned *seed)
{
  *seed = *seed * 1664525 + 1013904223;
  return *seed >> 16;
}

/* The borders of array TO.  */
static void
borders (struct step *s, int i)
{
  int depth = 1 + i / 4 / ARRAYS % 2;
  *s = (struct step){ .kind = i % 4, .to = i / 4 % ARRAYS, .from = i / 4 % ARRAYS,
                      .depth = depth, .x0 = 2, .x1 = X - 2, .y0 = 2, .y1 = Y - 2 };
#ifdef CORNERS
  s->more = 1;
#endif
}

static void
any (struct step *s, unsigned *seed)
{
  s->kind = (int)next (seed) % KINDS;
  s->to = (int)next (seed) % ARRAYS;
  /* Not of what the kernel itself writes.  */
  s->from = (s->to + 1 + (int)next (seed) % (ARRAYS - 1)) % ARRAYS;
  s->depth = 1 + (int)next (seed) % 2;
  s->x0 = 1 + (int)next (seed) % 3;
  s->x1 = X - 1 - (int)next (seed) % 3;
  s->y0 = 1 + (int)next (seed) % 3;
  s->y1 = Y - 1 - (int)next (seed) % 3;
  s->more = (int)next (seed) % 2;
}

int
main (int argc, char **argv)
{
  int rounds = argc > 1 ? atoi (argv[1]) : 40;
  unsigned seed = argc > 2 ? atoi (argv[2]) : 1, all = seed == 0;
  if (argc > 3)
    length = atoi (argv[3]);
#ifdef CORNERS
  all = 1;
#endif
  for (int i = 0; i < length; i++)
    {
      if (all)
        borders (&steps[i], i);
      else
        any (&steps[i], &seed);
      steps[i].x = next (&seed);
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
