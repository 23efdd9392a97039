/* Names in a piece of PTX, and writing it with others.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pair/pair.h"

#include "analysis/analysis.h"

#include <ctype.h>
#include <string.h>

static bool
in_word (char c)
{
  return isalnum ((unsigned char) c) || c == '_' || c == '$';
}

/* Behind the word, number or suffix at S.  */
static const char *
skip_word (const char *s, const char *end)
{
  while (s < end && in_word (*s))
    s++;
  return s;
}

/* Behind the comment or string at S, if there is one.  */
static const char *
skip_other (const char *s, const char *end)
{
  const char *last = NULL;
  if (*s == '"')
    last = memchr (s + 1, '"', end - s - 1);
  else if (*s == '/' && s + 1 < end && s[1] == '/')
    last = memchr (s, '\n', end - s);
  else if (*s == '/' && s + 1 < end && s[1] == '*')
    {
      const char *close = memmem (s + 2, end - s - 2, "*/", 2);
      last = close ? close + 1 : NULL;
    }
  else
    return s;
  return last ? last + 1 : end;
}

bool
pair_next_word (const char **pos, const char *end, struct pair_word *w)
{
  for (const char *s = *pos, *next; s < end; s = next)
    {
      next = skip_other (s, end);
      if (next != s)
	continue;
      if (isdigit ((unsigned char) *s) || (*s == '.' && s + 1 < end))
	next = skip_word (s + 1, end);
      else if (!in_word (*s) && *s != '%')
	next = s + 1;
      else
	{
	  *pos = next = skip_word (s + 1, end);
	  *w = (struct pair_word) { s, next - s, next - s };
	  if (next + 1 < end && *next == '.' && in_word (next[1]))
	    w->len = skip_word (next + 1, end) - s;
	  return true;
	}
    }
  *pos = end;
  return false;
}

bool
pair_word_is (const struct pair_word *w, const char *name)
{
  return strlen (name) == w->base && memcmp (name, w->text, w->base) == 0;
}

/* The name for W, or for its part without component, or NULL.  */
static const struct pair_name *
find_name (const struct pair_names *names, const struct pair_word *w)
{
  for (; names; names = names->outer)
    for (const struct pair_name *n = names->first; n; n = n->next)
      if (pair_word_is (w, n->from)
	  || (strlen (n->from) == w->len
	      && memcmp (n->from, w->text, w->len) == 0))
	return n;
  return NULL;
}

const char *
pair_name (const struct pair_names *names, const char *name)
{
  size_t len = strlen (name);
  const struct pair_name *n
    = find_name (names, &(struct pair_word) { name, len, len });
  return n ? n->to : name;
}

void
pair_add_name (struct pair_names *names, const char *from, char *to)
{
  struct pair_name *n = xcalloc (1, sizeof *n);
  *n = (struct pair_name) { from, to, names->first };
  names->first = n;
}

void
pair_write (FILE *out, const char *text, const char *end,
	    const struct pair_names *names)
{
  struct pair_word w;
  const char *from = text;
  for (const char *pos = text; pair_next_word (&pos, end, &w);)
    {
      const struct pair_name *n = find_name (names, &w);
      if (!n)
	continue;
      fwrite (from, 1, w.text - from, out);
      fputs (n->to, out);
      from = pos = w.text + strlen (n->from);
    }
  fwrite (from, 1, end - from, out);
}
