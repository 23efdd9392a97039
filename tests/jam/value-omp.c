/* Scalars of OpenMP regions that clauses map: those that are only read, and
   that the device has no other value of, come by value.

   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "value.h"

static float a[N];

#define ADD(sum)                                                              \
  for (int i = 0; i < N; i++)                                                 \
  a[i] += (sum)

static void
named (int k)
{
  int x = k, n = N - k;
  double y = k / 3.;
  float f = k / 8.f;
  /* REMARK: f is only read, passed by value */
#pragma omp target teams distribute parallel for map(to : x, f)               \
    map(tofrom : y, n)
  for (int i = 0; i < n; i++)
    a[i] += x + y + f;
  x++;
  /* REMARK: x is only read, passed by value */
#pragma omp target defaultmap(tofrom : scalar)
  a[3] += x;
#pragma omp parallel num_threads(2) shared(y)
#pragma omp single
  /* REMARK: y is only read, passed by value */
#pragma omp target map(to : y)
#pragma omp parallel for shared(y)
  ADD (y);
}

/* Tasks take their values when they run; regions write; the device has other
   values.  */
static void
mapped (int k)
{
  int x = 0, y = k, z = k;
#pragma omp task depend(out : a) shared(x)
  x = k + 1;
  /* KEEPS: x */
#pragma omp target map(to : x) depend(in : a)
  a[1] += x;
#pragma omp taskwait
#pragma omp target map(tofrom : y)
  y += 3;
  /* KEEPS: y */
#pragma omp target map(to : y)
  a[2] += y;
#pragma omp target data map(to : z)
  {
    z = 100;
    /* KEEPS: z */
#pragma omp target map(to : z)
    a[4] += z;
#pragma omp target update to(z)
#pragma omp target map(to : z)
    a[5] += z;
  }
}

__attribute__ ((noipa)) static void
enter (int *p)
{
#pragma omp target enter data map(to : p[:1])
}

__attribute__ ((noipa)) static void
leave (int *p)
{
#pragma omp target exit data map(delete : p[:1])
}

static void
elsewhere (int k)
{
  int x = k;
  enter (&x);
  x = 100;
  /* KEEPS: x */
#pragma omp target teams distribute parallel for map(to : x)
  ADD (x);
  leave (&x);
}

int
main (void)
{
  void (*step[]) (int) = { named, mapped, elsewhere };
  for (int k = 0; k < 4; k++)
    for (unsigned i = 0; i < sizeof step / sizeof *step; i++)
      {
	step[i] (k);
	show (i, k, a);
      }
  return 0;
}
