/* Teams that are blocks: code of the team around parallel constructs, arrays that
   its threads share, barriers, and questions about the thread's place.

   How many threads there are is asked, as there may be fewer than the program
   wishes.

   ACCEPT: 18
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"
#include <omp.h>

enum { TEAMS = 9, THREADS = 64, N = TEAMS * THREADS };
static int in[N], out[N], want[N], size[TEAMS];

static void
begin (void)
{
  for (int i = 0; i < N; i++)
    {
      in[i] = i * 7 % 31;
      out[i] = want[i] = -1;
    }
}

/* The way of CUDA: a tile, a barrier, another thread's element.  */
static void
tile (int teams)
{
  begin ();
#pragma omp target teams num_teams (teams) thread_limit (THREADS)             \
    map (to: in) map (tofrom: out) map (from: size)
  {
    int part[THREADS];
#pragma omp parallel num_threads (THREADS)
    {
      int tid = omp_get_thread_num (), team = omp_get_team_num ();
      int n = omp_get_num_threads ();
      part[tid] = in[team * THREADS + tid];
#pragma omp barrier
      out[team * THREADS + tid] = part[n - 1 - tid] + omp_get_num_teams ();
      if (tid == 0)
        size[team] = n;
    }
  }
  for (int t = 0; t < teams; t++)
    for (int i = 0; i < size[t]; i++)
      want[t * THREADS + i] = in[t * THREADS + size[t] - 1 - i] + teams;
  check_ints ("a tile", out, want, N);
}

/* A tree of sums, with a barrier in a loop.  */
static void
tree (int teams, int threads)
{
  begin ();
#pragma omp target teams num_teams (teams) map (to: in) map (tofrom: out)
  {
    int part[THREADS];
#pragma omp parallel num_threads (threads)
    {
      int tid = omp_get_thread_num (), n = omp_get_num_threads (), sum = 0;
      for (int i = tid; i < THREADS; i += n)
        sum += in[omp_get_team_num () * THREADS + i];
      part[tid] = sum;
      for (int half = THREADS; half > 0; half /= 2)
        {
#pragma omp barrier
          if (tid < half && tid + half < n)
            part[tid] += part[tid + half];
        }
      if (tid == 0)
        out[omp_get_team_num ()] = part[0];
    }
  }
  for (int t = 0; t < teams; t++)
    {
      want[t] = 0;
      for (int i = 0; i < THREADS; i++)
        want[t] += in[t * THREADS + i];
    }
  check_ints ("a tree of sums", out, want, N);
}

/* Several constructs, and what one thread does between them; fewer threads than
   the block has, in an odd number.  */
static void
several (int teams, int few)
{
  begin ();
#pragma omp target teams num_teams (teams) thread_limit (THREADS)             \
    map (to: in) map (tofrom: out)
  {
    int part[THREADS], sum = 0, team = omp_get_team_num ();
    part[0] = 3;
#pragma omp parallel num_threads (few)
    {
#pragma omp for
      for (int i = 1; i < THREADS; i++)
        part[i] = in[team * THREADS + i];
#pragma omp for reduction (+: sum) nowait
      for (int i = 0; i < THREADS; i++)
        sum += part[i];
    }
    int more = 0;
    for (int i = 0; i < THREADS; i += 5)
      more += part[i];
    part[1] = sum + more;
    /* All threads load it before one sets it.  */
    int keep = part[2];
#pragma omp parallel for schedule (static, 3)
    for (int i = 0; i < THREADS; i++)
      {
        part[i] += keep;
        out[team * THREADS + i] = part[i] + sum;
      }
  }
  for (int t = 0; t < teams; t++)
    {
      int *w = want + t * THREADS, sum = 3, more = 0;
      for (int i = 0; i < THREADS; i++)
        w[i] = i ? in[t * THREADS + i] : 3;
      for (int i = 1; i < THREADS; i++)
        sum += w[i];
      for (int i = 0; i < THREADS; i += 5)
        more += w[i];
      w[1] = sum + more;
      int keep = w[2];
      for (int i = 0; i < THREADS; i++)
        w[i] += keep + sum;
    }
  check_ints ("several constructs", out, want, N);
}

