/* The device address of mapped data gets out, and the program calls the driver
   with it.
   usage: escape WAY [own]: the program has a stream of its own
	  escape release: which still works on what it no longer maps
	  escape thread: one that is new to the device gets the address

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifdef _OPENACC
#include <openacc.h>
#endif

#include "escape-driver.h"

enum
{
  N = 200,
  BITS = 63
};

static int a[N];
static struct
{
  int n;
  uintptr_t at;
  int *p;
} box;

static uintptr_t
none (void)
{
  return 0;
}

static uintptr_t
store (void)
{
  int *p = a, *d = 0;
#pragma acc parallel copy(d) present(p[0:N])
#pragma omp target map(tofrom : d) map(alloc : p[0:N])
  d = p;
  return (uintptr_t)d;
}

static uintptr_t
number (void)
{
  uintptr_t d = 0;
#pragma acc parallel copy(d) present(a)
#pragma omp target map(tofrom : d) map(alloc : a)
  d = (uintptr_t)a + 1;
  return d - 1;
}

static uintptr_t
member (void)
{
#pragma acc parallel copy(box) present(a)
#pragma omp target map(tofrom : box) map(alloc : a)
  box.at = (uintptr_t)&a[1];
  return box.at - sizeof *a;
}

static uintptr_t
swap (void)
{
  uintptr_t d = 0, was = 0;
#pragma acc parallel copy(d, was) present(a)
#pragma omp target map(tofrom : d, was) map(alloc : a)
  {
    uintptr_t mine = (uintptr_t)a;
#pragma acc atomic capture
#pragma omp atomic capture
    {
      was = d;
      d += mine;
    }
  }
  return d;
}

#pragma acc routine seq
#pragma omp declare target
__attribute__ ((noinline)) static void
spell (char *bit, const int *p)
{
  for (int i = 0; i < BITS; i++)
    bit[i] = (uintptr_t)p >> i & 1;
}
#pragma omp end declare target

static uintptr_t
bits (void)
{
  char bit[BITS];
  uintptr_t d = 0;
#pragma acc parallel copyout(bit) present(a)
#pragma omp target map(from : bit) map(alloc : a)
  spell (bit, a);
  for (int i = 0; i < BITS; i++)
    d |= (uintptr_t)bit[i] << i;
  return d;
}

static uintptr_t
compare (void)
{
  uintptr_t d = 0;
#pragma acc parallel copy(d) present(a)
#pragma omp target map(tofrom : d) map(alloc : a)
  {
    uintptr_t g = 0;
    for (int b = BITS - 1; b >= 0; b--)
      if ((int *)(g | (uintptr_t)1 << b) <= a)
        g |= (uintptr_t)1 << b;
    d = g;
  }
  return d;
}

static uintptr_t
difference (void)
{
  uintptr_t d = 0;
  char *zero = 0;
#pragma acc parallel copy(d) present(a) firstprivate(zero)
#pragma omp target map(tofrom : d) map(alloc : a) firstprivate(zero)
  d = (char *)a - zero;
  return d;
}

/* Once outside of regions, too.  */
static uintptr_t
attach (void)
{
  uintptr_t d = 0;
#ifdef _OPENACC
  box.p = a;
#pragma acc enter data copyin(box)
#pragma acc enter data attach(box.p)
#pragma acc update host(box)
  d = (uintptr_t)box.p;
#endif
  return d;
}

static uintptr_t
routine (void)
{
  uintptr_t d = 0;
#ifdef _OPENACC
  box.p = a;
#pragma acc enter data copyin(box)
  acc_attach ((void **)&box.p);
#pragma acc update host(box)
  d = (uintptr_t)box.p;
#endif
  return d;
}

static uintptr_t
use (void)
{
  int *p = a;
  uintptr_t d = 0;
#pragma acc host_data use_device(p)
#pragma omp target data use_device_ptr(p)
  d = (uintptr_t)p;
  return d;
}

static uintptr_t
use_address (void)
{
  uintptr_t d = 0;
#pragma acc host_data use_device(a)
#pragma omp target data use_device_addr(a)
  d = (uintptr_t)&a;
  return d;
}

