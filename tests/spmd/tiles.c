/* Nests whose iterations are shared out in tiles: each is executed once, with
   however few blocks, which then go on from turn to turn.  Prints how many were
   not.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <string.h>

#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))
#ifdef _OPENACC
#define NEST(n) DO (acc parallel loop collapse(n) copy(hit[0:all]))
#else
#define NEST(n)                                                               \
  DO (omp target teams distribute parallel for collapse(n)                    \
      map(tofrom: hit[0:all]))
#endif

enum { MOST = 40000 };
static unsigned char hit[MOST];

#define FOR(i, n) for (index i = 0; i < n; i++)
#define AT(a, b, c, d) hit[(((a) * B + (b)) * C + (c)) * D + (d)]

/* The nests of two to four loops of TYPE.  */
#define NESTS(type)                                                           \
  static void type##_2 (index A, index B, index C, index D)                   \
  {                                                                           \
    index all = A * B * C * D;                                                \
    B *= C, A *= D, C = D = 1;                                                \
    NEST (2) FOR (a, A) FOR (b, B) AT (a, b, 0, 0)++;                         \
  }                                                                           \
  static void type##_3 (index A, index B, index C, index D)                   \
  {                                                                           \
    index all = A * B * C * D;                                                \
    C *= D, D = 1;                                                            \
    NEST (3) FOR (a, A) FOR (b, B) FOR (c, C) AT (a, b, c, 0)++;              \
  }                                                                           \
  static void type##_4 (index A, index B, index C, index D)                   \
  {                                                                           \
    index all = A * B * C * D;                                                \
    NEST (4)                                                                  \
    FOR (a, A) FOR (b, B) FOR (c, C) FOR (d, D) AT (a, b, c, d)++;            \
  }
#define index int
NESTS (narrow)
#undef index
#define index long
NESTS (wide)
#undef index

static const int size[][4]
  = { { 1, 1, 1, 1 },	 { 5, 7, 11, 13 },  { 2, 1, 300, 3 },
      { 40, 1, 1, 37 },	 { 17, 5, 3, 2 },   { 1, 513, 2, 33 },
      { 97, 101, 1, 3 }, { 3, 2, 2, 1111 }, { 1, 9973, 1, 4 } };

static int wrong;

static void
judge (const int *n)
{
  for (int i = 0; i < n[0] * n[1] * n[2] * n[3]; i++)
    wrong += hit[i] != 1;
  memset (hit, 0, sizeof hit);
}

int
main (void)
{
  for (unsigned i = 0; i < sizeof size / sizeof *size; i++)
    {
      const int *n = size[i];
      narrow_2 (n[0], n[1], n[2], n[3]);
      judge (n);
      narrow_3 (n[0], n[1], n[2], n[3]);
      judge (n);
      narrow_4 (n[0], n[1], n[2], n[3]);
      judge (n);
      wide_2 (n[0], n[1], n[2], n[3]);
      judge (n);
      wide_3 (n[0], n[1], n[2], n[3]);
      judge (n);
      wide_4 (n[0], n[1], n[2], n[3]);
      judge (n);
    }
  printf ("%d wrong\n", wrong);
  return 0;
}
