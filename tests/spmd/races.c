/* Variables that threads set in a data race, as if each had its own: they have, in
   kernels.  (On the host GCC's threads share them.)

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"
#include <omp.h>

enum { ROWS = 40, COLUMNS = 32, N = ROWS * COLUMNS };
static int a[N], b[N], want[N];

/* Every iteration sets it before it reads it.  */
static void
scalar (int rows, int columns)
{
  int t, i, j;
#pragma omp target teams distribute parallel for collapse (2) map (tofrom: a, b)
  for (i = 0; i < rows; i++)
    for (j = 0; j < columns; j++)
      {
        t = a[i * columns + j] * 2;
        b[i * columns + j] = t + 1;
      }
}

/* The same in a branch, which some threads take.  */
static void
moved (const int *from, int *to, int teams)
{
#pragma omp target teams num_teams (teams) thread_limit (COLUMNS)             \
    map (to: from[:N]) map (tofrom: to[:N])
  {
#pragma omp parallel
    if (omp_get_thread_num () > 2)
      {
        int n = omp_get_num_threads ();
        from += omp_get_team_num () * COLUMNS + omp_get_thread_num ();
        to += omp_get_team_num () * COLUMNS + omp_get_thread_num ();
        for (int i = omp_get_thread_num (); i < COLUMNS; i += n)
          to[i - omp_get_thread_num ()] = from[i - omp_get_thread_num ()] * 3;
      }
  }
}

/* All threads set it, and read it behind a barrier.  */
static void
always (const int *from, int *to, int teams)
{
#pragma omp target teams num_teams (teams) thread_limit (COLUMNS)             \
    map (to: from[:N]) map (tofrom: to[:N])
  {
    int part[COLUMNS];
#pragma omp parallel
    {
      from += omp_get_team_num () * COLUMNS + omp_get_thread_num ();
      part[omp_get_thread_num ()] = *from;
#pragma omp barrier
      to[omp_get_team_num () * COLUMNS + omp_get_thread_num ()]
        = part[omp_get_num_threads () - 1 - omp_get_thread_num ()] + *from;
    }
  }
}

static void
begin (void)
{
  for (int i = 0; i < N; i++)
    {
      a[i] = i * 7 % 31;
      b[i] = 0;
    }
}

int
main (void)
{
  begin ();
  for (int i = 0; i < N; i++)
    want[i] = 2 * a[i] + 1;
  scalar (ROWS, COLUMNS);
  check_ints ("a scalar", b, want, N);

  begin ();
  for (int i = 0; i < N; i++)
    want[i] = i % COLUMNS > 2 ? 3 * a[i] : 0;
  moved (a, b, ROWS);
  check_ints ("pointers in a branch", b, want, N);

  begin ();
  for (int i = 0; i < N; i++)
    want[i] = a[i] + a[i / COLUMNS * COLUMNS + COLUMNS - 1 - i % COLUMNS];
  always (a, b, ROWS);
  check_ints ("a pointer", b, want, N);
  return check_status ();
}
