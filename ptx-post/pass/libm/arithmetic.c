/* Which arithmetic a function of libm has; see arithmetic.h.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "arithmetic.h"
#include "post.h"

#include <string.h>

/* Does I compare an exponent, or a number by its bits, with a constant, or cut it, or
   add to it?  */
static bool
on_bits_p (const struct ptx_insn *i)
{
  const struct ptx_opnd *last = i->opnd[i->nopnds - 1];
  switch (i->op)
    {
    case PTX_OP_SETP:
    case PTX_OP_AND:
    case PTX_OP_OR:
    case PTX_OP_XOR:
    case PTX_OP_ADD:
      return last->kind == PTX_O_INT
	     && (int64_t) last->bits * (int64_t) last->bits > 10000;
    default:
      return false;
    }
}

/* A number for I, the same for the same operation on the same constants, whatever
   the registers; 0 for what has no part in the value of a sum or product.  */
static uint64_t
number_of (const struct ptx_insn *i)
{
  switch (i->op)
    {
    case PTX_OP_MOV:
    case PTX_OP_NEG:
    case PTX_OP_SELP:
    case PTX_OP_LD:
    case PTX_OP_ST:
    case PTX_OP_CALL:
      return 0;
    default:
      break;
    }
  if (!strstr (i->mnemonic, ".f32") && !strstr (i->mnemonic, ".f64")
      && !on_bits_p (i))
    return 0;
  uint64_t n = 14695981039346656037u;
  for (const char *c = i->mnemonic; *c; c++)
    n = (n ^ (unsigned char) *c) * 1099511628211u;
  for (unsigned k = 0; k < i->nopnds; k++)
    if (i->opnd[k]->kind == PTX_O_FLOAT || i->opnd[k]->kind == PTX_O_INT)
      n = (n ^ i->opnd[k]->bits) * 1099511628211u;
  return n ^ n >> 32;
}

uint64_t
arithmetic_of (const struct ptx_func *f)
{
  uint64_t sum = 0;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN)
      sum += number_of (s->insn);
  return sum;
}
