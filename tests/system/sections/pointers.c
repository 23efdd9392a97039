/* OpenACC regions that follow pointers which no clause names: to data that are present,
   as OpenMP has it, or to memory of the device.  Prints what is wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <openacc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 100 };

static int wrong;
static float *global;

static void
check (const char *what, int ok)
{
  if (!ok)
    {
      printf ("wrong: %s\n", what);
      wrong = 1;
    }
}

#pragma acc routine seq
static float __attribute__ ((noinline))
load (const float *p, int i)
{
  return p[i];
}

struct pair
{
  float first, second;
};

/* Sums of the element before, the element itself and that of GLOBAL.  */
static void __attribute__ ((noinline))
compute (int how, float *to, const float *from, struct pair *pairs)
{
  switch (how)
    {
    case 0:
#pragma acc parallel loop default(present)
      for (int i = 0; i < N; i++)
	to[i] = from[i] + *(from + i - 1) + global[i];
      break;
    case 1:
#pragma acc kernels loop independent default(present)
      for (int i = 0; i < N; i++)
	to[i] = from[i] + from[i - 1] + global[i];
      break;
    case 2:
#pragma acc serial default(present)
      for (int i = 0; i < N; i++)
	to[i] = from[i] + from[i - 1] + global[i];
      break;
    case 3:
#pragma acc parallel loop
      for (int i = 0; i < N; i++)
	to[i] = load (from, i) + load (from - 1, i) + global[i];
      break;
    case 4:
#pragma acc parallel loop async(2)
      for (int i = 0; i < N; i++)
	{
	  const float *at = &from[i];
	  to[i] = at[0] + at[-1] + global[i];
	}
#pragma acc wait
      break;
    case 5:
#pragma acc parallel loop gang default(present)
      for (int j = 0; j < N; j += 10)
	{
#pragma acc loop vector
	  for (int i = j; i < j + 10; i++)
	    to[i] = from[i] + from[i - 1] + global[i];
	}
      break;
    case 6:
#pragma acc parallel loop present(to[0:N])
      for (int i = 0; i < N; i++)
	{
	  pairs[i].second = from[i] + from[i - 1];
	  to[i] = pairs[i].second + global[i];
	}
      break;
    }
}

static void
present (void)
{
  float *a = malloc ((N + 1) * sizeof *a), *b = malloc (N * sizeof *b);
  struct pair *pairs = malloc (N * sizeof *pairs);
  global = malloc (N * sizeof *global);
  for (int i = 0; i < N; i++)
    global[i] = 1000 + i;
  for (int i = 0; i <= N; i++)
    a[i] = i;
#pragma acc data copyin(a[0:N + 1], global[0:N]) copyout(b[0:N]) create(pairs[0:N])
  for (int how = 0; how <= 6; how++)
    {
      for (int i = 0; i < N; i++)
	b[i] = -1;
#pragma acc update device(b[0:N])
      compute (how, b, a + 1, pairs);
#pragma acc update self(b[0:N])
      int ok = 1;
      for (int i = 0; i < N; i++)
	ok &= b[i] == 2 * i + 1 + 1000 + i;
      char name[] = "form 0";
      name[5] += how;
      check (name, ok);
    }
  free (a), free (b), free (pairs), free (global);
}

/* Memory of the device, beside data that are present.  */
static void
device (void)
{
  float *d = acc_malloc (N * sizeof *d), b[N];
#pragma acc data copyout(b)
  {
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      d[i] = i;
#pragma acc parallel loop default(present)
    for (int i = 0; i < N; i++)
      b[i] = d[i] + 1;
  }
  int ok = 1;
  for (int i = 0; i < N; i++)
    ok &= b[i] == i + 1;
  check ("acc_malloc", ok);

  float c[N];
#pragma acc data copy(c)
  {
    float *p = c;
#pragma acc host_data use_device(c)
    p = c;
#pragma acc parallel loop
    for (int i = 0; i < N; i++)
      p[i] = 3 * i;
  }
  ok = 1;
  for (int i = 0; i < N; i++)
    ok &= c[i] == 3 * i;
  check ("host_data", ok);
  acc_free (d);
}

/* Addresses that are values: of data that are present, too, where the region does not
   follow them; and none.  */
static void __attribute__ ((noinline))
look (uintptr_t seen[3], float *a, float *none)
{
#pragma acc parallel copyout(seen[0:3])
  {
    seen[0] = (uintptr_t) a;
    seen[1] = none == NULL;
    seen[2] = none ? *none : 7;
  }
}

static void
values (void)
{
  float *a = malloc (N * sizeof *a);
  uintptr_t seen[3] = { 1, 1, 1 };
#pragma acc data copyin(a[0:N])
  look (seen, a, NULL);
  check ("an address that is not followed", seen[0] == (uintptr_t) a);
  check ("no address", seen[1] == 1 && seen[2] == 7);
  free (a);
}

/* A pointer that the region sets.  */
static void
moving (void)
{
  float *a = malloc (N * sizeof *a), sum = 0;
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma acc data copyin(a[0:N])
  {
    float *p;
#pragma acc serial copy(sum) present(a[0:N])
    for (p = a; p < a + N; p++)
      sum += *p;
  }
  check ("the sum", sum == N * (N - 1) / 2);
  free (a);
}

/* On the host.  */
static void
elsewhere (int device)
{
  float *a = malloc (N * sizeof *a);
#pragma acc parallel loop if (device)
  for (int i = 0; i < N; i++)
    a[i] = i;
  int ok = 1;
  for (int i = 0; i < N; i++)
    ok &= a[i] == i;
  check ("on the host", ok);
  free (a);
}

int
main (int argc, char **argv)
{
  (void)argv;
  present ();
  device ();
  values ();
  moving ();
  elsewhere (argc > 9);
  return wrong;
}
