/* Each thread that has iterations has a private object, which is constructed before
   them and destroyed behind them, as often; where iterations are dealt in chunks, once
   for all of its chunks.
   FLAGS: -fopenmp -O1
   ACCEPT: 8
   REJECT: a private object with constructors
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>

#pragma omp declare target
static int made, gone;

static void
count (int *n)
{
#pragma omp atomic
  ++*n;
}

struct counted
{
  int value, mark;
  counted () : value (5), mark (12345) { count (&made); }
  counted (const counted &other) : value (other.value + 10), mark (12345)
  {
    count (&made);
  }
  ~counted ()
  {
    /* Behind the last use.  */
    if (mark == 12345)
      count (&gone);
    mark = 0;
  }
  int
  use (int i)
  {
    if (mark != 12345)
      return -1000000;
    return i * value;
  }
};

/* Nothing to do to make one.  */
struct ended
{
  int last;
  ~ended () { count (&gone); }
};
#pragma omp end declare target

enum
{
  N = 1000
};

static int wrong;

/* WHAT has set each of SUM to FACTOR times its number, and as many objects came as
   went, at least one and at most MOST, if it MAKES them.  */
static void
check (const char *what, const int *sum, int factor, int most, bool makes)
{
  int m, g;
#pragma omp target map(from: m, g)
  {
    m = made;
    g = gone;
    made = gone = 0;
  }
  bool good = makes ? m == g && m > 0 && m <= most : g > 0 && g <= most;
  for (int i = 0; i < N; i++)
    good &= sum[i] == factor * i;
  if (!good)
    {
      std::printf ("%s: wrong: %d made, %d gone\n", what, m, g);
      wrong = 1;
    }
}

int
main ()
{
  static int sum[N];
  counted c, several[2];
  ended e;
  /* On the host these count.  */
#pragma omp target
  made = gone = 0;

#pragma omp target teams distribute parallel for private(c) map(from: sum)
  for (int i = 0; i < N; i++)
    sum[i] = c.use (i);
  check ("private", sum, 5, N, true);

#pragma omp target teams distribute parallel for firstprivate(c) map(from: sum)
  for (int i = 0; i < N; i++)
    sum[i] = c.use (i);
  /* The team's, and the thread's.  */
  check ("firstprivate", sum, 25, 2 * N, true);

#pragma omp target parallel for private(c) map(from: sum) schedule(static, 3) \
  num_threads(7)
  for (int i = 0; i < N; i++)
    {
      sum[i] = c.use (i);
      c.value = 5;
    }
  check ("static chunks", sum, 5, 7, true);

#pragma omp target teams distribute parallel for collapse(2) private(c) \
  map(from: sum) dist_schedule(static, 8)
  for (int i = 0; i < N / 10; i++)
    for (int k = 0; k < 10; k++)
      sum[10 * i + k] = c.use (10 * i + k);
  check ("collapse", sum, 5, N, true);

#pragma omp target teams distribute parallel for private(e) map(from: sum)
  for (int i = 0; i < N; i++)
    {
      e.last = i;
      sum[i] = e.last;
    }
  check ("destroyed alone", sum, 1, N, false);

#pragma omp target teams distribute parallel for private(several) map(from: sum)
  for (int i = 0; i < N; i++)
    sum[i] = several[i % 2].use (i);
  check ("an array", sum, 5, 2 * N, true);

  /* Threads of a team share it.  */
#pragma omp target map(from: sum)
#pragma omp teams private(c)
#pragma omp distribute parallel for
  for (int i = 0; i < N; i++)
    sum[i] = c.use (i);
  check ("of teams", sum, 5, N, true);
  return wrong;
}
