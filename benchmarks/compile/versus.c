/* versus RUNS [-- COMMAND...] [-- COMMAND...]: run two commands in turn and
   print the medians of both: wall time, CPU time of all processes (which other
   work on the machine disturbs less), and the largest peak of resident memory:

     WALL1 WALL2 CPU1 CPU2 MiB1 MiB2	(times in milliseconds)

   A run before the first one fills the caches.  Fails as soon as a command
   does.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../stopwatch.h"

enum { SIDES = 2, MAX_RUNS = 1000 };

static double wall[SIDES][MAX_RUNS], cpu[SIDES][MAX_RUNS];
static long peak[SIDES];

static double
milliseconds (struct timeval t)
{
  return t.tv_sec * 1e3 + t.tv_usec * 1e-3;
}

/* The CPU time of all children that have ended.  */
static double
children (void)
{
  struct rusage u;
  getrusage (RUSAGE_CHILDREN, &u);
  return milliseconds (u.ru_utime) + milliseconds (u.ru_stime);
}

static void
run (char **command, int side, int n)
{
  double begin = stopwatch_seconds (), before = children ();
  pid_t pid = fork ();
  if (pid == 0)
    {
      if (!freopen ("/dev/null", "w", stdout)
	  || !freopen ("/dev/null", "w", stderr))
	_exit (126);
      execvp (*command, command);
      _exit (127);
    }
  int status;
  struct rusage u;
  if (pid < 0 || wait4 (pid, &status, 0, &u) < 0 || status != 0)
    {
      fprintf (stderr, "versus: failed: %s\n", *command);
      exit (1);
    }
  wall[side][n] = 1e3 * (stopwatch_seconds () - begin);
  cpu[side][n] = children () - before;
  if (u.ru_maxrss > peak[side])
    peak[side] = u.ru_maxrss;
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;
  return (x > y) - (x < y);
}

static double
median (double *v, int n)
{
  qsort (v, n, sizeof *v, compare);
  return v[n / 2];
}

int
main (int argc, char **argv)
{
  char **command[SIDES];
  int sides = 0, runs = argc > 1 ? atoi (argv[1]) : 0;
  for (int i = 2; i < argc; i++)
    if (strcmp (argv[i], "--") == 0)
      {
	argv[i] = NULL;
	if (sides < SIDES)
	  command[sides++] = &argv[i + 1];
      }
  if (runs < 1 || runs > MAX_RUNS || sides != SIDES || !*command[0]
      || !*command[1])
    {
      fputs ("usage: versus RUNS -- COMMAND... -- COMMAND...\n", stderr);
      return 2;
    }
  for (int n = -1; n < runs; n++)
    for (int side = 0; side < SIDES; side++)
      run (command[side], side, n < 0 ? 0 : n);
  printf ("%.2f %.2f %.2f %.2f %ld %ld\n", median (wall[0], runs),
	  median (wall[1], runs), median (cpu[0], runs), median (cpu[1], runs),
	  peak[0] / 1024, peak[1] / 1024);
  return 0;
}
