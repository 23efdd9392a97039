/* Threads of teams that are blocks.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <stdio.h>

enum { TEAMS = 20, MOST = 1024 };
static int threads[TEAMS];

/* As many as the clause on the teams construct says, whatever fits warps.  */
static void
team_10_48_limit (int teams)
{
#pragma omp target teams num_teams (teams) thread_limit (48) map (tofrom: threads)
  {
    int all = 0;
#pragma omp parallel
#pragma omp atomic
    all++;
    threads[omp_get_team_num ()] = all;
  }
}

static void
team_20_1024_most (int teams)
{
#pragma omp target teams num_teams (teams) thread_limit (MOST) map (tofrom: threads)
  {
    int ids[MOST];
#pragma omp parallel
    {
      ids[omp_get_thread_num ()] = omp_get_num_threads ();
#pragma omp barrier
      if (omp_get_thread_num () == 0)
        threads[omp_get_team_num ()] = ids[omp_get_num_threads () - 1];
    }
  }
}

/* As many as the parallel construct says.  */
static void
team_7_96_wish (int teams)
{
#pragma omp target teams num_teams (teams) map (tofrom: threads)
  {
    int all = 0;
#pragma omp parallel num_threads (96)
#pragma omp atomic
    all++;
    threads[omp_get_team_num ()] = all;
  }
}

static int
check (int teams, int want)
{
  int bad = 0;
  for (int i = 0; i < TEAMS; i++)
    {
      bad += threads[i] != (i < teams ? want : 0);
      threads[i] = 0;
    }
  return bad;
}

int
main (void)
{
  int bad = 0;
  team_10_48_limit (10);
  bad += check (10, 48);
  team_20_1024_most (20);
  bad += check (20, MOST);
  team_7_96_wish (7);
  bad += check (7, 96);
  return bad != 0;
}
