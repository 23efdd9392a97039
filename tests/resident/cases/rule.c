/* FLAGS: -fopenacc -fplugin-arg-accrete-disable=fuse
   KERNELS: 7

   Which loops have rounds beside each other where nothing is asked for.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

enum { T = 64, TILES = 40, N = T * TILES, LARGE = 20000 };
static unsigned a[N], b[N], c[LARGE * 12];

static unsigned
hash (const unsigned *x, int n)
{
  unsigned h = 0;
  for (int i = 0; i < n; i++)
    h = h * 31 + x[i];
  return h;
}

static void
fill (void)
{
  for (int i = 0; i < N; i++)
    a[i] = b[i] = i * 7919 % 101;
  for (int i = 0; i < LARGE * 12; i++)
    c[i] = i % 13;
}

/* Many small ones; how many is known in front of the loop.  */
static void
many (int tiles)
{
  unsigned sum = 3;
  fill ();
#pragma acc data copy (a, b)
  for (int t = 0; t < tiles; t++)
    {
      unsigned from = sum;
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other */
#pragma acc parallel loop reduction (+: sum)
      for (int i = 0; i < T; i++)
	sum += a[t * T + i];
#pragma acc parallel loop
      for (int i = 0; i < T; i++)
	b[t * T + i] += from + i;
    }
  printf ("many %d: %u %u\n", tiles, hash (b, N), sum);
}

static void
few (void)
{
  fill ();
#pragma acc data copy (a, b)
  for (int t = 0; t < 7; t++)
    {
/* REMARK: loop over 1 region: becomes one kernel, of rounds beside each other */
#pragma acc parallel loop
      for (int i = 0; i < T; i++)
	b[t * T + i] += a[t * T + i];
    }
  printf ("few: %u\n", hash (b, N));
}

/* Each has as much for threads to do as the GPU has for all of them.  */
static void
large (void)
{
  fill ();
#pragma acc data copy (c)
  for (int t = 0; t < 12; t++)
    {
/* REMARK: loop over 1 region: becomes one kernel, of rounds beside each other */
#pragma acc parallel loop
      for (int i = 0; i < LARGE; i++)
	c[t * LARGE + i] += i;
    }
  printf ("large: %u\n", hash (c, LARGE * 12));
}

/* Of 20 rounds 20 * 1024 iterations are as many.  */
static void
as_large (int tiles, int each)
{
  fill ();
#pragma acc data copy (c)
  for (int t = 0; t < tiles; t++)
    {
/* REMARK: loop over 1 region: becomes one kernel, of rounds beside each other */
#pragma acc parallel loop
      for (int i = 0; i < each; i++)
	c[t * each + i] += i ^ t;
    }
  printf ("as large %d %d: %u\n", tiles, each, hash (c, LARGE * 12));
}

/* A region that waits, with more than a block has threads.  */
static void
waiting (void)
{
  fill ();
#pragma acc data copy (a, b)
  for (int t = 0; t < TILES; t++)
    {
/* REMARK: its rounds stay one behind the other: a region that waits for the round before has much to do */
#pragma acc parallel loop
      for (int i = 0; i < T; i++)
	b[t * T + i] += t;
#pragma acc parallel loop
      for (int i = 0; i < 1500; i++)
	a[i] = a[i] * 3 + t;
    }
  printf ("waiting: %u %u\n", hash (a, N), hash (b, N));
}

int
main (void)
{
  many (TILES);
  many (3);
  many (0);
  few ();
  large ();
  as_large (20, 12000);
  as_large (8, 12000);
  as_large (0, 12000);
  waiting ();
  return 0;
}
