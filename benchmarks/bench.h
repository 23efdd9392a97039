/* What the benchmark programs share: command line, data on the device, timing
   and checking.  For C with OpenACC or OpenMP, and for CUDA.

     struct bench b;
     bench_begin (&b, "name", dims, default_sizes, argc, argv);
     ... device_in (), run, device_out (), bench_check () for each result ...
     while (bench_repeat (&b))
       run ();
     return bench_end (&b);

   Command line of every program: up to DIMS sizes, slowest dimension first
   (what is left out keeps its default), and --time[=REPEATS].  A program
   prints one line with its checksum and largest error, with --time a second
   one with the median time of a call with its data on the device; results
   that differ from the host's give exit status 1 and a line each on stderr.
   Two builds that do the same floating-point operations print the same line.

   Programs that run at once take turns where time counts: what BENCH_TURN
   names is locked from the first timed call to the end, and by programs whose
   first call would disturb others with bench_take_turn () before that one.
   There, where BENCH_LIMIT says how many seconds a call may take, one that
   takes longer ends the program, which prints a line "late NAME MICROSECONDS".
   BENCH_SECONDS makes calls that take long be repeated for as many, not for 0.3.
   With BENCH_CALLS the program also prints what each call took, from the one
   whose results are checked on, in a line "calls NAME MICROSECONDS...".

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef BENCH_H
#define BENCH_H

#include <fcntl.h>
#include <float.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "mapping.h"
#include "stopwatch.h"

/* Each program carries the directives of both models.  */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

#ifdef __CUDACC__
#define CUDA_CHECK(call)                                                      \
  do                                                                          \
    {                                                                         \
      cudaError_t cuda_error = (call);                                        \
      if (cuda_error)                                                         \
        bench_die (cudaGetErrorString (cuda_error));                          \
    }                                                                         \
  while (0)
#endif

enum
{
  BENCH_ENOUGH = 3,       /* so many timed calls */
  BENCH_MAX_US = 300000,  /* do when they took longer than this together, */
  BENCH_LONG_US = 2000000 /* and fewer when longer than this */
};

struct bench
{
  const char *name;
  int dims;
  int size[3];
  int repeats;     /* timed calls at the most, 0 without --time */
  int timed;       /* those that have ended */
  int turn;        /* what BENCH_TURN names, open while it is this one's */
  double *us;      /* their times */
  double begin_us; /* when the current one began, 0 before the first */
  double total_us;
  double max_error; /* in units of the tolerance's epsilon */
  double checksum;
  bool any_order; /* the last digits depend on the order of a sum */
  int failures;
};

__attribute__ ((noreturn, unused)) static void
bench_die (const char *why)
{
  fprintf (stderr, "%s\n", why);
  exit (1);
}

/* Number INDEX of the pseudo-random sequence SEED, uniform in [0, 1).  */
__attribute__ ((unused)) static double
bench_uniform (unsigned seed, uint64_t index)
{
  /* splitmix64 */
  uint64_t z = (index + 1) * 0x9e3779b97f4a7c15u + seed * 0xd1342543de82ef95u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 40) / (1 << 24);
}

__attribute__ ((unused)) static void *
bench_alloc (size_t count, size_t size)
{
  void *p = calloc (count, size);
  if (!p)
    bench_die ("out of memory");
  return p;
}

static void
bench_begin (struct bench *b, const char *name, int dims, const int *defaults,
             int argc, char **argv)
{
  int sizes = 0;

  memset (b, 0, sizeof *b);
  b->name = name;
  b->dims = dims;
  for (int d = 0; d < dims; d++)
    b->size[d] = defaults[d];
  for (int i = 1; i < argc; i++)
    if (!strncmp (argv[i], "--time", 6))
      b->repeats = argv[i][6] == '=' ? atoi (argv[i] + 7) : 20;
    else if (sizes < dims && atoi (argv[i]) > 0)
      b->size[sizes++] = atoi (argv[i]);
    else
      {
        fprintf (stderr,
                 "usage: %s [--time[=REPEATS]] [SIZE]...  (%d sizes)\n",
                 argv[0], dims);
        exit (1);
      }
  b->us = (double *)bench_alloc (b->repeats + 1, sizeof *b->us);
}

/* Compare one result; a difference of TOLERANCE times EPSILON is accepted,
   relative to the wanted value where that is above 1.  */
__attribute__ ((unused)) static bool
bench_check (struct bench *b, double got, double want, double tolerance,
             double epsilon)
{
  double unit = epsilon * fmax (1, fabs (want));
  double error = fabs (got - want) / unit;
  if (error > b->max_error)
    b->max_error = error;
  if (error <= tolerance)
    return true;
  b->failures++;
  return false;
}

/* The BYTES at P, copied to the device; returns where they are there.  */
__attribute__ ((unused)) static void *
device_in (void *p, size_t bytes)
{
#ifdef __CUDACC__
  void *device;
  CUDA_CHECK (cudaMalloc (&device, bytes));
  CUDA_CHECK (cudaMemcpy (device, p, bytes, cudaMemcpyHostToDevice));
  return device;
#else
  char *data = (char *)p;
#pragma acc enter data copyin(data[:bytes])
#pragma omp target enter data map(to : data[:bytes])
  return data;
#endif
}

