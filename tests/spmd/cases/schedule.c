/* Schedules that are written, where the program can tell who has an iteration.

   ACCEPT: 30
   REJECT: several loops with one distribution
   REJECT: several loops with one distribution
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"
#include <omp.h>
#include <stdlib.h>

enum { N = 5003 };
static int team[N], thread[N], teams, threads, want[N];

#define ASK(i)                                                               \
  do                                                                         \
    {                                                                        \
      team[i] = omp_get_team_num ();                                         \
      thread[i] = omp_get_thread_num ();                                     \
      if ((i) == 0)                                                          \
        {                                                                    \
          teams = omp_get_num_teams ();                                      \
          threads = omp_get_num_threads ();                                  \
        }                                                                    \
    }                                                                        \
  while (0)

#define MAPS map (from : teams, threads) map (tofrom : team, thread)

/* A range of iterations.  */
struct range
{
  long from, to;
};

/* Those of participant P of N, of R: a chunk each.  */
static struct range
share (struct range r, int p, int n)
{
  long all = r.to - r.from, q = all / n, rest = all % n;
  struct range s = { r.from + q * p + (p < rest ? p : rest), 0 };
  s.to = s.from + q + (p < rest);
  return s;
}

/* Whose is iteration I of R in chunks of SIZE (0: one each), and in which chunk is
   it?  */
static int
owner (struct range r, long i, int n, long size, struct range *chunk)
{
  if (size)
    {
      long k = (i - r.from) / size;
      chunk->from = r.from + k * size;
      chunk->to = chunk->from + size < r.to ? chunk->from + size : r.to;
      return k % n;
    }
  for (int p = 0; p < n; p++)
    {
      *chunk = share (r, p, n);
      if (i >= chunk->from && i < chunk->to)
        return p;
    }
  return -1;
}

enum { ANY = -1 };

/* N iterations, dealt to teams in chunks of BIG and to threads of SMALL; 0: one
   each, ANY: nobody says.  */
static void
expect (const char *what, int n, long big, long small)
{
  struct range all = { 0, n };
  int bad = 0;
  for (int i = 0; i < n; i++)
    {
      struct range chunk = all;
      if (big != ANY)
        bad += team[i] != owner (all, i, teams, big, &chunk);
      if (small != ANY)
        bad += thread[i] != owner (chunk, i, threads, small, &chunk);
      bad += thread[i] < 0 || thread[i] >= threads || team[i] >= teams;
    }
  for (int i = n; i < N; i++)
    bad += team[i] != -1;
  check_long (what, bad, 0);
  for (int i = 0; i < N; i++)
    team[i] = thread[i] = -1;
  teams = threads = -1;
}

