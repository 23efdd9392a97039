/* A random program of device constructs against a model of what OpenACC and
   OpenMP promise.

   The model is in shadow.h: the arrays, and what host and devices must hold.
   After each step the host's side of what the step was about is compared whole, so
   that bytes written where none should be are found as well; the device's side
   is what kernels compute from.  Threads have arrays of their own, share the
   devices, and all map one counter for each that nobody may lose an update of.
   What runs on an asynchronous queue, or as a nowait task, is looked at after
   waiting for it.  Where there are two devices a thread uses now one, now the
   other, and the same arrays on both.

   Built with -fopenacc and with -fopenmp.
   usage: model STEPS SEED THREADS [hidden]
   hidden: the program gets to know no device address, and OpenMP has no tasks

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shadow.h"

/* ---- Asynchronous queues ----------------------------------------------- */

#ifdef _OPENACC
static void
settle (struct run *r, int q)
{
  int device = r->device;
  use_device (r, (q - r->first_queue) / NQUEUES);
#pragma acc wait(q)
  use_device (r, device);
  for (int i = 0; i < NARRAYS; i++)
    if (r->a[i].queue == q)
      {
        r->a[i].queue = 0;
        check (r, &r->a[i], "after wait");
      }
}

static void
step_async (struct run *r)
{
  int q = r->first_queue + r->device * NQUEUES + rnd (r, NQUEUES);
  struct array *a = &r->a[rnd (r, NARRAYS)];
  byte *p = a->host;
  int n = a->n, k = rnd (r, 200);
  if (a->queue && a->queue != q)
    return settle (r, a->queue);
  switch (rnd (r, 6))
    {
    case 0:
      a->queue = q;
      map_begin (a, 1);
#pragma acc enter data copyin(p [0:n]) async(q)
      break;
    case 1:
      if (!a->count)
        break;
      a->queue = q;
      map_end (a, 1);
#pragma acc exit data copyout(p [0:n]) async(q)
      break;
    case 2:
      a->queue = q;
      map_begin (a, 1);
      touch (a->dev, n, k);
      map_end (a, 1);
#pragma acc parallel num_gangs(1) copy(p [0:n]) async(q)
      touch (p, n, k);
      break;
    case 3:
      if (!a->count)
        break;
      a->queue = q;
      memcpy (a->want, a->dev, n);
#pragma acc update self(p [0:n]) async(q)
      break;
    case 4:
      if (!a->count)
        break;
      a->queue = q;
      memcpy (a->dev, a->want, n);
#pragma acc update device(p [0:n]) async(q)
      break;
    case 5:
      settle (r, q);
      break;
    }
}

/* Before A is used without a queue.  */
static void
join (struct run *r, struct array *a)
{
  if (a->queue)
    settle (r, a->queue);
}
#else
static void
step_async (struct run *r)
{
  struct array *a = &r->a[rnd (r, NARRAYS)], *b = &r->a[rnd (r, NARRAYS)];
  byte *p = a->host, *q = b->host;
  int n = a->n, m = b->n, k = rnd (r, 200);
  if (a == b)
    return;
#pragma omp target nowait map(tofrom : p [0:n]) depend(inout : p [0])         \
    firstprivate(n, k)
  touch (p, n, k);
#pragma omp target nowait map(tofrom : q [0:m]) depend(inout : q [0])         \
    firstprivate(m, k)
  touch (q, m, k);
#pragma omp target nowait map(tofrom : p [0:n]) depend(inout : p [0])         \
    depend(in : q [0]) firstprivate(n, k)
  touch (p, n, k + 1);
#pragma omp taskwait
  map_begin (a, 1);
  touch (a->dev, n, k);
  map_end (a, 1);
  map_begin (b, 1);
  touch (b->dev, m, k);
  map_end (b, 1);
  map_begin (a, 1);
  touch (a->dev, n, k + 1);
  map_end (a, 1);
  check (r, a, "nowait");
  check (r, b, "nowait");
}

static void
join (struct run *r, struct array *a)
{
  (void)r;
  (void)a;
}
#endif

/* ---- Steps that wait --------------------------------------------------- */

