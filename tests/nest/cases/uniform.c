/* Values that launching threads have: some are the same to all, and computed
   by who executes the child; some only look so.
   NESTED: 7
   LAUNCHES: 5
   DEFERS: 2
   UNIFORMS: 7
   TOGETHER: -O2
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum
{
  N = 300,
  M = 7,
  DEPTH = 4
};
static int out[N * M], later[N], tree[4096];

/* N and MARK are the same on all levels; LOW, STEP and OTHER are not.  */
#pragma omp declare target
static void
fill (int *o, int n, int low, int step, int mark, int other)
{
  int half = n / 2 + mark, third = step * mark;
#pragma omp target teams distribute parallel for
  for (int k = 0; k < n; k++)
    {
#pragma omp atomic
      o[low + k % step] += half + third + other;
    }
  if (step <= 1)
    return;
#pragma omp target teams distribute parallel for
  for (int h = 0; h < 2; h++)
    fill (o, n, low + h * step / 2, step / 2, mark, other + 1);
}
#pragma omp end declare target

int
main (void)
{
  int scale = 3, shift = 11;
#pragma omp target teams distribute parallel for map(tofrom: out, later)
  for (int i = 0; i < N; i++)
    {
      int factor = scale * 5 + shift, bonus = factor;
      long wide = factor;
      int changes = scale, again;
      if (i & 1)
        changes = shift;
      again = changes - scale;
      /* Of all of these SCALE, SHIFT, FACTOR and WIDE are the same.  */
#pragma omp target teams distribute parallel for
      for (int k = 0; k < M; k++)
        out[i * M + k] += factor * k + wide + scale + shift + again + changes
                          + bonus;
      bonus += i;
      later[i] = bonus;
    }
  /* One that is set in the child, and one in a loop around.  */
#pragma omp target teams distribute parallel for map(tofrom: out, later)
  for (int i = 0; i < N; i++)
    {
      int base = shift * 2, turn = shift;
      for (int t = 0; t < 3; t++)
        {
          int sum = base;
#pragma omp target teams distribute parallel for firstprivate(base) \
  map(tofrom: sum) reduction(+: sum)
          for (int k = 0; k < M; k++)
            {
              int mine = base + k;
              sum += mine * turn;
            }
          out[i * M + t] += sum;
          turn = turn + t;
        }
#pragma omp target teams distribute parallel for firstprivate(base)
      for (int k = 0; k < M; k++)
        {
          base = base * 2 + k;
          out[i * M + k] ^= base;
          base = (base - k) / 2;
        }
    }
#pragma omp target teams distribute parallel for map(tofrom: tree)
  for (int i = 0; i < 9; i++)
    fill (tree, 5, i * 64, 32, 3, i);
  unsigned sum = 0;
  for (int i = 0; i < N * M; i++)
    sum = sum * 31 + out[i];
  for (int i = 0; i < N; i++)
    sum = sum * 31 + later[i];
  for (int i = 0; i < 4096; i++)
    sum = sum * 31 + tree[i];
  printf ("%u %d\n", sum, out[17]);
  return 0;
}
