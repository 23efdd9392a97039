/* Notes; see note.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "abi/near.h"
#include "abi/optimisations.h"
#include "env.h"
#include "note.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

int
post_debug (void)
{
  const char *text = post_env (POST_ENV_DEBUG);
  return text ? atoi (text) : 0;
}

void
post_note (const char *who, const char *fmt, ...)
{
  if (post_debug () < 1)
    return;
  va_list ap;
  fprintf (stderr, "%s: ", who);
  va_start (ap, fmt);
  vfprintf (stderr, fmt, ap);
  va_end (ap);
  fputc ('\n', stderr);
}

void
post_complain (const char *who, const char *where, const char *what,
	       size_t len)
{
  const char *meant = acr_optimisation_near (ACR_PART_COUNT, what, len);
  const char *help = post_env_help (where);
  fprintf (stderr, "%s: warning: %s: unknown '%.*s'", who, where, (int) len,
	   what);
  if (help && strcmp (where, post_env_name (POST_ENV_DISABLE)) != 0)
    fprintf (stderr, " (%s)", help);
  else if (meant)
    fprintf (stderr, "; is '%s' meant?", meant);
  fputc ('\n', stderr);
}

static const char *speaker;

static void
say_variable (const char *name, size_t len, const char *meant)
{
  fprintf (stderr, "%s: warning: ACCRETE_%.*s: there is no such variable",
	   speaker, (int) len, name);
  if (meant)
    fprintf (stderr, "; is ACCRETE_%s meant?", meant);
  fputc ('\n', stderr);
}

void
post_check_variables (const char *who)
{
  speaker = who;
  acr_unknown_variables (environ, say_variable);
}
