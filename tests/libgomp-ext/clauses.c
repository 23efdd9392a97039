/* Rounds of benchmarks/runtime/clauses.h.  Prints a checksum.
   usage: clauses; -DFLOATS=N: operands of so many

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include "../../benchmarks/runtime/clauses.h"

#ifndef FLOATS
# define FLOATS 1024
#endif

enum
{
  N = FLOATS,
  ROUNDS = 100
};

int
main (int argc, char **argv)
{
  enum
  {
    BYTES = N * sizeof (float)
  };
  float *a0 = malloc (BYTES), *a1 = malloc (BYTES), *a2 = malloc (BYTES);
  float *b0 = malloc (BYTES), *b1 = malloc (BYTES), *b2 = malloc (BYTES);
  float *c0 = malloc (BYTES), *c1 = malloc (BYTES), *c2 = malloc (BYTES);
  double sum = 0;
  ALL
  for (int r = 0; r < ROUNDS; r++)
    {
      ROUND (r, 1, sum)
    }
  printf ("%.17g\n", sum);
  return 0;
}
