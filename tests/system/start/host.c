/* Threads, tasks and barriers of the host alone.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

int
main (void)
{
  int sum = 0;
#pragma omp parallel num_threads (2)
  {
#pragma omp for reduction (+ : sum)
    for (int i = 0; i < 100; i++)
      sum += i;
#pragma omp barrier
#pragma omp single
    {
#pragma omp task
      sum += 1;
#pragma omp taskwait
#pragma omp task
      sum -= 1;
    }
  }
  printf ("%d\n", sum);
}
