/* Short regions that depend on each other, in the background as far as the program
   says, and what the host does with the results.  Prints a checksum.
   usage: depend

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 1000,
  TIMES = 200
};

int
main (void)
{
  float *a = malloc (N * sizeof *a), *b = malloc (N * sizeof *b);
  double sum = 0;
  for (int i = 0; i < N; i++)
    a[i] = b[i] = i;
#pragma omp target data map (tofrom: a[:N]) map (to: b[:N])
  for (int t = 0; t < TIMES; t++)
    {
      float f = t * .001f;
#pragma omp target teams distribute parallel for nowait depend (inout: a[0])
      for (int i = 0; i < N; i++)
	a[i] += f;
#pragma omp target teams distribute parallel for depend (inout: a[0])
      for (int i = 0; i < N; i++)
	a[i] = a[i] * .5f + b[i];
      if (t % 50 == 49)
	{
#pragma omp taskwait
#pragma omp target update from (a[:N])
	  for (int i = 0; i < N; i++)
	    sum += a[i];
#ifdef TASKS
	  /* A task of the host's, and one that waits for it.  */
#pragma omp task depend (inout: b[0])
	  b[7] = t;
#pragma omp target update to (b[:N]) depend (inout: b[0])
#endif
	}
    }
#pragma omp taskwait
  for (int i = 0; i < N; i++)
    sum += a[i];
  printf ("%.17g\n", sum);
  return 0;
}
