/* A kernel that faults, OpenACC or OpenMP, and what comes next: the program ends
   there, or later, but never goes on to its end.
   usage: kernel CASE, a line of those that it prints without, from 0

   SPDX-License-Identifier: GPL-3.0-or-later  */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))

#ifdef _OPENACC
#include <openacc.h>
#define LOOP(...) DO (acc parallel loop __VA_ARGS__)
#define LATER(...) DO (acc parallel loop async (1) __VA_ARGS__)
#define WAIT DO (acc wait)
#define DATA(...) DO (acc data __VA_ARGS__)
#define FROM(...) copyout (__VA_ARGS__)
#define TOFROM(...) copy (__VA_ARGS__)
#define ALLOC(...) create (__VA_ARGS__)
#define PRESENT(...) present (__VA_ARGS__)
#define ENTER(...) DO (acc enter data copyin (__VA_ARGS__))
#define EXIT(...) DO (acc exit data copyout (__VA_ARGS__))
#define RELEASE(...) DO (acc exit data delete (__VA_ARGS__))
#define UPDATE_HOST(...) DO (acc update self (__VA_ARGS__))
#define UPDATE_DEVICE(...) DO (acc update device (__VA_ARGS__))
#define WITH_ADDRESS(p) DO (acc host_data use_device (p))
#else
#include <omp.h>
#define LOOP(...) DO (omp target teams distribute parallel for __VA_ARGS__)
#define LATER(...) LOOP (nowait __VA_ARGS__)
#define WAIT DO (omp taskwait)
#define DATA(...) DO (omp target data __VA_ARGS__)
#define FROM(...) map (from : __VA_ARGS__)
#define TOFROM(...) map (tofrom : __VA_ARGS__)
#define ALLOC(...) map (alloc : __VA_ARGS__)
#define PRESENT(...) map (alloc : __VA_ARGS__)
#define ENTER(...) DO (omp target enter data map (to : __VA_ARGS__))
#define EXIT(...) DO (omp target exit data map (from : __VA_ARGS__))
#define RELEASE(...) DO (omp target exit data map (release : __VA_ARGS__))
#define UPDATE_HOST(...) DO (omp target update from (__VA_ARGS__))
#define UPDATE_DEVICE(...) DO (omp target update to (__VA_ARGS__))
#define WITH_ADDRESS(p) DO (omp target data use_device_ptr (p))
#endif

enum
{
  N = 1000
};

static double d[N], e[N], large[20 * N];
static long far = 1000000000;

/* The compiler is to see what lies between constructs.  */
#define INLINE static inline __attribute__ ((always_inline))

/* ---- Kernels; D is mapped ---------------------------------------------- */

INLINE void
touches_nothing (void)
{
  LOOP (PRESENT (d))
  for (int i = 0; i < N; i++)
    d[i * 1000000000L] = i;
}

INLINE void
traps (void)
{
  LOOP (PRESENT (d))
  for (int i = 0; i < N; i++)
    {
      d[i] = i;
      if (i == N / 2)
        __builtin_trap ();
    }
}

INLINE void
not_waited_for (void)
{
  long away = far;
  LATER (PRESENT (d))
  for (int i = 0; i < N; i++)
    d[i * away] = i;
}

INLINE void
with_copies (void)
{
  LOOP (PRESENT (d) TOFROM (e))
  for (int i = 0; i < N; i++)
    e[i] = d[i * 1000000000L];
}

INLINE void
in_a_row (void)
{
  for (int turn = 0; turn < 3; turn++)
    {
      LOOP (PRESENT (d))
      for (int i = 0; i < N; i++)
        d[i * 1000000000L] += turn;
      LOOP (PRESENT (d, large))
      for (int i = 0; i < N; i++)
        large[i] += d[i];
    }
}

/* ---- What comes next --------------------------------------------------- */

INLINE void
copies_back (void)
{
  EXIT (d)
}

INLINE void
updates_host (void)
{
  UPDATE_HOST (d)
  printf ("%g\n", d[0]);
}

INLINE void
updates_host_partly (void)
{
  for (int i = 0; i < 4; i++)
    {
      UPDATE_HOST (large [i * 100:10])
      large[0]++;
    }
}

INLINE void
updates_device (void)
{
  for (int i = 0; i < 4; i++)
    {
      d[i] = i;
      UPDATE_DEVICE (d [i:1])
    }
}

INLINE void
sends_much (void)
{
  UPDATE_DEVICE (large)
}

INLINE void
frees (void)
{
  RELEASE (large)
}

INLINE void
maps_more (void)
{
  ENTER (e)
}

INLINE void
launches (void)
{
  for (int turn = 0; turn < 3; turn++)
    {
      LOOP (PRESENT (large))
      for (int i = 0; i < N; i++)
        large[i] += turn;
    }
}

