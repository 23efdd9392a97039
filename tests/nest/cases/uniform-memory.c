/* Values that launching threads load: from memory that is constant in the region,
   at addresses that are the same to all, they are loaded again by who executes the
   child; but not where a thread that launches one may not have loaded them, or where
   they may change.
   NESTED: 7
   LAUNCHES: 7
   DEFERS: 5
   UNIFORMS: 9
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 300,
  M = 7
};

struct model
{
  int scale, shift;
  double weight[4];
};
static int out[N * M], more[N * M], count[2];

/* SCALE, WEIGHT and HALF.  */
static void
constant (const struct model *restrict m, int *restrict o, int which)
{
#pragma omp target teams distribute parallel for map(to: m[:1]) \
  map(tofrom: o[:N * M])
  for (int i = 0; i < N; i++)
    {
      int scale = m->scale;
      double weight = m->weight[which], half = weight / 2;
#pragma omp target teams distribute parallel for
      for (int k = 0; k < M; k++)
        o[i * M + k] += scale * k + (int)weight + (int)(4 * half) + i;
    }
}

/* M may be where O is, which changes.  */
static void
changes (const int *m, int *o)
{
#pragma omp target teams distribute parallel for map(tofrom: o[:N * M]) \
  map(to: m[:2])
  for (int i = 0; i < N; i++)
    {
      int scale = m[1];
#pragma omp target teams distribute parallel for
      for (int k = 0; k < M; k++)
        o[i * M + k] += scale * k + i;
    }
}

/* What threads count themselves.  */
static void
counts (int *restrict c, int *restrict o)
{
#pragma omp target teams distribute parallel for map(tofrom: c[:2]) \
  map(tofrom: o[:N * M])
  for (int i = 0; i < N; i++)
    {
      int once = c[1];
#pragma omp target teams distribute parallel for
      for (int k = 0; k < M; k++)
        {
          o[i * M + k] += once;
#pragma omp atomic
          c[0] += k;
        }
    }
}

/* Nobody has loaded M's, which is nowhere, or divided by nothing.  */
static void
guarded (const struct model *restrict m, int *restrict o, int some, int part)
{
#pragma omp target teams distribute parallel for map(to: m[:some]) \
  map(tofrom: o[:N * M])
  for (int i = 0; i < N; i++)
    {
      int scale, share;
      if (some)
        scale = m->scale;
      if (part)
        share = N / part;
#pragma omp target teams distribute parallel for
      for (int k = 0; k < M; k++)
        {
          o[i * M + k] += i;
          if (some)
            o[i * M + k] *= scale;
          if (part)
            o[i * M + k] -= share;
        }
    }
}

/* SHIFT, PART and LAST, before a child that not all threads have.  */
static void
branches (const struct model *restrict m, int *restrict o, int n)
{
#pragma omp target teams distribute parallel for map(to: m[:1]) \
  map(tofrom: o[:N * M])
  for (int i = 0; i < N; i++)
    {
      int shift = m->shift, part = N / n;
      if (i % 3)
        for (int t = 0; t < 2; t++)
          {
            int last = m->scale;
#pragma omp target teams distribute parallel for
            for (int k = 0; k < M; k++)
              o[i * M + k] += shift * k + part + t + last;
          }
    }
}

/* One that is mapped as a whole.  */
static void
variables (int *restrict o)
{
  struct model whole = { 3, 4, { 5, 6, 7, 8 } };
  int which = 2;
#pragma omp target teams distribute parallel for map(to: whole) \
  map(tofrom: o[:N * M])
  for (int i = 0; i < N; i++)
    {
      int shift = whole.shift, w = (int)whole.weight[which];
#pragma omp target teams distribute parallel for
      for (int k = 0; k < M; k++)
        o[i * M + k] += shift * k + w;
#pragma omp target teams distribute parallel for
      for (int k = 0; k < 2; k++)
        o[i * M + k] ^= w;
    }
}

int
main (void)
{
  struct model m = { 5, 7, { .5, 1, 1.5, 2 } };
  constant (&m, out, 3);
  changes (more, more);
  count[1] = 3;
  counts (count, out);
  guarded (NULL, out, 0, 0);
  branches (&m, out, 7);
  variables (out);
  unsigned sum = count[0];
  for (int i = 0; i < N * M; i++)
    sum = sum * 31 + out[i] + 7 * more[i];
  printf ("%u %d %d\n", sum, out[17], more[18]);
  return 0;
}
