/* OpenACC regions: those that become SPMD kernels, and those that must not.
   FLAGS: -fopenacc
   ACCEPT: 9

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum
{
  ROWS = 205,
  COLUMNS = 131,
  ALL = ROWS * COLUMNS
};
static int a[ALL], b[ALL], want[ALL];

static void
start (void)
{
  for (int i = 0; i < ALL; i++)
    {
      a[i] = i % 97;
      b[i] = want[i] = -1;
    }
}

#pragma acc routine seq
static int
twice (int x)
{
  return 2 * x;
}

#pragma acc routine seq
static int __attribute__ ((noinline))
gang (void)
{
  return __builtin_goacc_parlevel_id (0);
}

/* Two loops are one space; what stands between them is computed for each
   point.  */
static void
nest (int rows, int columns)
{
  start ();
#pragma acc parallel copyin (a) copy (b)
#pragma acc loop gang
  for (int y = 1; y < rows - 1; y++)
    {
      int row = y * columns;
#pragma acc loop vector
      for (int x = 0; x < columns; x++)
	b[row + x] = a[row - columns + x] + twice (a[row + columns + x]);
    }
  for (int y = 1; y < rows - 1; y++)
    for (int x = 0; x < columns; x++)
      want[y * columns + x] = a[(y - 1) * columns + x]
			      + 2 * a[(y + 1) * columns + x];
  check_ints ("nest", b, want, ALL);
}

/* A loop inside that is sequential is part of the body.  */
static void
sequential (int rows, int columns)
{
  start ();
#pragma acc parallel loop copyin (a) copy (b)
  for (int y = 0; y < rows; y++)
    {
      int sum = 0;
#pragma acc loop seq
      for (int x = 0; x < columns; x++)
	sum += a[y * columns + x];
      b[y] = sum;
    }
  for (int y = 0; y < rows; y++)
    {
      want[y] = 0;
      for (int x = 0; x < columns; x++)
	want[y] += a[y * columns + x];
    }
  check_ints ("sequential", b, want, ALL);
}

/* A reduction over both loops, with a value to start from, and one whose
   region has other numbers of gangs, workers and lanes.  */
static void
reductions (int rows, int columns)
{
  start ();
  double sum = 7, sum_want = 7;
  int most = 3, most_want = 3;
#pragma acc parallel loop reduction (+ : sum) copyin (a)
  for (int y = 0; y < rows; y++)
#pragma acc loop reduction (+ : sum)
    for (int x = 0; x < columns; x++)
      sum += a[y * columns + x] * 0.5;
#pragma acc parallel loop gang worker vector reduction (max : most)            \
    num_gangs (3) num_workers (2) vector_length (64) copyin (a)
  for (int i = 0; i < rows * columns; i++)
    most = a[i] + i % 5 > most ? a[i] + i % 5 : most;
  for (int i = 0; i < rows * columns; i++)
    {
      sum_want += a[i] * 0.5;
      most_want = a[i] + i % 5 > most_want ? a[i] + i % 5 : most_want;
    }
  check_double ("sum", sum, sum_want);
  check_double ("most", most, most_want);
}

/* A scalar from outside that each iteration sets is a thread's own.  */
static void
scratch (int n, int t)
{
  start ();
#pragma acc parallel loop copyin (a) copy (b)
  for (int i = 0; i < n; i++)
    {
      t = a[i] * 3;
      b[i] = t + 1;
    }
  for (int i = 0; i < n; i++)
    want[i] = a[i] * 3 + 1;
  check_ints ("scratch", b, want, ALL);
}

/* No iterations of the one loop or the other.  */
static void
none (int rows, int columns)
{
  start ();
#pragma acc parallel loop collapse (2) copy (b)
  for (int y = 0; y < rows; y++)
    for (int x = 0; x < columns; x++)
      b[0] = 9;
  check_ints ("none", b, want, ALL);
}

static void
triangle (int rows, int columns)
{
  start ();
#pragma acc parallel copyin (a) copy (b)
#pragma acc loop gang
  for (int y = 0; y < rows; y++)
#pragma acc loop vector
    for (int x = y % 5; x < columns; x++)
      b[y * columns + x] = a[y * columns + x] + y;
  for (int y = 0; y < rows; y++)
    for (int x = y % 5; x < columns; x++)
      want[y * columns + x] = a[y * columns + x] + y;
  check_ints ("triangle", b, want, ALL);
}

static void
results_of_rows (int rows, int columns)
{
  start ();
#pragma acc parallel loop gang copyin (a) copy (b)
  for (int y = 0; y < rows; y++)
    {
      int sum = 0;
#pragma acc loop vector reduction (+ : sum)
      for (int x = 0; x < columns; x++)
	sum += a[y * columns + x];
      b[y] = sum;
    }
  for (int y = 0; y < rows; y++)
    {
      want[y] = 0;
      for (int x = 0; x < columns; x++)
	want[y] += a[y * columns + x];
    }
  check_ints ("results of rows", b, want, ALL);
}

static void
two_loops (int n)
{
  start ();
  /* REJECT: a statement after the loop */
#pragma acc parallel copyin (a) copy (b) num_gangs (1)
  {
#pragma acc loop
    for (int i = 0; i < n; i++)
      b[i] = a[i] + 1;
#pragma acc loop
    for (int i = 0; i < n; i++)
      b[i] *= 2;
  }
  for (int i = 0; i < n; i++)
    want[i] = 2 * (a[i] + 1);
  check_ints ("two loops", b, want, ALL);
}

static void
serial (int n)
{
  start ();
#pragma acc parallel copyin (a) copy (b)
#pragma acc loop seq
  for (int i = 1; i < n; i++)
    b[i] = b[i - 1] + a[i];
  for (int i = 1; i < n; i++)
    want[i] = want[i - 1] + a[i];
  check_ints ("serial", b, want, ALL);
}

static void
asks (int n)
{
  start ();
  /* REJECT: a function that asks where it runs */
#pragma acc parallel loop gang num_gangs (4) copy (b)
  for (int i = 0; i < n; i++)
    b[i] = gang () >= 0;
  for (int i = 0; i < n; i++)
    want[i] = 1;
  check_ints ("asks", b, want, ALL);
}

int
main (void)
{
  nest (ROWS, COLUMNS);
  sequential (ROWS, COLUMNS);
  reductions (ROWS, COLUMNS);
  scratch (ALL, 4);
  none (0, COLUMNS);
  none (ROWS, 0);
  triangle (ROWS, COLUMNS);
  results_of_rows (ROWS, COLUMNS);
  two_loops (ALL);
  serial (ROWS);
  asks (ALL);
  return check_failures != 0;
}
