/* The clock that everything here is timed by.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_CLOCK_H
#define ACCRETE_CLOCK_H

#include <time.h>

/* Microseconds since some time.  */
static inline double
acr_now_us (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

#endif /* ACCRETE_CLOCK_H */
