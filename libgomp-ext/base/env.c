/* The ACCRETE_* variables: read once, from the table in env.def.  A value
   that makes no sense is named on stderr and leaves the default.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "abi/near.h"
#include "abi/optimisations.h"
#include "ext.h"
#include "launch/geometry/geometry-word.h"
#include "launch/pair-choice.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

struct acr_env acr_env = {
#define ENV(NAME, type, field, def, help) .field = def,
#include "base/env.def"
};

/* Why each optimisation is off; NULL is on.  */
const char *_Atomic acr_opt_why[ACR_OPT_COUNT];

void
acr_warn (const char *fmt, ...)
{
  char line[512] = "accrete: ";
  size_t n = strlen (line);
  va_list ap;
  va_start (ap, fmt);
  int m = vsnprintf (line + n, sizeof line - n - 1, fmt, ap);
  va_end (ap);
  if (m < 0)
    return;
  n += (size_t)m < sizeof line - n - 1 ? (size_t)m : sizeof line - n - 2;
  line[n++] = '\n';
  /* One write, so that lines of several threads stay whole.  */
  if (write (STDERR_FILENO, line, n) < 0)
    return;
}

/* Readers: true when TEXT is a value of their type.  */

static bool
read_format (const char *text, enum acr_report *to)
{
  if (!strcmp (text, "text") || !strcmp (text, "1"))
    *to = REPORT_TEXT;
  else if (!strcmp (text, "counters"))
    *to = REPORT_COUNTERS;
  else if (!strcmp (text, "json"))
    *to = REPORT_JSON;
  else if (!*text || !strcmp (text, "0") || !strcmp (text, "none"))
    *to = REPORT_NONE;
  else
    return false;
  return true;
}

static bool
read_flag (const char *text, bool *to)
{
  static const char *const word[] = { "0", "1", "no", "yes", "off", "on" };
  for (unsigned i = 0; i < sizeof word / sizeof *word; i++)
    if (!strcasecmp (text, word[i]))
      {
        *to = i & 1;
        return true;
      }
  return !*text;
}

static bool
read_path (const char *text, const char **to)
{
  *to = *text ? text : NULL;
  return true;
}

static bool
read_level (const char *text, int *to)
{
  if (text[0] < '0' || text[0] > '3' || text[1])
    return !*text;
  *to = *text - '0';
  return true;
}

static bool
read_nest (const char *text, enum acr_nest *to)
{
  static const char *const word[]
      = { "inplace",       "warp",        "block",
          "grid",          "auto",        "all",
          "device-forget", "device-null", "device-tail",
          "device-warp",   "device-block" };
  for (unsigned i = 0; i < ACR_NEST_COUNT; i++)
    if (!strcmp (text, word[i]))
      {
        *to = i;
        return true;
      }
  return !*text;
}

static bool
read_size (const char *text, size_t *to)
{
  static const char unit[] = "KMGT";
  char *end;
  errno = 0;
  unsigned long long n = strtoull (text, &end, 0);
  if (end == text || *text == '-' || errno)
    return !*text;
  unsigned shift = 0;
  if (*end)
    {
      const char *u = strchr (unit, *end & ~0x20);
      if (!u || end[1])
        return false;
      shift = 10 * (u - unit + 1);
    }
  if (n > SIZE_MAX >> shift)
    return false;
  *to = n << shift;
  return true;
}

static bool
read_geometry (const char *text, const char **to)
{
  if (!acr_geometry_valid (text))
    return false;
  *to = text;
  return true;
}

static bool
read_pair (const char *text, unsigned *to)
{
  return !*text || acr_pair_word (text, to);
}

static void
warn_unknown (const char *where, const char *name, size_t n)
{
  const char *meant = acr_optimisation_near (ACR_PART_COUNT, name, n);
  acr_warn ("%s: no optimisation is named '%.*s'%s%s%s (accrete-run --help "
            "lists them)",
            where, (int)n, name, meant ? "; is '" : "", meant ? meant : "",
            meant ? "' meant?" : "");
}

static void
warn_variable (const char *name, size_t n, const char *meant)
{
  acr_warn ("ACCRETE_%.*s: there is no such variable%s%s%s", (int)n, name,
            meant ? "; is ACCRETE_" : "", meant ? meant : "",
            meant ? " meant?" : "");
}

/* A list of names; an unknown one is named, the others count.  Those of the
   other parts are known: one value may serve for building and for running a
   program.  */
static bool
read_names (const char *text, acr_optimisation_set *to)
{
  *to |= acr_optimisations_named (ACR_PART_RUNTIME, text, true,
                                  "ACCRETE_DISABLE", warn_unknown);
  return true;
}

/* GOMP_OPENACC_DIM, as libgomp's parse_gomp_openacc_dim reads it.  */
static void
read_acc_dims (unsigned dims[3])
{
  const char *text = getenv ("GOMP_OPENACC_DIM");
  for (int i = 0; text && *text && i < 3; i++)
    {
      char *end;
      if (i && *text++ != ':')
        return;
      if (*text == ':')
        continue;
      errno = 0;
      long n = strtol (text, &end, 10);
      if (errno || n < 0 || (unsigned)n != n)
        return;
      dims[i] = n;
      text = end;
    }
}

void
acr_env_read (void)
{
  const char *text;
#define ENV(NAME, type, field, def, help)                                     \
  text = secure_getenv ("ACCRETE_" #NAME);                                    \
  if (text && !read_##type (text, &acr_env.field))                            \
    acr_warn ("ACCRETE_" #NAME ": '%s' is not valid and ignored (%s)", text,  \
              help);
#include "base/env.def"
  acr_unknown_variables (environ, warn_variable);
  read_acc_dims (acr_env.acc_dims);
  text = getenv ("GOMP_DEBUG");
  acr_env.gomp_debug = text && strtol (text, NULL, 10) > 0;
  for (unsigned o = 0; o < ACR_OPT_COUNT; o++)
    if (acr_env.off)
      acr_opt_disable (o, "ACCRETE_OFF");
    else if (acr_optimisation_in (acr_env.disabled, o))
      acr_opt_disable (o, "ACCRETE_DISABLE");
}

void
acr_opt_disable (enum acr_opt o, const char *why)
{
  const char *none = NULL;
  if (atomic_compare_exchange_strong (&acr_opt_why[o], &none, why))
    acr_debug (1, "%s is off: %s", acr_opt_name (o), why);
}

const char *
acr_opt_name (enum acr_opt o)
{
  return acr_optimisation (ACR_PART_RUNTIME, o)->name;
}
