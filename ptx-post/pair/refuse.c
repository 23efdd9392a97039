/* What all of a pair's files stand on: text, and the word that something is
   not paired; see pair.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pair/pair.h"

#include <stdarg.h>
#include <stdlib.h>

char *
pair_text (const char *format, ...)
{
  char *text;
  va_list args;
  va_start (args, format);
  if (vasprintf (&text, format, args) < 0)
    abort ();
  va_end (args);
  return text;
}

bool
pair_refuse (const struct pair_side *side, const struct ptx_stmt *s,
	     const char *why, ...)
{
  va_list args;
  va_start (args, why);
  fprintf (stderr, "ptx-post: %s:", side->file);
  if (s && s->line)
    fprintf (stderr, "%u:", s->line);
  fprintf (stderr, " %s is not paired: ", side->name ? side->name : "it");
  vfprintf (stderr, why, args);
  putc ('\n', stderr);
  va_end (args);
  return false;
}
