/* OpenACC compute constructs inside compute regions and routines.
   FLAGS: -fopenacc
   NESTED: 8
   LAUNCHES: 1
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { N = 48 };
static int out[N], sums[N], totals[2];

static void
show (const char *what)
{
  unsigned sum = 0;
  for (int i = 0; i < N; i++)
    sum = sum * 31 + out[i] * 3 + sums[i];
  printf ("%s: %u %d %d\n", what, sum, totals[0], totals[1]);
}

#pragma acc routine seq
static void
halves (int *o, int low, int n)
{
#pragma acc parallel loop present (o[low : n])
  for (int k = 0; k < n; k++)
    {
#pragma acc atomic update
      o[low + k] += 1;
      if (k == 0 && n > 1)
        {
          halves (o, low, n / 2);
          halves (o, low + n / 2, n - n / 2);
        }
    }
}

/* With a loop of its own.  */
#pragma acc routine worker
static void
triangle (int *o, int n)
{
#pragma acc loop worker
  for (int k = 0; k < n; k++)
    {
      int s = 0;
#pragma acc parallel loop reduction (+ : s) copy (s)
      for (int j = 0; j < k; j++)
        s += j;
      o[k] += s;
    }
}

static void
compute (void)
{
  int total = 0, most = 0;
#pragma acc parallel loop gang vector copy (out, sums, total, most)
  for (int i = 0; i < N; i++)
    {
      int sum = 0, x = i, y = i;
#pragma acc kernels loop reduction (+ : sum) copy (sum)
      for (int j = 0; j < i; j += 3)
        sum += j;
#pragma acc data copy (sum)
      {
#pragma acc serial async(1)
        sums[i] += sum;
      }
#pragma acc parallel loop collapse (2) private(x) reduction (+ : total)       \
  copy (total)
      for (int j = 0; j < 3; j++)
        for (int k = i; k > 0; k -= 2)
          {
            x = j * k;
            total += x;
          }
#pragma acc parallel firstprivate (y) reduction (max : most) copy (most)
      {
        y += 2;
#pragma acc loop gang reduction (max : most)
        for (int j = 0; j < i; j++)
          {
#pragma acc loop vector reduction (max : most)
            for (int k = 0; k <= j; k++)
              most = most > k + y ? most : k + y;
          }
      }
      out[i] += sum - i;
    }
  totals[0] += total;
  totals[1] += most;
  show ("compute");
}

/* The code between the loops of a region.  */
static void
single (void)
{
#pragma acc parallel num_gangs(1) copy (out)
  {
#pragma acc parallel loop copy (out)
    for (int i = 0; i < N; i++)
      out[i] += i;
#pragma acc loop
    for (int i = 0; i < N; i++)
      {
#pragma acc serial loop
        for (int j = i; j < i + 1; j++)
          out[j] *= 2;
      }
  }
  show ("single");
}

int
main (void)
{
#pragma acc data copy (out)
  {
#pragma acc serial present (out)
    halves (out, 0, N);
#pragma acc parallel num_gangs(1) present (out)
    triangle (out, N);
  }
  show ("routines");
  /* From the host, on the device's copy.  */
#pragma acc data copyout (out)
  {
#pragma acc parallel loop present (out)
    for (int i = 0; i < N; i++)
      out[i] = i;
    halves (out, 0, N);
  }
  show ("a routine on the host");
  compute ();
  single ();
  return 0;
}
