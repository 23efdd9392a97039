/* Lists of names in remarks.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "advice/advice.h"

name_list::~name_list ()
{
  for (unsigned i = 0; i < names.length (); i++)
    free (names[i]);
}

void
name_list::add (char *name)
{
  bool known = !name;
  for (unsigned i = 0; i < names.length () && !known; i++)
    known = !strcmp (names[i], name);
  if (known)
    free (name);
  else
    names.safe_push (name);
}

char *
name_list::text () const
{
  char *all = xstrdup ("");
  for (unsigned i = 0; i < names.length (); i++)
    {
      bool last = i + 1 == names.length ();
      const char *mark = i == 0 ? "" : last ? " and " : ", ";
      char *longer = concat (all, mark, names[i], NULL);
      free (all);
      all = longer;
    }
  return all;
}
