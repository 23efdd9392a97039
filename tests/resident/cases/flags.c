/* FLAGS: -fopenacc
   KERNELS: 7

   Regions that set numbers in memory, which the host sets and looks at.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../case.h"

/* Two are marked.  */
static void
mark (void)
{
  for (int i = 0; i < N; i++)
    {
      a[i] = i * 7 % 41;
      b[i] = i == 3 || i == 250;
    }
}

/* A front that grows as long as it can.  */
static void
grows (void)
{
  int more = 1, rounds = 0;
  mark ();
#pragma acc data copy (a, b)
  while (more)
    {
      more = 0;
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma acc parallel loop copy (more)
      for (int i = 1; i < N - 1; i++)
	{
	  a[i] = b[i];
	  if (b[i] == 0 && (b[i - 1] || b[i + 1]))
	    {
	      a[i] = rounds + 2;
#pragma acc atomic write
	      more = 1;
	    }
	}
#pragma acc parallel loop
      for (int i = 1; i < N - 1; i++)
	b[i] = a[i];
      rounds++;
    }
  printf ("grows: %u %d %d\n", hash (), rounds, more);
}

/* Another number each time, to which regions add; one that only looks.  */
static void
adds (int n)
{
  int t;
  long total = 5;
  mark ();
#pragma acc data copy (a, b)
  for (t = 0; t < n; t++)
    {
      total = total * 3 + t;
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma acc parallel loop copy (total)
      for (int i = 0; i < N; i++)
	{
	  a[i] += 3;
#pragma acc atomic update
	  total += a[i];
	}
#pragma acc parallel loop copyin (total)
      for (int i = 0; i < N; i++)
	b[i] ^= total;
    }
  printf ("adds %d: %u %d %ld\n", n, hash (), t, total);
}

/* Two in a region, one of which the host sets in some rounds alone; small ones.  */
static void
two (int n)
{
  signed char odd = 3;
  unsigned short large = 0;
  int t;
  mark ();
#pragma acc data copy (a, b)
  for (t = 0; t < n && odd >= 0; t++)
    {
      if ((t & 2) == 0)
	large = 100 + t;
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma acc parallel loop copy (odd, large)
      for (int i = 0; i < N; i++)
	{
	  a[i] = a[i] * 5 + t;
	  if (i == 17)
	    odd = a[i] & 63;
	  if (i == 20 && a[i] > 100)
	    large = 7;
	}
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
	b[i] += a[N - 1 - i] + odd * large;
    }
  printf ("two %d: %u %d %d %d\n", n, hash (), t, odd, large);
}

/* One of the loop's own, beside a sum.  */
static void
own (int n)
{
  int t, sum = 0;
  mark ();
#pragma acc data copy (a, b)
  for (t = 0; t < n; t++)
    {
      int last = t & 1;
/* REMARK: loop over 1 region: becomes one kernel */
#pragma acc parallel loop copy (last) reduction (+: sum)
      for (int i = 0; i < N; i++)
	{
	  a[i] ^= t + i;
	  sum += a[i] & 1;
	  if (a[i] == 40)
	    {
#pragma acc atomic write
	      last = 9;
	    }
	}
      if (last > 1)
	sum += 1000;
    }
  printf ("own %d: %u %d %d\n", n, hash (), t, sum);
}

/* What somebody else has the address of.  */
static int *kept;
static void
known (int n)
{
  int flag = 0, t;
  kept = &flag;
  mark ();
#pragma acc data copy (a, b)
  for (t = 0; t < n; t++)
    {
      flag = t;
/* REMARK: stays on the host: the address of a region's result */
#pragma acc parallel loop copy (flag)
      for (int i = 0; i < N; i++)
	{
	  a[i] += i * t;
	  if (i == 5)
	    flag = a[i];
	}
      if (flag < 0)
	break;
    }
  printf ("known %d: %u %d %d\n", n, hash (), t, *kept);
}

/* What stays on the device, where the host's number is another one.  */
static void
stays (int n)
{
  int flag = 0, t;
  mark ();
#pragma acc data copy (a, b, flag)
  for (t = 0; t < n; t++)
    {
      flag = t;
/* REMARK: stays on the host: a region's result that stays on the device */
#pragma acc parallel loop copy (flag)
      for (int i = 0; i < N; i++)
	{
	  a[i] += i * t;
	  if (i == 5)
	    flag = a[i];
	}
    }
  printf ("stays %d: %u %d\n", n, hash (), t);
}

/* A number whose equality says nothing of its bits.  */
static void
real (int n)
{
  double most = 0;
  int t;
  mark ();
#pragma acc data copy (a, b)
  for (t = 0; t < n; t++)
    {
      most = most / 2;
/* REMARK: stays on the host: a region maps a variable that the host sets */
#pragma acc parallel loop copy (most)
      for (int i = 0; i < N; i++)
	{
	  a[i] += i;
	  if (i == 7)
	    most = a[i];
	}
    }
  printf ("real %d: %u %d %g\n", n, hash (), t, most);
}

int
main (void)
{
  grows ();
  adds (0);
  adds (1);
  adds (6);
  two (8);
  two (9);
  own (2);
  own (5);
  known (4);
  stays (4);
  real (4);
}
