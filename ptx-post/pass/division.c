/* Pass division: divisions of 64 bits by what is known as the program runs look
   whether 32 bits do.

   A GPU has no instruction for either; a division of 32 bits takes some 20
   instructions, one of 64 bits a call of a function of 80.  Sizes and indices
   of 64 bits are mostly small:

     or.b64 %t, A, B;  shr.u64 %t, %t, 32;  setp.ne.u64 %p, %t, 0;
     @%p bra $slow;
     (the same of 32 bits)
     bra $done;
     $slow: the division
     $done:

   Numbers whose upper halves are zero are not negative, so that signed ones
   are divided in the same way.

   Needs: the passes that follow addresses to be over, for it adds branches.
   Keeps: all values; a division by zero has none.  Breaks: nothing.
   Source: bypassSlowDivision in LLVM, which does this for NVPTX.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdio.h>
#include <string.h>

static const char slow_label[] = "$acr_slow";

static bool
is_register (const struct ptx_opnd *o)
{
  return o->kind == PTX_O_REG && !o->neg && !o->sel;
}

/* Is S what another run has put there?  */
static bool
is_slow_path (const struct ptx_stmt *s)
{
  return s->prev && s->prev->kind == PTX_S_LABEL
	 && strcmp (s->prev->sym->name, slow_label) == 0;
}

/* Is S a division that can be looked at?  */
static bool
is_candidate (const struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->kind == PTX_S_INSN ? s->insn : NULL;
  return i && (i->op == PTX_OP_DIV || i->op == PTX_OP_REM) && !i->guard
	 && i->nopnds == 3 && i->ntypes == 1
	 && (i->type[0] == PTX_T_U64 || i->type[0] == PTX_T_S64)
	 && is_register (i->opnd[0]) && is_register (i->opnd[2])
	 && (is_register (i->opnd[1]) || i->opnd[1]->kind == PTX_O_INT)
	 && !is_slow_path (s);
}

/* Put the two ways in the place of S, in F.  */
static void
bypass (struct post *p, struct ptx_func *f, struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->insn;
  const char *op = i->op == PTX_OP_DIV ? "div" : "rem";
  const char *to = i->opnd[0]->sym->name, *by = i->opnd[2]->sym->name;
  char text[1200], number[30];
  const char *what = number;
  if (is_register (i->opnd[1]))
    what = i->opnd[1]->sym->name;
  else
    snprintf (number, sizeof number, "%lld", (long long) i->opnd[1]->bits);
  int n = snprintf (text, sizeof text,
		    "{\n\t.reg.b64 %%acr_high, %%acr_what;\n"
		    "\t.reg.u32 %%acr_a, %%acr_b;\n\t.reg.pred %%acr_wide;\n"
		    "\tmov.b64 %%acr_what, %s;\n"
		    "\tor.b64 %%acr_high, %%acr_what, %s;\n"
		    "\tshr.u64 %%acr_high, %%acr_high, 32;\n"
		    "\tsetp.ne.u64 %%acr_wide, %%acr_high, 0;\n"
		    "\t@%%acr_wide bra %s;\n"
		    "\tcvt.u32.u64 %%acr_a, %%acr_what;\n"
		    "\tcvt.u32.u64 %%acr_b, %s;\n"
		    "\t%s.u32 %%acr_a, %%acr_a, %%acr_b;\n"
		    "\tcvt.u64.u32 %s, %%acr_a;\n"
		    "\tbra $acr_done;\n"
		    "%s:\n"
		    "\t%s %s, %%acr_what, %s;\n"
		    "$acr_done:\n}",
		    what, by, slow_label, by, op, to, slow_label, i->mnemonic,
		    to, by);
  if (n <= 0 || (size_t) n >= sizeof text)
    return;
  post_explain (p, s, true, "32 bits may do");
  post_insert (p, f, s, text);
  ptx_remove (p->unit, s);
}

void
pass_division (struct post *p)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    {
      if (!f->has_body)
	continue;
      for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
	{
	  next = s->next;
	  if (is_candidate (s))
	    bypass (p, f, s);
	}
    }
}
