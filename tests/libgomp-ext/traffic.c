/* Random traffic of maps, updates and copies against a shadow of what the
   device holds.  Every thread has arrays of its own, and threads take devices
   by turns; no kernel is needed, so the test is as good on a driver that runs
   none.
   usage: traffic STEPS SEED THREADS

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NARRAYS 12

static const size_t size[NARRAYS]
    = { 4, 8, 40, 100, 256, 4096, 5000, 16384, 65536, 65600, 300000, 2000000 };
static int steps;

struct run
{
  uint64_t x;
  char *host[NARRAYS], *shadow[NARRAYS];
  int present[NARRAYS];
  int device;
  int wrong;
};

static unsigned
rnd (struct run *r, unsigned n)
{
  r->x ^= r->x << 13;
  r->x ^= r->x >> 7;
  r->x ^= r->x << 17;
  return (r->x >> 11) % n;
}

static void
scribble (struct run *r, int i)
{
  uint32_t k = rnd (r, 1u << 31);
  for (size_t j = 0; j < size[i]; j++)
    r->host[i][j] = (k = k * 1664525 + 1013904223) >> 24;
}

static void
compare (struct run *r, int i, size_t from, size_t n, const char *what)
{
  if (!memcmp (r->host[i] + from, r->shadow[i] + from, n))
    return;
  if (r->wrong++ < 3)
    printf ("%s: array %d is wrong\n", what, i);
}

static void
step (struct run *r)
{
  int i = rnd (r, NARRAYS), k = rnd (r, NARRAYS);
  char *p = r->host[i], *q = r->host[k];
  size_t n = size[i], m = size[k];
  size_t from = rnd (r, 2) ? 0 : rnd (r, n), len = 1 + rnd (r, n - from);
  switch (rnd (r, 7))
    {
    case 0:
      if (r->present[i])
        break;
#pragma omp target enter data map(to : p [0:n]) device(r->device)
      memcpy (r->shadow[i], p, n);
      r->present[i] = 1;
      scribble (r, i);
      break;
    case 1:
      if (!r->present[i])
        break;
#pragma omp target exit data map(from : p [0:n]) device(r->device)
      r->present[i] = 0;
      compare (r, i, 0, n, "exit data");
      scribble (r, i);
      break;
    case 2:
      if (!r->present[i])
        break;
#pragma omp target update to(p [from:len]) device(r->device)
      memcpy (r->shadow[i] + from, p + from, len);
      scribble (r, i);
      break;
    case 3:
      if (!r->present[i])
        break;
#pragma omp target update from(p [from:len]) device(r->device)
      compare (r, i, from, len, "update");
      scribble (r, i);
      break;
    case 4:
      if (r->present[i] || r->present[k] || i == k)
        break;
#pragma omp target data map(to : p [0:n]) map(tofrom : q [0:m]) device(r->device)
      {
        memcpy (r->shadow[i], p, n);
        memcpy (r->shadow[k], q, m);
        scribble (r, i);
        scribble (r, k);
#pragma omp target update from(p [0:n]) device(r->device)
        compare (r, i, 0, n, "data");
      }
      compare (r, k, 0, m, "end of data");
      break;
    case 5:
      {
        int host = omp_get_initial_device ();
        char *d = omp_target_alloc (n, r->device);
        omp_target_memcpy (d, p, n, 0, 0, r->device, host);
        memcpy (r->shadow[i], p, r->present[i] ? 0 : n);
        char *copy = malloc (n);
        omp_target_memcpy (copy, d, n, 0, 0, host, r->device);
        if (memcmp (copy, p, n) && r->wrong++ < 3)
          printf ("omp_target_memcpy: array %d is wrong\n", i);
        free (copy);
        omp_target_free (d, r->device);
        break;
      }
    case 6:
      if (!r->present[i])
        break;
#pragma omp target exit data map(delete : p [0:n]) device(r->device)
      r->present[i] = 0;
      break;
    }
}

static void *
run (void *arg)
{
  struct run *r = arg;
  for (int i = 0; i < NARRAYS; i++)
    {
      r->host[i] = malloc (size[i]);
      r->shadow[i] = calloc (1, size[i]);
      scribble (r, i);
    }
  for (int s = 0; s < steps; s++)
    step (r);
  for (int i = 0; i < NARRAYS; i++)
    {
      char *p = r->host[i];
      if (r->present[i])
        {
#pragma omp target exit data map(from : p [0:size[i]]) device(r->device)
          compare (r, i, 0, size[i], "last exit data");
        }
      free (r->host[i]);
      free (r->shadow[i]);
    }
  return NULL;
}

/* Never called: makes this a program with device code.  */
void
region (void)
{
#pragma omp target
  {
  }
}

int
main (int argc, char **argv)
{
  steps = argc > 1 ? atoi (argv[1]) : 1000;
  uint64_t seed = argc > 2 ? atoi (argv[2]) : 1;
  int threads = argc > 3 ? atoi (argv[3]) : 1, wrong = 0;
  struct run *runs = calloc (threads, sizeof *runs);
  pthread_t *t = calloc (threads, sizeof *t);
  int devices = omp_get_num_devices ();
  for (int i = 0; i < threads; i++)
    {
      runs[i].x = (seed * 1000 + i + 1) * 0x9e3779b97f4a7c15u;
      runs[i].device = devices ? i % devices : omp_get_initial_device ();
      pthread_create (&t[i], NULL, run, &runs[i]);
    }
  for (int i = 0; i < threads; i++)
    {
      pthread_join (t[i], NULL);
      wrong += runs[i].wrong;
    }
  printf ("%d devices, %d wrong\n", devices, wrong);
  free (runs);
  free (t);
  return wrong != 0;
}
