/* Where one of two operands is const, C++ takes the address of the other one, if only
   to load it.

   ACCEPT: 4
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum
{
  ROWS = 37,
  COLUMNS = 41,
  N = ROWS * COLUMNS
};

static int in[N], out[N], want[N];

/* A variable that all threads have, and nobody sets.  */
template <typename T>
static void
upper (const T *from, T fill, T *to)
{
#pragma omp target teams distribute parallel for num_teams(12) thread_limit(128)
  for (int i = 0; i < N; i++)
    to[i] = i % COLUMNS > i / COLUMNS ? fill : from[i];
}

/* Two of them, and both loops shared out.  */
static void
both (const int *from, int above, int below, int *to)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      {
	int k = i * COLUMNS + j;
	int v = from[k] > 9000 ? above : from[k];
	to[k] = v < 100 ? below : from[k];
      }
}

/* An iteration's own, which it sets behind.  */
static void
own (const int *from, int *to)
{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    {
      int mine = 3 * i;
      int first = i % 2 ? mine : from[i];
      mine += first;
      to[i] = i % 3 ? mine : from[i];
    }
}

/* The team's.  */
static void
of_team (const int *from, int *to)
{
#pragma omp target teams distribute
  for (int i = 0; i < ROWS; i++)
    {
      int row = 7 * i;
#pragma omp parallel for
      for (int j = 0; j < COLUMNS; j++)
	to[i * COLUMNS + j] = j % 5 ? row : from[i * COLUMNS + j];
    }
}

int
main ()
{
  for (int i = 0; i < N; i++)
    in[i] = i * 7919 % 10007;
#pragma omp target data map(to : in) map(from : out)
  {
    upper<int> (in, -3, out);
#pragma omp target update from(out)
    for (int i = 0; i < N; i++)
      want[i] = i % COLUMNS > i / COLUMNS ? -3 : in[i];
    check_ints ("upper", out, want, N);

    both (in, 50, -1, out);
#pragma omp target update from(out)
    for (int i = 0; i < N; i++)
      want[i] = (in[i] > 9000 ? 50 : in[i]) < 100 ? -1 : in[i];
    check_ints ("both", out, want, N);

    own (in, out);
#pragma omp target update from(out)
    for (int i = 0; i < N; i++)
      want[i] = i % 3 ? 3 * i + (i % 2 ? 3 * i : in[i]) : in[i];
    check_ints ("own", out, want, N);

    of_team (in, out);
#pragma omp target update from(out)
    for (int i = 0; i < N; i++)
      want[i] = i % COLUMNS % 5 ? 7 * (i / COLUMNS) : in[i];
    check_ints ("of_team", out, want, N);
  }
  return check_status ();
}
