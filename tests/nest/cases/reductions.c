/* Children of several threads reduce into the same variables: what GPUs update
   at once, and what they do not.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* NESTED: 6 */

#include "pair.h"

#include <complex.h>
#include <stdio.h>

enum
{
  PARENTS = 40
};

int
main (void)
{
  struct pair pair = { 1, 2 };
  int four[4] = { 0 }, six[6] = { 1, 2, 3, 4, 5, 6 }, *part = six + 1;
  double complex z = 1;
  __int128 wide = 1;
  long sum = 0;
  double x = 1;
  float least = 1e9f;
  unsigned char bits = 0;
  _Bool all = 1;
#pragma omp target teams distribute parallel for map (tofrom : pair, four, z) \
  map (tofrom : wide, sum, x, least, bits, all, part[0 : 3])
  for (int i = 0; i < PARENTS; i++)
    {
#pragma omp target teams distribute parallel for reduction (pairs : pair) \
  map (tofrom : pair)
      for (int k = 0; k < i; k++)
        {
          pair.a += k;
          pair.b += k * .5;
        }
#pragma omp target teams distribute parallel for reduction (+ : four[1 : 2]) \
  map (tofrom : four)
      for (int k = 0; k < i; k++)
        four[1 + k % 2] += k;
#pragma omp target teams distribute parallel for reduction (+ : part[0 : 3])
      for (int k = 0; k < i; k++)
        part[k % 3] += k;
#pragma omp target teams distribute parallel for reduction (+ : z) \
  map (tofrom : z)
      for (int k = 0; k < i; k++)
        z += 1 + k * I;
#pragma omp target teams distribute parallel for reduction (+ : wide) \
  map (tofrom : wide)
      for (int k = 0; k < i; k++)
        wide += (__int128)k << 64;
#pragma omp target teams distribute parallel for reduction (+ : sum, x) \
  reduction (min : least) reduction (^ : bits) reduction (&& : all) \
  map (tofrom : sum, x, least, bits, all)
      for (int k = 0; k < i; k++)
        {
          sum += k;
          x += 1;
          least = least < -k ? least : -k;
          bits ^= k;
          all = all && k < PARENTS;
        }
    }
  printf ("%d %g\n", pair.a, pair.b);
  for (int i = 0; i < 4; i++)
    printf ("%d ", four[i]);
  for (int i = 0; i < 6; i++)
    printf ("%d ", six[i]);
  printf ("\n%g %g\n", creal (z), cimag (z));
  printf ("%ld %ld\n", (long)(wide >> 64), (long)wide);
  printf ("%ld %g %g %d %d\n", sum, x, least, bits, all);
  return 0;
}
