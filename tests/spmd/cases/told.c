/* What a team does once between its loops, and what all of its threads know then: atomic
   accesses of all kinds, and calls with effects.

   ACCEPT: 6
   REJECT: an atomic access to a variable of the team
   REJECT: a volatile access between the loops
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum { ROWS = 67, COLUMNS = 70, N = ROWS * COLUMNS };
static int a[N], want[N], row[ROWS], want_row[ROWS];

static void
expect (const char *what)
{
  check_ints (what, a, want, N);
  check_ints (what, row, want_row, ROWS);
  for (int i = 0; i < N; i++)
    a[i] = want[i] = 0;
  for (int i = 0; i < ROWS; i++)
    row[i] = want_row[i] = i % 5;
}

/* What is read decides, and is used by all.  */
static void
reads (void)
{
  short few[ROWS];
  double much[ROWS];
  for (int i = 0; i < ROWS; i++)
    {
      few[i] = i * 3 - 50;
      much[i] = i * .5;
    }
#pragma omp target teams distribute map (to: few, much) map (tofrom: a, row)
  for (int i = 0; i < ROWS; i++)
    {
      int has;
      short small;
      double d;
#pragma omp atomic read
      has = row[i];
#pragma omp atomic read
      small = few[i];
#pragma omp atomic read seq_cst
      d = much[i];
      if (has & 1)
	{
#pragma omp parallel for
	  for (int j = 0; j < COLUMNS; j++)
	    a[i * COLUMNS + j] = has + small + (int) (2 * d);
	}
      else if (small < 0)
	{
#pragma omp parallel for
	  for (int j = 0; j < COLUMNS; j++)
	    a[i * COLUMNS + j] = small;
	}
    }
  for (int i = 0; i < N; i++)
    {
      int r = i / COLUMNS, has = r % 5, small = r * 3 - 50;
      want[i] = has & 1 ? has + small + r : small < 0 ? small : 0;
    }
  expect ("what is read");
}

/* Each changes what its threads have stored, once, and they look at it.  */
static void
changes (void)
{
  int least = 1000, sum = 0, most = -5;
#pragma omp target teams distribute map (tofrom: a, row, least, sum, most)
  for (int i = 0; i < ROWS; i++)
    {
#pragma omp parallel for
      for (int j = 0; j < COLUMNS; j++)
	a[i * COLUMNS + j] = i + j;
#pragma omp atomic write
      row[i] = a[i * COLUMNS + COLUMNS - 1];
#pragma omp atomic update
      row[i] *= 3;
#pragma omp atomic
      sum += row[i];
#pragma omp atomic compare
      least = a[i * COLUMNS + 3] < least ? a[i * COLUMNS + 3] : least;
#pragma omp atomic compare
      if (most < a[i * COLUMNS]) { most = a[i * COLUMNS]; }
#pragma omp parallel for
      for (int j = 0; j < COLUMNS; j++)
	a[i * COLUMNS + j] += row[i];
    }
  int want_sum = 0;
  for (int i = 0; i < ROWS; i++)
    {
      want_row[i] = 3 * (i + COLUMNS - 1);
      want_sum += want_row[i];
      for (int j = 0; j < COLUMNS; j++)
	want[i * COLUMNS + j] = i + j + want_row[i];
    }
  check_long ("a sum", sum, want_sum);
  check_long ("the least", least, 3);
  check_long ("the most", most, ROWS - 1);
  expect ("what is changed");
}

/* Numbers that each has for itself.  */
static void
captures (int step)
{
  unsigned long next = 7;
  int last = 0;
#pragma omp target teams distribute map (tofrom: a, row, next, last)
  for (int i = 0; i < ROWS; i++)
    {
      unsigned long mine, then;
      int was;
#pragma omp atomic capture
      mine = next++;
#pragma omp atomic capture
      { next += step; then = next; }
#pragma omp atomic capture
      { was = last; last = 5; }
      int all = then > mine && (was == 0 || was == 5);
#pragma omp parallel for
      for (int j = 0; j < COLUMNS; j++)
#pragma omp atomic
	a[(mine - 7) / (step + 1) % ROWS * COLUMNS + j] += all;
    }
  check_long ("what is next", next, 7 + ROWS * (step + 1));
  int found = 0;
  for (int i = 0; i < N; i++)
    {
      found += a[i];
      want[i] = a[i];
    }
  check_long ("numbers of their own", found, N);
  expect ("what is captured");
}

