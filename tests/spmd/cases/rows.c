/* OpenACC loops over rows with statements besides the loops inside.
   FLAGS: -fopenacc
   ACCEPT: 12
   REJECT: a tiled loop inside the loop

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum
{
  ROWS = 77,
  COLUMNS = 150
};

static int a[ROWS * COLUMNS], p[COLUMNS], q[ROWS], want[ROWS], first[ROWS + 1];

static void
start (void)
{
  for (int i = 0; i < ROWS * COLUMNS; i++)
    a[i] = i * 7 % 23 - 3;
  for (int i = 0; i < COLUMNS; i++)
    p[i] = i % 5;
  for (int i = 0; i < ROWS; i++)
    q[i] = want[i] = i % 11;
  for (int i = 0; i <= ROWS; i++)
    first[i] = i * i % 4 + i * 120;
}

static int
product (int y)
{
  int sum = 0;
  for (int x = 0; x < COLUMNS; x++)
    sum += a[y * COLUMNS + x] * p[x];
  return sum;
}

static void
matrix_vector (int rows, int columns)
{
  start ();
#pragma acc parallel loop copyin (a, p) copy (q)
  for (int y = 0; y < rows; y++)
    {
      int sum = 0;
#pragma acc loop reduction (+ : sum)
      for (int x = 0; x < columns; x++)
	sum += a[y * columns + x] * p[x];
      q[y] += 2 * sum;
    }
  for (int y = 0; y < rows; y++)
    want[y] += 2 * product (y);
  check_ints ("matrix vector", q, want, ROWS);
}

/* Scalars of the function, not listed private; bounds of the row.  */
static void
sparse (int rows)
{
  int sum, at, j, k;
  start ();
#pragma acc parallel loop gang num_workers (4) vector_length (32) \
  copyin (a, p, first) copyout (q)
  for (j = 0; j < rows; j++)
    {
      int from = first[j], to = first[j + 1];
      sum = 0;
#pragma acc loop worker vector reduction (+ : sum)
      for (k = from; k < to; k++)
	{
	  at = k % COLUMNS;
	  sum += a[k] * p[at];
	}
      q[j] = sum;
    }
  for (j = 0; j < rows; j++)
    {
      want[j] = 0;
      for (k = first[j]; k < first[j + 1]; k++)
	want[j] += a[k] * p[k % COLUMNS];
    }
  check_ints ("sparse", q, want, ROWS);
}

/* Two loops in a row, of which the second one reads what the first one and a
   statement between have stored.  */
static void
two_inside (int rows, int columns)
{
  start ();
#pragma acc parallel loop copy (a, q)
  for (int y = 0; y < rows; y++)
    {
#pragma acc loop
      for (int x = 0; x < columns; x++)
	a[y * columns + x] += y;
      q[y] = a[y * columns + 3];
      int most = -1000;
#pragma acc loop reduction (max : most)
      for (int x = 0; x < columns; x++)
	if (a[y * columns + columns - 1 - x] + q[y] > most)
	  most = a[y * columns + columns - 1 - x] + q[y];
      q[y] = most;
    }
  static int got[ROWS];
  for (int y = 0; y < rows; y++)
    got[y] = q[y];
  start ();
  for (int y = 0; y < rows; y++)
    {
      for (int x = 0; x < columns; x++)
	a[y * columns + x] += y;
      want[y] = -1000;
      for (int x = 0; x < columns; x++)
	if (a[y * columns + x] + a[y * columns + 3] > want[y])
	  want[y] = a[y * columns + x] + a[y * columns + 3];
    }
  check_ints ("two inside", got, want, rows);
}

/* Rows that a test leaves out; a sum of all.  */
static void
tested (int rows, int columns)
{
  int all = 5, wanted = 5;
  start ();
#pragma acc parallel loop reduction (+ : all) copyin (a, p) copy (q)
  for (int y = 0; y < rows; y++)
    if (q[y] > 4)
      {
	int sum = 0;
#pragma acc loop vector reduction (+ : sum)
	for (int x = 0; x < columns; x++)
	  sum += a[y * columns + x] * p[x];
	q[y] = sum;
	all += sum;
      }
  for (int y = 0; y < rows; y++)
    if (want[y] > 4)
      wanted += want[y] = product (y);
  check_ints ("tested", q, want, ROWS);
  check_ints ("tested sum", &all, &wanted, 1);
}

