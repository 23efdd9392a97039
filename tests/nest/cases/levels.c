/* Functions whose children call them again as the last thing that they do, so
   that each level of the recursion is executed at once; and such that must not
   be: because of what is behind the call, or behind the child.
   FLAGS: -fopenacc
   NESTED: 10
   LAUNCHES: 5
   DEFERS: 3
   TOGETHER: -O2 -O0
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum
{
  N = 5,
  DEPTH = 6,
  NODES = 4096
};
static int count[NODES], order[NODES];
static double weight[NODES];

/* Any number of children, by values of several types, with one in between that
   its parent waits for.  */
#pragma acc routine seq
#pragma omp declare target
static void
grow (double *w, int *c, int *used, unsigned char kind, short depth, long node,
      double x)
{
  int own = 0;
#pragma acc parallel loop reduction(+ : own) copy(own)
#pragma omp target teams distribute parallel for reduction(+ : own)            \
    map(tofrom: own)
  for (int i = 0; i < 3 + kind; i++)
    own += i * (kind + depth);
  c[node] += own + depth;
  w[node] = x;
  if (depth == 0)
    return;
  int first, children = 1 + kind;
#pragma acc atomic capture
#pragma omp atomic capture
  {
    first = *used;
    *used += children;
  }
#pragma acc parallel loop
#pragma omp target teams distribute parallel for
  for (int q = 0; q < children; q++)
    grow (w, c, used, (kind + q) % 3, depth - 1, first + q, x / 2 + q);
}
#pragma omp end declare target

/* Unlike ones at the same time.  */
#pragma acc routine seq
#pragma omp declare target
static void
halve (int *o, int low, int n)
{
  if (n < 2)
    {
      o[low] += n * (1 + low);
      return;
    }
#pragma acc parallel loop
#pragma omp target teams distribute parallel for
  for (int h = 0; h < 2; h++)
    halve (o, h ? low + n / 2 : low, h ? n - n / 2 : n / 2);
}
#pragma omp end declare target

#ifdef _OPENMP
/* 44 KiB of frames, where others wait for the stack.  */
#pragma omp declare target
static void
deep (int *o, int low, int levels)
{
  int own[256];
  for (int i = 0; i < 256; i++)
    own[i] = low + i * levels;
  o[low + levels] += own[o[low + levels] & 255];
  if (levels == 0)
    return;
#pragma omp target teams distribute parallel for
  for (int h = 0; h < 1; h++)
    deep (o, low, levels - 1);
}
#pragma omp end declare target
#endif

/* What is behind the call uses what it has done.  */
#pragma acc routine seq
#pragma omp declare target
static void
sums (int *o, int low, int n)
{
  if (n < 2)
    return;
#pragma acc parallel loop
#pragma omp target teams distribute parallel for
  for (int h = 0; h < 2; h++)
    {
      int at = h ? low + n / 2 : low, size = h ? n - n / 2 : n / 2;
      sums (o, at, size);
      o[at] = 3 * o[at] + o[at + size - 1] + 1;
    }
}
#pragma omp end declare target

/* What is behind the child does.  */
#pragma acc routine seq
#pragma omp declare target
static void
last (int *o, int low, int n)
{
  if (n < 2)
    return;
#pragma acc parallel loop
#pragma omp target teams distribute parallel for
  for (int h = 0; h < 2; h++)
    last (o, h ? low + n / 2 : low, h ? n - n / 2 : n / 2);
  o[low] = 3 * o[low] + o[low + n - 1];
}
#pragma omp end declare target

static unsigned
digest (const int *p)
{
  unsigned sum = 0;
  for (int i = 0; i < NODES; i++)
    sum = sum * 31 + p[i];
  return sum;
}

int
main (void)
{
  int used = N;
  for (int i = 0; i < NODES; i++)
    order[i] = i % 7;
#pragma acc data copy(count, order, weight, used)
#pragma omp target data map(tofrom: count, order, weight, used)
  {
#pragma acc parallel loop gang vector
#pragma omp target teams distribute parallel for map(tofrom: used)
    for (int n = 0; n < N; n++)
      grow (weight, count, &used, n % 3, DEPTH, n, 1.5 * n);
#pragma acc parallel loop gang vector
#pragma omp target teams distribute parallel for
    for (int n = 0; n < 7; n++)
      halve (order, n * 101, n * 33 % 97);
#ifdef _OPENMP
#pragma omp target teams distribute parallel for
    for (int n = 0; n < 40; n++)
      deep (order, 1000 + n * 50, 43);
#endif
#pragma acc parallel loop gang vector
#pragma omp target teams distribute parallel for
    for (int n = 0; n < 3; n++)
      sums (order, n * 100, 100 - n);
#pragma acc parallel loop gang vector
#pragma omp target teams distribute parallel for
    for (int n = 0; n < 3; n++)
      last (order, n * 100, 100 - n);
  }
  /* Where a node is depends on who was first.  */
  double all = 0;
  long sum = 0;
  for (int i = 0; i < NODES; i++)
    {
      all += weight[i];
      sum += count[i];
    }
  printf ("%d %g %ld %u\n", used, all, sum, digest (order));
  return 0;
}