#pragma omp declare target
static __attribute__ ((noinline)) int
take (int *from)
{
  int had;
#pragma omp atomic capture
  had = (*from)++;
  return had;
}

static __attribute__ ((noinline)) _Complex double
both (int *from)
{
  int had;
#pragma omp atomic capture
  had = (*from)++;
  return had + 2.0i;
}

static __attribute__ ((noinline)) void
puts_into (int *to, int x)
{
  __atomic_fetch_add (to, x, __ATOMIC_RELAXED);
}
#pragma omp end declare target

static void
calls (void)
{
  int next = 0, other = 0, seen[ROWS];
#pragma omp target teams distribute map (tofrom: a, row, next, other) map (from: seen)
  for (int i = 0; i < ROWS; i++)
    {
      int mine = take (&next), old;
      seen[i] = take (&other);
      puts_into (&row[i], 4);
      old = __atomic_exchange_n (&row[i], i, __ATOMIC_RELAXED);
#pragma omp parallel for
      for (int j = 0; j < COLUMNS; j++)
	{
	  a[mine * COLUMNS + j] += 1;
	  if (j == COLUMNS - 1)
	    row[i] += 100 * old;
	}
    }
  char there[ROWS] = {};
  for (int i = 0; i < ROWS; i++)
    if (seen[i] >= 0 && seen[i] < ROWS)
      there[seen[i]]++;
  for (int i = 0; i < ROWS; i++)
    {
      check_long ("what a call gives memory", there[i], 1);
      want_row[i] = i + 100 * (i % 5 + 4);
    }
  for (int i = 0; i < N; i++)
    want[i] = 1;
  check_long ("calls", next + 100 * other, 101 * ROWS);
  expect ("what calls give");
}

/* Until another team has come so far: what is read is new each time.  */
static void
waits (void)
{
  int turn = 0;
#pragma omp target teams distribute map (tofrom: a, turn) num_teams (1)
  for (int i = 0; i < 8; i++)
    {
      int now, tries = 0;
      do
	{
#pragma omp atomic read
	  now = turn;
	  tries++;
	  if (tries == 3)
	    {
#pragma omp atomic update
	      turn++;
	    }
	}
      while (now <= i);
#pragma omp parallel for
      for (int j = 0; j < COLUMNS; j++)
	a[i * COLUMNS + j] = tries;
    }
  check_long ("turns", turn, 8);
  for (int i = 0; i < 8 * COLUMNS; i++)
    want[i] = 4;
  expect ("what is read again");
}

/* One that the team has for itself, which is no place for others to see.  */
static void
own (void)
{
#pragma omp target teams distribute map (tofrom: a)
  for (int i = 0; i < ROWS; i++)
    {
      int count = i;
#pragma omp atomic
      count += 2;
#pragma omp parallel for
      for (int j = 0; j < COLUMNS; j++)
	a[i * COLUMNS + j] = count;
    }
  for (int i = 0; i < N; i++)
    want[i] = i / COLUMNS + 2;
  expect ("the team's own");
}

/* More than a register can tell: the teams are blocks.  */
static void
large (void)
{
  int next = 0;
#pragma omp target teams distribute map (tofrom: row, next)
  for (int i = 0; i < ROWS; i++)
    {
      _Complex double z = both (&next);
#pragma omp parallel for
      for (int j = 0; j < COLUMNS; j++)
	if (j == 1)
	  row[(int) __real__ z] = (int) __imag__ z;
    }
  for (int i = 0; i < ROWS; i++)
    want_row[i] = 2;
  check_long ("calls for large values", next, ROWS);
  expect ("what is too large");
}

/* Accesses that one thread makes, and each time.  */
static void
each_time (void)
{
#pragma omp target teams distribute map (tofrom: a, row)
  for (int i = 0; i < ROWS; i++)
    {
      volatile int *at = &row[i];
      int has = *at + *at;
#pragma omp parallel for
      for (int j = 0; j < COLUMNS; j++)
	a[i * COLUMNS + j] = has;
    }
  for (int i = 0; i < N; i++)
    want[i] = 2 * (i / COLUMNS % 5);
  expect ("volatile accesses");
}

int
main (void)
{
  expect ("start");
  reads ();
  changes ();
  captures (3);
  calls ();
  waits ();
  own ();
  large ();
  each_time ();
  return check_status ();
}
