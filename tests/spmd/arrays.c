/* Small arrays of threads, which registers can hold once the loops over them are
   unrolled.  Each function is one region, and arrays.sh says of which of them no
   subscript may be left.  Prints sums of bits, which are the host's.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

#include "bits.h"

enum { N = 500, PER = 16 };

static float in[N + 40], out[N];
static int bins[64];

#define OVER                                                                  \
  _Pragma ("omp target teams distribute parallel for map(to: in)              \
            map(from: out)")

/* Calls of the math library.  */
static void
calls (void)
{
  OVER
  for (int i = 0; i < N; i++)
    {
      float a[PER + 1];
      for (int j = 0; j <= PER; j++)
	a[j] = sqrtf (in[i + j]) + fabsf (in[j]);
      for (int k = 0; k < 20; k++)
	for (int j = 0; j < PER; j++)
	  a[j] = a[j + 1] - a[j];
      out[i] = a[0];
    }
}

/* Atomic updates.  */
static void
atomics (void)
{
#pragma omp target teams distribute parallel for map(to: in) map(tofrom: bins)
  for (int i = 0; i < N; i++)
    {
      int a[3];
      for (int c = 0; c < 3; c++)
	a[c] = (int) in[i + c] % 21;
      for (int c = 0; c < 3; c++)
#pragma omp atomic update
	bins[21 * c + a[c]]++;
    }
}

/* Two dimensions, downwards and in steps, with a loop of other length in one.  */
static void
nest (int n)
{
  OVER
  for (int i = 0; i < N; i++)
    {
      double a[4][5];
      for (int j = 3; j >= 0; j--)
	for (int k = 0; k < 5; k++)
	  a[j][k] = 0;
      for (int j = 0; j < 4; j++)
	for (int l = 0; l < n; l++)
	  for (int k = 4; k >= 0; k -= 2)
	    a[j][k] += in[i + j + l] * k;
      double sum = 0;
      for (int j = 0; j < 4; j++)
	for (int k = 0; k < 5; k++)
	  sum += a[j][k] * (j + 1);
      out[i] = sum;
    }
}

/* Members, and loops of as many iterations as are unrolled.  */
static void
members (void)
{
  OVER
  for (int i = 0; i < N; i++)
    {
      struct { int n; float a[32]; } s = { 3, { 0 } };
      for (int j = 0; j < 32; j++)
	s.a[j] = in[i + j] * s.n;
      for (int j = 0; j < 31; j++)
	s.a[j] -= s.a[j + 1];
      for (int j = 0; j < 32; j += 3)
	s.n += (int) s.a[j];
      out[i] = s.n;
    }
}

/* A team's threads, with barriers between.  */
static void
team (void)
{
#pragma omp target teams num_teams(N / 4) thread_limit(32) map(to: in)       \
  map(from: out)
  {
    float next[33];
#pragma omp parallel num_threads(32)
    {
      int t = omp_get_thread_num (), b = omp_get_team_num ();
      float a[10];
      for (int j = 0; j < 9; j++)
	a[j] = fmaf (in[t + j], b, sqrtf (in[b + j]));
      if (t == 0)
	next[32] = 0;
      for (int k = 0; k < 9; k++)
	{
	  next[t] = a[0];
#pragma omp barrier
	  a[9] = next[t + 1];
#pragma omp barrier
	  for (int j = 0; j < 9; j++)
	    a[j] = a[j + 1];
	}
      if (t < 4)
	out[4 * b + t] = a[0];
    }
  }
}

/* What a number out of memory subscripts stays in memory.  */
static void
looked_up (void)
{
  OVER
  for (int i = 0; i < N; i++)
    {
      float a[PER];
      for (int j = 0; j < PER; j++)
	a[j] = in[i + j] + sqrtf (j);
      out[i] = a[(int) in[i] & 15];
    }
}

/* So does what a longer loop goes over, */
static void
longer (void)
{
  OVER
  for (int i = 0; i < N; i++)
    {
      float a[PER];
      for (int j = 0; j < PER; j++)
	a[j] = in[i + j];
      for (int j = 0; j < 33; j++)
	if (j < PER)
	  a[j] += in[j];
      out[i] = a[3] - a[11];
    }
}

/* what is too large, */
static void
large (void)
{
  OVER
  for (int i = 0; i < N; i++)
    {
      double a[33];
      for (int j = 0; j < 33; j++)
	a[j] = in[i + j] + 1;
      for (int j = 0; j < 32; j++)
	a[j] += a[j + 1];
      out[i] = a[3];
    }
}

/* loops that the program unrolls in its own way, */
static void
own_way (void)
{
  OVER
  for (int i = 0; i < N; i++)
    {
      float a[PER];
#pragma GCC unroll 2
      for (int j = 0; j < PER; j++)
	a[j] = fmaf (in[i + j], in[j], sqrtf (in[i]));
      float sum = 0;
#pragma GCC unroll 1
      for (int j = 0; j < PER; j++)
	sum = sum * 2 + roundf (a[PER - 1 - j]);
      out[i] = sum;
    }
}

/* and what would become too much code.  */
static void
much (void)
{
  OVER
  for (int i = 0; i < N; i++)
    {
      float a[32];
      for (int j = 0; j < 32; j++)
	a[j] = roundf (sqrtf (fmaf (in[i + j], in[j], sqrtf (in[i]))));
      float sum = 0;
      for (int j = 0; j < 32; j++)
	sum = sum * 2 + a[31 - j];
      out[i] = sum;
    }
}

int
main (void)
{
  for (int i = 0; i < N + 40; i++)
    in[i] = i * 37 % 64;
#define SHOW(call) call, print (#call, out, sizeof out)
  SHOW (calls ());
  atomics ();
  print ("atomics", bins, sizeof bins);
  SHOW (nest (3));
  SHOW (members ());
  SHOW (team ());
  SHOW (looked_up ());
  SHOW (longer ());
  SHOW (large ());
  SHOW (own_way ());
  SHOW (much ());
}
