/* Children of SPMD kernels that a warp or a block may execute together.
   NESTED: 15
   LAUNCHES: 14
   DEFERS: 6

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum
{
  N = 700,
  MOST = 24
};

static int row[N + 1], out[N * MOST], count[N];
static double sum[N];

static unsigned long
digest (const void *data, size_t size)
{
  const unsigned char *p = data;
  unsigned long h = 5381;
  while (size--)
    h = h * 33 + *p++;
  return h % 1000000007;
}

/* Many small children, some of them empty; some parents have none.  */
static void
rows (int *restrict to, const int *restrict r)
{
#pragma omp target teams distribute parallel for map(tofrom : to[:N * MOST])  \
  map(to : r[:N + 1])
  for (int v = 0; v < N; v++)
    if (v % 3)
      {
        int factor = v + 1;
#pragma omp target teams distribute parallel for map(to[:N * MOST], r[:N + 1])
        for (int e = r[v]; e < r[v + 1]; e++)
          to[e] += factor * (e - r[v]);
      }
}

/* In loops, one after the other, and with code behind that uses what they have
   done.  */
static void
repeated (int *restrict to)
{
#pragma omp target teams distribute parallel for map(tofrom : to[:N * MOST])
  for (int v = 0; v < N; v++)
    {
      int *mine = to + v * MOST;
      for (int turn = 0; turn < v % 5; turn++)
        {
#pragma omp target parallel for simd map(to[:N * MOST])
          for (int i = MOST - 1; i >= turn; i -= 2)
            mine[i] = mine[i] * 3 + turn;
          mine[turn] += mine[MOST - 1];
        }
      if (v % 2)
        {
#pragma omp target teams distribute map(to[:N * MOST])
          for (long i = 0; i != MOST / 2; i++)
            mine[i] ^= mine[MOST - 1 - i];
        }
      else
        {
          short begin = v % 7;
#pragma omp target simd map(to[:N * MOST])
          for (short i = begin; i <= 11; i += 3)
            mine[i] -= mine[i + 12];
        }
      mine[0] += mine[5];
    }
}

/* Loops inside, several in one, and locals.  */
static void
nested_loops (int *restrict to)
{
#pragma omp target teams distribute parallel for thread_limit(64)             \
  num_teams(3) map(tofrom : to[:N * MOST])
  for (int v = 0; v < N; v++)
    {
      unsigned char wide = v % 4 + 1;
      unsigned long long high = 3 + v % 2;
#pragma omp target teams distribute parallel for collapse(2)                  \
  map(to[:N * MOST])
      for (unsigned char i = 0; i < wide; i++)
        for (unsigned long long j = high; j > 0; j--)
          {
            int local[3] = { i, (int)j, v }, s = 0;
            for (int k = 0; k < 3; k++)
              s = s * 7 + local[k];
            to[v * MOST + i * 5 + (int)j] += s;
          }
    }
}

/* What all children add to, and values of several types.  */
static double
reductions (double *restrict to, long *total)
{
  long all = 0;
  float most = 0;
#pragma omp target teams distribute parallel for map(tofrom : to[:N])         \
  map(tofrom : all, most)
  for (int v = 0; v < N; v++)
    {
      float step = 0.5f * (v % 8);
      _Bool odd = v & 1;
      double base = v;
#pragma omp target teams distribute parallel for reduction(+ : all)           \
  map(tofrom : all) map(to[:N])
      for (int i = 0; i < v % 40; i++)
        {
          all += i + odd;
          if (i == 17)
            to[v] = base + step * i;
        }
#pragma omp target teams distribute parallel for reduction(max : most)        \
  map(tofrom : most)
      for (int i = 0; i < 9; i++)
        most = most > step * i ? most : step * i;
    }
  *total = all;
  return most;
}

/* Children that launch.  */
static void
deeper (int *restrict to)
{
#pragma omp target teams distribute parallel for map(tofrom : to[:N * MOST])
  for (int v = 0; v < N; v++)
    {
#pragma omp target teams distribute parallel for map(to[:N * MOST])
      for (int i = 0; i < 4; i++)
        {
#pragma omp target teams distribute parallel for map(to[:N * MOST])
          for (int j = 0; j < 6; j++)
            to[v * MOST + i * 6 + j] += i * j + v;
        }
    }
}