static uintptr_t
ask (void)
{
#ifdef _OPENACC
  return (uintptr_t)acc_deviceptr (a);
#else
  return 0;
#endif
}

static uintptr_t
copyin (void)
{
#ifdef _OPENACC
  return (uintptr_t)acc_copyin (a, sizeof a);
#else
  return 0;
#endif
}

#define WAY(f) { #f, f }
static const struct
{
  const char *name;
  uintptr_t (*address) (void);
} ways[] = { WAY (none),    WAY (store),      WAY (number),      WAY (member),
             WAY (swap),    WAY (bits),       WAY (compare),     WAY (difference),
             WAY (attach),  WAY (routine),    WAY (use),         WAY (use_address),
             WAY (ask),     WAY (copyin) };

static void
fill (int value)
{
  for (int i = 0; i < N; i++)
    a[i] = value;
}

static void
add (int k)
{
#pragma acc parallel loop present(a)
#pragma omp target teams distribute parallel for map(alloc : a)
  for (int i = 0; i < N; i++)
    a[i] += k;
}

static int
seen (uintptr_t d)
{
  int t[N] = { 0 };
  if (d)
    driver_read (t, d, sizeof t);
  return t[N - 1];
}

static void
put (uintptr_t d, int value)
{
  int t[N];
  for (int i = 0; i < N; i++)
    t[i] = value;
  if (d)
    driver_write (d, t, sizeof t);
}

/* The memory of A goes to C while it is copied to B.  */
static int
release (void)
{
  static int b[N], c[N];
  int *p = a, *q = b;
  fill (7);
#pragma acc enter data copyin(a, b)
#pragma omp target enter data map(to : a, b)
#pragma acc host_data use_device(p, q)
#pragma omp target data use_device_ptr(p, q)
  {
    driver_own_stream ();
    driver_copy ((uintptr_t)q, (uintptr_t)p, sizeof b);
  }
#pragma acc exit data delete (a)
#pragma omp target exit data map(delete : a)
#pragma acc enter data copyin(c)
#pragma omp target enter data map(to : c)
  driver_wait ();
#pragma acc update host(b)
#pragma omp target update from(b)
  printf ("%d\n", b[N - 1]);
  return 0;
}

static void *
look (void *unused)
{
  uintptr_t d = ask ();
  driver_own_stream ();
  printf ("%d\n", seen (d));
  return unused;
}

static int
thread (void)
{
  pthread_t t;
  fill (1);
#pragma acc enter data copyin(a)
#pragma omp target enter data map(to : a)
  fill (2);
#pragma acc update device(a)
#pragma omp target update to(a)
  return pthread_create (&t, NULL, look, NULL) || pthread_join (t, NULL);
}

int
main (int argc, char **argv)
{
  uintptr_t d = 0;
  if (argc > 1 && !strcmp (argv[1], "thread"))
    return thread ();
  if (argc > 1 && !strcmp (argv[1], "release"))
    return release ();
  fill (1);
#pragma acc enter data copyin(a)
#pragma omp target enter data map(to : a)
  for (unsigned i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++)
    if (!strcmp (argv[1], ways[i].name))
      d = ways[i].address ();
  printf ("%s\n", d ? "known" : "not known");
  if (argc > 2)
    driver_own_stream ();
  for (int k = 2; k < 6; k++)
    {
      /* Copies and kernels that have not come yet.  */
      fill (k);
#pragma acc update device(a)
#pragma omp target update to(a)
      printf ("%d", seen (d));
      add (10);
      printf (" %d", seen (d));
      /* Copies that come too late, or that the host thinks it can do without.  */
#pragma acc update device(a)
#pragma omp target update to(a)
      put (d, 100 + k);
#pragma acc update host(a)
#pragma omp target update from(a)
      printf (" %d", a[N - 1]);
      put (d, 200 + k);
#pragma acc update host(a)
#pragma omp target update from(a)
      printf (" %d\n", a[N - 1]);
    }
  return 0;
}
