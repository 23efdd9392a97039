/* Rows of a team whose memory is contiguous along the outer loop.
   ACCEPT: 8
   COLUMNS: 6

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum
{
  ROWS = 149,
  COLUMNS = 150,
  /* So many that threads have eight rows at a time in the widest teams.  */
  MANY = 300
};

static int a[MANY * COLUMNS], b[ROWS * COLUMNS], want_b[ROWS * COLUMNS], x[MANY],
  y[COLUMNS], want[COLUMNS];

static void
start (void)
{
  for (int i = 0; i < MANY * COLUMNS; i++)
    a[i] = i * 7 % 23 - 3;
  for (int i = 0; i < ROWS * COLUMNS; i++)
    b[i] = want_b[i] = i % 13;
  for (int i = 0; i < MANY; i++)
    x[i] = i % 5 - 1;
  for (int j = 0; j < COLUMNS; j++)
    y[j] = want[j] = j % 11;
}

static int
product (int rows, int columns, int j)
{
  int sum = 0;
  for (int i = 0; i < rows; i++)
    sum += a[i * columns + j] * x[i];
  return sum;
}

/* A sum of each column, and what it becomes.  */
static void
sums (int rows, int columns)
{
  start ();
#pragma omp target teams distribute map(to: a, x) map(tofrom: y)
  for (int j = 0; j < columns; j++)
    {
      int sum = 0;
#pragma omp parallel for reduction(+: sum)
      for (int i = 0; i < rows; i++)
	sum += a[i * columns + j] * x[i];
      y[j] += 2 * sum;
    }
  for (int j = 0; j < columns; j++)
    want[j] += 2 * product (rows, columns, j);
  check_ints ("sums", y, want, COLUMNS);
}

/* Two loops, the second of which uses the first's result, and stores.  */
static void
two_loops (int rows, int columns)
{
  start ();
#pragma omp target teams distribute map(to: a, x) map(tofrom: b, y)
  for (int j = 0; j < columns; j++)
    {
      int sum = 0, most = -1000;
#pragma omp parallel for reduction(+: sum)
      for (int i = 0; i < rows; i++)
	sum += a[i * columns + j] * x[i];
#pragma omp parallel for reduction(max: most)
      for (int i = 0; i < rows; i++)
	{
	  b[i * columns + j] += sum;
	  if (a[i * columns + j] > most)
	    most = a[i * columns + j];
	}
      y[j] = most;
      y[j] += sum;
    }
  for (int j = 0; j < columns; j++)
    {
      int sum = product (rows, columns, j), most = -1000;
      for (int i = 0; i < rows; i++)
	{
	  want_b[i * columns + j] += sum;
	  most = a[i * columns + j] > most ? a[i * columns + j] : most;
	}
      want[j] = most + sum;
    }
  check_ints ("two loops: columns", y, want, COLUMNS);
  check_ints ("two loops: matrix", b, want_b, ROWS * COLUMNS);
}

/* Columns from the last one on; a loop that ends at the column.  */
static void
triangle (int columns)
{
  start ();
#pragma omp target teams distribute map(to: a) map(tofrom: y)
  for (int j = columns - 1; j >= 0; j--)
    {
      int sum = 1;
#pragma omp parallel for reduction(+: sum)
      for (int i = 0; i < j / 2; i++)
	sum += a[i * columns + j];
      y[j] = sum;
    }
  for (int j = 0; j < columns; j++)
    {
      want[j] = 1;
      for (int i = 0; i < j / 2; i++)
	want[j] += a[i * columns + j];
    }
  check_ints ("triangle", y, want, COLUMNS);
}

/* No column, and one.  */
static void
few (int columns)
{
  start ();
#pragma omp target teams distribute map(to: a) map(tofrom: y)
  for (int j = 0; j < columns; j++)
    {
      int sum = 0;
#pragma omp parallel for reduction(+: sum)
      for (int i = 0; i < ROWS; i++)
	sum += a[i * COLUMNS + j];
      y[j] = sum;
    }
  for (int j = 0; j < columns; j++)
    {
      want[j] = 0;
      for (int i = 0; i < ROWS; i++)
	want[j] += a[i * COLUMNS + j];
    }
  check_ints ("few", y, want, COLUMNS);
}

