/* Regions that stay in generic mode, and start no more teams than their loop
   can use.
   FEWER: 7
   REJECT: a construct in the loop
   REJECT: a construct in the loop
   REJECT: a construct in the loop
   REJECT: a construct in the loop
   REJECT: a construct in the loop
   REJECT: a construct in the loop
   REJECT: a construct in the loop
   REJECT: a construct in the loop
   REJECT: a construct in the loop

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>

#include "check.h"

#define N 300

static int got[N], want[N];

static void
clear (void)
{
  for (int i = 0; i < N; i++)
    got[i] = want[i] = 0;
}

/* Iteration I, which no kernel of plain form does.  */
#define WORK(i)                                                               \
  {                                                                           \
    _Pragma ("omp task") got[i] += (i) + 1;                                   \
    _Pragma ("omp taskwait")                                                  \
  }

int
main (void)
{
  int n = N, teams = 0, zero = 0, first = 7;

  clear ();
#pragma omp target teams distribute parallel for map(tofrom : got)
  for (int i = 0; i < n; i++)
    WORK (i)
  for (int i = 0; i < n; i++)
    want[i] += i + 1;
  check_ints ("combined", got, want, N);

#pragma omp target teams distribute parallel for map(tofrom : got)            \
    dist_schedule(static, 3)
  for (int i = n - 1; i >= first; i -= 2)
    WORK (i)
  for (int i = n - 1; i >= first; i -= 2)
    want[i] += i + 1;
  check_ints ("chunks of teams", got, want, N);

#pragma omp target teams distribute parallel for map(tofrom : got)            \
    schedule(static, 4) thread_limit(4)
  for (int i = 0; i < n; i++)
    WORK (i)
#pragma omp target teams distribute parallel for map(tofrom : got)            \
    num_threads(2) if (parallel : n > first)
  for (int i = 0; i < n; i++)
    WORK (i)
#pragma omp target teams distribute parallel for collapse(2)                  \
    map(tofrom : got)
  for (int i = 0; i < 10; i++)
    for (int j = 0; j < n / 10; j++)
      WORK (i * (n / 10) + j)
  for (int i = 0; i < n; i++)
    want[i] += 3 * (i + 1);
  check_ints ("threads, several loops", got, want, N);

#pragma omp target teams distribute map(tofrom : got, teams)
  for (int i = 0; i < 5; i++)
    {
      if (i == 4)
        teams = omp_get_num_teams ();
      WORK (i)
    }
  for (int i = 0; i < 5; i++)
    want[i] += i + 1;
  check_ints ("teams alone", got, want, N);
  if (teams < 1)
    check_failures++;

#pragma omp target teams distribute parallel for map(tofrom : got)
  for (int i = first; i < zero; i++)
    WORK (i)
  check_ints ("no iteration", got, want, N);

  /* What the program says stays.  */
#pragma omp target teams distribute parallel for map(tofrom : got, teams)     \
    num_teams(3)
  for (int i = 0; i < n; i++)
    {
      if (i == 0)
        teams = omp_get_num_teams ();
      WORK (i)
    }
  for (int i = 0; i < n; i++)
    want[i] += i + 1;
  check_ints ("a number of teams", got, want, N);
  if (teams != 3 && !omp_is_initial_device ())
    check_failures += teams > 3;

  /* A bound that is not known before the construct.  */
  int size = N, *bound = &size;
#pragma omp target teams distribute parallel for map(tofrom : got)            \
    map(to : bound[0 : 1])
  for (int i = 0; i < *bound; i++)
    WORK (i)
  for (int i = 0; i < n; i++)
    want[i] += i + 1;
  check_ints ("an unknown bound", got, want, N);
  return check_failures != 0;
}
