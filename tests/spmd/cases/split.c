/* Loops over teams with loops over threads inside.

   ACCEPT: 11
   REJECT: a reduction of an array section
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum { ROWS = 70, COLUMNS = 90, N = ROWS * COLUMNS };
static int a[N], b[N], want[N], row[ROWS], want_row[ROWS];

static void
expect (const char *what)
{
  check_ints (what, a, want, N);
  check_ints (what, row, want_row, ROWS);
  for (int i = 0; i < N; i++)
    {
      a[i] = want[i] = 0;
      b[i] = i % 11;
    }
  for (int i = 0; i < ROWS; i++)
    row[i] = want_row[i] = 0;
}

#pragma omp declare target
static int
add (int *to, int x)
{
  int before;
#pragma omp atomic capture
  {
    before = *to;
    *to += x;
  }
  return before;
}
#pragma omp end declare target

/* A call that has effects is made once, whether or not it returns anything.  */
static void
calls (int rows, int columns)
{
#pragma omp target teams distribute map (tofrom: a, row)
  for (int i = 0; i < rows; i++)
    {
      add (&row[i % 5], i);
#pragma omp parallel for
      for (int j = 0; j < columns; j++)
        a[i * columns + j] = i;
    }
#pragma omp target teams distribute map (tofrom: a, row)
  for (int i = 0; i < rows; i++)
    {
      int first = add (&row[6], 1) >= 0;
#pragma omp parallel for
      for (int j = 0; j < columns; j++)
        a[i * columns + j] += first;
    }
  for (int i = 0; i < N; i++)
    want[i] = i / columns + 1;
  for (int i = 0; i < rows; i++)
    want_row[i % 5] += i;
  want_row[6] = rows;
  expect ("calls");
}

static void
plain (int rows, int columns)
{
#pragma omp target teams distribute map (tofrom: a)
  for (int i = 0; i < rows; i++)
#pragma omp parallel for simd
    for (int j = columns - 1; j >= 0; j--)
      a[i * columns + j] = i - j;
  for (int i = 0; i < N; i++)
    want[i] = i / columns - i % columns;
  expect ("a loop in a loop");
}

/* What is between the loops happens once.  */
static void
between (int rows, int columns)
{
  int steps = 0;
#pragma omp target teams distribute map (tofrom: a, row, steps)              \
    reduction (+: steps) num_teams (7)
  for (int i = 0; i < rows; i++)
    {
      int first = row[i] + i, k = 0;
      row[i] += 3;
      steps++;
      while (k < i % 3)
        k++;
#pragma omp parallel for num_threads (20)
      for (int j = 0; j < columns; j++)
        a[i * columns + j] = first + row[i] + k;
      row[i] = row[i] * 2 + a[i * columns];
    }
  for (int i = 0; i < N; i++)
    want[i] = i / columns + 3 + i / columns % 3;
  for (int i = 0; i < rows; i++)
    want_row[i] = 6 + want[i * columns];
  check_long ("a reduction over teams", steps, rows);
  expect ("statements between the loops");
}

/* A sum for each row, in a variable of the team and in memory.  */
static void
sums (int rows, int columns, int threads)
{
  double all = 1;
#pragma omp target teams distribute map (to: b) map (tofrom: row, all)       \
    reduction (+: all)
  for (int i = 0; i < rows; i++)
    {
      int s = 1000;
      double d = 0;
#pragma omp parallel for reduction (+: s) reduction (max: d)
      for (int j = 0; j < columns; j++)
        {
          s += b[i * columns + j];
          d = b[i * columns + j] > d ? b[i * columns + j] : d;
        }
      row[i] = s;
      all += d;
    }
  for (int i = 0; i < rows; i++)
    {
      want_row[i] = 1000;
      for (int j = 0; j < columns; j++)
        want_row[i] += b[i * columns + j];
    }
  check_double ("a reduction of reductions", all, 1 + 10.0 * rows);
  expect ("a reduction in each team");
#pragma omp target teams distribute map (to: b) map (tofrom: row)
  for (int i = 0; i < rows; i++)
#pragma omp parallel for reduction (+: row[i:1]) num_threads (threads)
    for (int j = 0; j < columns; j++)
      row[i] += b[i * columns + j];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      want_row[i] += b[i * columns + j];
  expect ("a reduction of an element");
}