/* Three different arrays that are on no queue.  */
static void
pick (struct run *r, struct array *a[3])
{
  for (int i = 0; i < 3; i++)
    {
      do
        a[i] = &r->a[rnd (r, NARRAYS)];
      while ((i > 0 && a[i] == a[0]) || (i > 1 && a[i] == a[1]));
      join (r, a[i]);
    }
}

#define UNPACK_ARRAYS                                                         \
  struct array *a[3];                                                         \
  pick (r, a);                                                                \
  byte *p = a[0]->host, *q = a[1]->host, *s = a[2]->host;                     \
  int n = a[0]->n, m = a[1]->n, l = a[2]->n, k = rnd (r, 200);                \
  (void)p, (void)q, (void)s, (void)n, (void)m, (void)l, (void)k

#define EACH(i) for (int i = 0; i < 3; i++)

static void
step_enter (struct run *r)
{
  UNPACK_ARRAYS;
  if (a[0]->count > 2 || a[1]->count > 2 || a[2]->count > 2)
    return;
  if (rnd (r, 3))
    {
      ENTER_TO (p [0:n], q [0:m], s [0:l])
      EACH (i) map_begin (a[i], 1);
    }
  else
    {
      ENTER_ALLOC (p [0:n], q [0:m], s [0:l])
      UPDATE_DEVICE (p [0:n], q [0:m], s [0:l])
      EACH (i)
      {
        a[i]->count++;
        memcpy (a[i]->dev, a[i]->want, a[i]->n);
      }
    }
  EACH (i) check (r, a[i], "enter data");
}

static void
step_exit (struct run *r)
{
  UNPACK_ARRAYS;
  EACH (i) if (!a[i]->count) return;
  switch (rnd (r, 4))
    {
    case 0:
      EACH (i) map_end (a[i], 0);
      EXIT_RELEASE (p [0:n], q [0:m], s [0:l])
      break;
    case 1:
      EACH (i) a[i]->count = 0;
      EXIT_DELETE (p [0:n], q [0:m], s [0:l])
      break;
    default:
      EACH (i) map_end (a[i], 1);
      EXIT_FROM (p [0:n], q [0:m], s [0:l])
      break;
    }
  EACH (i) check (r, a[i], "exit data");
}

static void
step_update (struct run *r)
{
  UNPACK_ARRAYS;
  EACH (i) if (!a[i]->count) return;
  int f = rnd (r, n), g = rnd (r, n - f) + 1;
  switch (rnd (r, 5))
    {
    case 0:
      EACH (i) memcpy (a[i]->want, a[i]->dev, a[i]->n);
      UPDATE_HOST (p [0:n], q [0:m], s [0:l])
      break;
    case 1:
      EACH (i) memcpy (a[i]->dev, a[i]->want, a[i]->n);
      UPDATE_DEVICE (p [0:n], q [0:m], s [0:l])
      break;
    case 2:
      memcpy (a[0]->want + f, a[0]->dev + f, g);
      UPDATE_HOST (p [f:g])
      break;
    case 3:
      memcpy (a[0]->dev + f, a[0]->want + f, g);
      UPDATE_DEVICE (p [f:g])
      break;
    case 4:
      memcpy (a[0]->dev, a[0]->want, n);
      memcpy (a[1]->want, a[1]->dev, m);
#ifdef _OPENACC
#pragma acc update device(p [0:n]) self(q [0:m])
#else
#pragma omp target update to(p [0:n]) from(q [0:m])
#endif
      break;
    }
  EACH (i) check (r, a[i], "update");
}

