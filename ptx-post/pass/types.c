/* Pass types: loads and stores have a type that their register may have.

   Where a structure's first member is a floating-point number and the structure, which
   a function is given or returns by value, has the size of an integer (float2, float4,
   { double, double }), GCC reads the number as a part of that integer and prints the
   type of the part, not the register's:

     .reg .f32 %r50;  ld.u32 %r50, [%r43];

   ptxas and the driver refuse that: no kernel of the program can be loaded.  Bits are
   moved either way, so that the type becomes that of bits, which every register of the
   size may take.

   Needs: nothing.  Keeps: everything.
   Source: PTX ISA 9.2 (operand size exceeding, and of types, instruction types) and 9.7.9;
   nvptx_print_operand, 'u', in GCC's nvptx.cc.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"

#include <stdio.h>
#include <string.h>

/* Does S access memory by a register of the same size that may not have its type?  */
static bool
differs (const struct ptx_stmt *s)
{
  if (s->kind != PTX_S_INSN || ptx_access_fits (s->insn))
    return false;
  const struct ptx_insn *i = s->insn;
  const struct ptx_sym *reg = i->opnd[i->op == PTX_OP_ST]->sym;
  return ptx_type_info[i->type[0]].bytes == ptx_type_info[reg->type].bytes;
}

void
pass_types (struct post *p)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    if (f->has_body && !f->opaque)
      for (struct ptx_stmt *s = f->first; s != f->last; s = s->next)
	if (differs (s))
	  {
	    const char *old = s->insn->mnemonic;
	    char text[100];
	    snprintf (text, sizeof text, "%.*s.b%d", (int) (strrchr (old, '.') - old), old,
		      8 * (int) ptx_type_info[s->insn->type[0]].bytes);
	    post_explain (p, s, true, "its register has another type");
	    ptx_set_mnemonic (p->unit, s, ptx_strdup (p->unit, text, strlen (text)));
	  }
}
