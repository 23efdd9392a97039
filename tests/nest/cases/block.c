/* Children that a block meets with one thread: their parallel loops are shared
   by all of its threads.
   NESTED: 7
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { N = 200 };

static int a[N], s[N], total, woken;

#pragma omp declare target
int omp_get_num_threads (void);
#pragma omp end declare target

static void
driver (void)
{
#pragma omp target map (tofrom : a, total)
  for (int t = 0; t < 3; t++)
    {
      int sum = 0, last = 0;
#pragma omp target teams distribute parallel for map (tofrom : sum)           \
  reduction (+ : sum) firstprivate (t)
      for (int i = 0; i < N; i++)
        {
          a[i] += i + t;
          sum += a[i];
        }
#pragma omp target parallel for simd map (tofrom : total, last)               \
  reduction (+ : total) lastprivate (last)
      for (int i = 0; i < N; i++)
        {
          total += a[i] & 3;
          last = i;
        }
#pragma omp target teams distribute
      for (int i = 0; i < 4; i++)
        {
#pragma omp parallel for
          for (int j = 0; j < N / 4; j++)
            {
              int x = 0;
#pragma omp target map (tofrom : x)
              x = i;
              a[i * (N / 4) + j] += x;
            }
        }
#pragma omp target teams distribute parallel for lastprivate(last)            \
  map (tofrom : last)
      for (int i = 0; i < N; i += 3)
        last = i;
      total += sum + last;
    }
}

static void
teams (void)
{
#pragma omp target teams distribute map (tofrom : s) map (to : a)
  for (int i = 0; i < N; i++)
    {
      int sum = 0;
#pragma omp target teams distribute parallel for map (tofrom : sum)           \
  reduction (+ : sum)
      for (int j = 0; j < i; j++)
        sum += a[j];
      s[i] = sum;
    }
}

int
main (void)
{
  driver ();
  teams ();
#pragma omp target map (tofrom : woken)
  {
#pragma omp target map (tofrom : woken)
#pragma omp parallel num_threads(3)
    woken = omp_get_num_threads ();
  }
  unsigned sum = 0;
  for (int i = 0; i < N; i++)
    sum = sum * 31 + a[i] * 7 + s[i];
  printf ("%u %d %d\n", sum, total, woken);
  return 0;
}
