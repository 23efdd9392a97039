/* The trace's file: JSON in the Trace Event Format of Chrome, which Perfetto
   reads as well.

   An array of events, one a line; readers of the format do without the closing
   bracket.  Events are handed to the system whole, so that what a process
   leaves behind that is killed is a file without that bracket.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fork.h"
#include "base/path.h"
#include "trace/trace-int.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum
{
  BUFFER = 1 << 16,
  EVENT = 4096 /* bytes; a longer one is left out */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* all below */
static const char *pattern;
static bool forked;   /* the process is a child that has not called exec */
static bool failed;   /* there is no file, or no room */
static int fd = -1;   /* -1: not opened yet */
static off_t written; /* bytes, of whole events */
static char buffer[BUFFER];
static size_t used;
static _Atomic pid_t process;

/* ---- Forks ------------------------------------------------------------- */

/* The events of the parent are the parent's to write.  */
static void
reset (void)
{
  if (fd >= 0)
    close (fd);
  fd = -1;
  forked = true;
  failed = false;
  used = 0;
  process = getpid ();
}

ACR_FORK_RESETS (lock, reset)

void
acr_trace_file (const char *name)
{
  pattern = name;
  process = getpid ();
  handle_forks ();
}

/* ---- The file ---------------------------------------------------------- */

/* Open PATH, empty; -1 when that cannot be, -2 when another process writes
   there.  Nobody waits for the reader of a pipe.  */
static int
open_alone (const char *path)
{
  int f = open (path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK,
                0666);
  if (f < 0)
    return -1;
  struct stat st;
  if (!fstat (f, &st) && S_ISREG (st.st_mode))
    {
      if (flock (f, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        {
          close (f);
          return -2;
        }
      if (ftruncate (f, 0))
        {
          close (f);
          return -1;
        }
    }
  return f;
}

/* The file is the process's own: where the name does not tell processes apart,
   those that fork, and those that come while another one writes, add their
   number.  */
static int
open_own (void)
{
  char path[PATH_MAX];
  char numbered[PATH_MAX + 16];
  if (!acr_path_expand (path, pattern))
    {
      errno = ENAMETOOLONG;
      return -1;
    }
  bool apart = strstr (pattern, "%p");
  int f = forked && !apart ? -2 : open_alone (path);
  if (f != -2)
    return f;
  snprintf (numbered, sizeof numbered, "%s.%d", path, (int)process);
  return open_alone (numbered);
}

/* ---- Writing ----------------------------------------------------------- */

static void
give_up (const char *what)
{
  acr_warn ("ACCRETE_TRACE: cannot %s %s: %s", what, pattern,
            strerror (errno));
  failed = true;
  used = 0;
}

/* Write what is in the buffer; the lock is held.  */
static void
flush (void)
{
  for (size_t at = 0; at < used;)
    {
      ssize_t n = write (fd, buffer + at, used - at);
      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          int error = errno;
          if (ftruncate (fd, written))
            acr_debug (1, "the trace ends in the middle of an event");
          errno = error;
          give_up ("write");
          return;
        }
      at += n;
    }
  written += used;
  used = 0;
}

static void
put (const char *event, size_t n)
{
  const char *before = written || used ? ",\n" : "[\n";
  if (used + n + 2 > BUFFER)
    flush ();
  if (failed)
    return;
  memcpy (buffer + used, before, 2);
  memcpy (buffer + used + 2, event, n);
  used += 2 + n;
}

static void
put_v (const char *fmt, va_list ap)
{
  char event[EVENT];
  int head = snprintf (event, sizeof event, "{\"pid\":%d,", (int)process);
  int n = vsnprintf (event + head, sizeof event - head - 1, fmt, ap);
  if (n < 0 || (size_t)n >= sizeof event - head - 1)
    return;
  event[head + n] = '}';
  put (event, head + n + 1);
}

static void __attribute__ ((format (printf, 1, 2)))
put_f (const char *fmt, ...)
{
  va_list ap;
  va_start (ap, fmt);
  put_v (fmt, ap);
  va_end (ap);
}

/* Open the file with the first event, and name the process.  */
static bool
is_open (void)
{
  if (fd >= 0 || failed || !pattern)
    return fd >= 0 && !failed;
  fd = open_own ();
  written = 0;
  if (fd < 0)
    {
      give_up ("open");
      fd = -1;
      return false;
    }
  char name[ACR_TRACE_TEXT], machine[HOST_NAME_MAX + 1], at[ACR_TRACE_TEXT];
  acr_path_host (machine);
  put_f ("\"tid\":0,\"ph\":\"M\",\"name\":\"process_name\","
         "\"args\":{\"name\":\"%s, rank %s, %s\"}",
         acr_trace_quote (name, program_invocation_short_name),
         acr_path_rank (), acr_trace_quote (at, machine));
  return true;
}

int
acr_trace_thread (void)
{
  static __thread pid_t of, tid;
  if (of == process)
    return tid;
  of = process;
  tid = syscall (SYS_gettid);
  acr_trace_event ("\"tid\":%d,\"ph\":\"M\",\"name\":\"thread_name\","
                   "\"args\":{\"name\":\"%s thread\"}",
                   (int)tid, tid == of ? "main" : "host");
  return tid;
}

void
acr_trace_event (const char *fmt, ...)
{
  va_list ap;
  va_start (ap, fmt);
  pthread_mutex_lock (&lock);
  if (is_open ())
    put_v (fmt, ap);
  pthread_mutex_unlock (&lock);
  va_end (ap);
}

void
acr_trace_flush (void)
{
  pthread_mutex_lock (&lock);
  if (used && !failed)
    flush ();
  pthread_mutex_unlock (&lock);
}

void
acr_trace_close (void)
{
  pthread_mutex_lock (&lock);
  if (fd >= 0 && !failed)
    {
      flush ();
      memcpy (buffer, "\n]\n", used = 3);
      flush ();
    }
  /* What comes from other threads now has no place any more.  */
  failed = true;
  pthread_mutex_unlock (&lock);
}

const char *
acr_trace_quote (char to[ACR_TRACE_TEXT], const char *text)
{
  char *p = to;
  for (; *text && p < to + ACR_TRACE_TEXT - 8; text++)
    if (*text == '"' || *text == '\\')
      p += sprintf (p, "\\%c", *text);
    else if ((unsigned char)*text < ' ')
      p += sprintf (p, "\\u%04x", *text);
    else
      *p++ = *text;
  *p = 0;
  return to;
}
