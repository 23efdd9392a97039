/* Constructs to report, by OpenACC or OpenMP.
   usage: report [fork|tasks]
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 2000, TIMES = 12 };

static float a[N], b[N];

/* The same data go there and back each time.  */
static void
there_and_back (void)
{
#ifdef _OPENACC
#pragma acc parallel loop copy(a) /* back */
#else
#pragma omp target teams distribute parallel for map(tofrom: a) /* back */
#endif
  for (int i = 0; i < N; i++)
    a[i] += 1;
}

/* Here it is another place each time.  */
static void
elsewhere (float *p)
{
#ifdef _OPENACC
#pragma acc parallel loop copy(p[0:N - 500]) /* elsewhere */
#else
#pragma omp target teams distribute parallel for map(tofrom: p[0:N - 500]) /* elsewhere */
#endif
  for (int i = 0; i < N - 500; i++)
    p[i] += 1;
}

/* A data construct has a start and an end; within it nothing is copied.  */
static void
inside (void)
{
#ifdef _OPENACC
#pragma acc data copy(a)
#else
#pragma omp target data map(tofrom: a)
#endif
  there_and_back ();
}

static void
one_thread (void)
{
#ifdef _OPENACC
#pragma acc serial copy(b[0:10]) /* alone */
#else
#pragma omp target map(tofrom: b[0:10]) /* alone */
#endif
  for (int i = 1; i < 10; i++)
    b[i] += b[i - 1] + 1;
}

static void
on_host (int yes)
{
#ifdef _OPENACC
#pragma acc parallel loop copy(b) if(!yes) /* host */
#else
#pragma omp target teams distribute parallel for map(tofrom: b) if(!yes) /* host */
#endif
  for (int i = 0; i < N; i++)
    b[i] += 1;
}

static void
task (void)
{
#ifdef _OPENMP
#pragma omp target teams distribute parallel for map(tofrom: b) nowait depend(inout: b) /* task */
  for (int i = 0; i < N; i++)
    b[i] += 1;
#pragma omp taskwait
#endif
}

static void
work (int argc)
{
  for (int t = 0; t < TIMES; t++)
    there_and_back ();
  for (int t = 0; t < TIMES; t++)
    elsewhere (a + 16 * t);
  for (int t = 0; t < TIMES; t++)
    inside ();
  one_thread ();
  on_host (argc);
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";
  pid_t child = strcmp (how, "fork") ? -1 : fork ();
  if (child > 0)
    waitpid (child, NULL, 0);
  work (argc);
  for (int t = 0; t < TIMES && !strcmp (how, "tasks"); t++)
    task ();
  printf ("%g %g\n", a[N / 2], b[9]);
  return 0;
}
