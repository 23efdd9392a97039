/* What one device construct costs: nearly empty kernels around maps of 4Ki
   floats, or 64Ki where the row says so.  Built with -fopenacc or -fopenmp.
   Prints a row a construct with the median time in microseconds; constructs.sh
   makes a table of several runs.
   usage: constructs [REPEATS [ROW]...]   (default: all rows but teams)
   What stock pays for an allocation depends on what else is on the device, so
   a row alone in its process differs from one among others.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../stopwatch.h"

#define N 4096

static float a0[N], a1[N], a2[N], a3[N], a4[N], a5[N], a6[N], a7[N], a8[N],
    a9[N], a10[N], a11[N], a12[N], a13[N], a14[N], a15[N];

#define LIST3 a0, a1, a2
#define LIST16 LIST3, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15

/* The same, 64Ki floats each.  */
#define LARGE 65536
static float b0[LARGE], b1[LARGE], b2[LARGE], b3[LARGE], b4[LARGE], b5[LARGE],
    b6[LARGE], b7[LARGE], b8[LARGE], b9[LARGE], b10[LARGE], b11[LARGE],
    b12[LARGE], b13[LARGE], b14[LARGE], b15[LARGE];

#define LARGE16                                                               \
  b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15

#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))

#ifdef _OPENACC
#define MODEL "OpenACC"
#define REGION(...) DO (acc parallel num_gangs (1) __VA_ARGS__)
#define LOOP(...) DO (acc parallel loop __VA_ARGS__)
#define TO(...) copyin (__VA_ARGS__)
#define FROM(...) copyout (__VA_ARGS__)
#define TOFROM(...) copy (__VA_ARGS__)
#define ENTER(...) DO (acc enter data copyin (__VA_ARGS__))
#define EXIT(...) DO (acc exit data copyout (__VA_ARGS__))
#define UPDATE_TO(...) DO (acc update device (__VA_ARGS__))
#define UPDATE_FROM(...) DO (acc update self (__VA_ARGS__))
#define DATA(...) DO (acc data copy (__VA_ARGS__))
#define QUEUED async (1)
#define WAIT DO (acc wait (1))
#else
#define MODEL "OpenMP"
#define REGION(...) DO (omp target __VA_ARGS__)
#define LOOP(...) DO (omp target teams distribute parallel for __VA_ARGS__)
#define TO(...) map (to : __VA_ARGS__)
#define FROM(...) map (from : __VA_ARGS__)
#define TOFROM(...) map (tofrom : __VA_ARGS__)
#define ENTER(...) DO (omp target enter data map (to : __VA_ARGS__))
#define EXIT(...) DO (omp target exit data map (from : __VA_ARGS__))
#define UPDATE_TO(...) DO (omp target update to (__VA_ARGS__))
#define UPDATE_FROM(...) DO (omp target update from (__VA_ARGS__))
#define DATA(...) DO (omp target data map (tofrom : __VA_ARGS__))
#define QUEUED nowait depend (inout : a0)
#define WAIT DO (omp taskwait)
#endif

/* Construct NAME.  */
#define ROW(name, ...)                                                        \
  static void name (void) { __VA_ARGS__ }
/* A map of what the region does not name would be dropped.  */
#define WRITE3 a0[0] = a1[0] = a2[0] = 1
#define WRITE16                                                               \
  WRITE3;                                                                     \
  a3[0] = a4[0] = a5[0] = a6[0] = a7[0] = a8[0] = a9[0] = a10[0] = 1;         \
  a11[0] = a12[0] = a13[0] = a14[0] = a15[0] = 1
#define WRITE_LARGE16                                                         \
  b0[0] = b1[0] = b2[0] = b3[0] = b4[0] = b5[0] = b6[0] = b7[0] = 1;          \
  b8[0] = b9[0] = b10[0] = b11[0] = b12[0] = b13[0] = b14[0] = b15[0] = 1
#define STORE4(p, q, r, s, i) p[i] = i, q[i] = i, r[i] = i, s[i] = i
#define TRIAD                                                                 \
  for (int i = 0; i < N; i++)                                                 \
    a0[i] = a1[i] + 2 * a2[i];

ROW (empty, REGION (){})
ROW (
    to_3, REGION (TO (LIST3)) { WRITE3; })
ROW (
    from_3, REGION (FROM (LIST3)) { WRITE3; })
ROW (
    tofrom_3, REGION (TOFROM (LIST3)) { WRITE3; })
