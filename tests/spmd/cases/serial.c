/* Regions without constructs, which one thread executes.

   ACCEPT: 8
   REJECT: a function with a construct
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <stdlib.h>

#include "check.h"

enum { N = 100 };

#pragma omp declare target
static int counter = 5;

static int
scaled (int x)
{
  return 3 * x + counter;
}

static void
sum_up (const int *a, int n, int *to)
{
  int s = 0;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
  *to = s;
}
#pragma omp end declare target

struct mixed
{
  int x, y;
  double d[4];
};

int
main (void)
{
  int a[N], want[N], s = 7, sum = 7;
  for (int i = 0; i < N; i++)
    a[i] = want[i] = i;
#pragma omp target map(tofrom : s, a)
  for (int i = 0, k = 0; i < N; i++)
    {
      if (i % 3 == 0)
        continue;
      k += a[i];
      a[i] = k;
      s += k;
    }
  for (int i = 0, k = 0; i < N; i++)
    if (i % 3)
      sum += want[i] = k += i;
  check_ints ("prefix sums", a, want, N);
  check_long ("a scalar", s, sum);

  int f = 3, r = 0;
#pragma omp target map(from : r)
  {
    f += 4;
    f *= f;
    r = f;
  }
  check_long ("firstprivate", r, 49);
  check_long ("firstprivate, here", f, 3);

#pragma omp target map(from : r)
  r = scaled (12);
  check_long ("a call", r, 41);

  int total = 0;
  for (int i = 0; i < N; i++)
    total += a[i];
#pragma omp target map(from : r) map(to : a)
  sum_up (a, N, &r);
  check_long ("a construct that is called", r, total);

  int place[4] = { -1, -1, -1, -1 };
  const int first[4] = { 0, 1, 1, 0 };
#pragma omp target map(tofrom : place)
  {
    place[0] = omp_get_team_num ();
    place[1] = omp_get_num_teams ();
    place[2] = omp_get_num_threads ();
    place[3] = omp_in_parallel ();
  }
  check_ints ("the place", place, first, 4);

  struct mixed m = { 1, 2, { 1, 2, 3, 4 } };
#pragma omp target map(tofrom : m)
  {
    m.x += m.y;
    for (int i = 0; i < 4; i++)
      m.d[i] *= 2;
    switch (m.x)
      {
      case 3:
        m.y = 30;
        break;
      default:
        m.y = 40;
      }
  }
  check_long ("a structure", m.x + m.y, 33);
  check_double ("its array", m.d[3], 8);

  int before = 0, after = 0;
#pragma omp target nowait depend(out : before) map(tofrom : before)
  before = 11;
#pragma omp target nowait depend(in : before) map(to : before) \
    map(tofrom : after)
  after = before + 1;
#pragma omp taskwait
  check_long ("nowait and depend", after, 12);

  counter = 1;
#pragma omp target update to(counter)
#pragma omp target
  counter += 5;
#pragma omp target update from(counter)
  check_long ("a variable of the device", counter, 6);
  return check_status ();
}
