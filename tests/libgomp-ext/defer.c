/* Short kernels that are not waited for, and what may be seen of it.
   usage: defer sum|trap|last|address|own|value

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _OPENACC
#include <openacc.h>
#define ALLOCATE(n) acc_malloc (n)
#define FETCH(to, from, n) acc_memcpy_from_device (to, from, n)
#else
#include <omp.h>
#define ALLOCATE(n) omp_target_alloc (n, omp_get_default_device ())
#define FETCH(to, from, n)                                                    \
  omp_target_memcpy (to, from, n, 0, 0, omp_get_initial_device (),            \
                     omp_get_default_device ())
#endif
#ifdef LOADER
#include <dlfcn.h>
#endif

enum
{
  N = 100,
  TIMES = 50
};

static int a[N];

static void
add (int k, int bad)
{
#pragma acc parallel loop copyin(bad) present(a)
#pragma omp target teams distribute parallel for map(to : bad) map(alloc : a)
  for (int i = 0; i < N; i++)
    {
      if (i == bad)
        __builtin_trap ();
      a[i] += k;
    }
}

/* An address by value.  */
static void
add_value (int k, int *p)
{
#pragma acc parallel loop firstprivate(p) present(a)
#pragma omp target teams distribute parallel for firstprivate(p) map(alloc : a)
  for (int i = 0; i < N; i++)
    a[i] += p ? k : 0;
}

/* Memory of the program's own; the first time it is set.  */
static void
add_own (int k, int *p)
{
#pragma acc parallel loop deviceptr(p) present(a)
#pragma omp target teams distribute parallel for is_device_ptr(p) map(alloc : a)
  for (int i = 0; i < N; i++)
    {
      p[i] = k ? p[i] + k * i : 0;
      a[i] += p[i];
    }
}

/* What is there after some kernels, by libgomp's routine.  */
static int
try_own (void)
{
  int *p = ALLOCATE (N * sizeof *p), got[N];
  if (!p)
    return 1;
  for (int k = 0; k < TIMES; k++)
    {
      add_own (k, p);
      if (k % 16 == 15)
        {
          FETCH (got, p, sizeof got);
          printf ("%d\n", got[N - 1]);
        }
    }
  return 0;
}

#ifdef PRINT
static void
print (int k)
{
#pragma acc parallel num_gangs(1) present(a)
#pragma omp target map(alloc : a)
  {
    a[0] += k;
    __builtin_printf ("device %d\n", a[0]);
  }
}
#endif

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "sum";
  setvbuf (stdout, NULL, _IONBF, 0);
#pragma acc enter data copyin(a)
#pragma omp target enter data map(to : a)
  if (!strcmp (what, "own") && try_own ())
    return 1;
#ifdef LOADER
  if (!strcmp (what, "loader") && dlsym (RTLD_DEFAULT, "loader"))
    return 1;
#endif
  for (int k = 0; k < TIMES && !strcmp (what, "value"); k++)
    add_value (k, a);
  for (int k = 0; k < TIMES && strcmp (what, "value"); k++)
    {
      /* The host's side may change behind the construct.  */
      int last = k == TIMES - 1 && !strcmp (what, "last");
      add (k, last || (k == TIMES / 2 && !strcmp (what, "trap")) ? 3 : -1);
#ifdef PRINT
      print (k);
      printf ("host %d\n", k);
#endif
    }
  if (!strcmp (what, "last"))
    return 0;
#if defined _OPENACC
  if (!strcmp (what, "address"))
    {
      int got[N];
      acc_memcpy_from_device (got, acc_deviceptr (a), sizeof got);
      printf ("%d\n", got[7]);
    }
#endif
#pragma acc exit data copyout(a)
#pragma omp target exit data map(from : a)
  printf ("%d\n", a[7]);
  return 0;
}
