/* Notes; see note.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "note.h"
#include "env.h"

#include <stdarg.h>
#include <stdio.h>

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
