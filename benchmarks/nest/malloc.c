/* Parents that allocate what their children fill: microseconds of a call, the
   least of so many, and a checksum.

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
      int n = 4 + i % 16, s = 0;
      int *p = malloc (n * sizeof *p);
      if (p)
        {
#pragma omp target teams distribute parallel for
#pragma acc parallel loop
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
  unsigned check = 0, want = 0;
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
      want += n * (n - 1) / 2 + n * i;
    }
  printf ("time us %.1f first %.1f %s\n", least, first,
          check == want ? "right" : "wrong");
  free (sum);
  return check != want;
}