/* Variables of the launching thread that children reduce into or set.  */
static void
answers (double *restrict to, const int *restrict r)
{
#pragma omp target teams distribute parallel for map(tofrom : to[:N])         \
  map(to : r[:N + 1])
  for (int v = 0; v < N; v++)
    for (int turn = 0; turn < 1 + v % 3; turn++)
      {
        double s = turn;
        long product = 1;
        unsigned all = -1;
#pragma omp target teams distribute parallel for reduction(+ : s)             \
  map(tofrom : s) map(r[:N + 1])
        for (int e = r[v]; e < r[v + 1]; e++)
          s += 0.5 * (e % 16);
#pragma omp target parallel for reduction(* : product) reduction(& : all)     \
  map(tofrom : product, all)
        for (int i = 1; i <= v % 9; i++)
          {
            product *= i;
            all &= ~(1u << i);
          }
        int steps = turn;
        char found = 0;
#pragma omp target teams distribute parallel for map(tofrom : steps, found)
        for (int i = 0; i < v % 50; i++)
          {
#pragma omp atomic
            steps += 2;
            if (i == 31 + turn)
              found = 'f';
          }
        to[v] += s + product + all % 1024 + steps + found;
      }
}

/* Children that nobody waits for, and what must not be deferred: code behind
   them uses what they have done.  */
static int
deferred (int *restrict to, const int *restrict r)
{
  int seen = 0;
#pragma omp target teams distribute parallel for map(tofrom : to[:N * MOST])  \
  map(to : r[:N + 1])
  for (int v = 0; v < N; v++)
    {
#pragma omp target teams distribute parallel for nowait                       \
  map(to[:N * MOST], r[:N + 1])
      for (int e = r[v]; e < r[v + 1]; e++)
        to[e] += 5 * e;
      int half = (r[v] + r[v + 1]) / 2;
#pragma omp target teams distribute parallel for nowait collapse(2)           \
  map(to[:N * MOST])
      for (int i = 0; i < 2; i++)
        for (int j = 3; j > 0; j--)
          to[N * MOST - 6 * v - 2 * j - i] ^= half;
    }
#pragma omp target teams distribute parallel for map(tofrom : to[:N * MOST])  \
  map(tofrom : seen) reduction(+ : seen)
  for (int v = 0; v < N; v++)
    {
#pragma omp target teams distribute parallel for map(to[:N * MOST])
      for (int i = 0; i < MOST; i++)
        to[v * MOST + i] += v;
      if (to[v * MOST + 3] & 1)
        seen++;
    }
  return seen;
}

/* A parent that waits for what others do.  */
static int
locked (int *restrict to)
{
  int lock = 0, in = 0;
#pragma omp target teams distribute parallel for map(tofrom : to[:N], lock, in)
  for (int v = 0; v < 8; v++)
    {
      int taken = v;
      while (taken > v)
        {
#pragma omp atomic capture
          {
            taken = lock;
            lock = v;
          }
        }
#pragma omp target teams distribute parallel for map(to[:N], in)
      for (int i = 0; i < 5; i++)
        {
          to[v * 5 + i]++;
#pragma omp atomic
          in += i;
        }
    }
  return in;
}

int
main (void)
{
  for (int v = 0; v < N; v++)
    row[v + 1] = row[v] + v * 37 % MOST;
  rows (out, row);
  printf ("rows %lu\n", digest (out, sizeof out));
  repeated (out);
  printf ("repeated %lu\n", digest (out, sizeof out));
  nested_loops (out);
  printf ("nested loops %lu\n", digest (out, sizeof out));
  long total;
  double most = reductions (sum, &total);
  printf ("reductions %lu %g %ld\n", digest (sum, sizeof sum), most, total);
  answers (sum, row);
  printf ("answers %lu\n", digest (sum, sizeof sum));
  printf ("deferred %d", deferred (out, row));
  printf (" %lu\n", digest (out, sizeof out));
  deeper (out);
  printf ("deeper %lu\n", digest (out, sizeof out));
  printf ("locked %d %lu\n", locked (count), digest (count, sizeof count));
}
