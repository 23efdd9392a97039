/* OpenACC: what a thread has for itself though the program did not say so,
   bounds that the body computes again, and regions without loops.

   FLAGS: -fopenacc
   ACCEPT: 13
   REJECT: all gangs execute it
   REJECT: a reduction over gangs
   REJECT: the loop sets a variable that its threads share

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum
{
  SIDE = 37,
  ALL = SIDE * SIDE
};
static int a[ALL], b[ALL], want[ALL];

static void
start (void)
{
  for (int i = 0; i < ALL; i++)
    {
      a[i] = i % 53;
      b[i] = want[i] = -1;
    }
}

static void __attribute__ ((noinline))
set_to (int *x, int to)
{
  *x = to;
}

#pragma acc routine seq
static void __attribute__ ((noinline))
add_to (int *x, int what)
{
  *x += what;
}

/* The gimplifier has one temporary for n - r, which the body sets as well.  */
static void
bounds (int n, int r)
{
  start ();
#pragma acc parallel loop copyin (a) copy (b)
  for (int y = r; y < n - r; y++)
    {
      int sum = 0;
      for (int x = r; x < n - r; x++)
	sum += a[y * n + x];
      b[y] = sum;
    }
  for (int y = r; y < n - r; y++)
    {
      want[y] = 0;
      for (int x = r; x < n - r; x++)
	want[y] += a[y * n + x];
    }
  check_ints ("bounds", b, want, ALL);
}

/* The body gives it another value, which the loop must not notice.  */
static void
changed (int n, int r)
{
  start ();
  int from = n, many = n;
#pragma acc parallel loop copy (b) num_gangs (2) vector_length (32)            \
    firstprivate (from, many)
  for (int i = from - r; i < many * r; i++)
    {
      from = many = 5;
      b[i] = from - r + i + many * r;
    }
  for (int i = n - r; i < n * r; i++)
    want[i] = 5 - r + i + 5 * r;
  check_ints ("changed", b, want, ALL);
}

/* The same where two loops are one space.  */
static void
changed_inside (int n, int r)
{
  start ();
#pragma acc parallel copy (b)
#pragma acc loop gang
  for (int y = 0; y < n - r; y++)
#pragma acc loop vector
    for (int x = 0; x < n; x++)
      {
	int edge = n - r;
	b[y * SIDE + x] = edge + x;
      }
  for (int y = 0; y < n - r; y++)
    for (int x = 0; x < n; x++)
      want[y * SIDE + x] = n - r + x;
  check_ints ("changed inside", b, want, ALL);
}

/* Scratch variables of the function around it, of which it has taken the
   address.  */
static void
scratch (int n)
{
  start ();
  int t, u;
  double d = 0;
  set_to (&t, 3);
  set_to (&u, 4);
#pragma acc parallel loop copyin (a) copy (b) reduction (+ : d)
  for (int i = 0; i < n; i++)
    {
      t = a[i] * 2;
      u = t;
      for (int k = 0; k < i % 4; k++)
	u += t;
      b[i] = u;
      d += u;
    }
  double all = 0;
  for (int i = 0; i < n; i++)
    all += want[i] = a[i] * 2 * (1 + i % 4);
  check_ints ("scratch", b, want, ALL);
  check_double ("sum of scratch", d, all);
  check_long ("the address is another's", t + u, 7);
}

/* The region takes the address of its copy.  */
static void
lent (int n, int t)
{
  start ();
#pragma acc parallel loop copyin (a) copy (b) firstprivate (t)
  for (int i = 0; i < n; i++)
    {
      t = a[i];
      add_to (&t, i);
      b[i] = t;
    }
  for (int i = 0; i < n; i++)
    want[i] = a[i] + i;
  check_ints ("lent", b, want, ALL);
}

struct pair
{
  int x, y[3];
};

