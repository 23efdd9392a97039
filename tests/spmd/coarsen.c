/* Loops over elements whose threads load for several iterations at a time: each
   iteration is executed once and has its own values, however few threads there are.
   What they compute is small numbers, so that no order and no contraction shows.
   Prints how many elements are not what the host computes.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <string.h>

#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))
#ifdef _OPENACC
#define EACH DO (acc parallel loop present(a[:N], b[:N], c[:N], z[:Z]))
#define DATA DO (acc data copyin(a[:N], b[:N]) copy(c[:N], z[:Z]))
#else
#define EACH DO (omp target teams distribute parallel for)
#define DATA DO (omp target data map(to: a[:N], b[:N]) map(tofrom: c[:N], z[:Z]))
#endif

enum
{
  N = 9000,
  Z = 4 * N
};

/* FORM over n elements, on the device and on the host.  */
#define PAIR(name, type, loop, ...)                                           \
  static void name##_device (long n, const type *a, const type *b, type *c,   \
			     float *z)                                        \
  {                                                                           \
    EACH loop { __VA_ARGS__ }                                                 \
  }                                                                           \
  static void name##_host (long n, const type *a, const type *b, type *c,     \
			   float *z)                                          \
  {                                                                           \
    loop { __VA_ARGS__ }                                                      \
  }                                                                           \
  static long name (long n)                                                   \
  {                                                                           \
    static type a[N], b[N], c[N], d[N];                                       \
    static float z[Z], y[Z];                                                  \
    for (int i = 0; i < N; i++)                                               \
      a[i] = i % 97, b[i] = i % 31 + 1, c[i] = d[i] = i % 11;                 \
    for (int i = 0; i < Z; i++)                                               \
      z[i] = y[i] = i % 7;                                                    \
    DATA name##_device (n, a, b, c, z);                                       \
    name##_host (n, a, b, d, y);                                              \
    long wrong = 0;                                                           \
    for (int i = 0; i < N; i++)                                               \
      wrong += c[i] != d[i];                                                  \
    for (int i = 0; i < Z; i++)                                               \
      wrong += z[i] != y[i];                                                  \
    if (wrong)                                                                \
      printf ("%s of %ld: %ld wrong\n", #name, n, wrong);                     \
    return wrong;                                                             \
  }

#define UP for (long i = 0; i < n; i++)
#define NARROW for (int i = 0; i < (int)n; i++)
#define DOWN for (int i = n - 1; i >= 0; i--)
#define THIRDS for (long i = 2; i <= n - 1; i += 3)

/* In place, of one and of two arrays; of 64 and of 8 bits.  */
PAIR (scale, float, UP, c[i] = 3 * c[i];)
PAIR (sum, float, NARROW, c[i] = 2 * a[i] + b[i] + c[i];)
PAIR (wide, double, DOWN, c[i] = 2 * a[i] - c[i];)
PAIR (more, double, UP, c[i] = a[i] + b[i] + c[i];)
PAIR (bytes, unsigned char, NARROW, c[i] = a[i] ^ b[i];)
/* Iterations that are not next to each other.  */
PAIR (thirds, float, THIRDS, c[i] = a[i] - b[i];)
PAIR (apart, float, UP, z[4 * i + 1] = a[i]; z[4 * i + 3] = z[4 * i + 2] + b[i];)
/* Variables that are set again, and used by what comes next; a store that is loaded
   again.  */
PAIR (again, int, UP, int t = a[i]; t = t * b[i]; c[i] = t; t = c[i] + 1;
      c[i] = t + a[i];)
/* Several stores, of which the last one counts; in the second, numbers that are stored
   before they are loaded.  */
PAIR (counts, int, NARROW, c[i] = a[i]; c[i] = c[i] ^ b[i];)
PAIR (twice, float, NARROW, c[i] = a[i]; z[i] = c[i] + b[i]; c[i] = z[i] + 1;)
/* Other elements than its own.  */
PAIR (stencil, float, for (long i = 1; i < n - 1; i++),
      c[i] = a[i - 1] + 2 * a[i] + a[i + 1];)
PAIR (gather, int, UP, c[i] = a[b[i]] + b[i];)
/* What takes more registers, and what is not straight code.  */
PAIR (ratio, int, UP, c[i] = (a[i] + c[i]) / b[i];)
PAIR (guarded, float, UP, if (a[i] > 50) c[i] = b[i]; else c[i] = c[i] + 1;)
PAIR (inside, int, NARROW, int t = 0; for (int k = 0; k < a[i] % 5; k++) t += b[i];
      c[i] = t;)

/* What iterations reduce besides.  */
#ifdef _OPENACC
#define SUM DO (acc parallel loop copyin(a[:N]) copy(c[:N]) reduction(+ : s))
#else
#define SUM                                                                   \
  DO (omp target teams distribute parallel for map(to: a) map(tofrom: c, s)   \
	reduction(+ : s))
#endif

static long
summed (long n)
{
  static int a[N], c[N], d[N];
  int s = 5, want = 5;
  for (int i = 0; i < N; i++)
    a[i] = i % 97, c[i] = d[i] = i % 11;
  SUM
  for (int i = 0; i < n; i++)
    {
      int t = c[i] + a[i];
      c[i] = t;
      s += t ^ 5;
    }
  long wrong = 0;
  for (int i = 0; i < n; i++)
    {
      d[i] = d[i] + a[i];
      want += d[i] ^ 5;
    }
  for (int i = 0; i < N; i++)
    wrong += c[i] != d[i];
  wrong += s != want;
  if (wrong)
    printf ("summed of %ld: %ld wrong\n", n, wrong);
  return wrong;
}

static long (*const all[]) (long)
  = { scale, sum, wide, more, bytes, thirds, apart, again, counts, twice, stencil, gather,
      ratio, guarded, inside, summed };

int
main (void)
{
  static const long sizes[]
    = { 1, 2, 255, 257, 768, 769, 1023, 1024, 1025, 2048, 3000, 4097, N };
  long wrong = 0;
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
      wrong += all[i](sizes[s]);
  printf ("%ld wrong\n", wrong);
  return wrong != 0;
}
