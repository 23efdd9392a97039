/* FLAGS: -fopenacc
   KERNELS: 9

   Host loops of several kinds over OpenACC regions.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../case.h"

static void
for_loop (int n)
{
  int t;
  fill ();
#pragma acc data copy (a, b)
  for (t = 0; t < n; t++)
    {
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma acc parallel loop
      for (int i = 1; i < N - 1; i++)
	b[i] = a[i - 1] + a[i + 1] + t;
#pragma acc parallel loop
      for (int i = 1; i < N - 1; i++)
	a[i] = b[i - 1] ^ b[i + 1];
    }
  printf ("for %d: %u %d\n", n, hash (), t);
}

/* Tests and scalars, a way out, a next round.  */
static void
while_loop (int n)
{
  int k = 0, x = 3, y = 1;
  fill ();
#pragma acc data copy (a, b)
  while (k < n)
    {
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
	a[i] += b[(i + k) % N] * x;
      x = x * 5 + k;
      k++;
      if (x > 5000)
	break;
      if (x & 1)
	{
	  y += 2;
	  continue;
	}
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
	b[i] ^= a[(i + y) % N];
    }
  printf ("while %d: %u %d %d %d\n", n, hash (), k, x, y);
}

/* A loop in a loop.  */
static void
do_loop (int n)
{
  int r = 0;
  fill ();
#pragma acc data copy (a, b)
  do
    {
      for (int j = 0; j < 3; j++)
	{
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma acc parallel loop
	  for (int i = 0; i < N; i++)
	    a[i] = b[i] * j + a[i] + r;
	  if (j == 1)
	    {
#pragma acc parallel loop
	      for (int i = 0; i < N; i++)
		b[i] += i + j;
	    }
	}
      r++;
    }
  while (r < n);
  printf ("do %d: %u %d\n", n, hash (), r);
}

/* Nobody has mapped the data, but each round does.  */
static void
unmapped (int n)
{
  fill ();
  for (int t = 0; t < n; t++)
    {
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma acc parallel loop copy (a, b)
      for (int i = 0; i < N; i++)
	b[i] += a[i] * t;
#pragma acc parallel loop copy (a, b)
      for (int i = 0; i < N; i++)
	a[i] += b[N - 1 - i];
    }
  printf ("unmapped %d: %u\n", n, hash ());
}

/* A sum that the next round is made of, and one in a scope.  */
static void
summed (int n)
{
  int all = 0, rounds = 0;
  fill ();
#pragma acc data copy (a, b)
  while (all < n && rounds < 6)
    {
      int some = 1;
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma acc parallel loop reduction (+: some)
      for (int i = 0; i < N; i++)
	{
	  a[i] += all;
	  some += a[i] & 3;
	}
#pragma acc parallel loop reduction (max: all)
      for (int i = 0; i < N; i++)
	{
	  b[i] = a[N - 1 - i] + some;
	  all = b[i] > all ? b[i] : all;
	}
      rounds++;
    }
  printf ("summed %d: %u %d %d\n", n, hash (), all, rounds);
}

/* What is not on the device, and would have to be in a round that does not come.  */
static void
seldom (int n)
{
  static int c[N];
  fill ();
#pragma acc data copy (a, b)
  for (int t = 0; t < n; t++)
    {
/* REMARK: stays on the host: data that only some rounds map, and no data construct */
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
	b[i] += a[i] * t;
      if (t > 100)
	{
#pragma acc parallel loop present (c)
	  for (int i = 0; i < N; i++)
	    a[i] += c[i];
	}
    }
  printf ("seldom %d: %u\n", n, hash ());
}

/* A region sets a variable that it has by value.  */
static void
set_again (int n)
{
  int x = 2;
  fill ();
#pragma acc data copy (a, b)
  for (int t = 0; t < n; t++)
    {
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
	{
	  x = i & 3;
	  a[i] += x + t;
	}
      x = 2;
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
	b[i] += a[N - 1 - i] * x;
    }
  printf ("set again %d: %u\n", n, hash ());
}

/* A sum that is on the device for longer.  */
static void
kept (int n)
{
  int all = 0;
  fill ();
#pragma acc data copy (a, b, all)
  for (int t = 0; t < n; t++)
    {
/* REMARK: stays on the host: a region's result that stays on the device */
#pragma acc parallel loop reduction (+: all)
      for (int i = 0; i < N; i++)
	all += a[i];
    }
  printf ("kept %d: %d\n", n, all);
}

/* A copy to the device that each round makes, and a region writes.  */
static void
sent_again (int n)
{
  fill ();
  for (int t = 0; t < n; t++)
    {
/* REMARK: stays on the host: a region changes a copy that another one does not have */
#pragma acc parallel loop copyin (a) copy (b)
      for (int i = 0; i < N; i++)
	{
	  b[i] += a[i] * t;
	  a[i] = 0;
	}
    }
  /* On a host without a device there is one copy.  */
  printf ("sent again\n");
}

int shared;

/* What the host does may be seen.  */
static void
seen (int n)
{
  fill ();
#pragma acc data copy (a, b)
  for (int t = 0; t < n; t++)
    {
/* REMARK: stays on the host: the host stores what is no number of its own */
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
	b[i] += a[i] * t;
      shared += t;
    }
  printf ("seen %d: %u %d\n", n, hash (), shared);
}

static void
called (int n)
{
#pragma acc data copy (a, b)
  for (int t = 0; t < n; t++)
    {
/* REMARK: stays on the host: a call */
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
	b[i] += a[i] * t;
      printf ("%d ", t);
    }
  printf ("called %d: %u\n", n, hash ());
}

int
main (void)
{
  for_loop (0);
  for_loop (9);
  while_loop (0);
  while_loop (2);
  while_loop (9);
  do_loop (0);
  do_loop (4);
  unmapped (0);
  unmapped (5);
  summed (0);
  summed (3000);
  summed (100000);
  seldom (3);
  set_again (3);
  kept (3);
  sent_again (3);
  seen (3);
  called (3);
}