/* Iterations of a loop over teams, each with an array of its own.  */
static void
rows (int n)
{
  begin ();
#pragma omp target teams distribute thread_limit (THREADS) num_teams (4)      \
    map (to: in) map (tofrom: out)
  for (int t = 0; t < n; t++)
    {
      int part[THREADS];
#pragma omp parallel
      {
        int n = omp_get_num_threads ();
        for (int i = omp_get_thread_num (); i < THREADS; i += n)
          part[i] = in[t * THREADS + i];
#pragma omp barrier
        for (int i = omp_get_thread_num (); i < THREADS; i += n)
          out[t * THREADS + i] = part[THREADS - 1 - i];
      }
    }
  for (int i = 0; i < n * THREADS; i++)
    want[i] = in[i / THREADS * THREADS + THREADS - 1 - i % THREADS];
  check_ints ("rows", out, want, N);
}

/* A transposition in tiles: loops over the team's threads that share an array.  */
static void
transpose (int n)
{
  begin ();
#pragma omp target teams distribute collapse (2) map (to: in) map (tofrom: out)
  for (int jt = 0; jt < n; jt += 8)
    for (int it = 0; it < n; it += 8)
      {
        int t[8][8];
#pragma omp parallel for collapse (2)
        for (int j = 0; j < 8; j++)
          for (int i = 0; i < 8; i++)
            t[i][j] = in[(it + i) * n + jt + j];
#pragma omp parallel for collapse (2)
        for (int i = 0; i < 8; i++)
          for (int j = 0; j < 8; j++)
            out[(jt + j) * n + it + i] = t[i][j];
      }
  for (int i = 0; i < n * n; i++)
    want[i] = in[i % n * n + i / n];
  check_ints ("a transposition", out, want, N);
}

/* Constructs for one thread, and one at a time.  */
static void
one (int teams, int threads)
{
  begin ();
#pragma omp target teams num_teams (teams) thread_limit (THREADS)             \
    map (to: in) map (tofrom: out)
  {
    int first = 0, once = 0, turns = 0, last = 0;
#pragma omp parallel num_threads (threads)
    {
      int tid = omp_get_thread_num ();
#pragma omp master
      first = in[omp_get_team_num ()] + tid;
#pragma omp single
      once++;
#pragma omp single nowait
      last += 5;
#pragma omp critical
      turns += tid == 0 ? 1000 : 1;
#pragma omp barrier
#pragma omp critical (other)
      if (tid < 2)
        last++;
#pragma omp barrier
#pragma omp masked filter (1)
      last += 100;
    }
    int team = omp_get_team_num ();
    out[4 * team] = first;
    out[4 * team + 1] = once;
    out[4 * team + 2] = turns / 1000 + (turns % 1000 > 0);
    out[4 * team + 3] = last;
  }
  for (int t = 0; t < teams; t++)
    {
      want[4 * t] = in[t];
      want[4 * t + 1] = 1;
      want[4 * t + 2] = 2;
      want[4 * t + 3] = 107;
    }
  check_ints ("one thread", out, want, N);
}

/* What one thread sets on a way of its own, and all read behind a barrier.  */
static void
told (int teams)
{
  int said = 3;
  begin ();
#pragma omp target teams num_teams (teams) thread_limit (THREADS)             \
    firstprivate (said) map (to: in) map (tofrom: out)
#pragma omp parallel num_threads (THREADS)
  {
    int tid = omp_get_thread_num (), team = omp_get_team_num ();
    if (tid == omp_get_num_threads () - 1)
      said += in[team];
#pragma omp barrier
    out[team * THREADS + tid] = said + tid;
  }
  for (int i = 0; i < teams * THREADS; i++)
    want[i] = 3 + in[i / THREADS] + i % THREADS;
  check_ints ("told by one thread", out, want, N);
}

