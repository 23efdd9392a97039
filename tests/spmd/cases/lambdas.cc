/* What lambdas have captured: their bodies speak of variables of the function
   around, which stand for members of the closure.

   ACCEPT: 4
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum
{
  N = 1500
};

static int a[N], b[N], want[N];

template <typename body>
static void
each (int n, body f)
{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < n; i++)
    f (i);
}

/* Updates see what the pointers in a closure lead to.  */
static void
by_value (int *x, int *y, int n)
{
#pragma omp target enter data map (to : x[0 : n], y[0 : n])
  for (int k = 1; k <= 4; k++)
    {
      each (n, [=] (int i) { y[i] += 3 * x[i]; });
#pragma omp target update from (y[0 : n])
      for (int i = 0; i < n; i++)
	want[i] = 7 + 3 * k * x[i];
      check_ints ("by value", y, want, n);
    }
#pragma omp target exit data map (delete : x[0 : n], y[0 : n])
}

/* As it is where several lie in one.  */
static void
in_one (int *x, int *y, int n)
{
#pragma omp target data map (to : x[0 : n]) map (tofrom : y[0 : n])
  {
    each (n, [=] (int i) { y[i] += x[i]; });
    each (n, [=] (int i) { y[i] *= 2; });
#pragma omp target update to (x[0 : n])
    each (n, [=] (int i) { y[i] -= x[i]; });
  }
  for (int i = 0; i < n; i++)
    want[i] = 2 * (7 + x[i]) - x[i];
  check_ints ("several", y, want, n);
}

static void
begin (void)
{
  for (int i = 0; i < N; i++)
    {
      a[i] = i % 91;
      b[i] = 7;
    }
}

int
main ()
{
  begin ();
  by_value (a, b, N);
  begin ();
  in_one (a, b, N);
  return check_status ();
}
