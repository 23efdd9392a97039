/* Pass select: instructions that ptxas makes better code of.

   GCC writes a + b + c and a - b + c of 32 bits as instructions for video,

     vadd.u32.u32.u32.add %d, %a, %b, %c;

   which Kepler has.  For later GPUs ptxas first picks the parts of both operands,
   two instructions, before it adds, while it makes one instruction of two additions.
   Subscripts are full of them.

   Atomic updates whose result nobody wants have the bit bucket for it,

     atom.global.add.u32 _, [%p], %x;

   As a reduction (red), ptxas lets one lane add for all of a warp that update one
   place: a thirty-second of the updates where threads count or add up.

   Needs: nothing.  Keeps: all values.  Breaks: nothing.
   Source: PTX ISA 9.7.13 and 9.7.17; vadd_addsi4 in GCC's nvptx back end.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdio.h>
#include <string.h>

/* Write the register or constant O to TEXT of SIZE bytes.  False when it is neither.  */
static bool
write_operand (const struct ptx_opnd *o, char *text, size_t size)
{
  int n = -1;
  if (o->kind == PTX_O_REG && !o->neg && !o->sel)
    n = snprintf (text, size, "%s", o->sym->name);
  else if (o->kind == PTX_O_INT)
    n = snprintf (text, size, "%lld", (long long) o->bits);
  return n > 0 && (size_t) n < size;
}

static bool
all_words (const struct ptx_insn *i)
{
  for (unsigned t = 0; t < i->ntypes; t++)
    if (i->type[t] != PTX_T_U32 && i->type[t] != PTX_T_S32)
      return false;
  return true;
}

/* Put two additions in the place of S, in F, when it is a sum of three.  */
static void
expand_sum (struct post *p, struct ptx_func *f, struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->insn;
  char operand[4][100], text[600];
  if ((i->op != PTX_OP_VADD && i->op != PTX_OP_VSUB) || i->guard
      || i->nopnds != 4 || i->flags || i->mod[PTX_MC_SUBOP] != PTX_M_ADD
      || !all_words (i))
    return;
  for (unsigned n = 0; n < 4; n++)
    if (!write_operand (i->opnd[n], operand[n], sizeof operand[n]))
      return;
  snprintf (text, sizeof text,
	    "{\n\t.reg.u32 %%acr_sum;\n"
	    "\t%s.u32 %%acr_sum, %s, %s;\n"
	    "\tadd.u32 %s, %%acr_sum, %s;\n}",
	    i->op == PTX_OP_VADD ? "add" : "sub", operand[1], operand[2],
	    operand[0], operand[3]);
  post_explain (p, s, true, "two additions");
  post_insert (p, f, s, text);
  ptx_remove (p->unit, s);
}

/* Is there a reduction for the atomic operation of I?  */
static bool
reduces (const struct ptx_insn *i)
{
  switch (i->mod[PTX_MC_SUBOP])
    {
    case PTX_M_ADD:
    case PTX_M_MIN:
    case PTX_M_MAX:
    case PTX_M_AND:
    case PTX_M_OR:
    case PTX_M_XOR:
    case PTX_M_INC:
    case PTX_M_DEC:
      break;
    default:
      return false;
    }
  enum ptx_mod order = i->mod[PTX_MC_SEM];
  return order == PTX_M_NONE || order == PTX_M_RELAXED;
}

/* Let S be a reduction when it is an atomic operation without a result.  */
static void
drop_result (struct post *p, struct ptx_stmt *s)
{
  struct ptx_insn *i = s->insn;
  if (i->op != PTX_OP_ATOM || i->nopnds != 3
      || i->opnd[0]->kind != PTX_O_SINK || !reduces (i))
    return;
  post_explain (p, s, true, "a reduction");
  char mnemonic[strlen (i->mnemonic) + 1];
  sprintf (mnemonic, "red%s", i->mnemonic + strlen ("atom"));
  i->opnd[0] = i->opnd[1];
  i->opnd[1] = i->opnd[2];
  i->nopnds = 2;
  ptx_set_mnemonic (p->unit, s, mnemonic);
}

void
pass_select (struct post *p)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    for (struct ptx_stmt *s = f->has_body ? f->first : NULL, *next;
	 s && s != f->last; s = next)
      {
	next = s->next;
	if (s->kind != PTX_S_INSN)
	  continue;
	drop_result (p, s);
	expand_sum (p, f, s);
      }
}