/* One loop reads what the other has written.  */
static void
two (int rows, int columns)
{
#pragma omp target teams distribute map (tofrom: a, row)                     \
    dist_schedule (static, 3)
  for (int i = 0; i < rows; i++)
    {
#pragma omp parallel for schedule (static, 4)
      for (int j = 0; j < columns; j++)
        a[i * columns + j] = i + j;
      if (i % 2)
        {
#pragma omp parallel for collapse (2) if (i % 3)
          for (int j = 0; j < 2; j++)
            for (int k = 0; k < columns / 2; k++)
#pragma omp atomic
              row[i] += a[i * columns + columns - 1 - j * (columns / 2) - k];
        }
    }
  for (int i = 0; i < N; i++)
    want[i] = i / columns + i % columns;
  for (int i = 1; i < rows; i += 2)
    for (int j = 0; j < columns; j++)
      want_row[i] += want[i * columns + j];
  expect ("two loops");
}

/* Edges of a graph: branches on memory that others set.  */
static void
frontier (int n)
{
  int more = 1, depth;
  for (int i = 0; i < N; i++)
    a[i] = i ? -1 : 0;
  for (depth = 0; more; depth++)
    {
      more = 0;
#pragma omp target teams distribute map (tofrom: more, a)
      for (int v = 0; v < n; v++)
        if (a[v] == depth)
          {
#pragma omp parallel for
            for (int e = 2 * v + 1; e < 2 * v + 3; e++)
              if (e < n)
                {
#pragma omp atomic write
                  a[e] = depth + 1;
#pragma omp atomic write
                  more = 1;
                }
          }
    }
  for (int i = 1; i < N; i++)
    want[i] = i < n ? want[(i - 1) / 2] + 1 : -1;
  expect ("levels of a tree");
}

static void
others (int rows, int columns)
{
#pragma omp target teams distribute map (tofrom: row)
  for (int i = 0; i < rows; i++)
    {
      int shared = 0;
#pragma omp parallel for
      for (int j = 0; j < columns; j++)
        if (j == columns / 2)
          shared = j;
      row[i] = shared;
    }
  for (int i = 0; i < rows; i++)
    want_row[i] = columns / 2;
  expect ("a variable that threads share");
#pragma omp target teams distribute map (tofrom: row)
  for (int i = 0; i < rows; i++)
    {
#pragma omp atomic
      row[0]++;
#pragma omp parallel for
      for (int j = 0; j < columns; j++)
        if (i && j == 1)
          row[i] = i;
    }
  for (int i = 1; i < rows; i++)
    want_row[i] = i;
  want_row[0] = rows;
  expect ("an atomic update between the loops");
}

/* Rows of one team that are executed only after the row before them.  */
static void
chain (int rows, int columns, int teams)
{
#pragma omp target teams distribute num_teams (teams) map (tofrom: row, a)
  for (int i = 0; i < rows; i++)
    if (!i || row[i - 1] == i - 1)
      {
#pragma omp parallel for
        for (int j = 0; j < columns; j++)
          {
            a[i * columns + j] = i + j;
            if (!j)
              row[i] = i;
          }
      }
  for (int i = 0; i < rows; i++)
    {
      want_row[i] = i;
      for (int j = 0; j < columns; j++)
        want[i * columns + j] = i + j;
    }
  expect ("one team, rows in order");

#pragma omp target teams distribute dist_schedule (static, 8) \
    map (tofrom: row, a)
  for (int i = 0; i < rows; i++)
    if (i % 8 == 0 || row[i - 1] == i - 1)
      {
#pragma omp parallel for
        for (int j = 0; j < columns; j++)
          {
            a[i * columns + j] = 2 * i + j;
            if (!j)
              row[i] = i;
          }
      }
  for (int i = 0; i < rows; i++)
    {
      want_row[i] = i;
      for (int j = 0; j < columns; j++)
        want[i * columns + j] = 2 * i + j;
    }
  expect ("teams of eight rows, in order");
}

int
main (void)
{
  expect ("start");
  calls (ROWS, COLUMNS);
  plain (ROWS, COLUMNS);
  between (ROWS, COLUMNS);
  sums (ROWS, COLUMNS, 5);
  two (ROWS, COLUMNS);
  frontier (500);
  others (ROWS, COLUMNS);
  chain (ROWS, COLUMNS, 1);
  return check_status ();
}
