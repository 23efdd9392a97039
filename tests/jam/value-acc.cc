// Scalars of OpenACC regions in C++: references, templates, lambdas.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "value.h"

static float a[N];

template <typename T>
static void
add (T by)
{
#pragma acc data copy(a)
  {
    const T twice = by + by;
    T x = twice + 1;
    // REMARK: x is only read, passed by value
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      a[i] += x - twice;
  }
}

// The caller may have mapped it.
__attribute__ ((noipa)) static void
reference (const int &x)
{
  // KEEPS: x
#pragma acc parallel loop copyin(x) copy(a)
  for (int i = 0; i < N; i++)
    a[i] += x;
}

static void
present (int k)
{
  int x = k;
#pragma acc data copyin(x)
  {
    x = 100;
    reference (x);
  }
}

// Here somebody has its address.
static void
bound (int k)
{
  int x = k;
  int &r = x;
#pragma acc enter data copyin(r)
  x = 100;
  // KEEPS: x
#pragma acc parallel loop copyin(x) copy(a)
  for (int i = 0; i < N; i++)
    a[i] += x;
#pragma acc exit data delete(r)
}

static void
captured (int k)
{
  auto apply = [k] (float by) {
    float x = by * k;
    // REMARK: x is only read, passed by value
#pragma acc parallel loop copyin(x) copy(a)
    for (int i = 0; i < N; i++)
      a[i] += x;
  };
  apply (.5f);
}

struct sum
{
  double by;
  void
  operator() ()
  {
    double x = by;
    // REMARK: x is only read, passed by value
#pragma acc parallel loop copy(a, x)
    for (int i = 0; i < N; i++)
      a[i] += x;
  }
};

int
main ()
{
  for (int k = 0; k < 4; k++)
    {
      add (k);
      add (k / 4.f);
      add<short> (-k);
      show (0, k, a);
      present (k);
      show (1, k, a);
      bound (k);
      show (2, k, a);
      captured (k);
      sum{ k / 2. } ();
      show (3, k, a);
    }
}
