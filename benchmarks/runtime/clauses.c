/* Three kernels a round of 4Ki floats, whose operands go there and back by
   FORM, as in tests/libgomp-ext/clauses.c: 1 updates, 2 clauses on the
   constructs, 3 data constructs around them; -DSHARED: one input is of all.
   Prints a checksum and microseconds a construct, with the host's part, of the
   first 100 rounds and the least of seven times as many.  Build with
   -fplugin-arg-accrete-disable=resident-loops.

   Usage: clauses TIME   (without: 100 rounds more, for the counters)

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sys/file.h>
#include "../stopwatch.h"

enum
{
  N = 4096,
  ROUNDS = 100,
  TIMES = 7
};

#ifdef SHARED
# define B1 b0
# define B2 b0
#else
# define B1 b1
# define B2 b2
#endif
#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))
#define BOTH(a, b) DO (acc a) DO (omp b)
#if FORM == 1
# define ALL                                                                  \
   BOTH (data create (a0[:N], a1[:N], a2[:N], b0[:N], b1[:N], b2[:N],         \
                      c0[:N], c1[:N], c2[:N]),                                \
	 target data map (alloc: a0[:N], a1[:N], a2[:N], b0[:N], b1[:N],      \
			  b2[:N], c0[:N], c1[:N], c2[:N]))
# define KERNEL(a, b, c)                                                      \
   BOTH (update device (a[:N], b[:N]), target update to (a[:N], b[:N]))       \
   BOTH (parallel loop present (a[:N], b[:N], c[:N]),                         \
	 target teams distribute parallel for)
# define BACK(c) BOTH (update self (c[:N]), target update from (c[:N]))
#elif FORM == 2
# define ALL
# define KERNEL(a, b, c)                                                      \
   BOTH (parallel loop if (argc) copyin (a[:N], b[:N]) copyout (c[:N]),       \
	 target teams distribute parallel for if (argc) map (to: a[:N], b[:N]) \
	   map (from: c[:N]))
# define BACK(c)
#else
# define ALL
# define KERNEL(a, b, c)                                                      \
   BOTH (data copyin (a[:N], b[:N]) copyout (c[:N]),                          \
	 target data map (to: a[:N], b[:N]) map (from: c[:N]))                \
   BOTH (parallel loop present (a[:N], b[:N], c[:N]),                         \
	 target teams distribute parallel for)
# define BACK(c)
#endif

int
main (int argc, char **argv)
{
  enum { BYTES = N * sizeof (float) };
  float *a0 = malloc (BYTES), *a1 = malloc (BYTES), *a2 = malloc (BYTES);
  float *b0 = malloc (BYTES), *b1 = malloc (BYTES), *b2 = malloc (BYTES);
  float *c0 = malloc (BYTES), *c1 = malloc (BYTES), *c2 = malloc (BYTES);
  double sum = 0, us[TIMES + 1];
  int times = argc > 1 ? TIMES : 1;
  for (int t = -1; t < times; t++)
    {
      if (t == 0 && getenv ("BENCH_TURN"))
        flock (open (getenv ("BENCH_TURN"), O_RDONLY), LOCK_EX);
      double begin = 1e6 * stopwatch_seconds ();
      ALL
      for (int r = 0; r < ROUNDS; r++)
        {
          for (int i = 0; i < N; i++)
            {
              a0[i] = i + r;
              a1[i] = (i ^ r) - 9;
              a2[i] = r - i;
              b0[i] = 2 * i + r;
              b1[i] = i * r & 127;
              b2[i] = 7 * i - 5 * r;
            }
          KERNEL (a0, b0, c0)
          for (int i = 0; i < N; i++)
            c0[i] = a0[i] + b0[i];
          BACK (c0)
          KERNEL (a1, B1, c1)
          for (int i = 0; i < N; i++)
            c1[i] = a1[i] - B1[i];
          BACK (c1)
          KERNEL (a2, B2, c2)
          for (int i = 0; i < N; i++)
            c2[i] = a2[i] * B2[i];
          BACK (c2)
          for (int i = 0; i < N; i += 64)
            sum += c0[i] + 2 * c1[i] + 3 * c2[i];
        }
      us[t + 1] = 1e6 * stopwatch_seconds () - begin;
    }
  double least = us[1];
  for (int t = 1; t <= times; t++)
    least = us[t] < least ? us[t] : least;
  printf ("%.17g\n", sum);
  printf ("us a construct first %.3f least %.3f\n", us[0] / ROUNDS / 3,
          least / ROUNDS / 3);
  return 0;
}
