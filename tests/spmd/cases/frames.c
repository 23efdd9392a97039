/* Functions with frames, of the program and of the device's libraries, which
   all threads of large blocks call at once.

   FLAGS: -fopenmp -foffload-options=-lm
   ACCEPT: 4
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"
#include <math.h>
#include <omp.h>

enum { TEAMS = 5, THREADS = 256, N = TEAMS * THREADS };
static double x[N], y[N], want[N];
static int seen[TEAMS];

#pragma omp declare target
/* Its frame differs from thread to thread, and so does the way through it.  */
static __attribute__ ((noinline)) int
rank_of (const double *v, int n, int k)
{
  int at[20], rank = 0;
  for (int i = 0; i < n; i++)
    at[i] = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      at[i] += v[j] < v[i] || (v[j] == v[i] && j < i);
  for (int i = 0; i < n; i++)
    rank += at[i] * (i % (k + 1) + 1);
  return rank;
}

static __attribute__ ((noinline)) double
mixed (double a, int k)
{
  double v[20];
  for (int i = 0; i < 20; i++)
    v[i] = sin (a * (i + 1));
  /* Lanes of a warp call it at different times, and as often as they like.  */
  double sum = 0;
  for (int i = 0; i < k % 5; i++)
    sum += rank_of (v, 20 - i, k);
  return sum + v[k % 20];
}

static __attribute__ ((noinline)) double
many (double a)
{
  double s, c;
  int e;
  s = sin (100000.5 * a);
  c = cos (3.7 * a) + tan (a / 10);
  return s + c + exp (-a) * pow (a + 1, 1.5) + log (a + 2) + atan2 (a, 3)
	 + frexp (a + 1, &e) + e + cbrt (a) + sinh (a / 50) + erf (a)
	 + lgamma (a + 3) + fmod (a, 0.7) + exp2 (a / 3) + hypot (a, 2);
}

static __attribute__ ((noinline)) float
manyf (float a)
{
  return sinf (1000.5f * a) + cosf (a) + expf (-a) + powf (a + 1, 1.5f)
	 + logf (a + 2) + log2f (a + 1);
}
#pragma omp end declare target

static void
begin (void)
{
  for (int i = 0; i < N; i++)
    {
      x[i] = i * 0.037;
      y[i] = want[i] = -1;
    }
  for (int i = 0; i < TEAMS; i++)
    seen[i] = 0;
}

/* FEW: in single precision.  */
static void
compare (const char *what, int few)
{
  for (int i = 0; i < N; i++)
    if (few)
      check_double (what, y[i] / 1e5, want[i] / 1e5);
    else
      check_double (what, y[i], want[i]);
}

static void
loops (void)
{
  begin ();
#pragma omp target teams distribute parallel for map (to: x) map (from: y)
  for (int i = 0; i < N; i++)
    y[i] = mixed (x[i], i);
  for (int i = 0; i < N; i++)
    want[i] = mixed (x[i], i);
  compare ("own functions", 0);
  begin ();
#pragma omp target teams distribute parallel for map (to: x) map (from: y)
  for (int i = 0; i < N; i++)
    y[i] = many (x[i]);
  for (int i = 0; i < N; i++)
    want[i] = many (x[i]);
  compare ("functions of libm", 0);
  begin ();
#pragma omp target teams distribute parallel for map (to: x) map (from: y)
  for (int i = 0; i < N; i++)
    y[i] = manyf (x[i] / 50);
  for (int i = 0; i < N; i++)
    want[i] = manyf (x[i] / 50);
  compare ("in single precision", 1);
}

/* All of the block meet between calls.  */
static void
blocks (void)
{
  begin ();
#pragma omp target teams num_teams (TEAMS) thread_limit (THREADS)             \
    map (to: x) map (tofrom: y, seen)
  {
    double part[THREADS];
#pragma omp parallel num_threads (THREADS)
    {
      int tid = omp_get_thread_num (), team = omp_get_team_num ();
      int n = omp_get_num_threads ();
      if (tid == 0)
	seen[team] = n;
      for (int i = tid; i < THREADS; i += n)
	part[i] = mixed (x[team * THREADS + i], i);
#pragma omp barrier
      for (int i = tid; i < THREADS; i += n)
	y[team * THREADS + i] = part[THREADS - 1 - i] + exp (-part[i]);
    }
  }
  for (int t = 0; t < TEAMS; t++)
    for (int i = 0; i < THREADS && seen[t]; i++)
      want[t * THREADS + i]
	= mixed (x[t * THREADS + THREADS - 1 - i], THREADS - 1 - i)
	  + exp (-mixed (x[t * THREADS + i], i));
  for (int i = 0; i < N; i++)
    if (want[i] < 0 && y[i] == -1)
      want[i] = -1;
  compare ("a block", 0);
  printf ("threads of a team: %d\n", seen[0]);
}

int
main (void)
{
  loops ();
  blocks ();
  return check_status ();
}