/* When the call whose results are checked began, and what it took.  */
static double bench_first_begin_us, bench_first_us;

/* That call has ended, or one behind it.  */
__attribute__ ((unused)) static void
bench_called (void)
{
#ifdef __CUDACC__
  CUDA_CHECK (cudaDeviceSynchronize ());
#endif
  if (bench_first_begin_us && !bench_first_us)
    bench_first_us = 1e6 * stopwatch_seconds () - bench_first_begin_us;
}

/* Copy back what device_in placed at DEVICE.  */
__attribute__ ((unused)) static void
device_out (void *p, void *device, size_t bytes)
{
  bench_called ();
#ifdef __CUDACC__
  CUDA_CHECK (cudaGetLastError ());
  CUDA_CHECK (cudaMemcpy (p, device, bytes, cudaMemcpyDeviceToHost));
#else
  char *data = (char *)p;
  (void)data, (void)device;
#pragma acc update self(data[:bytes])
#pragma omp target update from(data[:bytes])
#endif
}

/* Release what device_in placed at DEVICE.  */
__attribute__ ((unused)) static void
device_drop (void *p, void *device, size_t bytes)
{
#ifdef __CUDACC__
  (void)p, (void)bytes;
  CUDA_CHECK (cudaFree (device));
#else
  char *data = (char *)p;
  (void)data, (void)device;
#pragma acc exit data delete (data[:bytes])
#pragma omp target exit data map(delete : data[:bytes])
#endif
}

/* The call that BENCH_LIMIT is for.  */
static const char *bench_watched;
static double bench_watched_us;

static void
bench_late (int number)
{
  char text[80];
  int n = snprintf (text, sizeof text, "late %s %.0f\n", bench_watched,
                    1e6 * stopwatch_seconds () - bench_watched_us);
  n = write (STDOUT_FILENO, text, n);
  _exit (128 + number);
}

__attribute__ ((unused)) static void
bench_watch (const struct bench *b)
{
  const char *limit = getenv ("BENCH_LIMIT");
  if (!limit)
    return;
  bench_watched = b->name;
  bench_watched_us = 1e6 * stopwatch_seconds ();
  signal (SIGALRM, bench_late);
  alarm (atoi (limit));
}

/* The device is for nobody else until bench_pass_turn, or the end.  */
__attribute__ ((unused)) static void
bench_take_turn (struct bench *b)
{
  const char *file = getenv ("BENCH_TURN");
  if (file
      && ((b->turn = open (file, O_RDONLY)) < 0 || flock (b->turn, LOCK_EX)))
    bench_die ("BENCH_TURN: cannot be locked");
  bench_watch (b);
  if (!bench_first_begin_us)
    bench_first_begin_us = 1e6 * stopwatch_seconds ();
}

__attribute__ ((unused)) static void
bench_pass_turn (const struct bench *b)
{
  alarm (0);
  if (getenv ("BENCH_TURN"))
    close (b->turn);
}

/* Have the timed calls of B taken so long that it is enough?  */
__attribute__ ((unused)) static bool
bench_enough (const struct bench *b)
{
  const char *seconds = getenv ("BENCH_SECONDS");
  if (seconds)
    return b->total_us > 1e6 * atof (seconds);
  return b->total_us
         > (b->timed >= BENCH_ENOUGH ? BENCH_MAX_US : BENCH_LONG_US);
}

/* Controls the loop around the timed call: true as long as it is to be made
   once more.  Slow calls are not made as often as asked for.  */
__attribute__ ((unused)) static bool
bench_repeat (struct bench *b)
{
#ifdef __CUDACC__
  CUDA_CHECK (cudaDeviceSynchronize ());
#endif
  if (b->begin_us == 0 && b->repeats)
    bench_take_turn (b);
  else if (b->begin_us != 0)
    {
      double us = 1e6 * stopwatch_seconds () - b->begin_us;
      b->us[b->timed++] = us;
      b->total_us += us;
    }
  if (b->timed == b->repeats || bench_enough (b))
    {
      alarm (0);
      return false;
    }
  bench_watch (b);
  b->begin_us = 1e6 * stopwatch_seconds ();
  return true;
}

/* Print the result lines; the program's exit status.  */
__attribute__ ((unused)) static int
bench_end (struct bench *b)
{
  printf ("%s ", b->name);
  for (int d = 0; d < b->dims; d++)
    printf ("%s%d", d ? "x" : "", b->size[d]);
  if (b->any_order)
    printf (" checksum %.9g\n", b->checksum);
  else
    printf (" checksum %.17g error %.3g\n", b->checksum, b->max_error);
  if (getenv ("BENCH_CALLS"))
    {
      printf ("calls %s %.2f", b->name, bench_first_us);
      for (int i = 0; i < b->timed; i++)
        printf (" %.2f", b->us[i]);
      putchar ('\n');
    }
  if (b->timed)
    printf ("time %s %.2f us\n", b->name, stopwatch_median (b->us, b->timed));
  free (b->us);
  if (b->failures)
    fprintf (stderr, "%s: %d results differ from the host's\n", b->name,
             b->failures);
  return b->failures != 0;
}

#endif /* BENCH_H */
