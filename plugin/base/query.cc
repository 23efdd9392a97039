/* Calls by which a program asks the runtime where its thread is.

   Source: OpenMP 5.0, 3.2 (device and team routines).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/base.h"

static const char *const names[] = {
#define QUERY(name, id) name,
#include "base/query.def"
};

enum place_query
query_of (const_tree fn)
{
  if (!fn || !DECL_NAME (fn) || !DECL_EXTERNAL (fn))
    return QUERY_NONE;
  const char *name = IDENTIFIER_POINTER (DECL_NAME (fn));
  for (unsigned i = 0; i < QUERY_NONE; i++)
    {
      size_t n = strlen (names[i]);
      /* Fortran's names have an underscore more.  */
      if (startswith (name, names[i])
	  && (!name[n] || !strcmp (name + n, "_")))
	return (enum place_query) i;
    }
  return QUERY_NONE;
}
