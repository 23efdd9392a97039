/* Kernels of many shapes for oracle.sh: their results must not depend on the
   passes.  Prints a checksum of each.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 700, ROWS = 10, COLS = 70 };

struct link { int value, next; };

static int table[8] = { 1, 2, 3, 5, 7, 11, 13, 17 };
#pragma acc declare copyin(table)

#pragma acc routine seq
static float
polish (const float *x, int i)
{
  float local[4] = { 1, 2, 3, 4 };
  local[i & 3] += x[i];
  return local[0] * local[3] - local[(i >> 1) & 3];
}

static void
report (const char *name, const float *a)
{
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum = sum * 1.0001 + a[i];
  printf ("%s %.17g\n", name, sum);
}

/* Two arrays and a scalar, all loops shared.  */
static float
flat (float *a, const float *b, int n, int shift)
{
  float sum = 0;
#pragma acc parallel loop copy(a[:n]) copyin(b[:n]) reduction(+:sum)
  for (int i = 0; i < n; i++)
    {
      a[i] = a[i] * 0.5f + b[(i + shift) % n] * b[n - 1 - i];
      sum += a[i];
    }
  return sum;
}

/* Workers and vectors: GCC hands pointers on through shared memory.  */
static void
nested (float *restrict a, const float *restrict b, int n)
{
#pragma acc parallel loop gang num_workers(4) vector_length(WIDTH)            \
  copy(a[:n]) copyin(b[:n])
  for (int i = 0; i < ROWS; i++)
    {
      float row = b[i] + i;
#pragma acc loop worker
      for (int w = 0; w < 7; w++)
	{
	  float t = row * b[w + i];
#pragma acc loop vector
	  for (int j = 0; j < 10; j++)
	    a[i * COLS + w * 10 + j] += t + b[j];
	}
    }
}

/* Calls, arrays of a thread, and a variable that lives on the device.  */
static void
called (float *restrict a, const float *restrict b, int n)
{
#pragma acc parallel loop gang vector copy(a[:n]) copyin(b[:n])
  for (int i = 0; i < n; i++)
    {
      float window[5];
      for (int k = 0; k < 5; k++)
	window[k] = b[(i + k) % n];
      float sum = 0;
      for (int k = 0; k < 5; k++)
	sum += window[(k * 3 + i) % 5] * table[(i + k) & 7];
      a[i] += sum + polish (b, i);
    }
}

/* Atomics, and an index that comes from memory.  */
static void
scattered (float *a, const struct link *links, int n)
{
  int counts[16] = { 0 };
#pragma acc parallel loop copy(a[:n], counts) copyin(links[:n])
  for (int i = 0; i < n; i++)
    {
      int at = links[i].next;
#pragma acc atomic
      counts[links[at].value & 15] += i;
      a[i] += links[links[at].next].value;
    }
  for (int i = 0; i < 16; i++)
    a[i] += counts[i];
}

/* Pointers chosen at run time.  */
static void
chosen (float *restrict a, float *restrict b, const float *restrict c, int n)
{
#pragma acc parallel loop copy(a[:n], b[:n]) copyin(c[:n])
  for (int i = 0; i < n; i++)
    {
      float *to = i & 1 ? a : b;
      const float *from = i % 3 ? c : a;
      to[i] = from[i] + 1;
    }
}

int
main (void)
{
  float *a = malloc (N * sizeof *a), *b = malloc (N * sizeof *b);
  float *c = malloc (N * sizeof *c);
  struct link *links = malloc (N * sizeof *links);
  for (int i = 0; i < N; i++)
    {
      a[i] = i % 23;
      b[i] = i % 17 - 8;
      c[i] = i % 5;
      links[i] = (struct link) { i * 7 % 31, i * 13 % N };
    }
  printf ("sum %.9g\n", flat (a, b, N, 5));
  report ("flat", a);
  for (int i = 0; i < N; i++)
    a[i] = i % 29;
  nested (a, b, N);
  report ("nested", a);
  called (a, b, N);
  report ("called", a);
  scattered (a, links, N);
  report ("scattered", a);
  chosen (a, b, c, N);
  report ("chosen a", a);
  report ("chosen b", b);
  free (a);
  free (b);
  free (c);
  free (links);
  return 0;
}
