/* Several loops as one.

   ACCEPT: 7
   TILES: 5
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum { N = 1000 };
static int a[N], want[N];

static void
reset (void)
{
  for (int k = 0; k < N; k++)
    a[k] = want[k] = -1;
}

static void
run (int n, int m, int l, long step)
{
  reset ();
#pragma omp target teams distribute parallel for collapse (2) map (tofrom: a)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] += 3 * i + j;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      want[i * m + j] += 3 * i + j;
  check_ints ("collapse (2)", a, want, N);

  reset ();
#pragma omp target teams distribute parallel for collapse (3) map (tofrom: a)
  for (int i = n; i > 0; i--)
    for (unsigned char j = 2; j <= m; j += 3)
      for (long k = l; k >= 0; k -= step)
        a[(i * 10 + j / 3) * 4 + k] += i + 2 * j + 7 * k;
  for (int i = n; i > 0; i--)
    for (int j = 2; j <= m; j += 3)
      for (long k = l; k >= 0; k -= step)
        want[(i * 10 + j / 3) * 4 + k] += i + 2 * j + 7 * k;
  check_ints ("collapse (3), other types and steps", a, want, N);

  /* The innermost loop is shorter than a warp; or empty.  */
  reset ();
#pragma omp target teams distribute parallel for collapse (2) map (tofrom: a)
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < l; j++)
      a[3 * i + j] += i * j;
  for (int i = 0; i < 300; i++)
    for (int j = 0; j < l; j++)
      want[3 * i + j] += i * j;
  check_ints ("a short inner loop", a, want, N);

  reset ();
#pragma omp target teams distribute parallel for collapse (2) map (tofrom: a)
  for (int i = 0; i < n; i++)
    for (int j = l; j < l - 1; j++)
      a[i] = 0;
  check_ints ("an empty inner loop", a, want, N);

  /* Few threads go many steps; were all loops known to be as short, there would be no
     tiles.  */
  reset ();
#pragma omp target teams distribute parallel for collapse (3) \
    num_teams (2) thread_limit (3) map (tofrom: a)
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 11; j++)
      for (int k = 0; k < m - 17; k++)
        a[(i * 11 + j) * 12 + k] += i * j - k;
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 11; j++)
      for (int k = 0; k < 12; k++)
        want[(i * 11 + j) * 12 + k] += i * j - k;
  check_ints ("few threads", a, want, N);

  /* What must know the number of an iteration has no tiles.  */
  reset ();
#pragma omp target teams distribute parallel for collapse (2) \
    schedule (static, 3) map (tofrom: a)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] += i + 5 * j;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      want[i * m + j] += i + 5 * j;
  check_ints ("chunks", a, want, N);

  reset ();
  int last = 0, wanted = 0;
#pragma omp target teams distribute parallel for collapse (2) \
    lastprivate (last) map (tofrom: a, last)
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      {
        last = i * m + j;
        a[last] += j - i;
      }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      want[wanted = i * m + j] += j - i;
  check_ints ("lastprivate", a, want, N);
  check_ints ("its value", &last, &wanted, 1);
}

int
main (void)
{
  run (17, 29, 3, 2);
  return check_status ();
}