/* Updates of the team's counters, whose addresses go around.  */
static void
counters (int teams)
{
  begin ();
#pragma omp target teams num_teams (teams) thread_limit (THREADS)             \
    map (to: in) map (tofrom: out)
  {
    int bins[31], all = 0, *p = &all;
    for (int i = 0; i < 31; i++)
      bins[i] = i;
#pragma omp parallel reduction (+: all)
    {
      int n = omp_get_num_threads ();
      for (int i = omp_get_thread_num (); i < THREADS; i += n)
        {
          int *bin = &bins[in[omp_get_team_num () * THREADS + i]];
#pragma omp atomic
          ++*bin;
          all++;
        }
    }
    *p += bins[3];
#pragma omp parallel for
    for (int i = 0; i < 31; i++)
      out[omp_get_team_num () * THREADS + i] = bins[i];
    out[omp_get_team_num () * THREADS + 31] = all;
  }
  for (int t = 0; t < teams; t++)
    {
      int *w = want + t * THREADS;
      for (int i = 0; i < 31; i++)
        w[i] = i;
      for (int i = 0; i < THREADS; i++)
        w[in[t * THREADS + i]]++;
      w[31] = THREADS + w[3];
    }
  check_ints ("counters", out, want, N);
}

/* What is the target's and the team's own begins anew in each team.  */
static void
own (int teams)
{
  int start = 5, sum = 2, mine = 7;
  double half = 0.5;
  begin ();
#pragma omp target teams num_teams (teams) thread_limit (THREADS)             \
    firstprivate (start, half, mine) reduction (+: sum) map (to: in)         \
    map (tofrom: out, sum)
  {
    int k = start;
    start += omp_get_team_num ();
    half *= 2;
    int all;
    {
      int first = in[omp_get_team_num ()];
      mine += first;
      out[N - 1 - omp_get_team_num ()] = mine;
    }
    {
      int second = in[teams + omp_get_team_num ()];
      all = second * 3;
      out[N - 1 - teams - omp_get_team_num ()] = second;
    }
#pragma omp parallel firstprivate (k)
    {
      k += omp_get_thread_num ();
#pragma omp atomic
      start += k - omp_get_thread_num () + all - 3 * in[teams + omp_get_team_num ()];
#pragma omp barrier
#pragma omp single
      {
        int n = omp_get_num_threads ();
        out[omp_get_team_num () * 2] = start - n * (k - omp_get_thread_num ());
        out[omp_get_team_num () * 2 + 1] = half;
        sum += start - 5 * omp_get_num_threads ();
      }
    }
    sum += 10;
  }
  for (int t = 0; t < teams; t++)
    {
      want[2 * t] = 5 + t;
      want[2 * t + 1] = 1;
      want[N - 1 - t] = 7 + in[t];
      want[N - 1 - teams - t] = in[teams + t];
    }
  check_ints ("own variables", out, want, N);
  check_long ("a sum over teams", sum, 2 + 15 * teams + teams * (teams - 1) / 2);
}

/* A team alone, which is the target's.  */
static void
alone (void)
{
  int n = 0, order = 0;
  begin ();
#pragma omp target map (to: in) map (tofrom: out, n, order)
  {
    int part[THREADS];
    order = 1;
#pragma omp parallel
    {
#pragma omp master
      n = omp_get_num_threads ();
#pragma omp for
      for (int i = 0; i < THREADS; i++)
        part[i] = in[i] + order;
#pragma omp for
      for (int i = 0; i < THREADS; i++)
        out[i] = part[THREADS - 1 - i];
    }
    order = 2;
  }
  for (int i = 0; i < THREADS; i++)
    want[i] = in[THREADS - 1 - i] + 1;
  check_ints ("the target's team", out, want, N);
  check_long ("its order", order, 2);
  check_long ("its threads", n > 0, 1);
}

/* Branches and loops around the constructs.  */
static void
around (int teams, int steps)
{
  begin ();
#pragma omp target teams num_teams (teams) thread_limit (THREADS)             \
    map (to: in) map (tofrom: out)
  {
    int a[THREADS], b[THREADS], team = omp_get_team_num ();
#pragma omp parallel for
    for (int i = 0; i < THREADS; i++)
      a[i] = in[team * THREADS + i];
    for (int s = 0; s < steps + team % 2; s++)
      {
#pragma omp parallel for
        for (int i = 0; i < THREADS; i++)
          b[i] = a[(i + 1) % THREADS] + s;
        if (b[0] > 5)
          {
#pragma omp parallel for
            for (int i = 0; i < THREADS; i++)
              a[i] = b[i];
          }
        else
          a[team] = b[1];
      }
#pragma omp parallel for
    for (int i = 0; i < THREADS; i++)
      out[team * THREADS + i] = a[i];
  }
  for (int t = 0; t < teams; t++)
    {
      int *a = want + t * THREADS, b[THREADS];
      for (int i = 0; i < THREADS; i++)
        a[i] = in[t * THREADS + i];
      for (int s = 0; s < steps + t % 2; s++)
        {
          for (int i = 0; i < THREADS; i++)
            b[i] = a[(i + 1) % THREADS] + s;
          if (b[0] > 5)
            for (int i = 0; i < THREADS; i++)
              a[i] = b[i];
          else
            a[t] = b[1];
        }
    }
  check_ints ("branches around", out, want, N);
}

