/* For every tag line on standard input, its source line and the operands
   whose data acr_region_constant proves constant, by name if they have one.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "abi/abi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
main (void)
{
  char *line = NULL;
  size_t room = 0;
  ssize_t len;
  while ((len = getline (&line, &room, stdin)) > 0)
    {
      struct acr_region *r = acr_tag_parse (line, len);
      if (!r)
	{
	  fprintf (stderr, "not a tag: %s", line);
	  return 1;
	}
      printf ("%u", r->line);
      const char *last = "";
      for (unsigned i = 0; i < r->nops; i++)
	if (acr_region_constant (r, i) && *r->ops[i].name
	    && strcmp (r->ops[i].name, last))
	  {
	    last = r->ops[i].name;
	    printf (" %s", last);
	  }
      putchar ('\n');
      free (r);
    }
  free (line);
  return 0;
}