static void
asked (int n, int some)
{
  expect ("nothing", 0, ANY, ANY);
#pragma omp target teams distribute dist_schedule(static) MAPS
  for (int i = 0; i < n; i++)
    ASK (i);
  expect ("teams", n, 0, ANY);

#pragma omp target teams distribute dist_schedule(static) num_teams (3) MAPS
  for (int i = n - 1; i >= 0; i--)
    ASK (n - 1 - i);
  expect ("three teams, down", n, 0, ANY);

#pragma omp target teams distribute parallel for dist_schedule(static)       \
  schedule(static) MAPS
  for (int i = 0; i < n; i++)
    ASK (i);
  expect ("teams and threads", n, 0, 0);

#pragma omp target teams distribute parallel for schedule(static) MAPS
  for (unsigned i = 0; i < (unsigned) n; i++)
    ASK (i);
  expect ("threads", n, 0, 0);

#pragma omp target teams distribute parallel for dist_schedule(static)       \
  num_teams (7) thread_limit (48) MAPS
  for (long i = 5; i < 5 + 3L * n; i += 3)
    ASK ((i - 5) / 3);
  expect ("teams, then any thread", n, 0, ANY);

#pragma omp target teams distribute parallel for dist_schedule(static, 100)  \
  schedule(static) num_teams (4) num_threads (9) MAPS
  for (int i = 0; i < n; i++)
    ASK (i);
  expect ("chunks, then one each", n, 100, 0);

#pragma omp target teams distribute parallel for dist_schedule(static, some) \
  schedule(static, 3) MAPS
  for (int i = 0; i < n; i++)
    ASK (i);
  expect ("chunks in chunks", n, some, 3);

#pragma omp target teams distribute parallel for dist_schedule(static)       \
  schedule(static, some) MAPS
  for (int i = 0; i < n; i++)
    ASK (i);
  expect ("one each, then chunks", n, 0, some);

#pragma omp target teams distribute parallel for dist_schedule(static, some) \
  MAPS
  for (int i = 0; i < n; i++)
    ASK (i);
  expect ("chunks, then any thread", n, some, ANY);

#pragma omp target teams distribute parallel for dist_schedule(static, some) \
  schedule(dynamic) MAPS
  for (int i = 0; i < n; i++)
    ASK (i);
  expect ("chunks, then dynamic", n, some, ANY);

#pragma omp target teams distribute parallel for simd dist_schedule(static)  \
  schedule(static) MAPS
  for (int i = 0; i < n; i++)
    ASK (i);
  expect ("simd", n, 0, 0);

#pragma omp target teams distribute parallel for collapse(2)                 \
  dist_schedule(static) schedule(static) MAPS
  for (int i = 0; i < n / 50; i++)
    for (unsigned char j = 50; j > 0; j--)
      ASK (50 * i + 50 - j);
  expect ("two loops", n / 50 * 50, 0, 0);

#pragma omp target teams distribute parallel for collapse(3)                 \
  dist_schedule(static) schedule(static) MAPS
  for (long i = 0; i < n / 60; i++)
    for (int j = 0; j < 10; j++)
      for (int k = 0; k <= 10; k += 2)
        ASK (60 * i + 6 * j + k / 2);
  expect ("three loops", n / 60 * 60, 0, 0);

#pragma omp target parallel for schedule(static) MAPS
  for (int i = 0; i < n; i++)
    ASK (i);
  expect ("one team", n, ANY, 0);

#pragma omp target parallel for schedule(static, 7) num_threads (50) MAPS
  for (int i = 0; i < n; i++)
    ASK (i);
  expect ("one team, chunks", n, ANY, 7);

  /* No tiles.  */
#pragma omp target parallel for schedule(static, 1) collapse(2)              \
  num_threads (50) MAPS
  for (int i = 0; i < n / 50; i++)
    for (int j = 0; j < 50; j++)
      ASK (50 * i + j);
  expect ("one at a time", n / 50 * 50, ANY, 1);

  /* More than there are.  */
#pragma omp target parallel for schedule(static, 1 << 20) num_threads (4) MAPS
  for (int i = 0; i < n; i++)
    ASK (i);
  expect ("a large chunk", n, ANY, 1 << 20);

#pragma omp target teams MAPS
#pragma omp distribute dist_schedule(static)
  for (int i = 0; i < n; i++)
    ASK (i);
  expect ("teams apart", n, 0, ANY);

#pragma omp target MAPS
#pragma omp parallel num_threads (33)
#pragma omp for schedule(static)
  for (int i = n; i > 0; i--)
    ASK (n - i);
  expect ("threads apart", n, ANY, 0);

  int last = -1;
#pragma omp target teams distribute parallel for dist_schedule(static)       \
  schedule(static) MAPS map (tofrom : last) lastprivate (last)
  for (int i = 0; i < n; i++)
    {
      ASK (i);
      last = 2 * i;
    }
  check_long ("last value", last, n ? 2 * n - 2 : -1);
  expect ("with a last value", n, 0, 0);
}

#pragma omp declare target
static int
here (void)
{
  return omp_get_thread_num ();
}
#pragma omp end declare target

static void
asked_by_others (int n)
{
#pragma omp target parallel for schedule(static) MAPS
  for (int i = 0; i < n; i++)
    {
      ASK (i);
      thread[i] = here ();
    }
  expect ("a function", n, ANY, 0);
}

/* Two loops of one schedule, without a barrier between them.  */
static void
relied_on (int n)
{
  int *a = malloc (n * sizeof *a), bad = 0;
#pragma omp target parallel map (from : a[:n]) map (tofrom : bad)
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma omp for schedule(static) nowait
    for (int i = n - 1; i >= 0; i--)
      a[n - 1 - i] *= 3;
#pragma omp for schedule(static) reduction(+ : bad)
    for (int i = 0; i < n; i++)
      bad += a[i] != 3 * i;
  }
  check_long ("nowait", bad, 0);

#pragma omp target parallel map (from : a[:n]) MAPS
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < n; i++)
      {
        a[i] = omp_get_thread_num ();
        ASK (i);
      }
#pragma omp for schedule(static) collapse(1)
    for (int i = 3; i < n + 3; i++)
      thread[i - 3] = a[i - 3] == omp_get_thread_num () ? a[i - 3] : -1;
  }
  expect ("nowait and numbers", n, ANY, 0);