#pragma omp declare target
static void
fill (int *to, const int *from, int n)
{
  for (int i = 0; i < n; i++)
    to[i] = from[i] * 2;
}

static int
last_of (const int *from, int n)
{
  return from[n - 1];
}
#pragma omp end declare target

/* Functions that get addresses of the team's variables, and of a thread's.  */
static void
functions (int teams)
{
  begin ();
#pragma omp target teams num_teams (teams) thread_limit (THREADS)             \
    map (to: in) map (tofrom: out)
  {
    int a[THREADS], team = omp_get_team_num (), last;
    fill (a, in + team * THREADS, THREADS);
    last = last_of (a, THREADS);
#pragma omp parallel
    {
      int mine[4], n = omp_get_num_threads ();
      for (int i = omp_get_thread_num (); i < THREADS / 4; i += n)
        {
          fill (mine, a + 4 * i, 4);
          for (int k = 0; k < 4; k++)
            out[team * THREADS + 4 * i + k] = mine[3 - k] + last;
        }
    }
  }
  for (int i = 0; i < teams * THREADS; i++)
    want[i] = in[i / 4 * 4 + 3 - i % 4] * 4
              + 2 * in[i / THREADS * THREADS + THREADS - 1];
  check_ints ("functions", out, want, N);
}

#pragma omp declare target
static int
mirror (void)
{
  return omp_get_num_threads () - 1 - omp_get_thread_num ();
}

static int
exchange (int *part, int mine)
{
  part[omp_get_thread_num ()] = mine;
#pragma omp barrier
  if (mine < 0)
    return -1;
  int other = part[mirror ()];
#pragma omp barrier
  return other;
}
#pragma omp end declare target

/* Functions that ask where they run, and wait for the others.  */
static void
asking (int teams)
{
  begin ();
#pragma omp target teams num_teams (teams) thread_limit (THREADS)             \
    map (to: in) map (tofrom: out) map (from: size)
  {
    int part[THREADS];
#pragma omp parallel
    {
      int *to = out + omp_get_team_num () * THREADS + omp_get_thread_num ();
      int k = exchange (part, omp_get_thread_num ());
      *to = exchange (part, k + in[omp_get_team_num ()]);
      if (k == 0)
        size[omp_get_team_num ()] = omp_get_num_threads ();
    }
  }
  for (int t = 0; t < teams; t++)
    for (int i = 0; i < size[t]; i++)
      want[t * THREADS + i] = i + in[t];
  check_ints ("functions that ask", out, want, N);
}

/* What a loop leaves behind, and its own variables.  */
static void
last (int teams)
{
  begin ();
#pragma omp target teams num_teams (teams) thread_limit (THREADS)             \
    map (to: in) map (tofrom: out)
  {
    int x = 0, k = 0;
#pragma omp parallel private (k)
    {
      int mine = 0;
#pragma omp for lastprivate (x) schedule (static)
      for (k = 0; k < THREADS; k++)
        {
          x = in[omp_get_team_num () * THREADS + k];
          mine++;
        }
#pragma omp for simd
      for (int i = 0; i < 8; i++)
        out[omp_get_team_num () * 8 + i] = x + i;
      (void) mine;
    }
  }
  for (int i = 0; i < teams * 8; i++)
    want[i] = in[i / 8 * THREADS + THREADS - 1] + i % 8;
  check_ints ("last values", out, want, N);
}

/* Loops of simd constructs, which all of a team's threads go through: what they leave
   behind, where threads use it, and where one of them counts.  */
