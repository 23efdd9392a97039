/* Functions that a region calls: a large one that is called twice, with an array
   of its own and one that it is lent, and two that call each other.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#ifdef _OPENACC
# define DEVICE _Pragma ("acc routine seq")
# define REGION _Pragma ("acc parallel loop copyout (a)")
#else
# define DEVICE
# define REGION                                                                \
   _Pragma ("omp target teams distribute parallel for map (from : a)")
#endif

enum
{
  N = 200
};

DEVICE
void
turn (double *restrict v, const double *w, double x)
{
  double t[4];
  for (int k = 0; k < 4; k++)
    t[k] = v[k] * x + w[k] / (x + k);
  for (int k = 0; k < 4; k++)
    if (t[k] > 3)
      v[k] = t[(k + 1) % 4] - t[k] * .5;
    else if (t[k] < -3)
      v[k] = t[(k + 2) % 4] / (2 + t[k] * t[k]);
    else
      v[k] += t[(k + 3) % 4] * .25 - w[(k + 1) % 4];
}

#ifdef RECURSIVE
DEVICE
double odd (double x);

DEVICE
double
even (double x)
{
  return x < 1 ? x : 1 + odd (x - 1);
}

DEVICE
double
odd (double x)
{
  return x < 1 ? -x : 2 + even (x - 1);
}
#else
DEVICE
double
even (double x)
{
  return x;
}
#endif

DEVICE
double
both (double x, double y)
{
  double v[4] = { x, y, x + y, x - y }, w[4] = { y, 1, x, 2 };
  turn (v, w, x);
  turn (w, v, y + 5);
  return v[0] + v[1] * 2 + v[2] * 3 + w[3] + even (7);
}

int
main (void)
{
  double a[N];
  int bad = 0;
  REGION
  for (int i = 0; i < N; i++)
    a[i] = both (i + 1, i % 7 - 3);
  for (int i = 0; i < N; i++)
    {
      double d = a[i] - both (i + 1, i % 7 - 3);
      bad += d > 1e-9 || d < -1e-9 || d != d;
    }
  printf ("%d wrong\n", bad);
  return bad > 0;
}