#pragma omp target teams map (tofrom : a[:n])
  {
#pragma omp distribute dist_schedule(static)
    for (int i = 0; i < n; i++)
      a[i] = i;
#pragma omp distribute dist_schedule(static)
    for (int i = 0; i < n; i++)
      a[i] *= 5;
  }
  for (int i = 0; i < n; i++)
    bad += a[i] != 5 * i;
  check_long ("two loops over teams", bad, 0);

#pragma omp target teams map (tofrom : a[:n])
  {
#pragma omp distribute collapse(2) order(reproducible : concurrent)
    for (int i = 0; i < n / 100; i++)
      for (int j = 0; j < 100; j++)
        a[100 * i + j] = 0;
#pragma omp distribute collapse(2) order(reproducible : concurrent)
    for (int i = 0; i < n / 100 * 20; i++)
      for (int j = 0; j < 5; j++)
        a[5 * i + j]++;
  }
  for (int i = 0; i < n / 100 * 100; i++)
    bad += a[i] != 1;
  check_long ("two loops in a reproducible order", bad, 0);
  free (a);
}

/* The first of a thread's iterations makes what the others go on from.  */
static void
carried (int n)
{
  int *a = calloc (n, sizeof *a), x = 0, first = 1;
  for (int i = 0; i < n; i++)
    want[i] = 7 * i;

#define NEXT(i)                                                              \
  do                                                                         \
    {                                                                        \
      x = first ? 7 * (i) : x + 7;                                           \
      first = 0;                                                             \
      a[i] = x;                                                              \
    }                                                                        \
  while (0)

#define DONE(what)                                                           \
  do                                                                         \
    {                                                                        \
      check_ints (what, a, want, n);                                         \
      for (int i = 0; i < n; i++)                                            \
        a[i] = 0;                                                            \
    }                                                                        \
  while (0)

#pragma omp target teams distribute parallel for schedule(static)            \
  firstprivate (first) private (x) map (tofrom : a[:n])
  for (int i = 0; i < n; i++)
    NEXT (i);
  DONE ("carried by threads of teams");

#pragma omp target parallel for schedule(static) firstprivate (first)        \
  private (x) map (tofrom : a[:n])
  for (int i = 0; i < n; i++)
    NEXT (i);
  DONE ("carried by threads");

#pragma omp target teams distribute dist_schedule(static)                    \
  firstprivate (first) private (x) map (tofrom : a[:n])
  for (int i = 0; i < n; i++)
    NEXT (i);
  DONE ("carried by teams");

#pragma omp target parallel map (tofrom : a[:n])
  {
    int x, first = 1;
#pragma omp for schedule(static) collapse(2)
    for (int i = 0; i < n / 100; i++)
      for (int j = 0; j < 100; j++)
        NEXT (100 * i + j);
  }
  for (int i = n / 100 * 100; i < n; i++)
    want[i] = 0;
  DONE ("carried by a local variable");

  /* A team has one of them.  */
#pragma omp target teams distribute num_teams (3) firstprivate (x)           \
  map (tofrom : a[:n])
  for (int i = 0; i < n; i++)
    a[i] = x++;
  int starts = 0;
  for (int i = 0; i < n; i++)
    starts += a[i] == 0;
  check_long ("as many as teams", starts >= 1 && starts <= 3, 1);

  /* In a team's loop.  */
  for (int i = 0; i < n; i++)
    want[i] = 7 * (i % 100);
#pragma omp target teams distribute map (tofrom : a[:n])
  for (int i = 0; i < n / 100; i++)
    {
      int x, first = 1;
#pragma omp parallel for schedule(static) firstprivate (first) private (x)
      for (int j = 0; j < 100; j++)
        {
          x = first ? 7 * j : x + 7;
          first = 0;
          a[100 * i + j] = x;
        }
    }
  for (int i = n / 100 * 100; i < n; i++)
    a[i] = want[i];
  DONE ("carried in a team");

  /* A cyclic one, by a size that is written.  */
  x = 0;
#pragma omp target teams distribute parallel for schedule(static, 1)         \
  num_threads (8) firstprivate (x) map (tofrom : a[:n]) num_teams (1)
  for (int i = 0; i < n; i++)
    a[i] = x++;
  int bad = 0;
  for (int i = 8; i < n; i++)
    bad += a[i] < a[i - 1];
  check_long ("cyclic", bad, 0);
  free (a);
}

int
main (void)
{
  for (int i = 0; i < N; i++)
    team[i] = thread[i] = -1;
  asked (N, 13);
  asked (1, 5);
  asked_by_others (N);
  relied_on (N);
  carried (N);
  return check_status ();
}