INLINE void
launches_with_result (void)
{
  double sum = 0;
  LOOP (PRESENT (large) TOFROM (sum) reduction (+ : sum))
  for (int i = 0; i < N; i++)
    sum += large[i];
  printf ("%g\n", sum);
}

INLINE void
launches_later (void)
{
  LATER (PRESENT (large))
  for (int i = 0; i < N; i++)
    large[i]++;
  WAIT
}

INLINE void
waits (void)
{
  WAIT
}

INLINE void
asks (void)
{
  double *p = d;
  WITH_ADDRESS (p)
  if (p == (void *)1)
    puts ("?");
}

INLINE void
copies_by_routine (void)
{
  double *p = d;
  WITH_ADDRESS (p)
#ifdef _OPENACC
  acc_memcpy_from_device (e, p, sizeof e);
#else
  if (omp_target_memcpy (e, p, sizeof e, 0, 0, omp_get_initial_device (),
                         omp_get_default_device ()))
    exit (1);
#endif
}

INLINE void
allocates (void)
{
#ifdef _OPENACC
  void *p = acc_malloc (100);
  acc_free (p);
#else
  void *p = omp_target_alloc (100, omp_get_default_device ());
  if (!p)
    exit (1);
  omp_target_free (p, omp_get_default_device ());
#endif
}

INLINE void
shuts_down (void)
{
#ifdef _OPENACC
  RELEASE (d, large)
  acc_shutdown (acc_device_nvidia);
#endif
}

INLINE void
sets_stream (void)
{
#ifdef _OPENACC
  acc_set_cuda_stream (1, NULL);
#endif
}

static void *
work (void *unused)
{
  UPDATE_HOST (d)
  return unused;
}

INLINE void
starts_thread (void)
{
  pthread_t t;
  pthread_create (&t, NULL, work, NULL);
  pthread_join (t, NULL);
}

INLINE void
looks (void)
{
  EXIT (large)
  printf ("%g\n", large[N]);
}

INLINE void
ends (void)
{
  exit (0);
}

INLINE void
thread_ends (void)
{
#ifndef _OPENACC
  pthread_exit (NULL); /* waits for its tasks */
#endif
}

/* ---- Pairs ------------------------------------------------------------- */

#define NEXTS(X, kernel)                                                      \
  X (kernel, copies_back) X (kernel, updates_host)                            \
  X (kernel, updates_host_partly) X (kernel, updates_device)                  \
  X (kernel, sends_much) X (kernel, frees) X (kernel, maps_more)              \
  X (kernel, launches) X (kernel, launches_with_result)                       \
  X (kernel, launches_later) X (kernel, waits) X (kernel, asks)               \
  X (kernel, copies_by_routine) X (kernel, allocates)                         \
  X (kernel, shuts_down) X (kernel, sets_stream)                              \
  X (kernel, starts_thread) X (kernel, looks) X (kernel, ends)                \
  X (kernel, thread_ends)
#define PAIRS(X)                                                              \
  NEXTS (X, touches_nothing)                                                  \
  NEXTS (X, traps)                                                            \
  NEXTS (X, not_waited_for)                                                   \
  NEXTS (X, with_copies)                                                      \
  NEXTS (X, in_a_row)

#define PAIR(kernel, next)                                                    \
  static void kernel##_##next (void)                                          \
  {                                                                           \
    ENTER (d)                                                                 \
    kernel ();                                                                \
    next ();                                                                  \
  }
PAIRS (PAIR)

/* The same at the end of a region of data.  */
#define WITHIN(kernel)                                                        \
  static void within_##kernel (void)                                          \
  {                                                                           \
    DATA (FROM (d))                                                           \
    {                                                                         \
      kernel ();                                                              \
    }                                                                         \
  }
WITHIN (touches_nothing)
WITHIN (traps)
WITHIN (not_waited_for)
WITHIN (with_copies)
WITHIN (in_a_row)

static const struct
{
  const char *name;
  void (*run) (void);
} cases[] = {
  { "touches_nothing data_ends", within_touches_nothing },
  { "traps data_ends", within_traps },
  { "not_waited_for data_ends", within_not_waited_for },
  { "with_copies data_ends", within_with_copies },
  { "in_a_row data_ends", within_in_a_row },
#define ROW(kernel, next) { #kernel " " #next, kernel##_##next },
  PAIRS (ROW)
};

int
main (int argc, char **argv)
{
  size_t n = sizeof cases / sizeof *cases, i = argc > 1 ? atoi (argv[1]) : n;
  if (i >= n)
    {
      for (i = 0; i < n; i++)
        puts (cases[i].name);
      return 0;
    }
  puts ("begins");
  ENTER (large)
  cases[i].run ();
  return 0;
}
