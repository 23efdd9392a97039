/* The report at exit: what was issued to the driver, and what the
   optimisations saved.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "launch/times.h"
#include "memory/pool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* This process is a forked child.  */
static bool forked;

static const struct counter
{
  const char *name, *meaning;
  _Atomic uint64_t *value;
} counters[] = {
#define COUNT(name, meaning) { #name, meaning, &acr_counters.name },
#include "base/count.def"
};

#define NCOUNTERS (sizeof counters / sizeof *counters)

void
acr_report_fork (void)
{
  forked = true;
  for (unsigned i = 0; i < NCOUNTERS; i++)
    *counters[i].value = 0;
  acr_times_fork ();
}

static bool
counted_anything (void)
{
  for (unsigned i = 0; i < NCOUNTERS; i++)
    if (*counters[i].value)
      return true;
  return false;
}

static void
print_json_string (FILE *to, const char *s)
{
  putc ('"', to);
  for (; *s; s++)
    if (*s == '"' || *s == '\\')
      fprintf (to, "\\%c", *s);
    else if ((unsigned char)*s < ' ')
      fprintf (to, "\\u%04x", *s);
    else
      putc (*s, to);
  putc ('"', to);
}

static void
print_json (FILE *to, const char *device, const struct acr_pool_stats *pool)
{
  fprintf (to, "{\"accrete\":\"%s\",\"device\":", PACKAGE_VERSION);
  print_json_string (to, device);
  for (unsigned i = 0; i < NCOUNTERS; i++)
    fprintf (to, ",\"%s\":%" PRIu64, counters[i].name, *counters[i].value);
  fprintf (to,
           ",\"pool\":{\"hits\":%" PRIu64 ",\"misses\":%" PRIu64
           ",\"trims\":%" PRIu64 ",\"cached_bytes\":%" PRIu64 "}",
           pool->hits, pool->misses, pool->trims, pool->cached_bytes);
  if (acr_env.times)
    acr_times_print (to, true);
  fputs (",\"disabled\":{", to);
  const char *comma = "";
  for (unsigned o = 0; o < ACR_OPT_COUNT; o++)
    if (acr_opt_off (o))
      {
        fprintf (to, "%s\"%s\":", comma, acr_opt_name (o));
        print_json_string (to, acr_opt_off (o));
        comma = ",";
      }
  fputs ("}}\n", to);
}

static void
print_text (FILE *to, const char *device, const struct acr_pool_stats *pool)
{
  fprintf (to, "accrete: device layer: %s\n", device);
  for (unsigned i = 0; i < NCOUNTERS; i++)
    fprintf (to, "accrete: %-12s %12" PRIu64 "  %s\n", counters[i].name,
             *counters[i].value, counters[i].meaning);
  fprintf (to,
           "accrete: %-12s %12" PRIu64 "  hits, %" PRIu64 " misses, %" PRIu64
           " trims, at most %" PRIu64 " bytes kept\n",
           "pool", pool->hits, pool->misses, pool->trims, pool->cached_bytes);
  if (acr_env.times)
    acr_times_print (to, false);
  for (unsigned o = 0; o < ACR_OPT_COUNT; o++)
    if (acr_opt_off (o))
      fprintf (to, "accrete: %s is off: %s\n", acr_opt_name (o),
               acr_opt_off (o));
}

void
acr_report (void)
{
  const char *device = acr_device_state ();
  if (acr_env.report == REPORT_NONE || !device
      || (forked && !counted_anything ()))
    return;

  char *text = NULL;
  size_t n = 0;
  FILE *to = open_memstream (&text, &n);
  if (!to)
    return;
  struct acr_pool_stats pool = acr_pool_stats ();
  (acr_env.report == REPORT_JSON ? print_json : print_text) (to, device,
                                                             &pool);
  /* One write, so that reports of several processes stay whole.  */
  if (!fclose (to) && write (STDERR_FILENO, text, n) < 0)
    acr_debug (1, "the report cannot be written");
  free (text);
}
