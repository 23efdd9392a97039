/* Two target tasks at a time; a sum of their results.
   usage: pair-tasks HOW ROUNDS
   HOW: beside; chain: the second one waits for the first (depend); wait: the
   program does (taskwait); copy: it copies in between.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 20000

static double x[N], y[N];

static void
first (void)
{
#pragma omp target teams distribute parallel for nowait depend(out : x)
  for (int i = 0; i < N; i++)
    x[i] = x[i] * .75 + 1. / (i + 1);
}

static void
second (void)
{
#pragma omp target teams distribute parallel for nowait depend(out : y)
  for (int i = 0; i < N; i++)
    y[i] = y[i] / 3 + i;
}

static void
behind (void)
{
#pragma omp target teams distribute parallel for nowait depend(out : x)
  for (int i = 0; i < N; i++)
    x[i] = x[i] / 3 + i;
}

int
main (int argc, char **argv)
{
  const char *how = argc > 2 ? argv[1] : "beside";
  int rounds = argc > 2 ? atoi (argv[2]) : 10;
  double sum = 0;
  for (int i = 0; i < N; i++)
    x[i] = y[i] = i;
#pragma omp target enter data map(to : x, y)
  for (int r = 0; r < rounds; r++)
    {
      first ();
      if (!strcmp (how, "wait"))
	{
#pragma omp taskwait
	}
      if (!strcmp (how, "copy"))
	{
	  y[r % N] = r;
#pragma omp target update to(y[r % N:1])
	}
      if (!strcmp (how, "chain"))
	behind ();
      else
	second ();
#pragma omp taskwait
    }
#pragma omp target exit data map(from : x, y)
  for (int i = 0; i < N; i++)
    sum += x[i] * (i % 7) + y[i];
  printf ("%a\n", sum);
  return 0;
}
