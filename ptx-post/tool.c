/* Programs that a build runs where they are at hand; see tool.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "tool.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* FOLDER/NAME, LEN bytes of FOLDER, if that can be run.  */
static char *
in_folder (const char *folder, int len, const char *below, const char *name)
{
  char *path = NULL;
  if (len == 0 || asprintf (&path, "%.*s%s/%s", len, folder, below, name) < 0)
    return NULL;
  if (access (path, X_OK) == 0)
    return path;
  free (path);
  return NULL;
}

static char *
on_path (const char *name)
{
  const char *list = getenv ("PATH");
  char *found = NULL;
  while (list && *list && !found)
    {
      size_t len = strcspn (list, ":");
      found = in_folder (list, len, "", name);
      list += len + (list[len] == ':');
    }
  return found;
}

char *
tool_find (const char *name)
{
  static const char *const variable[] = { "CUDA_HOME", "CUDA_PATH" };
  static const char usual[] = "/usr/local/cuda/bin";
  char *found = on_path (name);
  for (unsigned i = 0; i < sizeof variable / sizeof *variable && !found; i++)
    {
      const char *folder = getenv (variable[i]);
      if (folder)
	found = in_folder (folder, strlen (folder), "/bin", name);
    }
  return found ? found : in_folder (usual, sizeof usual - 1, "", name);
}

static unsigned
count_cpus (void)
{
  cpu_set_t set;
  return sched_getaffinity (0, sizeof set, &set) ? 1 : CPU_COUNT (&set);
}

static pid_t
start (const struct tool_run *r, bool speaks)
{
  pid_t pid = fork ();
  if (pid)
    return pid;
  if (!r->argv)
    _exit (127);
  int null = open ("/dev/null", O_RDWR);
  dup2 (null, STDIN_FILENO);
  dup2 (speaks ? STDERR_FILENO : null, STDOUT_FILENO);
  if (!speaks)
    dup2 (null, STDERR_FILENO);
  execv (r->argv[0], r->argv);
  _exit (127);
}

/* Wait for one of the N runs, whose processes are PID.  False when none is left.  */
static bool
wait_for_one (struct tool_run *runs, const pid_t *pid, unsigned n)
{
  int status;
  pid_t done;
  do
    done = waitpid (-1, &status, 0);
  while (done < 0 && errno == EINTR);
  for (unsigned i = 0; i < n; i++)
    if (done > 0 && pid[i] == done)
      runs[i].ok = WIFEXITED (status) && WEXITSTATUS (status) == 0;
  return done >= 0;
}

void
tool_run_all (struct tool_run *runs, unsigned n, bool speaks)
{
  unsigned free_cpus = count_cpus (), started = 0;
  pid_t *pid = calloc (n ? n : 1, sizeof *pid);
  if (!pid)
    return;
  fflush (NULL);
  for (; started < n; started++)
    {
      if (free_cpus)
	free_cpus--;
      else if (!wait_for_one (runs, pid, started))
	break;
      pid[started] = start (&runs[started], speaks);
      if (pid[started] < 0)
	free_cpus++;
    }
  while (wait_for_one (runs, pid, started))
    ;
  free (pid);
}
