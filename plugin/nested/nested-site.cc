/* What the command line says about single children:

     -fplugin-arg-accrete-nest=[FILE:]LINE:HOW,...

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "nested/nested.h"

/* One of these, about the construct in LINE of a file whose name ends in FILE, N
   characters.  */
struct site
{
  const char *file;
  size_t n;
  int line;
  enum nested_how how;
};

static vec<site> sites;

/* Take the next one from *TEXT.  False when it is wrong.  */
static bool
add_site (const char **text)
{
  static const char *const words[] = { "inplace", "group", "any" };
  const char *end = *text + strcspn (*text, ",");
  const char *colon = (const char *) memrchr (*text, ':', end - *text);
  if (!colon)
    return false;
  site s = { *text, 0, 0, NESTED_ANY };
  const char *line = colon;
  while (line > *text && line[-1] != ':')
    line--;
  s.n = line > *text ? line - 1 - *text : 0;
  char *rest;
  s.line = strtol (line, &rest, 10);
  if (rest != colon || s.line <= 0)
    return false;
  for (unsigned i = 0; i < ARRAY_SIZE (words); i++)
    if (strlen (words[i]) == (size_t) (end - colon - 1)
	&& !strncmp (words[i], colon + 1, end - colon - 1))
      {
	s.how = (enum nested_how) i;
	sites.safe_push (s);
	*text = end + (*end == ',');
	return true;
      }
  return false;
}

bool
nested_set_sites (const char *text)
{
  bool ok = true;
  while (ok && *text)
    ok = add_site (&text);
  return ok;
}

enum nested_how
nested_how_at (location_t loc)
{
  expanded_location at = expand_location (loc);
  enum nested_how how = NESTED_ANY;
  for (unsigned i = 0; i < sites.length (); i++)
    {
      const site *s = &sites[i];
      size_t len = at.file ? strlen (at.file) : 0;
      if (s->line == at.line && len >= s->n
	  && !strncmp (at.file + len - s->n, s->file, s->n))
	how = s->how;
    }
  return how;
}