static void
step_region (struct run *r)
{
  UNPACK_ARRAYS;
  switch (rnd (r, 4))
    {
    case 0:
      EACH (i)
      {
        map_begin (a[i], 1);
        touch (a[i]->dev, a[i]->n, k + i);
        map_end (a[i], 1);
      }
      REGION (TOFROM (p [0:n], q [0:m], s [0:l]))
      {
        touch (p, n, k);
        touch (q, m, k + 1);
        touch (s, l, k + 2);
      }
      break;
    case 1:
      if (m > SMALL)
        return;
      map_begin (a[0], 1);
      map_begin (a[1], 0);
      map_begin (a[2], 1);
      touch (a[0]->dev, n, k);
      fill (a[1]->dev, m, k + a[0]->dev[0]);
      touch (a[2]->dev, l, k);
      map_end (a[0], 0);
      map_end (a[1], 1);
      map_end (a[2], 1);
      REGION (TO (p [0:n]) FROM (q [0:m]) TOFROM (s [0:l]))
      {
        touch (p, n, k);
        fill (q, m, k + p[0]);
        touch (s, l, k);
      }
      break;
    case 2:
      EACH (i) if (a[i]->n > SMALL) return;
      EACH (i)
      {
        map_begin (a[i], 0);
        fill (a[i]->dev, a[i]->n, k + i);
        map_end (a[i], 1);
      }
      REGION (FROM (p [0:n], q [0:m], s [0:l]))
      {
        fill (p, n, k);
        fill (q, m, k + 1);
        fill (s, l, k + 2);
      }
      break;
    case 3:
#ifndef _OPENACC
      EACH (i)
      {
        int was = a[i]->count++;
        memcpy (a[i]->dev, a[i]->want, a[i]->n);
        touch (a[i]->dev, a[i]->n, k + i);
        memcpy (a[i]->want, a[i]->dev, a[i]->n);
        a[i]->count = was;
      }
#pragma omp target map(always, tofrom : p [0:n], q [0:m], s [0:l])
      {
        touch (p, n, k);
        touch (q, m, k + 1);
        touch (s, l, k + 2);
      }
#endif
      break;
    }
  EACH (i) check (r, a[i], "region");
}

static void
step_data (struct run *r)
{
  UNPACK_ARRAYS;
  int twice = rnd (r, 2);
  DATA (TO (p [0:n]) TOFROM (q [0:m], s [0:l]))
  {
    EACH (i) map_begin (a[i], 1);
    EACH (i) scribble (r, a[i]);
    int t = k;
    REGION (PRESENT (p [0:n], q [0:m]))
    {
      touch (p, n, t);
      touch (q, m, t);
    }
    touch (a[0]->dev, n, t);
    touch (a[1]->dev, m, t);
    if (twice)
      {
        REGION (TOFROM (s [0:l]))
        touch (s, l, t + 1);
        touch (a[2]->dev, l, t + 1);
        UPDATE_HOST (q [0:m], s [0:l])
        memcpy (a[1]->want, a[1]->dev, m);
        memcpy (a[2]->want, a[2]->dev, l);
        check (r, a[1], "update in data");
      }
  }
  map_end (a[0], 0);
  map_end (a[1], 1);
  map_end (a[2], 1);
  EACH (i) check (r, a[i], "data");
}

/* Regions that a tag tells much about: what they only read though it is mapped
   both ways, small data that is the same again, or that the region changes
   and the host does not see.  */
static void
step_facts (struct run *r)
{
  UNPACK_ARRAYS;
  int f = n < l ? n : l, times = 1 + rnd (r, 4);
  f = f < 40 ? f : 40;
  DATA (TOFROM (s [0:l]))
  {
    map_begin (a[2], 1);
    int t = k;
    byte v[8] = { 1, 2, 3 };
    for (int i = 0; i < times; i++)
      {
        if (rnd (r, 4) == 0)
          t++;
        map_begin (a[0], 1);
        for (int j = 0; j < f; j++)
          a[2]->dev[j] += a[0]->dev[j] * t;
        map_end (a[0], 1);
        REGION (PRESENT (s [0:l]) TOFROM (p [0:n], t))
        for (int j = 0; j < f; j++)
          s[j] += p[j] * t;
        if (rnd (r, 3) == 0)
          {
            a[2]->dev[0] += 2 + 1;
            REGION (PRESENT (s [0:l]) TO (v))
            {
              s[0] += v[1] + v[0];
              v[1] = 77;
            }
          }
        check (r, a[0], "only read");
      }
    if (t < k || v[1] != 2)
      r->wrong++;
  }
  map_end (a[2], 1);
  EACH (i) check (r, a[i], "facts");
}

/* Updates over and over, of data that has not changed, or in a byte, with regions
   between that write some of it, or of which nothing is known, and a copy of
   another part, by a queue or not.  */
