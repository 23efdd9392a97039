/* reprint FILE: print FILE with every instruction made from its fields.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "testing.h"

int
main (int argc, char **argv)
{
  size_t len;
  if (argc != 2)
    return 99;
  char *text = read_file (argv[1], &len);
  struct ptx_unit *u = parse_text (text);
  for (struct ptx_stmt *s = u->first; s; s = s->next)
    s->changed = s->kind == PTX_S_INSN && s->insn->op != PTX_OP_OPAQUE;
  ptx_print (u, stdout);
  ptx_unit_free (u);
  free (text);
  return 0;
}
