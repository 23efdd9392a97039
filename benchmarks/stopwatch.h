/* Wall-clock time and its median, for C and CUDA.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef STOPWATCH_H
#define STOPWATCH_H

#include <stdlib.h>
#include <time.h>

/* Seconds since some point in the past.  */
__attribute__ ((unused)) static double
stopwatch_seconds (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

static int
stopwatch_compare (const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median of the N times at T, N > 0, which get sorted.  */
__attribute__ ((unused)) static double
stopwatch_median (double *t, int n)
{
  qsort (t, n, sizeof *t, stopwatch_compare);
  return t[n / 2];
}

#endif /* STOPWATCH_H */
