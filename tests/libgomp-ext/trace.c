/* Constructs to trace, by OpenACC or OpenMP.
   usage: trace [fork|threads|stay|kill|abort|hang]
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1000, THREADS = 4, TIMES = 20 };

static void
add (float *a, int n)
{
#ifdef _OPENACC
#pragma acc parallel loop copy(a[0:n])
#else
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
#endif
  for (int i = 0; i < n; i++)
    a[i] += 1;
}

static void
inside (float *a, float *b, int n)
{
#ifdef _OPENACC
#pragma acc data copyin(a[0:n]) copyout(b[0:n])
#else
#pragma omp target data map(to: a[0:n]) map(from: b[0:n])
#endif
  {
#ifdef _OPENACC
#pragma acc kernels loop independent
#else
#pragma omp target teams distribute parallel for
#endif
    for (int i = 0; i < n; i++)
      b[i] = 2 * a[i];
    a[0] = 7;
#ifdef _OPENACC
#pragma acc update device(a[0:n / 2])
#else
#pragma omp target update to(a[0:n / 2])
#endif
  }
}

/* It ends by a signal.  */
static void
hang (void)
{
  volatile int go = 1;
#ifdef _OPENACC
#pragma acc serial copy(go)
#else
#pragma omp target map(tofrom: go)
#endif
  while (go)
    go = 1;
}

static void *
work (void *arg)
{
  static __thread float a[N], b[N];
  for (int t = 0; t < TIMES; t++)
    {
      add (a, N);
      inside (a, b, N);
    }
  *(float *) arg = a[1] + b[2];
  return NULL;
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";
  float sum[THREADS] = { 0 };
  pthread_t thread[THREADS];
  pid_t child = strcmp (how, "fork") ? -1 : fork ();
  int n = 1;
  if (child > 0)
    waitpid (child, NULL, 0);
  if (!strcmp (how, "threads"))
    {
      n = THREADS;
      for (int i = 0; i < n; i++)
	pthread_create (&thread[i], NULL, work, &sum[i]);
      for (int i = 0; i < n; i++)
	pthread_join (thread[i], NULL);
    }
  else
    work (&sum[0]);
  if (!strcmp (how, "kill"))
    raise (SIGKILL);
  if (!strcmp (how, "abort"))
    abort ();
  if (!strcmp (how, "hang"))
    hang ();
  if (!strcmp (how, "stay"))
    getchar ();
  for (int i = 0; i < n; i++)
    printf ("%g\n", sum[i]);
  return 0;
}
