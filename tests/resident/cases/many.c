/* Chains of more rounds than there are places for what they say, and rounds
   that are slower than those behind them.
   FLAGS: -O3 -fopenacc -fplugin-arg-accrete-chain -fplugin-arg-accrete-disable=fuse
   KERNELS: 9
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

#define T 4
#define TILES 1300
#define N (T * TILES)

static int in[N], out[N + 4 * T];

#define ARRAYS const int *restrict x, int *restrict y

/* Each round is to know what the one before hands on, from either end.  */
static unsigned
up (ARRAYS, int tiles)
{
  unsigned carry = 1;
  for (int t = 0; t < tiles; t++)
    {
      unsigned found = 0;
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other, which look back$ */
#pragma acc parallel loop default (present) reduction (+: found)
      for (int i = 0; i < T; i++)
	found += x[t * T + i];
      carry += found;
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	y[t * T + i] = carry + i;
    }
  return carry;
}

static unsigned
down (ARRAYS, long tiles)
{
  unsigned carry = 1;
  for (long t = tiles; t > 0; t--)
    {
      long base = (t - 1) * T;
      unsigned found = 0;
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other, which look back$ */
#pragma acc parallel loop default (present) reduction (^: found)
      for (int i = 0; i < T; i++)
	found ^= x[base + i] * 77;
      carry ^= found;
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	y[base + i] = carry + i;
    }
  return carry;
}

/* In words, but not what they add, up to a bound that is the last round's.  */
static unsigned
words (ARRAYS, int last)
{
  unsigned carry = 1;
  for (int t = 0; t <= last; t += 2)
    {
      unsigned found = 0;
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other$ */
#pragma acc parallel loop default (present) reduction (+: found)
      for (int i = 0; i < T; i++)
	found += x[t * T + i];
      carry = carry * 5 + found;
#pragma acc parallel loop default (present)
      for (int i = 0; i < 2 * T; i++)
	y[t * T + i] = carry + i;
    }
  return carry;
}

/* A number that goes by itself along with the rounds.  */
static unsigned
along (ARRAYS, int tiles)
{
  unsigned carry = 1, base = 0, seen = 7;
  int left = tiles;
  while (left > 0)
    {
      unsigned found = 0;
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other, which look back$ */
#pragma acc parallel loop default (present) reduction (max: found)
      for (int i = 0; i < T; i++)
	found = x[(tiles - left) * T + i] * seen > found
		  ? x[(tiles - left) * T + i] * seen : found;
      carry = carry > found ? carry : found;
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	y[(tiles - left) * T + i] = carry + base + i;
      seen = base;
      base += 3;
      left--;
    }
  return carry + base * left + seen;
}

/* One that does not go up by the same: blocks go through all rounds.  */
static unsigned
mixed (ARRAYS, int tiles)
{
  unsigned carry = 1, mix = 7;
  for (int t = 0; t < tiles; t++)
    {
      unsigned found = 0;
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other, which look back$ */
#pragma acc parallel loop default (present) reduction (+: found)
      for (int i = 0; i < T; i++)
	found += x[t * T + i] ^ mix;
      carry += found;
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	y[t * T + i] = carry + i;
      mix = mix * 5 + 1;
    }
  return carry + mix;
}

/* Rounds hand on nothing; what the last one has computed is seen.  */
static unsigned
apart (ARRAYS, int tiles)
{
  unsigned last = 0;
  for (int t = 0; t < tiles; t++)
    {
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other$ */
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	y[t * T + i] = x[t * T + i] + 1;
      last = t * 3 + 1;
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	y[t * T + i] *= last + 2;
    }
  return last;
}

/* Some rounds are slow, and what the one behind each stores comes upon the end
   of what that stores.  */
static int
slow (ARRAYS, int tiles)
{
  int kept = 0;
  for (int t = 0; t < tiles; t++)
    {
      int base = t * T, found = 0, back = -(t & 1);
/* REMARK: loop over 2 regions: becomes one kernel, of rounds beside each other, which look back and append */
#pragma acc parallel loop default (present) reduction (+: found)
      for (int i = 0; i < T; i++)
	found += x[base + i] >= 0;
#pragma acc parallel loop default (present)
      for (int i = 0; i < T; i++)
	{
	  int at = kept + i + back;
	  unsigned v = t + 1;
	  for (int k = 0; k < (t == 4 || t == 72 ? 600000 : 1); k++)
	    v = v * 5 + k;
	  y[at] = v;
	}
      kept += found;
    }
  return kept;
}

static void
report (const char *name, unsigned x)
{
  unsigned h = x;
  for (int i = 0; i < N + 4 * T; i++)
    h = h * 31 + out[i];
  printf ("%s: %08x\n", name, h);
}

int
main ()
{
  unsigned r = 0;
  for (int i = 0; i < N; i++)
    in[i] = i * 7919 % 101;
#pragma acc data copyin (in) copy (out)
  r = up (in, out, TILES);
  report ("up", r);
#pragma acc data copyin (in) copy (out)
  r = down (in, out, 200);
  report ("down", r);
#pragma acc data copyin (in) copy (out)
  r = words (in, out, 298);
  report ("words", r);
#pragma acc data copyin (in) copy (out)
  r = along (in, out, 100);
  report ("along", r);
#pragma acc data copyin (in) copy (out)
  r = mixed (in, out, 60);
  report ("mixed", r);
#pragma acc data copyin (in) copy (out)
  r = apart (in, out, 70);
  report ("apart", r);
#pragma acc data copyin (in) copy (out)
  r = slow (in, out, 80);
  report ("slow", r);
#pragma acc data copyin (in) copy (out)
  r = up (in, out, 1) + down (in, out, 2) * 3;
  report ("few", r);
}