static void
step_same (struct run *r)
{
  UNPACK_ARRAYS;
  int f = n < m ? n : m, times = 3 + rnd (r, 6), part = rnd (r, 3) ? 0 : n / 3;
  f = f < 40 ? f : 40;
  if (n > LARGE || m > LARGE)
    return;
  DATA (TOFROM (p [0:n], q [0:m]))
  {
    map_begin (a[0], 1);
    map_begin (a[1], 1);
    for (int i = 0; i < times; i++)
      {
        int j = part + rnd (r, n - part);
        switch (rnd (r, 12))
          {
          case 0:
            p[j] = ++a[0]->want[j];
            break;
          case 1:
            scribble (r, a[0]);
            break;
          case 2:
            touch (a[0]->dev, n, k);
            REGION (PRESENT (p [0:n]))
            touch (p, n, k);
            break;
          case 3:
            for (int x = 0; x < f; x++)
              a[0]->dev[x] += k + x;
            REGION (PRESENT (p [0:n]))
            for (int x = 0; x < f; x++)
              p[x] += k + x;
            break;
          case 4:
            a[0]->dev[j] = a[0]->want[j] = p[j] = k;
            UPDATE_DEVICE (p [j:1])
            break;
          case 5:
#ifdef _OPENACC
            {
              int queue = r->first_queue + r->device * NQUEUES;
              a[0]->dev[j] = a[0]->want[j] = p[j] = k;
#pragma acc update device(p [j:1]) async(queue)
#pragma acc wait(queue)
            }
#endif
            break;
          }
        if (rnd (r, 3))
          {
            memcpy (a[0]->dev + part, a[0]->want + part, n - part);
            UPDATE_DEVICE (p [part:n - part])
          }
        else
          {
            memcpy (a[0]->want + part, a[0]->dev + part, n - part);
            UPDATE_HOST (p [part:n - part])
            compare (r, "same", p, a[0]->want, n);
          }
        for (int x = 0; x < f; x++)
          a[1]->dev[x] += a[0]->dev[x];
        REGION (PRESENT (p [0:n], q [0:m]))
        for (int x = 0; x < f; x++)
          q[x] += p[x];
      }
  }
  map_end (a[0], 1);
  map_end (a[1], 1);
  EACH (i) check (r, a[i], "same");
}

/* Addresses that the program gets, and copies it makes with them.  */
static void
step_address (struct run *r)
{
  UNPACK_ARRAYS;
  if (!a[0]->count)
    return;
  int f = rnd (r, n), g = rnd (r, n - f) + 1;
  byte *copy = malloc (n);
  WITH_ADDRESS (p)
  {
    READ_DEVICE (copy, p, n);
    compare (r, "device address", copy, a[0]->dev, n);
    fill (copy, g, k);
    WRITE_DEVICE (p + f, copy, g);
    memcpy (a[0]->dev + f, copy, g);
  }
  UPDATE_HOST (p [0:n])
  memcpy (a[0]->want, a[0]->dev, n);
  check (r, a[0], "device address");
  free (copy);
}

/* Memory that the program brings.  */
static void
step_own (struct run *r)
{
  UNPACK_ARRAYS;
  if (a[0]->count)
    return;
#ifdef _OPENACC
  byte *d = acc_malloc (n);
  WRITE_DEVICE (d, p, n);
  acc_map_data (p, d, n);
#else
  byte *d = omp_target_alloc (n, omp_get_default_device ());
  WRITE_DEVICE (d, p, n);
  omp_target_associate_ptr (p, d, n, 0, omp_get_default_device ());
#endif
  a[0]->count = 1;
  memcpy (a[0]->dev, a[0]->want, n);
  REGION (TOFROM (p [0:n], q [0:m]))
  {
    touch (p, n, k);
    touch (q, m, k);
  }
  touch (a[0]->dev, n, k);
  map_begin (a[1], 1);
  touch (a[1]->dev, m, k);
  map_end (a[1], 1);
  check (r, a[1], "beside own memory");
  byte *copy = malloc (n);
  READ_DEVICE (copy, d, n);
  compare (r, "own memory", copy, a[0]->dev, n);
  free (copy);
  a[0]->count = 0;
#ifdef _OPENACC
  acc_unmap_data (p);
  acc_free (d);
#else
  omp_target_disassociate_ptr (p, omp_get_default_device ());
  omp_target_free (d, omp_get_default_device ());
#endif
  check (r, a[0], "own memory");
}

