/* Low-latency memory of kernels in generic mode, beside what the device's libgomp
   allocates for its teams.  Prints how many values are wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <stdio.h>
#include <string.h>

enum
{
  N = 400,
  TEAMS = 8
};

#pragma omp declare target
static int
sum (int *p, int k)
{
  int s = 0;
  for (int i = 0; i < N; i++)
    p[i] = k + i;
#pragma omp parallel for reduction(+ : s)
  for (int i = 0; i < N; i++)
    s += p[i];
  return s;
}

__attribute__ ((noinline)) static int
team (int t)
{
  omp_alloctrait_t traits[1] = { { omp_atk_access, omp_atv_cgroup } };
  omp_allocator_handle_t h
      = omp_init_allocator (omp_low_lat_mem_space, 1, traits);
  int *p = omp_alloc (N * sizeof *p, h), *q = omp_alloc (N * sizeof *q, h);
  int bad = !p || !q;
  if (!bad)
    {
      memset (p, 0x55, N * sizeof *p);
      memset (q, 0xaa, N * sizeof *q);
      bad += sum (p, t) != N * t + N * (N - 1) / 2;
      for (int i = 0; i < N; i++)
        bad += q[i] != (int)0xaaaaaaaa;
      for (int i = 0; i < N; i++)
        bad += p[i] != t + i;
    }
  omp_free (q, h);
  omp_free (p, h);
  omp_destroy_allocator (h);
  return bad;
}
#pragma omp end declare target

int
main (void)
{
  int bad = 0;
  for (int round = 0; round < 3; round++)
    {
#pragma omp target teams num_teams(TEAMS) thread_limit(8) reduction(+ : bad)
      bad += team (omp_get_team_num ());
    }
  printf ("%d\n", bad);
  return bad != 0;
}