/* Both orders in one loop; no columns.  */
static void
both (int n)
{
  start ();
#pragma omp target teams distribute map(to: a) map(tofrom: y)
  for (int j = 0; j < n; j++)
    {
      int sum = 0;
#pragma omp parallel for reduction(+: sum)
      for (int i = 0; i < n; i++)
	sum += a[i * COLUMNS + j] * a[j * COLUMNS + i];
      y[j] = sum;
    }
  for (int j = 0; j < n; j++)
    {
      want[j] = 0;
      for (int i = 0; i < n; i++)
	want[j] += a[i * COLUMNS + j] * a[j * COLUMNS + i];
    }
  check_ints ("both", y, want, COLUMNS);
}

/* A column that is left out; no columns.  */
static void
branch (int rows, int columns)
{
  start ();
#pragma omp target teams distribute map(to: a, x) map(tofrom: y)
  for (int j = 0; j < columns; j++)
    if (y[j] > 3)
      {
	int sum = 0;
#pragma omp parallel for reduction(+: sum)
	for (int i = 0; i < rows; i++)
	  sum += a[i * columns + j] * x[i];
	y[j] = sum;
      }
  for (int j = 0; j < columns; j++)
    if (want[j] > 3)
      want[j] = product (rows, columns, j);
  check_ints ("branch", y, want, COLUMNS);
}

/* A copy, without a sum.  */
static void
copy (int rows, int columns)
{
  start ();
#pragma omp target teams distribute map(to: a) map(tofrom: b)
  for (int j = 0; j < columns; j++)
    {
      int add = j % 3;
#pragma omp parallel for
      for (int i = 0; i < rows; i++)
	b[i * columns + j] += a[i * columns + j] + add;
    }
  for (int i = 0; i < rows * columns; i++)
    want_b[i] += a[i] + i % columns % 3;
  check_ints ("copy", b, want_b, ROWS * COLUMNS);
}

/* Each iteration once, whoever executes it.  */
static void
once (int rows, int columns)
{
  start ();
#pragma omp target teams distribute map(to: a) map(tofrom: y)
  for (int j = 0; j < columns; j++)
    {
      int least = 1000;
#pragma omp parallel for reduction(min: least)
      for (int i = 0; i < rows; i++)
	{
	  int element = a[i * columns + j];
	  if (element < least)
	    least = element;
#pragma omp atomic
	  y[j] += element;
	}
#pragma omp parallel for
      for (int i = 0; i < rows; i++)
	if (a[i * columns + j] == least)
	  {
#pragma omp atomic
	    y[j] += 1000;
	  }
    }
  for (int j = 0; j < columns; j++)
    {
      int least = 1000;
      for (int i = 0; i < rows; i++)
	{
	  least = a[i * columns + j] < least ? a[i * columns + j] : least;
	  want[j] += a[i * columns + j];
	}
      for (int i = 0; i < rows; i++)
	want[j] += a[i * columns + j] == least ? 1000 : 0;
    }
  check_ints ("once", y, want, COLUMNS);
}

int
main (void)
{
  sums (ROWS, COLUMNS);
  sums (1, 17);
  /* Teams of 32, 16 and 8 columns.  */
  sums (MANY, COLUMNS);
  sums (MANY, 70);
  sums (MANY, 20);
  sums (MANY, 9);
  two_loops (ROWS, COLUMNS);
  two_loops (3, 16);
  triangle (COLUMNS);
  few (0);
  few (1);
  both (ROWS);
  branch (ROWS, COLUMNS);
  copy (ROWS, COLUMNS);
  once (ROWS, COLUMNS);
  return check_status ();
}
