/* Which of a benchmark's rows a command line asks for.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef NAMED_H
#define NAMED_H

#include <stdbool.h>
#include <string.h>

/* Is NAME among NAMES, which end with NULL, or are there none?  */
static bool
is_named (const char *name, char **names)
{
  bool any = *names;
  for (; *names; names++)
    if (!strcmp (*names, name))
      return true;
  return !any;
}

#endif /* NAMED_H */
