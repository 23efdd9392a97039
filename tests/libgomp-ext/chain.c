/* Chains of nowait regions and data directives that depend on each other, and with
   "tasks" on host tasks, too; prints how many values are wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  N = 96
};

static int wrong;

/* A step as codes with halos have it: compute, to the host, change there, back.  */
static void
exchange (unsigned *a, unsigned *halo, unsigned step, int tasks)
{
#pragma omp target nowait map(to : a[ : N], halo[ : N]) depend(inout : a[0])
  for (int i = 0; i < N; i++)
    {
      a[i] += i + halo[i];
      halo[i] = a[i] - step;
    }
#pragma omp target update from(halo[ : N]) nowait depend(inout : a[0])
  if (tasks)
    {
#pragma omp task depend(inout : a[0])
      for (int i = 0; i < N; i++)
        halo[i] *= 2;
    }
  else
    {
#pragma omp taskwait
      for (int i = 0; i < N; i++)
        halo[i] *= 2;
    }
#pragma omp target update to(halo[ : N]) nowait depend(inout : a[0])
#pragma omp target nowait map(to : a[ : N], halo[ : N]) depend(inout : a[0])
  for (int i = 0; i < N; i++)
    a[i] ^= halo[i];
}

/* The same on the host.  */
static void
expect (unsigned *a, unsigned *halo, unsigned step)
{
  for (unsigned i = 0; i < N; i++)
    {
      a[i] += i + halo[i];
      halo[i] = (a[i] - step) * 2;
      a[i] ^= halo[i];
    }
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 3;
  int tasks = argc > 2 && !strcmp (argv[2], "tasks");
  static unsigned a[N], halo[N];
  static unsigned b[N], edge[N];
  unsigned *p = a, *q = halo;
#pragma omp target enter data map(to : p[ : N], q[ : N]) nowait depend(out : p[0])
  for (int k = 0; k < steps; k++)
    {
      exchange (p, q, k, tasks);
      expect (b, edge, k);
    }
#pragma omp target update from(p[ : N]) nowait depend(inout : p[0])
#pragma omp target exit data map(release : p[ : N], q[ : N]) nowait                \
    depend(inout : p[0])
#pragma omp taskwait
  for (int i = 0; i < N; i++)
    wrong += a[i] != b[i];
  printf ("%d wrong\n", wrong);
  return wrong != 0;
}