/* Each inner loop adds to what the region returns.  */
static void
nested_sum (int rows, int columns)
{
  int all = 1, wanted = 1;
  start ();
#pragma acc parallel loop gang reduction (+ : all) copyin (a) copyout (q)
  for (int y = 0; y < rows; y++)
    {
      q[y] = y;
#pragma acc loop vector reduction (+ : all)
      for (int x = 0; x < columns; x++)
	all += a[y * columns + x];
    }
  for (int i = 0; i < ROWS * COLUMNS; i++)
    wanted += a[i];
  check_ints ("nested sum", &all, &wanted, 1);
}

/* Rows of several lengths, by as many gangs as the program says.  */
static void
lengths (int rows, int columns)
{
  start ();
#pragma acc parallel copyin (a) copyout (q) num_gangs (5) vector_length (128)
  {
#pragma acc loop gang
    for (int y = 0; y < rows; y++)
      {
	int sum = y;
#pragma acc loop vector reduction (+ : sum)
	for (int x = y; x < columns; x += 3)
	  sum += a[y * columns + x];
	q[y] = sum;
      }
  }
  for (int y = 0; y < rows; y++)
    {
      want[y] = y;
      for (int x = y; x < columns; x += 3)
	want[y] += a[y * columns + x];
    }
  check_ints ("lengths", q, want, ROWS);
}

/* Of three levels the outer two are rows.  */
static void
three (int n)
{
  start ();
#pragma acc parallel loop gang copy (a) copyin (p)
  for (int z = 0; z < n; z++)
    {
      int base = p[z] + z * 120;
#pragma acc loop worker
      for (int y = 0; y < 10; y++)
	{
	  a[base + 10 * y] = z;
#pragma acc loop vector
	  for (int x = 1; x < 10; x++)
	    a[base + 10 * y + x] = x + z;
	}
    }
  static int got[ROWS];
  for (int i = 0; i < ROWS; i++)
    {
      got[i] = a[120 + p[1] + i];
      want[i] = i % 10 + 1;
    }
  check_ints ("three", got, want, ROWS);
}

/* The same expression bounds the team's loop and one in its body.  */
static void
triangles (int n)
{
  start ();
#pragma acc parallel copy (a)
#pragma acc loop gang
  for (int z = 0; z < 8; z++)
#pragma acc loop vector
    for (int y = z; y < n - 2; y++)
      for (int x = y; x < n - 2; x++)
	a[(z * 20 + y) * 20 + x] = x + z;
  static int got[ROWS * COLUMNS];
  for (int i = 0; i < ROWS * COLUMNS; i++)
    got[i] = a[i];
  start ();
  for (int z = 0; z < 8; z++)
    for (int y = z; y < n - 2; y++)
      for (int x = y; x < n - 2; x++)
	a[(z * 20 + y) * 20 + x] = x + z;
  check_ints ("triangles", got, a, ROWS * COLUMNS);
}

#pragma acc routine seq
static void add (int *to, int x);
static void
add (int *to, int x)
{
#pragma acc atomic update
  *to += x;
}

/* A call that has effects is made once.  */
static void
calls (int rows, int columns)
{
  start ();
#pragma acc parallel loop gang copy (a, q)
  for (int y = 0; y < rows; y++)
    {
      add (&q[y % 3], y);
#pragma acc loop vector
      for (int x = 0; x < columns; x++)
	a[y * columns + x] = y;
    }
  for (int y = 0; y < rows; y++)
    want[y % 3] += y;
  check_ints ("calls", q, want, ROWS);
}

/* Rows that are left early, loops in branches, one that counts down.  */
static void
branches (int rows, int columns)
{
  static int got[ROWS];
  start ();
#pragma acc parallel loop copy (a) copy (q)
  for (int y = 0; y < rows; y++)
    {
      int sum = 3;
      if (y % 5 == 0)
	continue;
      if (y & 1)
	{
#pragma acc loop reduction (+ : sum)
	  for (int x = 0; x < y; x++)
	    sum += a[y * columns + x];
	}
      else
	{
	  sum = q[y];
#pragma acc loop
	  for (int x = columns - 1; x >= 0; x -= 2)
	    a[y * columns + x] = sum;
	}
      for (int k = 0; k < 3; k++)
	q[y] += k * sum + a[y * columns + 1];
    }
  for (int y = 0; y < rows; y++)
    got[y] = q[y];
  start ();
  for (int y = 0; y < rows; y++)
    {
      int sum = 3;
      if (y % 5 == 0)
	continue;
      for (int x = 0; y & 1 && x < y; x++)
	sum += a[y * columns + x];
      if (!(y & 1))
	sum = want[y];
      for (int k = 0; k < 3; k++)
	want[y] += k * sum
		   + (y & 1 || columns % 2 ? a[y * columns + 1] : sum);
    }
  check_ints ("branches", got, want, rows);
}