#ifdef _OPENACC
static void
step_api (struct run *r)
{
  UNPACK_ARRAYS;
  switch (rnd (r, 4))
    {
    case 0:
      if (a[0]->count > 2)
        return;
      acc_copyin (p, n);
      map_begin (a[0], 1);
      break;
    case 1:
      if (!a[0]->count)
        return;
      acc_copyout (p, n);
      map_end (a[0], 1);
      break;
    case 2:
      if (!a[0]->count)
        return;
      acc_update_self (p, n);
      memcpy (a[0]->want, a[0]->dev, n);
      break;
    case 3:
      if (!a[0]->count)
        return;
      acc_update_device (p, n);
      memcpy (a[0]->dev, a[0]->want, n);
      break;
    }
  check (r, a[0], "API");
}
#else
static void
step_api (struct run *r)
{
  UNPACK_ARRAYS;
  int d = r->device;
  if (!!omp_target_is_present (p, d) != !!a[0]->count)
    r->wrong++;
  /* On a device that the thread does not use at the moment.  */
  byte *from = omp_target_alloc (n, d), *to = omp_target_alloc (n, d);
  WRITE_DEVICE (from, p, n);
  use_device (r, rnd (r, devices));
  map_begin (a[1], 1);
  touch (a[1]->dev, m, k);
  map_end (a[1], 1);
  REGION (TOFROM (q [0:m]))
  touch (q, m, k);
  omp_target_memcpy (to, from, n, 0, 0, d, d);
  use_device (r, d);
  byte *copy = malloc (n);
  READ_DEVICE (copy, to, n);
  compare (r, "copy on the device", copy, a[0]->want, n);
  free (copy);
  omp_target_free (from, d);
  omp_target_free (to, d);
  check (r, a[1], "between copies");
}
#endif

/* A structure with a pointer that follows its target to the device.  */
static void
step_pointer (struct run *r)
{
  struct
  {
    int n, sum;
    byte *p;
  } v;
  struct array *a = &r->a[rnd (r, NARRAYS)];
  join (r, a);
  if (a->count)
    return;
  int k = rnd (r, 200);
  v.n = a->n;
  v.sum = 0;
  v.p = a->host;
#ifdef _OPENACC
#pragma acc enter data copyin(v)
#pragma acc enter data copyin(v.p [0:v.n])
#pragma acc parallel num_gangs(1) present(v)
  {
    touch (v.p, v.n, k);
    v.sum = v.p[0];
  }
#pragma acc exit data copyout(v.p [0:v.n])
#pragma acc exit data copyout(v)
#else
#pragma omp target map(tofrom : v.n, v.sum, v.p) map(tofrom : v.p [0:v.n])
  {
    touch (v.p, v.n, k);
    v.sum = v.p[0];
  }
#endif
  touch (a->want, a->n, k);
  if (v.sum != a->want[0] || v.p != a->host || v.n != a->n)
    {
      printf ("structure is wrong\n");
      r->wrong++;
    }
  check (r, a, "pointer in a structure");
}

static void
step_count (struct run *r)
{
  struct array *a = &r->a[rnd (r, NARRAYS)];
  join (r, a);
  byte *p = a->host;
  int n = a->n, *c = &counter[r->device];
  map_begin (a, 1);
  touch (a->dev, n, 1);
  map_end (a, 1);
  REGION (TOFROM (c [0:1], p [0:n]))
  {
#ifdef _OPENACC
#pragma acc atomic
#else
#pragma omp atomic
#endif
    *c += 1;
    touch (p, n, 1);
  }
  check (r, a, "count");
  REGION ()
  count_here (1);
}

/* libgomp does not expect two threads to open a device at a time.  */
static void
open_devices (struct run *r)
{
  int x = 0;
  for (int d = devices; d-- > 0;)
    {
      use_device (r, d);
      REGION (TOFROM (x))
      x = 1;
    }
}

