/* Worksharing loops that are simd constructs as well, in teams that are
   blocks: each iteration is one thread's.

   ACCEPT: 3

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

#include <omp.h>

#define TEAMS 7
#define N (TEAMS * 128)

static int a[N], b[N], want[N];

/* Tiles with an array of the team's.  */
static void
tiles (int side)
{
  int each = side * side;
#pragma omp target teams distribute map(tofrom : a, b)
  for (int t = 0; t < N / each; t++)
    {
      int tile[16][16];
#pragma omp parallel for simd collapse(2) schedule(static)
      for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++)
          {
            tile[j][i] = a[t * each + j * side + i];
            a[t * each + j * side + i]++;
          }
#pragma omp parallel for simd collapse(2)
      for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++)
          b[t * each + i * side + j] += tile[j][i];
    }
  for (int t = 0; t < N / each; t++)
    for (int i = 0; i < side; i++)
      for (int j = 0; j < side; j++)
        want[t * each + i * side + j] += t * each + j * side + i;
  check_ints ("tiles", b, want, N / each * each);
  for (int i = 0; i < N; i++)
    want[i] = i + (i < N / each * each);
  check_ints ("what tiles are of", a, want, N);
}

static int tops[TEAMS];

/* A loop of a parallel construct with other code, and results.  */
static void
threads (void)
{
#pragma omp target teams num_teams(TEAMS) map(tofrom : a, b) map(from : tops)
  {
    int sum, most = -1, team = omp_get_team_num ();
    sum = 0;
#pragma omp parallel
    {
#pragma omp for simd reduction(+ : sum)
      for (int i = 0; i < 128; i++)
        sum += a[team * 128 + i];
#pragma omp for simd
      for (int i = 0; i < 128; i++)
        b[team * 128 + i] = b[team * 128 + i] * 3 + sum;
    }
#pragma omp parallel for simd reduction(max : most)
    for (int i = 0; i < 128; i++)
      most = most < b[team * 128 + i] ? b[team * 128 + i] : most;
    tops[team] = most;
  }
}

/* The last value of a loop for the team's next.  */
static void
last (void)
{
#pragma omp target teams num_teams(TEAMS) map(tofrom : a, b)
  {
    int team = omp_get_team_num (), i, at = 0;
#pragma omp parallel for simd lastprivate(at)
    for (i = 0; i < 127; i++)
      {
        at = team * 128 + i;
        b[at] += i;
      }
#pragma omp parallel for simd
    for (int k = 0; k < 3; k++)
      a[at - k] += i;
  }
}

int
main (void)
{
  static int was[N];
  for (int i = 0; i < N; i++)
    {
      a[i] = i;
      b[i] = want[i] = i % 5;
    }
  tiles (16);
  for (int i = 0; i < N; i++)
    b[i] = want[i] = 0;
  for (int i = 0; i < N; i++)
    a[i] = i;
  tiles (11);

  for (int i = 0; i < N; i++)
    was[i] = b[i] = i % 7;
  for (int i = 0; i < N; i++)
    a[i] = i % 11;
  threads ();
  for (int t = 0; t < TEAMS; t++)
    {
      int sum = 0, most = -1;
      for (int i = 0; i < 128; i++)
        sum += (t * 128 + i) % 11;
      for (int i = 0; i < 128; i++)
        {
          int to = was[t * 128 + i] * 3 + sum;
          want[t * 128 + i] = to;
          most = most < to ? to : most;
        }
      check_long ("a maximum", tops[t], most);
    }
  check_ints ("a sum for all", b, want, N);

  for (int i = 0; i < N; i++)
    a[i] = b[i] = 1;
  last ();
  for (int i = 0; i < N; i++)
    want[i] = i % 128 == 127 ? 1 : 1 + i % 128;
  check_ints ("with a last value", b, want, N);
  for (int i = 0; i < N; i++)
    want[i] = i % 128 >= 124 && i % 128 <= 126 ? 128 : 1;
  check_ints ("a last value", a, want, N);
  return check_status ();
}
