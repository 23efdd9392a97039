/* What the copies of large operands cost: constructs that map 1, 3 or 16
   arrays of BYTES in all, with a nearly empty kernel.  Built with -fopenacc or
   -fopenmp.  Prints rows: model, way, arrays, bytes in all, median and least
   time of a construct in microseconds, GB/s by the least (both ways' bytes).
   usage: bulk [REPEATS [BYTES]...]

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../stopwatch.h"

#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))

#ifdef _OPENACC
#define MODEL "OpenACC"
#define CONSTRUCT(way, ...) DO (acc parallel num_gangs (1) way (__VA_ARGS__))
#define TO copyin
#define FROM copyout
#define TOFROM copy
#else
#define MODEL "OpenMP"
#define CONSTRUCT(way, ...) DO (omp target map (way : __VA_ARGS__))
#define TO to
#define FROM from
#define TOFROM tofrom
#endif

enum
{
  ARRAYS = 16
};

static char *v[ARRAYS];

#define LIST1 a[:n]
#define LIST3 LIST1, b[:n], c[:n]
#define LIST16                                                                \
  LIST3, d[:n], e[:n], f[:n], g[:n], h[:n], i[:n], j[:n], k[:n], l[:n], m     \
  [:n], o                                                                     \
  [:n], p                                                                     \
  [:n], q                                                                     \
  [:n]
#define SET1 a[0] = 1
#define SET3 SET1, b[0] = 1, c[0] = 1
#define SET16                                                                 \
  SET3, d[0] = 1, e[0] = 1, f[0] = 1, g[0] = 1, h[0] = 1, i[0] = 1, j[0] = 1, \
        k[0] = 1, l[0] = 1, m[0] = 1, o[0] = 1, p[0] = 1, q[0] = 1

/* A construct that maps COUNT arrays of N bytes WAY.  */
#define DEFINE(way, count)                                                    \
  static void way##_##count (size_t n)                                        \
  {                                                                           \
    char *a = v[0], *b = v[1], *c = v[2], *d = v[3], *e = v[4], *f = v[5],    \
         *g = v[6], *h = v[7], *i = v[8], *j = v[9], *k = v[10], *l = v[11],  \
         *m = v[12], *o = v[13], *p = v[14], *q = v[15];                      \
    (void)a, (void)b, (void)c, (void)d, (void)e, (void)f, (void)g, (void)h;   \
    (void)i, (void)j, (void)k, (void)l, (void)m, (void)o, (void)p, (void)q;   \
    CONSTRUCT (way, LIST##count) { SET##count; }                              \
  }

DEFINE (TO, 1)
DEFINE (TO, 3)
DEFINE (TO, 16)
DEFINE (FROM, 1)
DEFINE (FROM, 3)
DEFINE (FROM, 16)
DEFINE (TOFROM, 1)
DEFINE (TOFROM, 3)
DEFINE (TOFROM, 16)

static const struct
{
  const char *name;
  int arrays, ways;
  void (*fn) (size_t n);
} rows[] = {
  { "to", 1, 1, TO_1 },           { "to", 3, 1, TO_3 },
  { "to", 16, 1, TO_16 },         { "from", 1, 1, FROM_1 },
  { "from", 3, 1, FROM_3 },       { "from", 16, 1, FROM_16 },
  { "tofrom", 1, 2, TOFROM_1 },   { "tofrom", 3, 2, TOFROM_3 },
  { "tofrom", 16, 2, TOFROM_16 },
};

static void
measure (size_t bytes, int repeats)
{
  double us[1000];
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    {
      size_t n = bytes / rows[r].arrays;
      if (!n)
        continue;
      for (int a = 0; a < rows[r].arrays; a++)
        {
          v[a] = malloc (n);
          memset (v[a], a, n);
        }
      for (int i = 0; i < 3; i++)
        rows[r].fn (n);
      for (int i = 0; i < repeats; i++)
        {
          double begin = 1e6 * stopwatch_seconds ();
          rows[r].fn (n);
          us[i] = 1e6 * stopwatch_seconds () - begin;
        }
      double median = stopwatch_median (us, repeats);
      printf ("%-8s %-6s %2d %12zu %10.1f %10.1f %6.1f\n", MODEL, rows[r].name,
              rows[r].arrays, bytes, median, us[0],
              1e-3 * rows[r].ways * n * rows[r].arrays / us[0]);
      for (int a = 0; a < rows[r].arrays; a++)
        free (v[a]);
    }
}

int
main (int argc, char **argv)
{
  int repeats = argc > 1 ? atoi (argv[1]) : 20;
  repeats = repeats < 1 ? 1 : repeats > 1000 ? 1000 : repeats;
  if (argc < 3)
    for (size_t bytes = 4096; bytes <= (size_t)1 << 30; bytes *= 4)
      measure (bytes, bytes > 64 << 20 ? 5 : repeats);
  for (int i = 2; i < argc; i++)
    measure (strtoull (argv[i], NULL, 0), repeats);
  return 0;
}
