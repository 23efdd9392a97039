/* check-units FILE...: each FILE must print back byte for byte and have no
   statement that is not understood.  Prints one line a defect, and the number
   of units in the end.  Used by units.sh.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "testing.h"

int
main (int argc, char **argv)
{
  int bad = 0;
  for (int i = 1; i < argc; i++)
    {
      size_t len, printed_len;
      char *text = read_file (argv[i], &len);
      struct ptx_error e;
      struct ptx_unit *u = ptx_parse (argv[i], text, len, &e);
      if (!u)
	{
	  ptx_error_print (stdout, argv[i], text, len, &e);
	  bad++;
	}
      else
	{
	  char *printed = text_of (u, &printed_len);
	  if (printed_len != len || memcmp (printed, text, len) != 0)
	    {
	      printf ("%s: printed text differs\n", argv[i]);
	      bad++;
	    }
	  for (struct ptx_stmt *s = u->first; s; s = s->next)
	    if (s->kind == PTX_S_RAW
		|| (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_OPAQUE))
	      {
		printf ("%s:%u: not understood\n", argv[i], s->line);
		bad++;
	      }
	  free (printed);
	  ptx_unit_free (u);
	}
      free (text);
    }
  printf ("%d units\n", argc - 1);
  return bad != 0;
}
