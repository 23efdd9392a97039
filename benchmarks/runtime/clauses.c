/* Three kernels a round of 4Ki floats, whose operands go there and back by FORM
   (clauses.h).  Prints a checksum and microseconds a construct, with the host's
   part, of the first 100 rounds and the least of seven times as many.  Build with
   -fplugin-arg-accrete-disable=resident-loops.

   Usage: clauses TIME   (without: 100 rounds more, for the counters)

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <fcntl.h>
#include <sys/file.h>
#include "../stopwatch.h"
#include "clauses.h"

enum
{
  N = 4096,
  ROUNDS = 100,
  TIMES = 7
};

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
          ROUND (r, 64, sum)
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
