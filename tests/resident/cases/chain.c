/* Rounds that are executed by one block each, and such that are not.
   FLAGS: -fopenacc -fplugin-arg-accrete-chain -fplugin-arg-accrete-disable=fuse
   KERNELS: 10
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

#define T 32
#define N (40 * T)

static unsigned in[N], a[N + T], b[N + T], c[N + T];

static void
fill (void)
{
  for (int i = 0; i < N; i++)
    in[i] = i * 7919 % 101;
  for (int i = 0; i < N + T; i++)
    a[i] = b[i] = c[i] = i % 7;
}

static void
report (const char *name, unsigned x)
{
  unsigned h = x;
  for (int i = 0; i < N + T; i++)
    h = h * 31 + a[i] + 3 * b[i] + 5 * c[i];
  printf ("%s: %08x\n", name, h);
}

/* A running maximum.  */
static unsigned
running (int tiles)
{
  unsigned most = 5;
  for (int t = 0; t < tiles; t++)
    {
      int base = t * T;
/* REMARK: loop over [0-9] regions: becomes one kernel, of rounds beside each other, which look back */
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	a[base + i] = in[base + i] * 3 + base % 1000;
      unsigned before = most;
#pragma acc parallel loop default (present) reduction (max: most)
      for (int i = 0; i < T; i++)
	most = a[base + i] > most ? a[base + i] : most;
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	b[base + i] = a[base + i] > before ? a[base + i] : before;
    }
  return most;
}

/* More rounds than a warp looks at once, and numbers of two words;
   what a round adds is known before it is added.  */
static unsigned
many (int tiles)
{
  unsigned long long sum = 1ull << 35;
  int least = 7;
  for (int t = 0; t < tiles; t++)
    {
      unsigned mine = 0;
/* REMARK: loop over 3 regions: becomes one kernel, of rounds beside each other, which look back */
#pragma acc parallel loop default (present) reduction (+: mine)
      for (int i = 0; i < 2; i++)
	mine += in[(t + i) & 511];
#pragma acc parallel loop default (present) reduction (min: least)
      for (int i = 0; i < 2; i++)
	least = (int) in[t & 511] - 50 < least ? (int) in[t & 511] - 50 : least;
#pragma acc parallel loop default (present)
      for (int i = 0; i < 1; i++)
	b[t] = sum + (sum >> 32) + least;
      sum = sum + (unsigned long long) mine * 20000000;
    }
  return sum + (sum >> 32) + least;
}

/* What is kept, one behind the other.  */
static int
keep (const unsigned *restrict x, unsigned *restrict y, unsigned *restrict place,
      int tiles)
{
  int kept = 0, found;
  for (int t = 0; t < tiles; t++)
    {
      int base = t * T;
      found = 0;
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other */
#pragma acc parallel loop default (present) reduction (+: found)
      for (int i = 0; i < T; i++)
	{
	  int before = 0;
	  for (int j = 0; j < T; j++)
	    before += j < i && x[base + j] % 3;
	  place[base + i] = before;
	  found += x[base + i] % 3 != 0;
	}
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	if (x[base + i] % 3)
	  y[kept + place[base + i]] = x[base + i];
      kept += found;
    }
  return kept * 100 + found;
}

/* Pointers that may lead to the same memory, and tiles of a size that is not
   known.  */
static void
apart (unsigned *x, unsigned *y, unsigned *z, int tiles, int size)
{
  unsigned sum = 0;
  for (int t = 0; t < tiles; t++)
    {
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other */
#pragma acc parallel loop default (present) reduction (+: sum)
      for (int i = 0; i < size; i++)
	{
	  y[t * size + i] = x[t * size + i] * 3 + 1;
	  sum += y[t * size + i] & 15;
	}
#pragma acc parallel loop default (present)
      for (int i = 0; i < size; i++)
	z[t * size + i] += sum + i;
    }
}

/* Each tile reads what the one before has stored.  */
static void
behind (const unsigned *restrict x, unsigned *restrict y, unsigned *restrict z,
	int tiles)
{
  for (int t = 1; t < tiles; t++)
    {
      int base = t * T;
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other */
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	y[base + i] = x[base + i] * x[T - 1 - i] + base;
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	z[base + i] = z[base - 1 - i] * 5 + y[base + i];
    }
}

/* Tests of results, and memory that all rounds use.  */
static int
stops (int tiles)
{
  unsigned sum = 0;
  int t;
  for (t = 0; t < tiles && sum < 100; t++)
    {
      int base = t * T;
/* REMARK: one behind the other: a test of what a region gives */
#pragma acc parallel loop default (present) reduction (+: sum)
      for (int i = 0; i < T; i++)
	sum += in[base + i] & 1;
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	c[base + i] = sum + i;
    }
  return t;
}

static void
shares (int tiles)
{
  for (int t = 0; t < tiles; t++)
    {
/* REMARK: one behind the other: a, stored on line [0-9]+, may be read by another round */
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	c[i] = a[t * T + i] + t;
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	a[T - 1 - i] = c[i] * 3;
    }
}

int
main (int argc, char **argv)
{
  unsigned r = 0;
  fill ();
#pragma acc data copyin (in) copy (a, b, c)
  {
    r = running (40);
    r += running (0);
  }
  report ("running", r);
#pragma acc data copyin (in) copy (a, b, c)
  r = many (150);
  report ("many", r);
#pragma acc data copyin (in) copy (a, b, c)
  {
    r = keep (in, c, b, 40);
    r += keep (in, a, b, 1);
  }
  report ("keep", r);
#pragma acc data copyin (in) copy (a, b, c)
  {
    apart (in, a, b, 40, T);
    apart (a, b, c, 19, argc * 33);
    /* Not apart: the host's.  */
    apart (a, a + 5, c, 30, argc * 3);
  }
  report ("apart", r);
#pragma acc data copyin (in) copy (a, b, c)
  behind (in, a, b, 40);
  report ("behind", r);
#pragma acc data copyin (in) copy (a, b, c)
  r = stops (40);
  report ("stops", r);
#pragma acc data copyin (in) copy (a, b, c)
  shares (20);
  report ("shares", r);
}