ROW (
    to_16, REGION (TO (LIST16)) { WRITE16; })
ROW (
    from_16, REGION (FROM (LIST16)) { WRITE16; })
ROW (
    tofrom_16, REGION (TOFROM (LIST16)) { WRITE16; })
ROW (
    to_16_64Ki, REGION (TO (LARGE16)) { WRITE_LARGE16; })
ROW (
    from_16_64Ki, REGION (FROM (LARGE16)) { WRITE_LARGE16; })
ROW (
    tofrom_16_64Ki, REGION (TOFROM (LARGE16)) { WRITE_LARGE16; })
/* All of them are overwritten, and so need not be sent.  */
ROW (
    over_16_64Ki, LOOP (TOFROM (LARGE16)) for (int i = 0; i < LARGE; i++) {
      STORE4 (b0, b1, b2, b3, i);
      STORE4 (b4, b5, b6, b7, i);
      STORE4 (b8, b9, b10, b11, i);
      STORE4 (b12, b13, b14, b15, i);
    })
/* After the host, or the device, has changed what is updated; and without.  */
ROW (update_to_16, UPDATE_TO (LIST16))
ROW (update_from_16, UPDATE_FROM (LIST16))
ROW (update_same_16, UPDATE_TO (LIST16))
ROW (update_known_16, UPDATE_FROM (LIST16))
ROW (enter_exit_16, ENTER (LIST16) EXIT (LIST16))
ROW (loop_tofrom_3, LOOP (TOFROM (LIST3)) TRIAD)
/* Rows of SEVERAL constructs, whose cost is that of one.  At the end the host
   looks, so that what was left to do counts.  */
#define SEVERAL 20
#define TIMES for (int k = 0; k < SEVERAL; k++)
#define LOOK UPDATE_FROM (a0 [0:1])
ROW (
    present_3, TIMES { REGION (TOFROM (LIST3)) { WRITE3; } } LOOK)
ROW (
    present_16, TIMES { REGION (TOFROM (LIST16)) { WRITE16; } } LOOK)
ROW (loop_present_3, TIMES { LOOP (TOFROM (LIST3)) TRIAD } LOOK)
ROW (
    loop_present_1, TIMES {
      LOOP (TOFROM (a0)) for (int i = 0; i < N; i++) a0[i] += 2;
    } LOOK)
/* GCC maps a scalar that is declared in a data region.  */
ROW (
    scalar_1, DATA (a0) {
      int x = 2;
      TIMES { LOOP () for (int i = 0; i < N; i++) a0[i] += x; }
    } LOOK)
/* One that has another value each time; and the same in a queue.  */
ROW (
    scalar_varies_1, DATA (a0) {
      int x;
      TIMES {
        x = k;
        LOOP () for (int i = 0; i < N; i++) a0[i] += x;
      }
    } LOOK)
ROW (
    scalar_queued_1, DATA (a0) {
      int x = 2;
      TIMES { LOOP (QUEUED) for (int i = 0; i < N; i++) a0[i] += x; }
      WAIT
    })
ROW (
    queued_1, TIMES {
      LOOP (TOFROM (a0) QUEUED) for (int i = 0; i < N; i++) a0[i] += 2;
    } WAIT)
/* Global variables, of which OpenACC must ask whether they are on the device.  */
int g0;
float g1;
double g2;
static int g3;
#define SET_GLOBALS g0 = k, g1 = k + .5f, g2 = 2 * k, g3 = -k
ROW (
    globals_1, DATA (a0) {
      TIMES {
        SET_GLOBALS;
        LOOP () for (int i = 0; i < N; i++) a0[i] += g0 * g1 + g2 * g3;
      }
    } LOOK)
ROW (
    globals_queued_1, DATA (a0) {
      TIMES {
        SET_GLOBALS;
        LOOP (QUEUED) for (int i = 0; i < N; i++) a0[i] += g0 * g1 + g2 * g3;
      }
      WAIT
    })
/* Leaves libgomp a soft stack larger than the driver's 2 MiB page, as any
   program with some teams does: small blocks then have no neighbour.  */
#ifdef _OPENACC
ROW (teams, REGION (){})
#else
ROW (teams, DO (omp target teams num_teams (16)){})
#endif
/* What must stay in generic mode: 1024 iterations, and a critical section, a
   barrier.  */
#ifdef _OPENMP
ROW (
    forkjoin_critical,
    LOOP (TOFROM (a0, a1)) for (int i = 0; i < 1024; i++) {
      a0[i] += 2;
      if (i % 256 == 0)
        DO (omp critical)
      a1[0]++;
    })