/* Copies of what fits no register.  */
static void
aggregates (int n)
{
  start ();
  int window[4] = { 0, 0, 0, 100 };
  struct pair p = { 1, { 2, 3, 4 } };
#pragma acc parallel loop gang vector copyin (a) copy (b)                      \
    firstprivate (window, p)
  for (int i = 0; i < n; i++)
    {
      for (int k = 0; k < 3; k++)
	window[k] = a[i + k];
      p.y[1] = window[i % 3];
      b[i] = window[0] + window[2] + window[3] + p.y[1] + p.y[2];
    }
  for (int i = 0; i < n; i++)
    want[i] = a[i] + a[i + 2] + 100 + a[i + i % 3] + 4;
  check_ints ("aggregates", b, want, ALL);
  check_long ("they are copies", window[0] + p.y[1], 3);
}

/* No loop that is shared out: one thread.  */
static void
alone (int n)
{
  start ();
  int x = n, most = 0, table[5] = { 1, 2, 3, 4, 5 };
#pragma acc data copyin (a) copy (b)
  {
#pragma acc parallel num_gangs (1) num_workers (1) vector_length (1)
    {
      b[0] = n;
      b[1] = a[7];
    }
#pragma acc parallel
    {
      b[2] = 11;
      b[3] = b[2] + 1;
    }
#pragma acc parallel num_gangs (1) num_workers (4) vector_length (64)          \
    copy (most)
    {
      x += 2;
#pragma acc loop seq
      for (int i = 0; i < n; i++)
	most = a[i] > most ? a[i] : most;
      b[4] = x;
    }
#pragma acc parallel num_gangs (1) firstprivate (table)
    {
      for (int i = 1; i < 5; i++)
	table[i] += table[i - 1];
      b[5] = table[4];
      add_to (&b[5], table[0]);
    }
#pragma acc parallel async (1)
    b[6] = 8;
#pragma acc wait
#pragma acc parallel num_gangs (4)
    b[7] = 3;
  }
  int many = 0;
#pragma acc parallel num_gangs (1) reduction (+ : many)
  many += 3;
  int here[] = { n, a[7], 11, 12, n + 2, 16, 8, 3 };
  for (int i = 0; i < 8; i++)
    want[i] = here[i];
  for (int i = 0; i < n; i++)
    most = most > a[i] ? most : a[i];
  check_ints ("alone", b, want, ALL);
  check_long ("most", most, 52);
  check_long ("the host's own", x + table[4], n + 5);
  check_long ("reduction alone", many, 3);
}

/* Loops in order are alone as well.  */
static void
in_order (int n)
{
  start ();
#pragma acc parallel loop seq copyin (a) copy (b)
  for (int i = 1; i < n; i++)
    b[i] = b[i - 1] + a[i];
#pragma acc parallel copy (b)
  {
    int last = 0;
#pragma acc loop seq
    for (int i = 0; i < n; i++)
      last += b[i];
    b[n] = last;
  }
  for (int i = 1; i < n; i++)
    want[i] = want[i - 1] + a[i];
  want[n] = 0;
  for (int i = 0; i < n; i++)
    want[n] += want[i];
  check_ints ("in order", b, want, ALL);
}

/* Several gangs' lanes may share it.  */
static void
shared (int n)
{
  start ();
  int t;
#pragma acc parallel private (t) num_gangs (8) num_workers (1)                 \
    vector_length (1) copyin (a) copy (b)
  {
#pragma acc loop gang
    for (int i = 0; i < n; i++)
      {
	t = a[i];
	add_to (&t, i);
	b[i] = t;
      }
  }
  for (int i = 0; i < n; i++)
    want[i] = a[i] + i;
  check_ints ("shared", b, want, ALL);
}

int
main (void)
{
  bounds (SIDE, 2);
  changed (40, 20);
  changed_inside (SIDE, 3);
  scratch (ALL);
  lent (ALL, 9);
  aggregates (ALL - 3);
  alone (80);
  in_order (100);
  shared (ALL);
  return check_status ();
}
