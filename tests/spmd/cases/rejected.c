/* What must keep the fork-join form, and why.

   REJECT: a call between the constructs that may have effects
   REJECT: the loop sets a variable that its threads share
   REJECT: the loop sets a variable that its threads share
   REJECT: the address of a thread's variable may reach others
   REJECT: the address of a thread's variable may reach others
   REJECT: variables of a team that exceed shared memory

   The others have one team, whose code is a block's.

   ACCEPT: 2
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"
#include <omp.h>

enum { N = 100 };
static int a[N], want[N];

#pragma omp declare target
void
note (int *p)
{
  p[0]++;
}
void
leave (int **where, int *p)
{
  *where = p;
}
#pragma omp end declare target

int
main (void)
{
  for (int i = 0; i < N; i++)
    want[i] = i;

#pragma omp target map (tofrom: a)
#pragma omp teams num_teams (1)
  {
    note (&a[0]);
#pragma omp distribute parallel for
    for (int i = 1; i < N; i++)
      a[i] = i;
  }
  a[0]--;
  check_ints ("a call before the loop", a, want, N);

  /* One team, one variable for all its threads.  */
  int x = 0;
  for (int i = 0; i < N; i++)
    a[i] = 0;
#pragma omp target teams distribute parallel for num_teams (1) \
    map (tofrom: a)
  for (int i = 0; i < N; i++)
    {
      int *p = &x;
      if (i >= 0)
        a[i] = i + *p;
    }
  check_ints ("an address of a team's variable", a, want, N);

  int y[4] = { 0, 1, 2, 3 }, last = 0;
#pragma omp target map (tofrom: last)
#pragma omp teams num_teams (1)
  {
    int counts[4] = { 0, 5, 0, 0 };
#pragma omp distribute parallel for
    for (int i = 0; i < N; i++)
      {
        int *p = &counts[1], now;
#pragma omp atomic capture
        now = ++*p;
        if (now == N + 5)
          last = now + y[1];
      }
  }
  check_long ("an address in a team's array", last, N + 6);

  int sum = 0;
#pragma omp target map (tofrom: sum, a)
  {
    sum = 45;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
      a[i] = i;
  }
  check_long ("an assignment before the loop", sum, 45);

  /* Another thread finds a thread's variable.  */
  int got = 0;
#pragma omp target teams num_teams (1) thread_limit (4) map (tofrom: got)
  {
    int *p = 0;
#pragma omp parallel
    {
      int mine = omp_get_thread_num () + 1, n = omp_get_num_threads ();
      if (mine == 1)
        p = &mine;
#pragma omp barrier
      if (mine == n)
        got = *p;
#pragma omp barrier
    }
  }
  check_long ("a thread's variable", got, 1);
#pragma omp target teams num_teams (1) thread_limit (4) map (tofrom: got)
  {
    int *p = 0;
#pragma omp parallel
    {
      int mine[2] = { 7, omp_get_thread_num () };
      if (mine[1] == 0)
        leave (&p, mine);
#pragma omp barrier
      if (mine[1] == omp_get_num_threads () - 1)
        got = *p;
#pragma omp barrier
    }
  }
  check_long ("a thread's array", got, 7);

  int count = 0;
#pragma omp target teams num_teams (1) thread_limit (4) map (tofrom: count)
  {
    int k = 0;
#pragma omp parallel num_threads (2)
    {
#pragma omp parallel num_threads (1)
#pragma omp atomic
      k++;
    }
    count = k;
  }
  check_long ("a construct in a construct", count > 0 && count < 3, 1);

  long all = 0;
#pragma omp target teams num_teams (1) map (tofrom: all)
  {
    int large[13000];
#pragma omp parallel for
    for (int i = 0; i < 13000; i++)
      large[i] = i;
    for (int i = 0; i < 13000; i++)
      all += large[i];
  }
  check_long ("a large array", all, 13000L * 12999 / 2);
  return check_status ();
}