/* One row's results of several kinds, also a sum of all rows.  */
static void
kinds (int rows, int columns)
{
  int all = 4, wanted = 4;
  start ();
#pragma acc parallel loop gang copyin (a) copyout (q) reduction (+ : all)
  for (int y = 0; y < rows; y++)
    {
      int sum = 10, product = 1, any = 0, least = 1000;
#pragma acc loop vector reduction (+ : sum) reduction (|| : any)
      for (int x = 0; x < columns; x++)
	{
	  sum += a[y * columns + x];
	  any = any || a[y * columns + x] > 18;
	}
#pragma acc loop vector reduction (* : product)
      for (int x = 0; x < 8; x++)
	product *= (x & 1) + 1;
#pragma acc loop vector reduction (min : least)
      for (int x = y % 20; x < columns; x += 20)
	least = a[y * columns + x] < least ? a[y * columns + x] : least;
#pragma acc loop vector reduction (+ : sum)
      for (int x = 0; x < columns; x++)
	sum += x * any;
      all += sum;
      q[y] = sum + product + least;
    }
  for (int y = 0; y < rows; y++)
    {
      int sum = 10, any = 0, least = 1000;
      for (int x = 0; x < columns; x++)
	{
	  sum += a[y * columns + x];
	  any |= a[y * columns + x] > 18;
	  if (x % 20 == y % 20 && a[y * columns + x] < least)
	    least = a[y * columns + x];
	}
      if (any)
	sum += columns * (columns - 1) / 2;
      want[y] = sum + 16 + least;
      wanted += sum;
    }
  check_ints ("kinds", q, want, ROWS);
  check_ints ("kinds, sum", &all, &wanted, 1);
}

/* A row repeats its loop, and leaves off when it has enough.  */
static void
repeats (int rows, int columns)
{
  start ();
#pragma acc parallel loop gang copy (q, a)
  for (int y = 0; y < rows; y++)
    {
      int k = 0, sum;
      while (k < q[y])
	{
	  sum = 0;
#pragma acc loop vector reduction (+ : sum)
	  for (int x = 0; x < columns; x++)
	    sum += a[y * columns + x];
	  if (sum % 8 == 0)
	    break;
	  k++;
	  a[y * columns + k] += sum & 7;
	}
      q[y] = k;
    }
  static int got[ROWS];
  for (int y = 0; y < rows; y++)
    got[y] = q[y];
  start ();
  for (int y = 0; y < rows; y++)
    {
      int k = 0, sum;
      while (k < want[y])
	{
	  sum = 0;
	  for (int x = 0; x < columns; x++)
	    sum += a[y * columns + x];
	  if (sum % 8 == 0)
	    break;
	  k++;
	  a[y * columns + k] += sum & 7;
	}
      want[y] = k;
    }
  check_ints ("repeats", got, want, rows);
}

/* A row whose loop is tiled is none of a team's.  */
static void
tiles (int rows, int columns)
{
  start ();
#pragma acc parallel loop gang copy (a) copyout (q)
  for (int y = 0; y < rows; y++)
    {
      q[y] = 3 * y;
#pragma acc loop vector tile (8)
      for (int x = 0; x < columns; x++)
	a[y * columns + x] += 2 * x;
    }
  for (int y = 0; y < rows; y++)
    want[y] = 3 * y;
  check_ints ("tiles", q, want, ROWS);
  for (int y = 0; y < rows; y++)
    {
      q[y] = a[y * columns + y];
      want[y] = (y * columns + y) * 7 % 23 - 3 + 2 * y;
    }
  check_ints ("in tiles", q, want, ROWS);
}

int
main (void)
{
  tiles (ROWS, COLUMNS);
  triangles (19);
  calls (ROWS, COLUMNS);
  branches (ROWS, COLUMNS);
  kinds (ROWS, COLUMNS);
  repeats (ROWS, COLUMNS);
  matrix_vector (ROWS, COLUMNS);
  sparse (ROWS);
  two_inside (ROWS, COLUMNS);
  two_inside (3, COLUMNS);
  tested (ROWS, COLUMNS);
  nested_sum (ROWS, COLUMNS);
  lengths (ROWS, COLUMNS);
  three (20);
  return check_status ();
}
