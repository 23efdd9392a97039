/* A kernel that goes wrong, as OpenACC or OpenMP starts it.
   usage: fault sync|async|thread|team

   The kernel does not always trap: GCC lets what comes after a region that
   never returns be any code, which a program that does not wait would run.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int a[100];

#ifdef _OPENACC
#define SYNC _Pragma ("acc parallel copy(a) num_gangs(1)")
#define ASYNC _Pragma ("acc parallel copy(a) num_gangs(1) async(1)")
#define WAIT _Pragma ("acc wait(1)")
#else
#define SYNC _Pragma ("omp target map(tofrom : a)")
#define ASYNC _Pragma ("omp target map(tofrom : a) nowait")
#define WAIT _Pragma ("omp taskwait")
#endif

static void *
sync (void *unused)
{
  SYNC
  {
    a[1] = 2;
    if (a[0])
      __builtin_trap ();
  }
  return unused;
}

static void
async (void)
{
  ASYNC
  {
    a[1] = 2;
    if (a[0])
      __builtin_trap ();
  }
  WAIT;
}

/* The same in a team of the program's, OpenMP.  */
static void
team (void)
{
#ifdef _OPENMP
#pragma omp parallel num_threads(3)
#pragma omp single
#endif
  async ();
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";
  SYNC { a[0] = 1; }
  printf ("%d\n", a[0]);
  fflush (stdout);
  if (!strcmp (how, "sync"))
    sync (NULL);
  else if (!strcmp (how, "async"))
    async ();
  else if (!strcmp (how, "team"))
    team ();
  else if (!strcmp (how, "thread"))
    {
      pthread_t t;
      pthread_create (&t, NULL, sync, NULL);
      pthread_join (t, NULL);
    }
  printf ("%d\n", a[1]);
  return 0;
}
