/* Loop nests whose rows one thread can take on together, and others.
   REMARK: what -fopt-info-omp says about the construct below

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum
{
  /* Not a multiple of the rows that a thread takes on, and enough.  */
  ROWS = 4105,
  COLUMNS = 131,
  SIZE = ROWS * COLUMNS
};

static float a[SIZE], b[SIZE], c[SIZE];

static void
print (const char *name)
{
  double sum = 0, weighted = 0;
  for (int i = 0; i < SIZE; i++)
    {
      sum += b[i];
      weighted += b[i] * (i % 101);
    }
  printf ("%s %.17g %.17g\n", name, sum, weighted);
}

/* The sum of point I and of those above and below.  */
#define COLUMN(i) (a[(i) - columns] + a[i] + a[(i) + columns])

/* The sum of point I and of those beside it.  */
#define LINE(i) (a[(i) - 1] + a[i] + a[(i) + 1])

/* The function NAME: a nest whose rows are y by ROWS, whose points x by POINTS;
   DIRECTIVE is for the rows, the statements are those of point i.  */
#define NEST(name, directive, ROWS, POINTS, ...)                              \
  static void name (int rows, int columns)                                    \
  {                                                                           \
    _Pragma ("acc parallel copyin(a) copy(b)") _Pragma (directive)            \
    for (int y = ROWS)                                                        \
      _Pragma ("acc loop vector") for (int x = POINTS)                        \
      {                                                                       \
	int i = y * columns + x;                                              \
	__VA_ARGS__                                                           \
      }                                                                       \
    print (#name);                                                            \
  }

/* REMARK: a thread computes 4 rows */
NEST (column, "acc loop gang", 1; y < rows - 1; y++, 0; x < columns; x++,
      b[i] = COLUMN (i);)

/* In place: each point loads what only it stores.
   REMARK: a thread computes 4 rows */
NEST (in_place, "acc loop gang worker", 1; y <= rows - 2; y++,
      0; x < columns; x++, b[i] = b[i] * 0.5f + COLUMN (i);)

/* Loads under a condition stay where they are.
   REMARK: a thread computes 4 rows */
NEST (conditional, "acc loop gang", 2; y < rows - 2; y++, 0; x < columns; x++,
      float sum = a[i - 2 * columns] + COLUMN (i) + a[i + 2 * columns];
      if (sum > 1)
	sum -= a[i] * a[i + columns];
      while (sum > 0.75f)
	sum *= 0.5f;
      b[i] = sum;)

/* So much in common that eight rows load a quarter less than four.
   REMARK: a thread computes 8 rows */
NEST (five, "acc loop gang", 2; y < rows - 2; y++, 2; x < columns - 2; x++,
      b[i] = LINE (i - 2 * columns) + LINE (i + 2 * columns)
	     + COLUMN (i - 1) + COLUMN (i) + COLUMN (i + 1);)

/* REMARK: one row: its rows have few loads in common */
NEST (little_in_common, "acc loop gang", 1; y < rows - 1; y++,
      1; x < columns - 1; x++, b[i] = a[i - 1] + a[i + 1];)

/* REMARK: one row: its counting is not understood */
NEST (by_twos, "acc loop gang", rows - 2; y > 0; y -= 2, 0; x < columns; x++,
      b[i] = COLUMN (i);)

/* Variables of a point, and of all points.  */
static void
private_variables (int rows, int columns)
{
  float t, row[3];
  /* REMARK: a thread computes . rows */
#pragma acc parallel copyin(a) copy(b)
#pragma acc loop gang
  for (int y = 1; y < rows - 1; y++)
    {
      int last = columns - 1;
#pragma acc loop vector private(t, row)
      for (int x = 0; x <= last; x++)
	{
	  row[0] = a[(y - 1) * columns + x];
	  row[1] = a[y * columns + x];
	  row[2] = a[(y + 1) * columns + x];
	  t = row[x % 3];
	  b[y * columns + x] = t * row[1];
	}
    }
  print ("private");
}

/* What is computed in front of the inner loop is so for every row.  */
static void
in_front (int rows, int columns)
{
  /* REMARK: a thread computes 4 rows */
#pragma acc parallel copyin(a) copy(b)
#pragma acc loop gang
  for (int y = 1; y < rows - 1; y++)
    {
      int above = (y - 1) * columns, here = y * columns;
      int below = here + columns;
#pragma acc loop vector
      for (int x = 0; x < columns; x++)
	b[here + x] = a[above + x] + a[here + x] + a[below + x];
    }
  print ("in front");
}

/* One directive for both loops.  */
static void
collapsed (int rows, int columns)
{
  /* REMARK: a thread computes 4 rows */
#pragma acc parallel loop collapse(2) copyin(a) copy(b)
  for (long y = 0; y <= rows - 3; y++)
    for (unsigned x = 0; x < (unsigned) columns; x++)
      {
	const float *p = &a[y * columns + x];
	b[(y + 1) * columns + x] = p[0] + p[columns] * 0.5f + p[2 * columns];
      }
  print ("collapsed");
}

static void
three_dimensions (int planes, int rows, int columns)
{
  int row = columns, plane = rows * columns;
  /* REMARK: a thread computes . rows */
#pragma acc parallel copyin(a) copy(b)
#pragma acc loop gang collapse(2)
  for (int z = 1; z < planes - 1; z++)
    for (int y = 1; y < rows - 1; y++)
#pragma acc loop vector
      for (int x = 0; x < columns; x++)
	{
	  int i = z * plane + y * row + x;
	  b[i] = a[i - plane] + a[i + plane] + a[i - row] + a[i + row] + a[i];
	}
  print ("three dimensions");
}

static void
row_of_its_own (int rows, int columns)
{
  /* REMARK: the loop over y is shared out among teams  */
#pragma acc parallel copyin(a) copy(b)
#pragma acc loop gang
  for (int y = 1; y < rows - 1; y++)
    {
      b[y * columns] = 1;
#pragma acc loop vector
      for (int x = 1; x < columns; x++)
	b[y * columns + x] = COLUMN (y * columns + x);
    }
  print ("row of its own");
}

static void
reduction (int rows, int columns)
{
  int found = 0;
  /* REMARK: a thread computes 4 rows */
#pragma acc parallel copyin(a) copy(b) reduction(+ : found)
#pragma acc loop gang reduction(+ : found)
  for (int y = 1; y < rows - 1; y++)
#pragma acc loop vector reduction(+ : found)
    for (int x = 0; x < columns; x++)
      found += COLUMN (y * columns + x) > 1;
  printf ("found %d\n", found);
}

/* Iterations of a loop that is not parallel come in order.  */
static void
in_order (int rows, int columns)
{
  /* REMARK: stays in GCC's partitioned mode: a sequential loop */
#pragma acc parallel copyin(a) copy(b)
#pragma acc loop seq
  for (int y = 1; y < rows - 1; y++)
#pragma acc loop gang vector
    for (int x = 0; x < columns; x++)
      b[y * columns + x] = b[(y - 1) * columns + x] * 0.5f
			   + a[y * columns + x] + a[(y + 1) * columns + x];
  print ("in order");
}

/* Fewer rows than keep a GPU busy, one, and none.  */
static void
few (int columns)
{
  for (int rows = 0; rows < 12; rows++)
    column (rows, columns);
}

int
main (void)
{
  for (int i = 0; i < SIZE; i++)
    {
      a[i] = (i % 1009 * 7919 % 1009) / 1009.0f;
      b[i] = c[i] = 0;
    }
  column (ROWS, COLUMNS);
  in_place (ROWS, COLUMNS);
  conditional (ROWS, COLUMNS);
  private_variables (ROWS, COLUMNS);
  in_front (ROWS, COLUMNS);
  collapsed (ROWS, COLUMNS);
  three_dimensions (82, 81, 80);
  row_of_its_own (ROWS, COLUMNS);
  reduction (ROWS, COLUMNS);
  in_order (ROWS, COLUMNS);
  five (ROWS, COLUMNS);
  little_in_common (ROWS, COLUMNS);
  by_twos (ROWS, COLUMNS);
  few (COLUMNS);
  for (int rows = ROWS - 6; rows < ROWS; rows++)
    column (rows, COLUMNS);
  return 0;
}
