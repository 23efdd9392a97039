/* Borders of several fields, as programs on structured grids fill them after each step:
   for each field four small kernels, of which those of different fields are independent,
   behind a large one.
   usage: halos [-n SIDE] [-f FIELDS] [-s STEPS] [-r REPEATS]
   Prints the median and least time of a step in microseconds, and a hash of all fields;
   results that differ from the host's give status 1.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stopwatch.h"

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum
{
  DEPTH = 2,
  MOST = 8
};

static int side = 256, fields = 8;
static double *field[MOST], *host[MOST];

#define AT(p, y, x) (p)[(size_t)(y) * w + (x)]

/* The four borders, DEPTH deep, mirror the inside.  */
#define BORDERS(p, LOOP)                                                      \
  {                                                                           \
    int n = side, w = n + 2 * DEPTH, d = DEPTH;                               \
    LOOP for (int x = d; x < n + d; x++) for (int k = 0; k < d; k++)          \
        AT (p, d - 1 - k, x) = AT (p, d + k, x);                              \
    LOOP for (int x = d; x < n + d; x++) for (int k = 0; k < d; k++)          \
        AT (p, n + d + k, x) = AT (p, n + d - 1 - k, x);                      \
    LOOP for (int y = 0; y < w; y++) for (int k = 0; k < d; k++)              \
        AT (p, y, d - 1 - k) = AT (p, y, d + k);                              \
    LOOP for (int y = 0; y < w; y++) for (int k = 0; k < d; k++)              \
        AT (p, y, n + d + k) = AT (p, y, n + d - 1 - k);                      \
  }

/* A step changes the inside of each field.  */
#define INSIDE(p, LOOP)                                                       \
  {                                                                           \
    int n = side, w = n + 2 * DEPTH, d = DEPTH;                               \
    LOOP for (int y = d; y < n + d; y++) for (int x = d; x < n + d; x++)      \
        AT (p, y, x) = .5 * AT (p, y, x) + 1;                                 \
  }

/* Nobody waits for a construct that is asynchronous.  */
#ifndef ASYNCHRONOUS
#define QUEUE
#define NOWAIT
#else
#define QUEUE async (1)
#define NOWAIT depend (inout: p[0]) nowait
#endif
#define PRAGMA(text) _Pragma (#text)
#define DIRECTIVE(text) PRAGMA (text)

#ifdef _OPENACC
#define DEVICE DIRECTIVE (acc parallel loop present (p[0:cells]) QUEUE)
#define DEVICE_2                                                              \
  DIRECTIVE (acc parallel loop collapse (2) present (p[0:cells]) QUEUE)
#else
#define DEVICE                                                                \
  DIRECTIVE (omp target teams distribute parallel for map (alloc: p[0:cells]) NOWAIT)
#define DEVICE_2                                                              \
  DIRECTIVE (omp target teams distribute parallel for collapse (2)            \
             map (alloc: p[0:cells]) NOWAIT)
#endif

static void
step (size_t cells)
{
  (void)cells;
  for (int f = 0; f < fields; f++)
    {
      double *p = field[f];
      INSIDE (p, DEVICE_2)
    }
  for (int f = 0; f < fields; f++)
    {
      double *p = field[f];
      BORDERS (p, DEVICE)
    }
}

static void
wait_all (size_t cells)
{
  double *p = field[0];
  (void)cells;
#pragma acc wait
#pragma omp taskwait
#pragma acc update self (p[0:1])
#pragma omp target update from (p[0:1])
}

int
main (int argc, char **argv)
{
  int option, steps = 100, repeats = 21, warm = 5;
  while ((option = getopt (argc, argv, "n:f:s:r:")) > 0)
    switch (option)
      {
      case 'n':
        side = atoi (optarg);
        break;
      case 'f':
        fields = atoi (optarg);
        break;
      case 's':
        steps = atoi (optarg);
        break;
      case 'r':
        repeats = atoi (optarg);
        break;
      default:
        return 2;
      }
  if (fields < 1 || fields > MOST || repeats < 1)
    return 2;
  size_t cells = (size_t)(side + 2 * DEPTH) * (side + 2 * DEPTH);
  for (int f = 0; f < fields; f++)
    {
      double *p = field[f] = malloc (cells * sizeof *p);
      host[f] = malloc (cells * sizeof *p);
      for (size_t i = 0; i < cells; i++)
        p[i] = host[f][i] = (i * (f + 3)) % 1013;
#pragma acc enter data copyin (p[0:cells])
#pragma omp target enter data map (to: p[0:cells])
    }
  double t[repeats];
  for (int i = -warm; i < repeats; i++)
    {
      double begin = stopwatch_seconds ();
      for (int s = 0; s < steps; s++)
        step (cells);
      wait_all (cells);
      if (i >= 0)
        t[i] = (stopwatch_seconds () - begin) / steps;
    }
  double median = stopwatch_median (t, repeats);
  uint64_t h = 0;
  bool wrong = false;
  for (int f = 0; f < fields; f++)
    {
      double *p = field[f], *q = host[f];
#pragma acc exit data copyout (p[0:cells])
#pragma omp target exit data map (from: p[0:cells])
      for (int s = 0; s < steps * (repeats + warm); s++)
        {
          INSIDE (q, )
          BORDERS (q, )
        }
      wrong |= memcmp (p, q, cells * sizeof *p) != 0;
      for (size_t i = 0; i < cells; i++)
        {
          uint64_t word;
          memcpy (&word, p + i, sizeof word);
          h = (h ^ word) * 0x9e3779b97f4a7c15u;
          h ^= h >> 32;
        }
    }
  printf ("%.2f %.2f %016llx%s\n", median * 1e6, t[0] * 1e6,
          (unsigned long long)h, wrong ? " WRONG" : "");
  return wrong;
}
