/* Device functions that return structures, which the host returns in registers: GCC's
   compiler for the device does not expect those (an internal error, by itself).
   ACCEPT: 1

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

struct whole { int x, y; };
struct twice { double a, b; };
struct mixed { float a; int b; char c; };
struct large { double v[5]; };
struct one { double x; };
struct point { float x, y; };
struct __attribute__((aligned (16))) place { float x, y, z, w; };
union either { float x; int bits; };
typedef _Complex float complex_float;

#pragma omp declare target
#define OUT_OF_LINE __attribute__((noinline))
OUT_OF_LINE static whole
whole_of (int i)
{
  whole r;
  r.x = i;
  r.y = i * 2;
  if (i > 5)
    r.x++;
  return r;
}

OUT_OF_LINE static twice
twice_of (int i)
{
  twice r = { i * .5, i * 2. };
  return r;
}

/* Two values, so that there is more than one candidate for the place returned.  */
OUT_OF_LINE static mixed
mixed_of (int i)
{
  mixed a = { i * .5f, i, 'a' }, b = { 1, 2, 'b' };
  if (i > 3)
    return a;
  b.b += i;
  return b;
}

OUT_OF_LINE static large
large_of (int i)
{
  large r;
  for (int k = 0; k < 5; k++)
    r.v[k] = i * k;
  return r;
}

OUT_OF_LINE static one
one_of (double x)
{
  one r = { x + 1 };
  return r;
}

OUT_OF_LINE static either
either_of (float x)
{
  either r;
  r.x = x;
  return r;
}

/* Given by value as well: GCC takes the first number for a part of an integer.  */
OUT_OF_LINE static point
point_of (point p, place q)
{
  point r = { p.x * 2 + q.x, p.y + q.w };
  return r;
}

OUT_OF_LINE static place
place_of (int i)
{
  place r = { i * .5f, i * 2.f, 1, i - 3.f };
  return r;
}

OUT_OF_LINE static complex_float
complex_of (float x)
{
  complex_float z;
  __real__ z = x;
  __imag__ z = x * 3;
  return z;
}

static double
all_of (int i)
{
  whole a = whole_of (i);
  twice b = twice_of (i);
  mixed c = mixed_of (i);
  large d = large_of (i);
  complex_float z = complex_of (i);
  place q = place_of (i);
  point start = { i * .25f, 3 }, p = point_of (start, q);
  return p.x + p.y * 11 + q.y + a.x + a.y * 3 + b.a * 7 + b.b + c.a + c.b * c.c
	 + d.v[3] + one_of (i).x + either_of (i).bits % 1000 + __real__ z * 5 + __imag__ z;
}
#pragma omp end declare target

int
main ()
{
  double got[100];
#pragma omp target teams distribute parallel for map(from: got)
  for (int i = 0; i < 100; i++)
    got[i] = all_of (i);
  for (int i = 0; i < 100; i++)
    check_double ("returned", got[i], all_of (i));
  return check_status ();
}
