/* Firstprivate scalars of OpenACC regions that are in memory.

   SPDX-License-Identifier: GPL-3.0-or-later  */
#include "value.h"

static float a[N];
int length, shift;
static double scale;
short small;
unsigned char bits;
volatile int changing;
long *leads;
float _Complex z;

/* A region that adds SUM to all elements.  */
#define ADD(sum)                                                              \
  for (int i = 0; i < N; i++)                                                 \
  a[i] += (sum)

/* Values that change from one construct to the next, in a queue as well.  */
static void
globals (int k)
{
#pragma acc data copy(a)
  {
    for (int t = 0; t < 4; t++)
      {
	length = N - t - k;
	scale = k / 4. + t;
	small = -t;
	bits = 200 + t;
	/* REMARK: region: 4 scalars in the argument block */
#pragma acc parallel loop async(1)
	for (int i = 0; i < length; i++)
	  a[i] += scale * small + bits;
	length = -1;
	scale = 1e10;
      }
#pragma acc wait(1)
    length = k;
    /* REMARK: region: 1 scalar in the argument block */
#pragma acc serial
    a[0] += length;
  }
}

/* Others know where a local variable is, one of a function is never forgotten, and a
   pointer is a value.  */
__attribute__ ((noipa)) static void
set (int *p, int to)
{
  *p = to;
}

static void
locals (int k)
{
  static int calls;
  int x;
  set (&x, 3 * k);
  calls++;
  leads = 0;
  /* REMARK: region: 3 scalars in the argument block */
#pragma acc parallel loop copy(a)
  ADD (x + calls * 2 + (leads ? 100 : 0));
  set (&x, x + 1);
  /* REMARK: region: 1 scalar in the argument block */
#pragma acc parallel loop copy(a)
  ADD (x);
}

/* Each gang has its own.  */
static void
written (int k)
{
  shift = k;
  /* REMARK: region: 1 scalar in the argument block */
#pragma acc parallel num_gangs(1) num_workers(1) vector_length(1) copy(a)         \
  firstprivate(shift)
  {
    shift += 2;
    for (int i = 0; i < N; i++)
      a[i] += shift++;
  }
  a[1] += shift;
}

/* What cannot be a copy in a register.  */
static void
kept (int k)
{
  changing = k;
  small = k;
  shift = 2 * k;
  z = k + 2i;
#pragma acc parallel loop copy(a)
  ADD (changing);
#pragma acc parallel loop copy(a) firstprivate(shift)
  for (int i = 0; i < N; i++)
    {
      int *p = &shift;
      a[i] += *p;
    }
#pragma acc parallel loop copy(a) private(small)
  for (int i = 0; i < N; i++)
    {
      small = i;
      a[i] += small;
    }
#pragma acc parallel loop copy(a)
  ADD (__real__ z + __imag__ z);
  a[2] += small;
}

/* The device has another value than the host.  Who put it there is not in sight.  */
__attribute__ ((noipa)) static void
enter (void *p, int n)
{
  char *c = p;
#pragma acc enter data copyin(c[:n])
}

__attribute__ ((noipa)) static void
leave (void *p, int n)
{
  char *c = p;
#pragma acc exit data delete(c[:n])
}

__attribute__ ((noipa)) static void
add_there (int *p, int queue)
{
#pragma acc serial present(p[:1]) async(queue)
  *p += 5;
}

static void
present (int k)
{
  int x = k;
  shift = k;
  length = N / 2 + k;
  enter (&shift, sizeof shift);
  enter (&length, sizeof length);
  enter (&x, sizeof x);
  shift = 100;
  length = 1;
  x = 200;
  add_there (&shift, 3);
  /* REMARK: region: 3 scalars in the argument block */
#pragma acc parallel loop copy(a) async(3)
  for (int i = 0; i < length; i++)
    a[i] += shift + x;
#pragma acc wait
  /* REMARK: region: 2 scalars in the argument block */
#pragma acc parallel loop copy(a) if(k & 1)
  ADD (shift + x);
  leave (&shift, sizeof shift);
  leave (&length, sizeof length);
  /* REMARK: region: 2 scalars in the argument block */
#pragma acc parallel loop copy(a)
  ADD (shift + x);
  leave (&x, sizeof x);
}

/* A data directive in sight says so.  */
int known;

static void
update (int k)
{
  known = k;
#pragma acc enter data copyin(known)
  known = 50;
#pragma acc parallel loop copy(a)
  ADD (known);
#pragma acc exit data delete(known)
}

int
main (void)
{
  void (*step[]) (int) = { globals, locals, written, kept, present, update };
  for (int k = 0; k < 6; k++)
    for (unsigned i = 0; i < sizeof step / sizeof *step; i++)
      {
	step[i] (k);
	show (i, k, a);
      }
  return 0;
}
