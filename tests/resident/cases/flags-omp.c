/* FLAGS: -fopenmp
   KERNELS: 3

   Regions that set numbers in memory, and map sections whose sizes the loop computes
   each time.  (The first loop of all comes before the driver is known, and stays on the
   host.)

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

static unsigned
hash (const int *a, int n)
{
  unsigned h = 0;
  for (int i = 0; i < n; i++)
    h = h * 31 + a[i];
  return h;
}

/* Colours of a ring with chords.  */
static void
colours (int n)
{
  int left = 1, round = 0;
  int *colour = malloc (n * sizeof *colour), *low = malloc (n * sizeof *low);
  for (int i = 0; i < n; i++)
    colour[i] = low[i] = -1;
  for (; left; round++)
    {
/* REMARK: loop over 2 regions: becomes one kernel */
#pragma omp target teams distribute parallel for                              \
  map (tofrom: colour[:n]) map (tofrom: low[:n])
      for (int i = 0; i < n; i++)
	if (colour[i] < 0)
	  for (int k = 1; k < 4; k++)
	    {
	      int to = (i + k * k) % n;
	      if (colour[to] < 0 && to * 37 % n > i * 37 % n)
		low[i] = round;
	    }
      left = 0;
#pragma omp target teams distribute parallel for                              \
  map (tofrom: left) map (tofrom: colour[:n]) map (tofrom: low[:n])
      for (int i = 0; i < n; i++)
	if (colour[i] < 0)
	  {
	    if (low[i] != round)
	      colour[i] = round;
	    else
	      {
#pragma omp atomic write
		left = 1;
	      }
	  }
    }
  printf ("colours %d: %u %d\n", n, hash (colour, n), round);
  free (colour);
  free (low);
}

/* Sections that are not as long as each other.  */
static void
sections (int n, int m)
{
  int t;
  int *a = malloc (n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = i;
  for (t = 0; t < 3; t++)
    {
/* REMARK: stays on the host: parts of one object that may differ */
#pragma omp target teams distribute parallel for map (tofrom: a[:n])
      for (int i = 0; i < n; i++)
	a[i] += t;
#pragma omp target teams distribute parallel for map (tofrom: a[:m])
      for (int i = 0; i < m; i++)
	a[i] *= 3;
    }
  printf ("sections %d %d: %u\n", n, m, hash (a, n));
  free (a);
}

/* The loop changes what they are as long as.  */
static void
shrink (int n)
{
  int m = n;
  int *a = malloc (n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = i;
  while (m > 4)
    {
/* REMARK: stays on the host: parts of one object that may differ */
#pragma omp target teams distribute parallel for map (tofrom: a[:m])
      for (int i = 0; i < m; i++)
	a[i] += m;
      m -= 9;
#pragma omp target teams distribute parallel for map (tofrom: a[:m])
      for (int i = 0; i < m; i++)
	a[i] *= 3;
    }
  printf ("shrink %d: %u\n", n, hash (a, n));
  free (a);
}

/* Teams that tell of what their threads find.  */
static void
teams (int n)
{
  int more = 1, depth = 0;
  int *level = malloc (n * sizeof *level);
  for (int i = 0; i < n; i++)
    level[i] = i ? -1 : 0;
#pragma omp target data map (tofrom: level[:n])
  for (; more; depth++)
    {
      more = 0;
/* REMARK: loop over 1 region: becomes one kernel */
#pragma omp target teams distribute map (tofrom: more, level[:n])
      for (int i = 0; i < n; i++)
	if (level[i] == depth)
	  {
#pragma omp parallel for
	    for (int k = 1; k < 6; k++)
	      {
		int to = i * 2 + k, was;
		if (to >= n)
		  continue;
#pragma omp atomic read
		was = level[to];
		if (was < 0)
		  {
#pragma omp atomic write
		    level[to] = depth + 1;
#pragma omp atomic write
		    more = 1;
		  }
	      }
	  }
    }
  printf ("teams %d: %u %d\n", n, hash (level, n), depth);
  free (level);
}

int
main (void)
{
  colours (50);
  colours (333);
  sections (40, 30);
  shrink (40);
  teams (10);
  teams (400);
}
