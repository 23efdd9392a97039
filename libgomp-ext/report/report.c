/* Who gets the report; see report.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/path.h"
#include "ext.h"
#include "launch/times.h"
#include "report/report-int.h"
#include "report/row.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* This process is a forked child.  */
static bool forked;

void
acr_report_fork (void)
{
  forked = true;
  acr_counters_clear ();
  acr_times_fork ();
  acr_row_fork ();
}

static void
print_text (FILE *to, const char *device)
{
  acr_summary_print (to, device);
  acr_table_print (to, !strcmp (device, "active"));
  acr_summary_off (to);
}

/* The file of ACCRETE_REPORT_FILE, at its end; else, and when that cannot be
   opened, stderr.  Nobody waits for the reader of a pipe.  */
static int
open_report (void)
{
  char path[PATH_MAX];
  if (!acr_env.report_file)
    return STDERR_FILENO;
  int f = -1;
  if (acr_path_expand (path, acr_env.report_file))
    f = open (path,
              O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY
                  | O_NONBLOCK,
              0666);
  else
    errno = ENAMETOOLONG;
  if (f >= 0)
    return f;
  acr_warn ("ACCRETE_REPORT_FILE: cannot open %s: %s", acr_env.report_file,
            strerror (errno));
  return STDERR_FILENO;
}

/* One write, so that reports of several processes stay whole.  */
static void
hand_out (const char *text, size_t n)
{
  int f = open_report ();
  ssize_t written = write (f, text, n);
  if (written < 0)
    acr_warn ("the report cannot be written: %s", strerror (errno));
  else if ((size_t)written < n)
    acr_warn ("the report is cut short");
  if (f != STDERR_FILENO)
    close (f);
}

void
acr_report (void)
{
  static void (*const print[]) (FILE *, const char *)
      = { [REPORT_TEXT] = print_text,
          [REPORT_COUNTERS] = acr_counters_text,
          [REPORT_JSON] = acr_counters_json };
  const char *device = acr_device_state ();
  if (acr_env.report == REPORT_NONE || !device
      || (forked && !acr_counters_any ()))
    return;

  char *text = NULL;
  size_t n = 0;
  FILE *to = open_memstream (&text, &n);
  if (!to)
    return;
  print[acr_env.report](to, device);
  if (!fclose (to))
    hand_out (text, n);
  free (text);
}
