/* Options of a pair.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pair/pair.h"

#include <stdlib.h>
#include <string.h>

/* A number from 1 to MAX at *S, *S behind it.  */
static bool
parse_number (const char **s, unsigned max, unsigned *n)
{
  char *end;
  unsigned long v = **s >= '0' && **s <= '9' ? strtoul (*s, &end, 10) : 0;
  if (!v || v > max)
    return false;
  *n = v;
  *s = end;
  return true;
}

bool
pair_parse_partition (const char *text, struct pair_options *o)
{
  static const char shares[] = "thread:";
  if (strcmp (text, "thread") == 0 || strcmp (text, "block") == 0)
    {
      o->partition = *text == 't' ? PAIR_THREAD : PAIR_BLOCK;
      return true;
    }
  if (strncmp (text, shares, strlen (shares)) != 0)
    return false;
  const char *s = text + strlen (shares);
  o->partition = PAIR_SHARES;
  return parse_number (&s, PAIR_WARP, &o->share[0]) && *s++ == '/'
	 && parse_number (&s, PAIR_WARP, &o->share[1]) && !*s;
}

/* "X[,Y[,Z]]" at *S.  */
static bool
parse_block (const char **s, unsigned block[3])
{
  block[1] = block[2] = 1;
  for (unsigned d = 0; d < 3; d++)
    {
      if (!parse_number (s, PAIR_THREADS, &block[d]))
	return false;
      if (**s != ',')
	break;
      ++*s;
    }
  return block[0] * block[1] * block[2] <= PAIR_THREADS;
}

bool
pair_parse_blocks (const char *text, struct pair_options *o)
{
  const char *s = text;
  if (*s != '/' && !parse_block (&s, o->block[0]))
    return false;
  if (*s++ != '/')
    return false;
  return !*s || (parse_block (&s, o->block[1]) && !*s);
}
