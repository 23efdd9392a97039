/* Children in functions that regions and the host call: with values that come back, and with
   nothing behind them.
   NESTED: 5
   LAUNCHES: 3
   DEFERS: 1
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum
{
  N = 300,
  M = 20
};
static int out[N * M], seen[N];

#pragma omp declare target
static int
scale (int *to, int v, int factor)
{
  if (v % 7 == 0)
    return -1;
#pragma omp target teams distribute parallel for map(to[:N * M])
  for (int i = 0; i < M; i++)
    to[v * M + i] += factor * i + v;
  return to[v * M + v % M];
}

static void
fill (int *to, int v)
{
#pragma omp target teams distribute parallel for map(to[:N * M])
  for (int i = 0; i < v % M; i++)
    to[v * M + i] ^= i + v;
}
#pragma omp end declare target

int
main (void)
{
#pragma omp target teams distribute parallel for map(tofrom : out, seen)
  for (int v = 0; v < N; v++)
    {
      int x = scale (out, v, v % 3 + 1);
      seen[v] = x > 30 ? scale (out, v, x % 5) : x;
    }
#pragma omp target teams distribute parallel for map(tofrom : out)
  for (int v = 0; v < N; v++)
    fill (out, v);
  seen[0] += scale (out, 1, 3);
  fill (out, N - 1);
  unsigned long h = 5;
  for (int i = 0; i < N * M; i++)
    h = h * 31 + out[i];
  for (int i = 0; i < N; i++)
    h = h * 31 + seen[i];
  printf ("%lu\n", h % 1000000007);
}
