/* What the tests of the PTX library share.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef TESTING_H
#define TESTING_H

#include <config.h>

#include "ptx/ptx.h"
#include "tap.h"

#include <stdlib.h>

/* Read FILE, or $srcdir/FILE; the text ends with a NUL.  */
__attribute__ ((unused)) static char *
read_file (const char *file, size_t *len)
{
  char path[4096];
  const char *srcdir = getenv ("srcdir");
  FILE *f = fopen (file, "r");
  if (!f && srcdir)
    {
      snprintf (path, sizeof path, "%s/%s", srcdir, file);
      f = fopen (path, "r");
    }
  if (!f)
    {
      perror (file);
      exit (99);
    }
  size_t room = 1 << 16, n;
  char *text = malloc (room);
  for (*len = 0; (n = fread (text + *len, 1, room - *len - 1, f)); *len += n)
    if (room - *len - n < 2)
      text = realloc (text, room *= 2);
  fclose (f);
  text[*len] = 0;
  return text;
}

/* The text of U; to be freed.  */
__attribute__ ((unused)) static char *
text_of (const struct ptx_unit *u, size_t *len)
{
  char *text;
  FILE *f = open_memstream (&text, len);
  ptx_print (u, f);
  fclose (f);
  return text;
}

/* Parse TEXT, which must be right.  */
__attribute__ ((unused)) static struct ptx_unit *
parse_text (const char *text)
{
  struct ptx_error e;
  struct ptx_unit *u = ptx_parse ("test.ptx", text, strlen (text), &e);
  if (!u)
    {
      ptx_error_print (stderr, "test.ptx", text, strlen (text), &e);
      exit (99);
    }
  return u;
}

/* The N-th statement of KIND, from 0, or NULL.  */
__attribute__ ((unused)) static struct ptx_stmt *
nth (const struct ptx_unit *u, enum ptx_stmt_kind kind, unsigned n)
{
  struct ptx_stmt *s = u->first;
  for (; s; s = s->next)
    if (s->kind == kind && n-- == 0)
      break;
  return s;
}

/* Statements that the library does not understand.  */
__attribute__ ((unused)) static unsigned
count_unknown (const struct ptx_unit *u)
{
  unsigned n = 0;
  for (const struct ptx_stmt *s = u->first; s; s = s->next)
    n += s->kind == PTX_S_RAW
	 || (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_OPAQUE);
  return n;
}

#endif /* TESTING_H */
