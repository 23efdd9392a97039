/* Values that go into a loop and out of it.

   ACCEPT: 8
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

enum { N = 3000 };
static int a[N], want[N];

static void
reset (void)
{
  for (int i = 0; i < N; i++)
    {
      a[i] = -1;
      want[i] = 3 * i + 1;
    }
}

static void
linear (int n, int step)
{
  int x = 1;
  reset ();
#pragma omp target parallel for linear (x : 3) map (tofrom : a, x)
  for (int i = 0; i < n; i++)
    {
      a[i] = x;
      x += 3;
    }
  check_ints ("linear", a, want, n);
  check_long ("linear, after the loop", x, 3 * n + 1);

  short y = 7;
  long z = -5;
  reset ();
#pragma omp target parallel for simd linear (y) linear (z : step)             \
    map (tofrom : a, y, z) num_threads (7)
  for (int i = n - 1; i >= 0; i--)
    {
      a[i] = y - 7 - (n - 1 - i) + 3 * i + 1 + (int)(z + 5) / step - (n - 1 - i);
      y++;
      z += step;
    }
  check_ints ("linear, down", a, want, n);
  check_long ("linear short", y, (short)(n + 7));
  check_long ("linear, a variable step", z, (long)step * n - 5);

  x = 10;
  reset ();
#pragma omp target simd linear (x : 3) map (tofrom : a, x)
  for (int i = 3; i < n; i++)
    {
      a[i] = x;
      x += 3;
    }
  check_ints ("simd linear", a + 3, want + 3, n - 3);
  check_long ("simd linear, after the loop", x, 3 * n + 1);

  /* What it is not mapped from stays.  */
  x = 1;
  reset ();
#pragma omp target parallel for linear (x : 3) map (tofrom : a)              \
    firstprivate (n)
  for (int i = 0; i < n; i++)
    {
      a[i] = x;
      x += 3;
    }
  check_ints ("linear, private", a, want, n);

  int *p = a;
  reset ();
#pragma omp target data map (tofrom : a) use_device_ptr (p)
  {
#pragma omp target parallel for linear (p) map (tofrom : p)
    for (int i = 0; i < n; i++)
      {
        *p = 3 * i + 1;
        p++;
      }
  }
  check_ints ("linear pointer", a, want, n);
}

static void
first_and_last (int n)
{
  int x = 5;
  double d = 0.5;
  reset ();
#pragma omp target parallel for firstprivate (x, d) lastprivate (x, d)       \
    map (tofrom : a, x, d)
  for (int i = 0; i < n; i++)
    {
      int before = x;
      x = i;
      d = before < 5 ? d : 2.5 * i;
      a[i] = 3 * x + 1;
    }
  check_ints ("firstprivate and lastprivate", a, want, n);
  check_long ("an int's last value", x, n - 1);

  x = 5;
#pragma omp target parallel for firstprivate (x) lastprivate (x)             \
    map (tofrom : a, x)
  for (int i = n; i < n; i++)
    x = i;
  check_long ("no iteration", x, 5);

  int s[3] = { 1, 2, 3 };
  reset ();
#pragma omp target parallel for firstprivate (s) lastprivate (s)             \
    map (tofrom : a, s) schedule (static, 1)
  for (int i = 0; i < n; i++)
    {
      s[1] = 3 * i;
      a[i] = s[0] + s[1];
    }
  check_ints ("firstprivate and lastprivate array", a, want, n);
  check_long ("an array's last value", s[1], 3 * (n - 1));
  check_long ("... and what was not set", s[2], 3);
}

int
main (void)
{
  linear (N, 2);
  first_and_last (N);
  return check_status ();
}