ROW (
    forkjoin_task, LOOP (TOFROM (a0)) for (int i = 0; i < 1024; i++) {
      DO (omp taskwait)
      a0[i] += 2;
    })
ROW (
    forkjoin_barrier, DO (omp target parallel map (tofrom : a0, a1)) {
      DO (omp for)
      for (int i = 0; i < 1024; i++)
        a0[i] += 2;
      DO (omp for)
      for (int i = 0; i < 1024; i++)
        a1[i] += a0[1023 - i];
    })
#endif
ROW (enter_all, ENTER (LIST16))
ROW (exit_all, EXIT (LIST16))

static void
change_host (void)
{
  static float *const list[] = { LIST16 };
  static int k;
  k++;
  for (int i = 0; i < 16; i++)
    for (int j = 0; j < N; j++)
      list[i][j] = j + k;
}

static void
change_device (void)
{
  REGION (TOFROM (LIST16)) { WRITE16; }
}

static int repeats = 300;

/* BEFORE runs before each of them, if there is one.  */
static void
measure (const char *name, void (*construct) (void), int constructs,
         void (*before) (void))
{
  double *t = malloc (repeats * sizeof *t);
  for (int i = 0; i < repeats / 10 + 3; i++)
    {
      if (before)
        before ();
      construct ();
    }
  for (int i = 0; i < repeats; i++)
    {
      if (before)
        before ();
      double start = stopwatch_seconds ();
      construct ();
      t[i] = 1e6 * (stopwatch_seconds () - start);
    }
  printf ("%-8s %-15s %10.2f\n", MODEL, name,
          stopwatch_median (t, repeats) / constructs);
  fflush (stdout);
  free (t);
}

static const struct row
{
  const char *name;
  void (*construct) (void);
  bool present; /* with all arrays on the device */
  int constructs;
  void (*before) (void);
} rows[] = {
#define ALONE(name)                                                           \
  {                                                                           \
#name, name, false, 1                                                     \
  }
#define PRESENT(name)                                                         \
  {                                                                           \
#name, name, true, 1                                                      \
  }
#define PRESENT_CHANGED(name, change)                                         \
  {                                                                           \
#name, name, true, 1, change                                              \
  }
#define PRESENT_SEVERAL(name)                                                 \
  {                                                                           \
#name, name, true, SEVERAL                                                \
  }
  ALONE (teams),
  ALONE (empty),
  ALONE (to_3),
  ALONE (from_3),
  ALONE (tofrom_3),
  ALONE (to_16),
  ALONE (from_16),
  ALONE (tofrom_16),
  ALONE (enter_exit_16),
  ALONE (loop_tofrom_3),
  ALONE (to_16_64Ki),
  ALONE (from_16_64Ki),
  ALONE (tofrom_16_64Ki),
  ALONE (over_16_64Ki),
  PRESENT_SEVERAL (present_3),
  PRESENT_SEVERAL (present_16),
  PRESENT_SEVERAL (loop_present_3),
  PRESENT_SEVERAL (loop_present_1),
  PRESENT_SEVERAL (scalar_1),
  PRESENT_SEVERAL (scalar_varies_1),
  PRESENT_CHANGED (update_to_16, change_host),
  PRESENT_CHANGED (update_from_16, change_device),
  PRESENT (update_same_16),
  PRESENT (update_known_16),
  PRESENT_SEVERAL (scalar_queued_1),
  PRESENT_SEVERAL (queued_1),
  PRESENT_SEVERAL (globals_1),
  PRESENT_SEVERAL (globals_queued_1),
#ifdef _OPENMP
  PRESENT (forkjoin_critical),
  PRESENT (forkjoin_task),
  PRESENT (forkjoin_barrier),
#endif
};

static bool
is_wanted (const struct row *r, int argc, char **argv)
{
  for (int i = 2; i < argc; i++)
    if (!strcmp (argv[i], r->name))
      return true;
  return argc <= 2 && r->construct != teams;
}

int
main (int argc, char **argv)
{
  if (argc > 1)
    repeats = atoi (argv[1]);
  if (repeats < 1)
    return 1;
  for (const struct row *r = rows; r < rows + sizeof rows / sizeof *rows; r++)
    if (is_wanted (r, argc, argv))
      {
        if (r->present)
          enter_all ();
        measure (r->name, r->construct, r->constructs, r->before);
        if (r->present)
          exit_all ();
      }
  return 0;
}
