/* What a random program of device constructs (model.c) must find: for every array
   the bytes that the host must see, those that each device must hold, and how often
   the array is mapped there; and what its kernels do, with which the same is done
   here.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_TEST_SHADOW_H
#define ACCRETE_TEST_SHADOW_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "directives.h"

typedef unsigned char byte;

enum
{
  NARRAYS = 14,
  SMALL = 700,  /* kernels may write arrays up to here whole */
  LARGE = 20000, /* to update them over and over takes time */
  NQUEUES = 2,
  NDEVICES = 2
};

static const int base_size[NARRAYS] = { 1,    4,    24,    100,   256,
                                        511,  600,  4096,  4096,  5000,
                                        16384, 33000, 70000, 300000 };

/* What kernels do, and the model with them: change some bytes at both ends,
   or write all.  */
#ifndef _OPENACC
#pragma omp declare target
#endif
ROUTINE
static void
touch (byte *p, int n, int k)
{
  int m = n < 64 ? n : 32;
  for (int j = 0; j < m; j++)
    p[j] = p[j] * 5 + k + j;
  if (n >= 64)
    for (int j = n - 32; j < n; j++)
      p[j] = p[j] * 3 + k;
}
ROUTINE
static void
fill (byte *p, int n, int k)
{
  for (int j = 0; j < n; j++)
    p[j] = j * 7 + k;
}
#ifndef _OPENACC
#pragma omp end declare target
#endif

struct array
{
  byte *host;  /* the program's */
  byte *want;  /* what it must be */
  byte *dev;   /* what the device must hold, while COUNT */
  int n;
  int count;   /* times it is mapped */
  int queue;   /* that it is used on, 0 none */
  struct
  {
    byte *dev;
    int count;
  } on[NDEVICES]; /* the same of the devices not in use */
};

struct run
{
  uint64_t x;
  struct array a[NARRAYS];
  int first_queue; /* each device has its own */
  int device, steps, wrong;
};

/* All threads map them at any time; kernels count in them.  */
static int counter[NDEVICES];

/* Each device has one; regions that map nothing count in it.  */
#ifdef _OPENACC
static int unmapped;
#pragma acc declare create(unmapped)
#else
#pragma omp declare target
static int unmapped;
#endif
ROUTINE
static int
count_here (int n)
{
#ifdef _OPENACC
#pragma acc atomic capture
#else
#pragma omp atomic capture
#endif
  n = unmapped += n;
  return n;
}
#ifndef _OPENACC
#pragma omp end declare target
#endif

static unsigned
rnd (struct run *r, unsigned n)
{
  r->x ^= r->x << 13;
  r->x ^= r->x >> 7;
  r->x ^= r->x << 17;
  return (r->x >> 11) % n;
}

/* The program writes to its array.  */
static void
scribble (struct run *r, struct array *a)
{
  uint32_t k = rnd (r, 1u << 31);
  int n = a->n < 5000 ? a->n : 5000, from = rnd (r, a->n - n + 1);
  for (int j = from; j < from + n; j++)
    a->host[j] = a->want[j] = (k = k * 1664525 + 1013904223) >> 24;
}

static void
compare (struct run *r, const char *what, const byte *got, const byte *want,
         int n)
{
  if (!memcmp (got, want, n))
    return;
  int j = 0;
  while (got[j] == want[j])
    j++;
  if (r->wrong++ < 5)
    printf ("%s: byte %d of %d is wrong\n", what, j, n);
}

static void
check (struct run *r, struct array *a, const char *what)
{
  compare (r, what, a->host, a->want, a->n);
  if (rnd (r, 2))
    scribble (r, a);
}

/* A map clause begins or ends for A.  */
static void
map_begin (struct array *a, int to)
{
  if (!a->count++ && to)
    memcpy (a->dev, a->want, a->n);
}

static void
map_end (struct array *a, int from)
{
  if (!--a->count && from)
    memcpy (a->want, a->dev, a->n);
}

/* ---- Devices ----------------------------------------------------------- */

static int devices;

static int
count_devices (void)
{
#ifdef _OPENACC
  int n = acc_get_num_devices (acc_device_nvidia);
#else
  int n = omp_get_num_devices ();
#endif
  return n < NDEVICES ? 1 : NDEVICES;
}

static void
set_device (int d)
{
#ifdef _OPENACC
  acc_set_device_num (d, acc_device_nvidia);
#else
  omp_set_default_device (d);
#endif
}

/* From here on the thread uses device D.  */
static void
use_device (struct run *r, int d)
{
  if (d == r->device)
    return;
  for (int i = 0; i < NARRAYS; i++)
    {
      struct array *a = &r->a[i];
      a->on[r->device].dev = a->dev;
      a->on[r->device].count = a->count;
      a->dev = a->on[d].dev;
      a->count = a->on[d].count;
    }
  r->device = d;
  set_device (d);
}

#endif /* ACCRETE_TEST_SHADOW_H */
