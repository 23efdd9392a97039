/* Regions that the host runs, with nowait: by a thread of the program's, which
   knows its own variables and takes signals.  Prints what is wrong.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <omp.h>
#include <signal.h>
#include <stdio.h>

enum
{
  STEPS = 4
};

static __thread int mine;

static int
look (void)
{
  sigset_t s;
  sigemptyset (&s);
  sigprocmask (SIG_BLOCK, NULL, &s);
  return mine == 1 && !sigismember (&s, SIGTERM);
}

static int (*const pointer) (void) = look; /* device code has no such function */

int
main (void)
{
  int wrong = 0, a[STEPS] = { 0 };
  int host = omp_get_initial_device ();
  int (*ask) (void) = pointer;
  mine = 1;
  for (int k = 0; k < STEPS; k++)
    {
      int good[3] = { 0 };
#pragma omp target nowait map(tofrom : a) depend(inout : a)
      a[k] = k;
#pragma omp target nowait device(host) map(tofrom : a, good)                   \
  firstprivate(ask) depend(inout : a)
      {
        good[0] = ask ();
        a[k] += 10;
      }
#pragma omp target nowait if (0) map(tofrom : a, good) firstprivate(ask)       \
  depend(inout : a)
      {
        good[1] = ask ();
        a[k] *= 2;
      }
#pragma omp target nowait map(tofrom : a) depend(inout : a)
      a[k] += 5;
#pragma omp taskwait
      omp_set_default_device (host);
#pragma omp target nowait map(tofrom : good) firstprivate(ask)
      good[2] = ask ();
#pragma omp taskwait
      omp_set_default_device (0);
      wrong += !good[0] + !good[1] + !good[2] + (a[k] != (k + 10) * 2 + 5);
    }
  printf ("%d wrong\n", wrong);
  return 0;
}
