/* Routines with compute constructs that the host calls and that the device
   calls, in place; recursive ones, by value and by pointer.
   FLAGS: -fopenacc
   NESTED: 4
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

#pragma acc routine seq
static void
halves (int *o, int low, int n)
{
#pragma acc parallel loop present (o[low : n])
  for (int k = 0; k < n; k++)
    {
#pragma acc atomic
      o[low + k] += 1;
      if (k == 0 && n > 1)
        {
          halves (o, low, n / 2);
          halves (o, low + n / 2, n - n / 2);
        }
    }
}

/* What it sets is there behind it, asynchronous or not.  */
#pragma acc routine seq
static int
sum_of (const int *p, int n)
{
  int sum = 0;
#pragma acc parallel loop reduction (+ : sum) copy (sum) present (p[0 : n]) async
  for (int k = 0; k < n; k++)
    sum += p[k];
#pragma acc wait
  return sum;
}

#pragma acc routine seq
static void
count_to (int *p, short n)
{
  if (n == 0)
    return;
#pragma acc serial present (p[0 : 1]) firstprivate (n)
  p[0] += n;
  count_to (p, n - 1);
}

int
main (void)
{
  int sum = 0;
#pragma acc data copy (out)
  {
#pragma acc serial present (out)
    halves (out, 0, N);
#pragma acc parallel loop gang vector present (out)
    for (short i = 0; i < N; i++)
      count_to (out + i, i % 8);
#pragma acc serial copy (sum) present (out)
    sum = sum_of (out, N);
  }
  show ("on the device");
#pragma acc data copy (out)
  {
    halves (out, 0, N);
    sum += sum_of (out, N);
  }
  show ("on the host");
  printf ("%d\n", sum);
  return 0;
}
