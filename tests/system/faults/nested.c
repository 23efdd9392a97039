/* Regions met on the device, OpenACC or OpenMP: kernels that launch others, with
   results behind each.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))

#ifdef _OPENACC
#define LOOP(...) DO (acc parallel loop __VA_ARGS__)
#define CHILD(...) DO (acc parallel loop present (__VA_ARGS__))
#define TO(...) copyin (__VA_ARGS__)
#define TOFROM(...) copy (__VA_ARGS__)
#else
#define LOOP(...) DO (omp target teams distribute parallel for __VA_ARGS__)
#define CHILD(...) LOOP (map (__VA_ARGS__))
#define TO(...) map (to : __VA_ARGS__)
#define TOFROM(...) map (tofrom : __VA_ARGS__)
#endif

enum
{
  N = 100,
  MOST = 12
};

static int row[N + 1], out[N * MOST];

static void
rows (int *restrict to, const int *restrict r)
{
  LOOP (TOFROM (to [0:N * MOST]) TO (r [0:N + 1]))
  for (int v = 0; v < N; v++)
    if (v % 3)
      {
        int factor = v + 1;
        CHILD (to [0:N * MOST], r [0:N + 1])
        for (int e = r[v]; e < r[v + 1]; e++)
          to[e] += factor * (e - r[v]);
      }
}

int
main (void)
{
  for (int v = 0; v < N; v++)
    row[v + 1] = row[v] + v * v % MOST;
  for (int turn = 0; turn < 4; turn++)
    {
      unsigned long h = 5381;
      rows (out, row);
      for (int i = 0; i < N * MOST; i++)
        h = h * 33 + (unsigned)out[i];
      printf ("%lu\n", h % 1000007);
    }
  return 0;
}
