/* Bounds in C++: references, members, what lambdas capture (by value: GCC 12 maps
   wrongly what they capture by reference).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>
#include <cstdlib>

#define LOOP _Pragma ("omp target teams distribute parallel for map (x[:30000])")

static int *x;

struct size
{
  int n;
};

struct object
{
  int n;
  size in;
  static int all;

  void count_5003_this ();
  void count_5003_this_inner ();
  void count_5003_static ();
};

int object::all = 5003;

void
object::count_5003_this ()
{
  LOOP
  for (int i = 0; i < n; i++)
    x[i]++;
}

void
object::count_5003_this_inner ()
{
  LOOP
  for (int i = 0; i < in.n; i++)
    x[i]++;
}

void
object::count_5003_static ()
{
  LOOP
  for (int i = 0; i < all; i++)
    x[i]++;
}

static void
count_5003_reference (const int &n)
{
  LOOP
  for (int i = 0; i < n; i++)
    x[i]++;
}

static void
count_10006_references (int &n, long &m)
{
#pragma omp target teams distribute parallel for collapse(2) map (x[:30000])
  for (int i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      x[2 * i + j]++;
}

static void
count_5003_object_reference (object &o)
{
#pragma omp target teams distribute parallel for map (x[:30000])
  for (int i = 0; i < o.in.n; i++)
    x[i]++;
}

template <typename T>
static void
count_5003_template (T n)
{
  LOOP
  for (T i = 0; i < n; ++i)
    x[i]++;
}

static void
count_5003_by_value (int n)
{
  auto l = [=] {
    LOOP
    for (int i = 0; i < n; i++)
      x[i]++;
  };
  l ();
}

int
main ()
{
  x = (int *)calloc (30000, sizeof *x);
  object o = { 5003, { 5003 } };
  int n = 5003, total = 0;
  long two = 2;
  o.count_5003_this ();
  o.count_5003_this_inner ();
  o.count_5003_static ();
  count_5003_reference (n);
  count_10006_references (n, two);
  count_5003_object_reference (o);
  count_5003_template (n);
  count_5003_by_value (n);
  for (int i = 0; i < 30000; i++)
    total += x[i];
  printf ("%d\n", total);
  return total != 7 * 5003 + 10006;
}
