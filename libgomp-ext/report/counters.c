/* The report's counters: what was issued to the driver, and what the
   optimisations saved, as a list and as JSON.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "launch/times.h"
#include "memory/pool.h"
#include "report/report-int.h"

#include <inttypes.h>

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
acr_counters_clear (void)
{
  for (unsigned i = 0; i < NCOUNTERS; i++)
    *counters[i].value = 0;
}

bool
acr_counters_any (void)
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

void
acr_counters_json (FILE *to, const char *device)
{
  struct acr_pool_stats pool = acr_pool_stats ();
  fprintf (to, "{\"accrete\":\"%s\",\"device\":", PACKAGE_VERSION);
  print_json_string (to, device);
  for (unsigned i = 0; i < NCOUNTERS; i++)
    fprintf (to, ",\"%s\":%" PRIu64, counters[i].name, *counters[i].value);
  fprintf (to,
           ",\"pool\":{\"hits\":%" PRIu64 ",\"misses\":%" PRIu64
           ",\"trims\":%" PRIu64 ",\"cached_bytes\":%" PRIu64 "}",
           pool.hits, pool.misses, pool.trims, pool.cached_bytes);
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

void
acr_counters_text (FILE *to, const char *device)
{
  struct acr_pool_stats pool = acr_pool_stats ();
  fprintf (to, "accrete: device layer: %s\n", device);
  for (unsigned i = 0; i < NCOUNTERS; i++)
    fprintf (to, "accrete: %-12s %12" PRIu64 "  %s\n", counters[i].name,
             *counters[i].value, counters[i].meaning);
  fprintf (to,
           "accrete: %-12s %12" PRIu64 "  hits, %" PRIu64 " misses, %" PRIu64
           " trims, at most %" PRIu64 " bytes kept\n",
           "pool", pool.hits, pool.misses, pool.trims, pool.cached_bytes);
  if (acr_env.times)
    acr_times_print (to, false);
  for (unsigned o = 0; o < ACR_OPT_COUNT; o++)
    if (acr_opt_off (o))
      fprintf (to, "accrete: %s is off: %s\n", acr_opt_name (o),
               acr_opt_off (o));
}
