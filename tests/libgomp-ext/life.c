/* Devices and processes that come and go.
   usage: life fork|child|shutdown|thread|pause|shared

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <dlfcn.h>
#include <omp.h>
#include <openacc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static float a[5000];

static int
work (void)
{
  int wrong = 0;
  for (int i = 0; i < 5000; i++)
    a[i] = i;
#pragma acc enter data copyin(a)
  memset (a, 0, sizeof a);
#pragma acc exit data copyout(a)
  for (int i = 0; i < 5000; i++)
    wrong += a[i] != i;
  return wrong;
}

static pthread_barrier_t turn;

/* Work in every other turn.  */
static void *
work_in_turn (void *wrong)
{
  for (int i = 0; i < 4; i++)
    {
      *(int *)wrong += work ();
      pthread_barrier_wait (&turn);
      pthread_barrier_wait (&turn);
    }
  return NULL;
}

/* Never called: makes this a program with device code.  */
void
region (void)
{
#pragma acc parallel loop
  for (int i = 0; i < 5000; i++)
    a[i]++;
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  int wrong = 0, status;
  if (!strcmp (what, "fork"))
    {
      /* The child leaves the device alone.  */
      wrong = work ();
      if (!fork ())
        exit (3);
      wait (&status);
      wrong += WEXITSTATUS (status) != 3;
      wrong += work ();
    }
  else if (!strcmp (what, "child"))
    {
      /* Only the child uses the device.  */
      if (!fork ())
        exit (work ());
      wait (&status);
      wrong = WEXITSTATUS (status);
    }
  else if (!strcmp (what, "shutdown"))
    for (int i = 0; i < 4; i++)
      {
        acc_init (acc_device_nvidia);
        wrong += work ();
        acc_shutdown (acc_device_nvidia);
      }
  else if (!strcmp (what, "thread"))
    {
      /* Another thread than the one that uses it closes the device.  */
      pthread_t thread;
      pthread_barrier_init (&turn, NULL, 2);
      acc_init (acc_device_nvidia);
      pthread_create (&thread, NULL, work_in_turn, &wrong);
      for (int i = 0; i < 4; i++)
        {
          pthread_barrier_wait (&turn);
          acc_shutdown (acc_device_nvidia);
          acc_init (acc_device_nvidia);
          pthread_barrier_wait (&turn);
        }
      pthread_join (thread, NULL);
    }
  else if (!strcmp (what, "pause"))
    for (int i = 0; i < 4; i++)
      {
        wrong += work ();
        wrong += omp_pause_resource (i & 1 ? omp_pause_hard : omp_pause_soft,
                                     omp_get_default_device ());
        wrong += omp_pause_resource_all (omp_pause_hard);
      }
  else if (!strcmp (what, "shared"))
    {
      /* libgomp uses a context that is there, and leaves it as it was.  */
      void *cuda = dlopen ("libcuda.so.1", RTLD_NOW), *context;
      int (*init) (unsigned), (*create) (void **, unsigned, int);
      int (*info) (size_t *, size_t *);
      *(void **)&init = dlsym (cuda, "cuInit");
      *(void **)&create = dlsym (cuda, "cuCtxCreate_v2");
      *(void **)&info = dlsym (cuda, "cuMemGetInfo_v2");
      size_t before, after, total;
      wrong += init (0) || create (&context, 0, 0) || info (&before, &total);
      for (int i = 0; i < 2; i++)
        {
          acc_init (acc_device_nvidia);
          wrong += work ();
          acc_shutdown (acc_device_nvidia);
          wrong += info (&after, &total) || before != after;
        }
    }
  printf ("%s: %d wrong\n", what, wrong);
  return wrong != 0;
}