/* What all devices have counted that nobody has mapped.  */
static int
count_unmapped (struct run *r)
{
  int sum = 0, x;
  for (int d = 0; d < devices; d++)
    {
      use_device (r, d);
      REGION (FROM (x))
      x = count_here (0);
      sum += x;
    }
  return sum;
}

static int counted, hidden;

static void *
run (void *arg)
{
  struct run *r = arg;
  static void (*const step[]) (struct run *)
      = { step_enter,   step_exit,  step_update, step_region,
          step_enter,   step_exit,  step_update, step_region,
          step_async,   step_async, step_async,  step_data,
          step_pointer, step_count, step_facts,  step_facts,
          step_same,
          step_address, step_own,   step_api,    step_api };
  const unsigned nsteps = sizeof step / sizeof *step - (hidden ? 4 : 0);
  /* OpenACC's threads begin with what another one has set last.  */
  if (devices > 1)
    set_device (r->device);
  for (int i = 0; i < NARRAYS; i++)
    {
      struct array *a = &r->a[i];
      a->n = base_size[i] + rnd (r, 1 + base_size[i] / 50);
      a->host = malloc (a->n);
      a->want = calloc (1, a->n);
      a->dev = malloc (a->n);
      for (int d = 1; d < devices; d++)
        a->on[d].dev = malloc (a->n);
      memset (a->host, 0, a->n);
      scribble (r, a);
    }
  for (int s = 0; s < r->steps; s++)
    {
      if (devices > 1 && rnd (r, 3) == 0)
        use_device (r, rnd (r, devices));
      unsigned which = rnd (r, nsteps);
#ifndef _OPENACC
      /* Tasks have a thread of their own that uses the device.  */
      if (hidden && step[which] == step_async)
        continue;
#endif
      /* The same several times: what repeats is foretold.  */
      uint64_t x = r->x;
      int times = rnd (r, 4) ? 1 : 1 + rnd (r, 6);
      for (int t = 0; t < times; t++)
        {
          if (rnd (r, 4))
            r->x = x;
          step[which](r);
          if (step[which] == step_count)
            __atomic_add_fetch (&counted, 1, __ATOMIC_RELAXED);
        }
      r->x = x + 0x9e3779b97f4a7c15u * (s + 1);
    }
  for (int i = 0; i < NARRAYS; i++)
    {
      struct array *a = &r->a[i];
      byte *p = a->host;
      int n = a->n;
      join (r, a);
      check (r, a, "at the end");
      for (int d = 0; d < devices; d++)
        {
          use_device (r, d);
          while (a->count)
            {
              EXIT_FROM (p [0:n])
              map_end (a, 1);
              check (r, a, "last exit data");
            }
          free (a->dev);
        }
      free (a->host);
      free (a->want);
    }
  return NULL;
}

int
main (int argc, char **argv)
{
  int steps = argc > 1 ? atoi (argv[1]) : 1000;
  uint64_t seed = argc > 2 ? atoi (argv[2]) : 1;
  int threads = argc > 3 ? atoi (argv[3]) : 1, wrong = 0;
  hidden = argc > 4;
  devices = count_devices ();
  struct run *runs = calloc (threads, sizeof *runs);
  pthread_t *t = calloc (threads, sizeof *t);
  open_devices (&runs[0]);
  for (int i = 0; i < threads; i++)
    {
      runs[i].x = (seed * 1000 + i + 1) * 0x9e3779b97f4a7c15u;
      runs[i].steps = steps / threads;
      runs[i].first_queue = 1 + i * NQUEUES * NDEVICES;
      if (i)
        pthread_create (&t[i], NULL, run, &runs[i]);
    }
  run (&runs[0]);
  for (int i = 0; i < threads; i++)
    {
      if (i)
        pthread_join (t[i], NULL);
      wrong += runs[i].wrong;
    }
  int more = count_unmapped (&runs[0]);
  if (counter[0] + counter[1] != counted || more != counted)
    {
      printf ("counted %d + %d and %d, not %d\n", counter[0], counter[1], more,
              counted);
      wrong++;
    }
  printf ("%d steps, %d wrong\n", steps, wrong);
  free (runs);
  free (t);
  return wrong != 0;
}
