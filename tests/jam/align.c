/* Nests with two stores a point, whose innermost loop begins at several places of a
   line of the cache, in all lengths around those of tiles.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  ROWS = 9,
  MOST = 300
};

/* NAME works from FROM on; REAL is the type of what it stores.  */
#define NEST(name, from, real)                                                \
  static __attribute__ ((noipa)) void name (int n, const float *u, real *a,   \
                                            real *b)                          \
  {                                                                           \
    _Pragma ("acc parallel loop collapse(2) copyin(u[:ROWS * n])              \
              copy(a[:ROWS * n], b[:ROWS * n])")                              \
    _Pragma ("omp target teams distribute parallel for collapse(2)            \
              map(to : u[:ROWS * n]) map(tofrom : a[:ROWS * n], b[:ROWS * n])") \
    for (int y = 1; y < ROWS - 1; y++)                                        \
      for (int x = from; x < n - 1; x++)                                      \
        {                                                                     \
          a[y * n + x] = u[y * n + x] - u[(y - 1) * n + x];                   \
          b[y * n + x] = u[y * n + x] + 2 * u[(y + 1) * n + x];               \
        }                                                                     \
  }                                                                           \
  static void name##_all (void)                                               \
  {                                                                           \
    float *u = malloc (ROWS * MOST * sizeof *u);                              \
    real *a = malloc (ROWS * MOST * sizeof *a);                               \
    real *b = malloc (ROWS * MOST * sizeof *b);                               \
    double sum = 0;                                                           \
    for (int n = 1; n <= MOST; n += n < 72 || n > 280 ? 1 : 37)               \
      {                                                                       \
        memset (a, 0, ROWS * MOST * sizeof *a);                               \
        memset (b, 0, ROWS * MOST * sizeof *b);                               \
        for (int i = 0; i < ROWS * n; i++)                                    \
          u[i] = i * i % 97;                                                  \
        name (n, u, a, b);                                                    \
        for (int i = 0; i < ROWS * n; i++)                                    \
          sum += (i % 13 + 1) * (a[i] + 3 * b[i]);                            \
      }                                                                       \
    printf (#name " %.17g\n", sum);                                           \
    free (u);                                                                 \
    free (a);                                                                 \
    free (b);                                                                 \
  }

NEST (none, 0, float)
NEST (one, 1, float)
NEST (three, 3, double)
NEST (many, 37, short)

int
main (void)
{
  none_all ();
  one_all ();
  three_all ();
  many_all ();
  return 0;
}
