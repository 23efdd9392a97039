/* Rounds that store behind what the rounds before have stored.
   FLAGS: -fopenacc -fplugin-arg-accrete-chain -fplugin-arg-accrete-disable=fuse
   KERNELS: 7
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

#define T 32
#define TILES 70
#define N (T * TILES)

static int in[N], out[N + 4 * T], others[N + 4 * T], start[N];

/* Where elements of a tile go that are kept, and how many these are.  */
#define COUNT                                                                 \
  for (int i = 0; i < T; i++)                                                 \
    {                                                                         \
      int before = 0;                                                         \
      for (int j = 0; j < T; j++)                                             \
	before += j < i && x[base + j] % 3;                                   \
      place[base + i] = before;                                               \
      found += x[base + i] % 3 != 0;                                          \
    }

#define ARRAYS                                                                \
  const int *restrict x, int *restrict y, int *restrict z, int *restrict place

/* Stream compaction; the count moves on behind the stores.  */
static int
keep (ARRAYS, int tiles)
{
  int kept = 0;
  for (int t = 0; t < tiles; t++)
    {
      int base = t * T, found = 0;
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other, which look back and append */
#pragma acc parallel loop default (present) reduction (+: found)
      COUNT
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	if (x[base + i] % 3)
	  y[kept + place[base + i]] = x[base + i];
      kept += found;
    }
  return kept;
}

/* Partition: what is not kept goes to another array.  */
static long
part (ARRAYS, int tiles)
{
  long kept = 0;
  for (int t = 0; t < tiles; t++)
    {
      int base = t * T, found = 0;
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other, which look back and append */
#pragma acc parallel loop default (present) reduction (+: found)
      COUNT
      long from = kept;
      kept += found;
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i += 2)
	{
	  long at = from + place[base + i];
	  long other = base + i - at;
	  for (int k = i; k < i + 2; k++)
	    if (x[base + k] % 3)
	      y[at++] = x[base + k];
	    else
	      z[other++] = x[base + k];
	}
    }
  return kept;
}

/* Each round stores two elements of the next one's as well, which overwrites them: from
   round FROM on, or all.  */
static int
strays (ARRAYS, int tiles, int from, int often)
{
  int kept = 0;
  for (int t = 0; t < tiles; t++)
    {
      int base = t * T, found = 0;
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other, which look back and append */
#pragma acc parallel loop default (present) reduction (+: found)
      COUNT
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	{
	  int at = kept + place[base + i];
	  if (t >= from && t % often == 0 && i >= T - 4)
	    at += 2;
	  if (x[base + i] % 3)
	    y[at] = x[base + i] * 5 + t;
	}
      kept += found;
    }
  return kept;
}

/* What is stored is read: in order.  */
static int
reads (ARRAYS, int tiles)
{
  int kept = 1;
  for (int t = 0; t < tiles; t++)
    {
      int base = t * T, found = 0;
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other$ */
#pragma acc parallel loop default (present) reduction (+: found)
      COUNT
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	if (x[base + i] % 3)
	  y[kept + place[base + i]] = x[base + i] + y[kept - 1];
      kept += found;
    }
  return kept;
}

static void
report (const char *name, unsigned x)
{
  unsigned h = x;
  for (int i = 0; i < N + 4 * T; i++)
    h = h * 31 + out[i] + 3 * others[i];
  printf ("%s: %08x\n", name, h);
}

int
main ()
{
  unsigned r = 0;
  for (int i = 0; i < N; i++)
    in[i] = i * 7919 % 101;
#pragma acc data copyin (in) copy (out, others) create (start)
  r = keep (in, out, others, start, TILES);
  report ("keep", r);
#pragma acc data copyin (in) copy (out, others) create (start)
  r = part (in, out, others, start, TILES);
  report ("part", r);
#pragma acc data copyin (in) copy (out, others) create (start)
  r = strays (in, out, others, start, TILES, 0, 1);
  report ("all stray", r);
#pragma acc data copyin (in) copy (out, others) create (start)
  r = strays (in, others, out, start, TILES, 40, 1);
  report ("some stray", r);
#pragma acc data copyin (in) copy (out, others) create (start)
  r = strays (in, out, others, start, TILES, 7, 13);
  report ("few stray", r);
#pragma acc data copyin (in) copy (out, others) create (start)
  r = reads (in, out, others, start, 20) + keep (in, out, others, start, 1);
  report ("reads", r);
}
