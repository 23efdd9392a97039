/* Scalars of OpenACC regions: those that are only read come by value.

   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "value.h"

static float a[N];
static int global;

/* A region that adds SUM to all elements.  */
#define ADD(sum)                                                              \
  for (int i = 0; i < N; i++)                                                 \
  a[i] += (sum)

/* Of all types, declared in the data region.  */
static void
types (int k)
{
#pragma acc data copy(a)
  {
    int i4 = k;
    long long i8 = -5LL * k;
    unsigned char i1 = 200 + k;
    short i2 = -k;
    _Bool bit = k & 1;
    float f4 = k / 8.f;
    double f8 = k / 3.;
    enum { NO, YES } e = k ? YES : NO;
    _Complex float z8 = k + 2i;
    _Complex double z16 = 3 - k * 1i;
    long double wide = k;
    /* REMARK: region: 8 scalars in the argument block */
#pragma acc parallel loop
    ADD (i4 + i8 + i1 + i2 + bit + f4 + f8 + e);
    a[0] += wide;
    /* REMARK: region: 1 scalar in the argument block */
#pragma acc parallel loop
    ADD (__real__ z8 + __imag__ z8 + __real__ z16 + __imag__ z16);
  }
}

/* Named by clauses.  */
static void
named (int k)
{
  int x = k, y = 2 * k, z = 3 * k, n = N - k;
  /* REMARK: y is only read, passed by value */
  /* REMARK: region: 4 scalars in the argument block */
#pragma acc parallel loop copy(x) copyin(y) firstprivate(z) copy(a[:n])
  for (int i = 0; i < n; i++)
    a[i] += x + y + z;
  x++;
  /* REMARK: x is only read, passed by value */
#pragma acc serial copy(x) copy(a)
  a[3] += x;
}

/* In queues, with another value each time.  */
static void
queued (int k)
{
#pragma acc data copy(a)
  {
    int x, n = N - 1;
    for (int t = 0; t < 5; t++)
      {
	x = t + k;
	/* REMARK: n is only read, passed by value */
#pragma acc parallel loop async(1)
	for (int i = 0; i < n; i++)
	  a[i] += x;
      }
#pragma acc wait
  }
}

/* What a region writes stays mapped, also where it is only read.  */
static void
written (int k)
{
#pragma acc data copy(a)
  {
    int x = k;
#pragma acc serial
    x += 7;
    /* KEEPS: x */
#pragma acc parallel loop
    ADD (x);
    int total = 0, atomic = k;
#pragma acc parallel loop reduction(+ : total)
    for (int i = 0; i < N; i++)
      total += i;
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      {
	int now;
#pragma acc atomic read
	now = atomic;
	a[i] += now + total;
      }
  }
}

/* The device has another value than the host.  */
static void
present (int k)
{
  int x = k;
#pragma acc data copyin(x) copy(a)
  {
    x = 100;
#pragma acc parallel loop copy(x)
    ADD (x);
  }
  int y = k;
#pragma acc enter data copyin(y)
  y = 200;
#pragma acc parallel loop copyin(y) copy(a)
  ADD (y);
#pragma acc exit data delete(y)
}

__attribute__ ((noipa)) static void
enter (int *p)
{
#pragma acc enter data copyin(p[:1])
}

__attribute__ ((noipa)) static void
leave (int *p)
{
#pragma acc exit data delete(p[:1])
}

static void
elsewhere (int k)
{
  int x = k;
  enter (&x);
  x = 100;
#pragma acc parallel loop copyin(x) copy(a)
  ADD (x);
  leave (&x);
  global = k;
#pragma acc enter data copyin(global)
  global = 100;
#pragma acc parallel loop copyin(global) copy(a)
  ADD (global);
#pragma acc exit data delete(global)
}

static void
volatiles (int k)
{
  volatile int x = k;
#pragma acc parallel loop copyin(x) copy(a)
  ADD (x);
}

/* On the host, and under a condition.  */
static void
conditional (int k)
{
#pragma acc data copy(a) if(k > 4)
  {
    int x = k, n = N / 2;
#pragma acc parallel loop if(k > 4)
    for (int i = 0; i < n; i++)
      a[i] += x;
  }
}

int
main (void)
{
  void (*step[]) (int) = { types, named, queued, written, present, elsewhere,
			   volatiles, conditional };
  for (int k = 0; k < 8; k++)
    for (unsigned i = 0; i < sizeof step / sizeof *step; i++)
      {
	step[i] (k);
	show (i, k, a);
      }
  return 0;
}
