/* Two target tasks at a time; a sum of their results.
   usage: pair-tasks HOW ROUNDS
   HOW: beside; chain: the second one waits for the first (depend); wait: the
   program does (taskwait); copy, after: it copies in between, or behind both;
   few: with few threads.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef N
#define N 20000
#endif

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

/* Each with so few threads that there is room for another.  */
static void
few (double *p)
{
#pragma omp target teams distribute parallel for nowait map(p[:N])
  for (int i = 0; i < 64; i++)
    for (int k = i; k < N; k += 64)
      p[k] = p[k] / 3 + i;
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
      if (!strcmp (how, "few"))
	{
	  few (x);
	  few (y);
#pragma omp taskwait
	  continue;
	}
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
      if (!strcmp (how, "after"))
	{
	  y[r % N] = r;
#pragma omp target update to(y[r % N:1])
	}
    }
#pragma omp target exit data map(from : x, y)
  for (int i = 0; i < N; i++)
    sum += x[i] * (i % 7) + y[i];
  printf ("%a\n", sum);
  return 0;
}
