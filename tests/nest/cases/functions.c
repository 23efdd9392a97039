/* Functions with target constructs that the host calls and that the device
   calls, recursive ones, and those that are for the device only because a
   region calls them.
   NESTED: 5
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { N = 64 };
static int out[N];

static void
show (const char *what)
{
  unsigned sum = 0;
  for (int i = 0; i < N; i++)
    sum = sum * 31 + out[i];
  printf ("%s: %u\n", what, sum);
}

#pragma omp declare target
static void
halves (int *o, int low, int n)
{
#pragma omp target teams distribute parallel for map (tofrom : o[low : n])
  for (int k = 0; k < n; k++)
    {
#pragma omp atomic
      o[low + k] += 1;
      if (k == 0 && n > 1)
        {
          halves (o, low, n / 2);
          halves (o, low + n / 2, n - n / 2);
        }
    }
}

static int
sum_of (const int *p, int n)
{
  int sum = 0;
#pragma omp target data map (to : p[0 : n])
#pragma omp target teams distribute parallel for reduction (+ : sum)         \
  map (tofrom : sum)
  for (int k = 0; k < n; k++)
    sum += p[k];
  return sum;
}

/* In one direction only.  */
static void
count_to (int *p, int n)
{
  if (n == 0)
    return;
#pragma omp target map (tofrom : p[0 : 1])
  p[0]++;
  count_to (p, n - 1);
}
#pragma omp end declare target

static void
twice (int *o, int n)
{
#pragma omp target teams distribute parallel for map (tofrom : o[0 : n])
  for (int k = 0; k < n; k++)
    o[k] *= 2;
}

int
main (void)
{
#pragma omp target map (tofrom : out)
  halves (out, 0, N);
  show ("halves on the device");
#pragma omp target map (tofrom : out)
  {
    twice (out, N / 2);
    twice (out + N / 2, N / 4);
  }
  show ("twice on the device");
  twice (out, N);
  show ("twice on the host");
#pragma omp target teams distribute parallel for map (tofrom : out)
  for (int i = 0; i < N; i++)
    count_to (out + i, i);
  show ("count_to on the device");

  int sum = 0;
#pragma omp target map (tofrom : sum) map (to : out)
  sum = sum_of (out, N);
  printf ("%d %d\n", sum, sum_of (out, N));
  return 0;
}