static void
simd (int teams)
{
  begin ();
#pragma omp target teams distribute thread_limit (THREADS)                    \
    map (to: in) map (tofrom: out)
  for (int t = 0; t < teams; t++)
  {
    int x = 5, k = 1, sum = t, j, side[4];
#pragma omp simd lastprivate (x) linear (k: 2) reduction (+: sum)
    for (j = 0; j < 8; j++)
      {
        x = in[t * THREADS + j] + k;
        sum += x;
        k += 2;
      }
#pragma omp simd
    for (int i = 0; i < 4; i++)
      side[i] = sum * i;
#pragma omp parallel
    {
      int own = omp_get_thread_num ();
#pragma omp for
      for (int i = 0; i < THREADS; i++)
        out[t * THREADS + i] = x + 10 * k + 100 * j + 1000 * side[i % 4] + i + (own < 0);
    }
  }
  for (int t = 0; t < teams; t++)
    {
      int x = 5, k = 1, sum = t;
      for (int j = 0; j < 8; j++)
        {
          x = in[t * THREADS + j] + k;
          sum += x;
          k += 2;
        }
      for (int i = 0; i < THREADS; i++)
        want[t * THREADS + i] = x + 10 * k + 800 + 1000 * sum * (i % 4) + i;
    }
  check_ints ("simd constructs", out, want, N);
  begin ();
#pragma omp target teams distribute map (to: in) map (tofrom: out)
  for (int t = 0; t < teams; t++)
    {
#pragma omp simd
      for (int i = 0; i < 4; i++)
        out[t * THREADS + i] = in[t * THREADS + i] + i;
#pragma omp parallel for
      for (int i = 4; i < THREADS; i++)
        out[t * THREADS + i] = out[t * THREADS + i % 4] + i;
    }
  for (int i = 0; i < teams * THREADS; i++)
    want[i] = in[i / THREADS * THREADS + i % 4] + i % 4 + (i % THREADS < 4 ? 0 : i % THREADS);
  check_ints ("a simd construct in front of threads", out, want, N);
}

/* Number of threads by the clauses, and what each is asked.  */
static void
questions (int yes)
{
  int got[8] = { 0 }, expected[8] = { 1, 0, 3, 1, 0, 1, 5, 2 };
#pragma omp target map (tofrom: got)
  {
    got[0] = omp_get_num_threads ();
    got[1] = omp_in_parallel () + omp_get_thread_num ();
#pragma omp parallel num_threads (3)
    {
#pragma omp single
      {
        got[2] = omp_get_num_threads ();
        got[3] = omp_in_parallel ();
      }
    }
#pragma omp parallel if (!yes)
    {
      got[4] = omp_in_parallel ();
      got[5] = omp_get_num_threads ();
    }
#pragma omp parallel num_threads (5)
#pragma omp single
    got[6] = omp_get_num_threads ();
#pragma omp parallel num_threads (got[2] - 1)
#pragma omp single
    got[7] = omp_get_num_threads ();
  }
  if (!omp_is_initial_device () || got[6] == 5)
    check_ints ("answers", got, expected, 8);
}

/* Every team executes what is not shared out.  */
static void
every (int teams)
{
  begin ();
  int count = 0;
#pragma omp target teams num_teams (teams) map (tofrom: out, count)
  {
    int k = 3;
#pragma omp parallel num_threads (2)
    {
#pragma omp single
      k += 4;
    }
    out[omp_get_team_num ()] = k;
#pragma omp parallel
#pragma omp master
    {
#pragma omp atomic
      count++;
    }
  }
  for (int t = 0; t < teams; t++)
    want[t] = 7;
  check_ints ("every team", out, want, N);
  check_long ("so many", count, teams);
}

int
main (void)
{
  tile (TEAMS);
  tree (TEAMS, 20);
  tree (TEAMS - 2, 64);
  several (TEAMS, 33);
  several (TEAMS, 7);
  several (TEAMS, 64);
  rows (TEAMS);
  transpose (24);
  one (TEAMS, 40);
  one (TEAMS, 64);
  told (TEAMS);
  counters (TEAMS);
  own (TEAMS);
  alone ();
  around (TEAMS, 4);
  functions (TEAMS);
  asking (TEAMS);
  last (TEAMS);
  simd (TEAMS);
  questions (1);
  every (TEAMS);
  every (N);
  return check_status ();
}
