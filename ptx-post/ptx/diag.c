/* Diagnostics with place and caret.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ptx/ptx-int.h"

#include <string.h>

void
ptx_error_print (FILE *to, const char *name, const char *text, size_t len,
		 const struct ptx_error *e)
{
  fprintf (to, "%s:%u:%u: error: %s\n", name, e->line, e->column, e->message);
  const char *end = text + len;
  for (unsigned line = 1; line < e->line && text < end; line++)
    {
      const char *nl = memchr (text, '\n', end - text);
      text = nl ? nl + 1 : end;
    }
  const char *nl = memchr (text, '\n', end - text);
  size_t n = (nl ? nl : end) - text;
  /* A line too long to read helps nobody.  */
  if (n > 500 || memchr (text, 0, n))
    return;
  fprintf (to, "%.*s\n", (int) n, text);
  for (unsigned c = 1; c < e->column && c <= n; c++)
    fputc (text[c - 1] == '\t' ? '\t' : ' ', to);
  fputs ("^\n", to);
}
