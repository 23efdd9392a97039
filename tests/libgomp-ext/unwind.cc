/* Exceptions that leave functions behind constructs: whoever catches them finds
   what the constructs gave back.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>

#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))
#ifdef _OPENACC
#define OUT(...) DO (acc parallel loop copyout (__VA_ARGS__))
#else
#define OUT(...) DO (omp target parallel for map (from: __VA_ARGS__))
#endif

enum
{
  N = 64
};

static int a[N], b[N];

__attribute__ ((always_inline)) static inline void
give (int *p, int k)
{
  OUT (p [0:N])
  for (int i = 0; i < N; i++)
    p[i] = i + k;
}

struct giver
{
  int k;
  __attribute__ ((always_inline)) ~giver () { give (a, k); }
};

__attribute__ ((noipa)) static int
thrower (int k)
{
  if (k & 1)
    throw k;
  return k;
}

/* The compiler may expect it to touch no memory; it does not say that it comes
   back.  */
__attribute__ ((noipa, const)) static int
const_thrower (int k)
{
  if (k & 2)
    throw k + 1;
  return k;
}

/* What is destroyed on the way out runs a construct.  */
__attribute__ ((noipa)) static int
destroyed (int k)
{
  giver outer = { k };
  giver inner = { k * 3 };
  return thrower (k);
}

__attribute__ ((noipa)) static int
from_const (int k)
{
  give (a, k * 5);
  return const_thrower (k);
}

/* Caught in the function itself, and thrown again.  */
__attribute__ ((noipa)) static int
rethrown (int k)
{
  int s = 0;
  try
    {
      giver g = { k };
      s = thrower (k) + a[k];
    }
  catch (int e)
    {
      s = a[e] + 1;
      give (b, s);
      if (e & 4)
        throw;
    }
  return s + b[k];
}

__attribute__ ((noipa)) static void
not_through (int k) noexcept
{
  try
    {
      destroyed (k);
    }
  catch (int e)
    {
      give (a, e * 7);
    }
}

int
main ()
{
  static int (*const functions[]) (int) = { destroyed, from_const, rethrown };
  for (int k = 1; k < 9; k++)
    {
      int s[3], f = 0;
      for (int (*function) (int) : functions)
        {
          try
            {
              s[f] = function (k);
            }
          catch (int e)
            {
              s[f] = a[e] * 100 + b[e];
            }
          s[f++] += a[k + 1] * 10;
        }
      not_through (k);
      std::printf ("%d %d %d %d\n", s[0], s[1], s[2], a[k]);
    }
  return 0;
}
