/* Math functions that GCC has not built in where the language is ISO C++'s: a system
   header declares them.  What the program declares itself may be any function.

   FLAGS: -fopenmp -std=c++17 -foffload-options=-lm
   ACCEPT: 1
   REJECT: a function that is not in this file
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>

#include "check.h"

enum
{
  N = 1500
};

static double out[N], two[N];

/* The C library's, under a name that its headers do not have.  */
extern "C" double mine (double) __asm__("lgamma");
#pragma omp declare target to(mine)

int
main ()
{
#pragma omp target teams distribute parallel for map(from : out)
  for (int i = 0; i < N; i++)
    {
      double s, c;
      sincos (i * .01, &s, &c);
      out[i] = 2 * s + c;
    }
  for (int i = 0; i < N; i += 100)
    check_double ("sincos", out[i], 2 * sin (i * .01) + cos (i * .01));

#pragma omp target teams distribute parallel for map(from : two)
  for (int i = 0; i < N; i++)
    two[i] = mine (1 + i * .01);
  for (int i = 0; i < N; i += 100)
    check_double ("gamma", two[i], lgamma (1 + i * .01));
  return check_status ();
}
