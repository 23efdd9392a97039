/* FLAGS: -fopenacc
   KERNELS: 3

   Numbers of the file that the host counts in loops over regions.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../case.h"

static int rounds, odd, left, shown, called;
static double weight = 1;
int everybodys;

/* One counts, one is a test's, one is set in one way only, and what regions have by
   value depends on one.  */
static void
counted (int n)
{
  fill ();
  left = n;
#pragma acc data copy (a, b)
  while (left > 0)
    {
      int by = rounds * 3;
      rounds++;
      weight = weight * 1.25 + left;
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma acc parallel loop
      for (int i = 1; i < N - 1; i++)
	b[i] = a[i - 1] + a[i + 1] * by;
      if (rounds & 1)
	odd++;
#pragma acc parallel loop
      for (int i = 1; i < N - 1; i++)
	a[i] = b[i - 1] ^ b[i + 1];
      left--;
    }
  printf ("counted %d: %u %d %d %d %.17g\n", n, hash (), rounds, odd, left, weight);
}

/* One of the function that is kept, and a loop in a loop.  */
static void
kept (int n)
{
  static int times = 7;
  fill ();
#pragma acc data copy (a)
  for (int t = 0; t < n; t++)
    {
      times += t;
      for (int k = 0; k < 2; k++)
	{
	  times ^= k;
	  int by = times;
/* REMARK: loop over 1 region: becomes one kernel */
#pragma acc parallel loop
	  for (int i = 0; i < N; i++)
	    a[i] = a[i] * 3 + by;
	}
    }
  printf ("kept %d: %u %d\n", n, hash (), times);
}

/* A region has one by its name.  */
static void
named (int n)
{
  static int all = 3;
  fill ();
#pragma acc data copy (a)
  for (int t = 0; t < n; t++)
    {
      all += t;
/* REMARK: stays on the host: the host stores what is no number of its own */
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
	a[i] += all;
    }
  printf ("named %d: %u %d\n", n, hash (), all);
}

/* Others may look: a pointer, another file, a function of the region's.  */
static void
exposed (int n)
{
  static int *look = &shown;
  fill ();
#pragma acc data copy (a)
  for (int t = 0; t < n; t++)
    {
      shown++;
/* REMARK: stays on the host: the host stores what is no number of its own */
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
	a[i] += t;
    }
  printf ("exposed %d: %u %d\n", n, hash (), *look);
}

static void
everybody (int n)
{
  fill ();
#pragma acc data copy (a)
  for (int t = 0; t < n; t++)
    {
      everybodys++;
/* REMARK: stays on the host: the host stores what is no number of its own */
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
	a[i] += t;
    }
  printf ("everybody %d: %u %d\n", n, hash (), everybodys);
}

#pragma acc routine seq
static int
of_file (int x)
{
  return x * 5 + 1;
}

static void
calls (int n)
{
  fill ();
#pragma acc data copy (a)
  for (int t = 0; t < n; t++)
    {
      called++;
/* REMARK: stays on the host: the host stores what is no number of its own */
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
	a[i] = of_file (a[i]) + t;
    }
  printf ("calls %d: %u %d\n", n, hash (), called);
}

int
main (void)
{
  counted (0);
  counted (5);
  counted (6);
  kept (3);
  named (3);
  exposed (3);
  everybody (3);
  calls (3);
  return 0;
}
