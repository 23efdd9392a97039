/* Numbers as people write them; see report-int.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "report/report-int.h"

#include <inttypes.h>

/* X of the first of the UNITS, each 1000 times the one before, with three
   digits or more.  */
static const char *
scaled (char to[ACR_WORD], double x, const char *const *units, unsigned n)
{
  unsigned u = 0;
  while (x >= 999.95 && u + 1 < n)
    {
      x /= 1000;
      u++;
    }
  snprintf (to, ACR_WORD, x < 9.995 ? "%.2f %s" : "%.1f %s", x, units[u]);
  return to;
}

const char *
acr_word_bytes (char to[ACR_WORD], uint64_t bytes)
{
  static const char *const units[] = { "kB", "MB", "GB", "TB" };
  if (bytes >= 100000)
    return scaled (to, bytes / 1e3, units, 4);
  snprintf (to, ACR_WORD, bytes ? "%" PRIu64 " B" : "-", bytes);
  return to;
}

const char *
acr_word_time (char to[ACR_WORD], double us)
{
  static const char *const units[] = { "us", "ms", "s" };
  if (us > 0)
    return scaled (to, us, units, 3);
  snprintf (to, ACR_WORD, "-");
  return to;
}

const char *
acr_word_times (char to[ACR_WORD], uint64_t n)
{
  snprintf (to, ACR_WORD, n == 1 ? "once" : "%" PRIu64 " times", n);
  return to;
}
