/* Parents that allocate what their children fill (with -DFLAT, they themselves do,
   which stock GCC can build): microseconds of a call, the least of so many, a
   checksum, and how many got no memory.

   Usage: malloc [PARENTS [CALLS]]

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static void
call (int parents, int *sum)
{
#pragma omp target teams distribute parallel for map(tofrom : sum[ : parents])
#pragma acc parallel loop gang vector copy(sum[ : parents])
  for (int i = 0; i < parents; i++)
    {
      int n = 4 + i % 16, s = -1;
      int *p = malloc (n * sizeof *p);
      if (p)
        {
          s = 0;
#ifndef FLAT
#pragma omp target teams distribute parallel for
#pragma acc parallel loop
#endif
          for (int k = 0; k < n; k++)
            p[k] = k + i;
          for (int k = 0; k < n; k++)
            s += p[k];
        }
      free (p);
      sum[i] = s;
    }
}

int
main (int argc, char **argv)
{
  int parents = argc > 1 ? atoi (argv[1]) : 1 << 16;
  int calls = argc > 2 ? atoi (argv[2]) : 41;
  int *sum = calloc (parents, sizeof *sum);
  double least = 1e30, first = 0;
  unsigned check = 0, want = 0, without = 0;
#pragma omp target data map(tofrom : sum[ : parents])
#pragma acc data copy(sum[ : parents])
  for (int i = 0; i < calls; i++)
    {
      double begin = now ();
      call (parents, sum);
      double time = now () - begin;
      first = i ? first : time;
      least = time < least ? time : least;
    }
  for (int i = 0; i < parents; i++)
    {
      unsigned n = 4 + i % 16;
      check += sum[i];
      without += sum[i] == -1;
      want += n * (n - 1) / 2 + n * i;
    }
  printf ("time us %.1f first %.1f %s, %u without memory\n", least, first,
          check == want ? "right" : "wrong", without);
  free (sum);
  return check != want;
}
