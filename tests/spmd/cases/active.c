/* A parallel construct that the threads of a parallel construct meet: the host's form has
   the teams that the program asks for, a thread of the GPU is one.

   ACCEPT: 1
   HOST: OMP_MAX_ACTIVE_LEVELS=2

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

#include <omp.h>

#define N 100

static int a[N], want[N];

int
main (void)
{
#pragma omp target teams distribute parallel for map (from: a) num_threads (2)
  for (int i = 0; i < N; i++)
    {
      int threads = 0;
#pragma omp parallel reduction (+ : threads) num_threads (2)
      threads += omp_get_num_threads ();
      a[i] = threads;
    }
  for (int i = 0; i < N; i++)
    want[i] = omp_get_num_devices () ? 1 : 4;
  check_ints ("active levels", a, want, N);
  return check_status ();
}
