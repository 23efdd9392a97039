/* Signals of the process reach the program's own thread, however it takes them,
   while target tasks and large copies have started threads of the runtime's.
   usage: signals sigwait|signalfd|alarm|profile|masks

   SPDX-License-Identifier: GPL-3.0-or-later  */

#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/time.h>
#include <unistd.h>

enum
{
  N = 3000,
  LARGE = 1 << 20
};

static int a[N], large[LARGE];
static pthread_t self;
static volatile sig_atomic_t mine, others;

static const int usual[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1,
                             SIGUSR2, SIGALRM, SIGPROF, SIGVTALRM, SIGCHLD,
                             SIGIO, SIGWINCH };
#define NUSUAL (sizeof usual / sizeof *usual)

static void
work (void)
{
  for (int r = 0; r < 5; r++)
    {
#pragma omp target teams distribute parallel for nowait map(tofrom : a)
      for (int i = 0; i < N; i++)
        for (int k = 0; k < 30; k++)
          a[i] = a[i] * 3 + k;
#pragma omp taskwait
    }
#pragma omp target map(tofrom : large)
  large[1]++;
}

static void
take (int signal)
{
  (void)signal;
  if (pthread_equal (pthread_self (), self))
    mine++;
  else
    others++;
}

static void
block_all (sigset_t *s)
{
  sigemptyset (s);
  for (unsigned i = 0; i < NUSUAL; i++)
    sigaddset (s, usual[i]);
  sigprocmask (SIG_BLOCK, s, NULL);
}

static int
by_sigwait (void)
{
  int got, n = 0;
  sigset_t s;
  block_all (&s);
  for (unsigned i = 0; i < NUSUAL; i++)
    {
      kill (getpid (), usual[i]);
      usleep (1000);
      n += !sigwait (&s, &got) && got == usual[i];
    }
  return n;
}

static int
by_signalfd (void)
{
  int n = 0;
  sigset_t s;
  struct signalfd_siginfo got;
  block_all (&s);
  int fd = signalfd (-1, &s, SFD_NONBLOCK);
  for (unsigned i = 0; i < NUSUAL; i++)
    {
      kill (getpid (), usual[i]);
      usleep (1000);
      n += read (fd, &got, sizeof got) == sizeof got
           && got.ssi_signo == (unsigned)usual[i];
    }
  return n;
}

/* Timers of real time, or of the process's own, while it works.  */
static int
by_timer (int which, int signal)
{
  struct itimerval every = { { 0, 1000 }, { 0, 1000 } }, never = { 0 };
  struct sigaction action = { .sa_handler = take, .sa_flags = SA_RESTART };
  sigaction (signal, &action, NULL);
  setitimer (which, &every, NULL);
  for (int i = 0; i < 1000 && mine < 20; i++)
    work ();
  setitimer (which, &never, NULL);
  return mine >= 20 && !others;
}

/* Threads but this one that do not block what is usual.  */
static int
open_threads (void)
{
  int open = 0, threads = 0;
  DIR *d = opendir ("/proc/self/task");
  for (struct dirent *e; (e = readdir (d));)
    {
      char path[300], line[200];
      unsigned long long blocked = 0;
      if (atoi (e->d_name) < 1 || atoi (e->d_name) == getpid ())
        continue;
      snprintf (path, sizeof path, "/proc/self/task/%s/status", e->d_name);
      FILE *f = fopen (path, "r");
      while (f && fgets (line, sizeof line, f))
        sscanf (line, "SigBlk: %llx", &blocked);
      if (!f)
        continue;
      fclose (f);
      threads++;
      for (unsigned i = 0; i < NUSUAL; i++)
        if (!(blocked >> (usual[i] - 1) & 1))
          {
            open++;
            break;
          }
    }
  closedir (d);
  fprintf (stderr, "%d threads\n", threads);
  return open;
}

int
main (int argc, char **argv)
{
  const char *how = argc > 1 ? argv[1] : "";
  sigset_t before = { 0 }, after = { 0 };
  self = pthread_self ();
  sigprocmask (SIG_BLOCK, NULL, &before);
  work ();
  sigprocmask (SIG_BLOCK, NULL, &after);
  printf ("mask kept: %d\n", !memcmp (&before, &after, sizeof before));
  if (!strcmp (how, "sigwait"))
    printf ("%d\n", by_sigwait ());
  else if (!strcmp (how, "signalfd"))
    printf ("%d\n", by_signalfd ());
  else if (!strcmp (how, "alarm"))
    printf ("%d\n", by_timer (ITIMER_REAL, SIGALRM));
  else if (!strcmp (how, "profile"))
    printf ("%d\n", by_timer (ITIMER_PROF, SIGPROF));
  else
    printf ("%d\n", open_threads ());
  return 0;
}
