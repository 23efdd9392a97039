/* Decoding moves: of rows, of parts of registers and of vectors of them.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "decode/decode.h"

/* The type of N parts of T.  */
static enum ptx_type
part_type (struct decoder *d, enum ptx_type t, unsigned n)
{
  switch (n == 3 ? 0 : ptx_type_info[t].bytes / n)
    {
    case 1:
      return PTX_T_B8;
    case 2:
      return PTX_T_B16;
    case 4:
      return PTX_T_B32;
    default:
      dec_unknown (d);
    }
}

/* Row of T from the N rows at PART, low bits first.  */
static opref
pack (struct decoder *d, const opref *part, unsigned n, enum ptx_type t)
{
  if (n == 1)
    return part[0];
  enum ptx_type half = part_type (d, t, 2);
  opref lo = pack (d, part, n / 2, half), hi = pack (d, part + n / 2, n / 2, half);
  opref to = dec_temp (d, t);
  dec_operands (dec_emit_named (d, "pack.%s", dec_bits (t)), to, lo, hi, 0);
  return to;
}

static void
unpack (struct decoder *d, opref row, opref *part, unsigned n, enum ptx_type t)
{
  if (n == 1)
    {
      *part = row;
      return;
    }
  enum ptx_type half = part_type (d, t, 2);
  opref lo = dec_temp (d, half), hi = dec_temp (d, half);
  struct insn *i = dec_emit_named (d, "unpack.%s", dec_bits (t));
  i->d = lo;
  i->b = hi;
  i->a = row;
  unpack (d, lo, part, n / 2, half);
  unpack (d, hi, part + n / 2, n / 2, half);
}

static void
move_row (struct decoder *d, const struct ptx_opnd *to, opref from,
	  enum ptx_type t)
{
  if (to->kind == PTX_O_SINK)
    return;
  opref r = dec_dst (d, to, t);
  dec_operands (dec_emit_named (d, "mov.%s",
				dec_bits (t)[1] == '8' ? "u16" : dec_bits (t)),
		r, from, 0, 0);
}

/* How many values O is: a list in braces or a vector register.  */
static unsigned
elements (const struct ptx_opnd *o)
{
  return o->kind == PTX_O_VEC			? o->nelt
	 : o->kind == PTX_O_REG && !o->comp ? o->sym->vec
					    : 1;
}

/* The halves of a register of 128 bits, or two in braces.  */
static void
mov_b128 (struct decoder *d, const struct ptx_opnd *to,
	  const struct ptx_opnd *from)
{
  opref half[2];
  if (elements (from) == 2)
    for (unsigned k = 0; k < 2; k++)
      {
	struct ptx_opnd e = dec_element (d, from, 2, k);
	half[k] = dec_src (d, &e, PTX_T_B64);
      }
  else
    {
      half[0] = dec_b128 (d, from);
      half[1] = half[0] + 2 * ROW;
    }
  for (unsigned k = 0; k < 2; k++)
    if (elements (to) == 2)
      {
	struct ptx_opnd e = dec_element (d, to, 2, k);
	move_row (d, &e, half[k], PTX_T_B64);
      }
    else
      dec_emit1 (d, "mov", PTX_T_U64, dec_b128 (d, to) + k * 2 * ROW, half[k]);
}

void
dec_mov (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 2);
  enum ptx_type t = in->type[0];
  const struct ptx_opnd *to = in->opnd[0], *from = in->opnd[1];
  opref part[MAX_VEC];
  unsigned n;
  if (in->vec > MAX_VEC || elements (from) > MAX_VEC
      || elements (to) > MAX_VEC)
    dec_unknown (d);
  if (t == PTX_T_PRED)
    {
      opref a = dec_pred (d, from);
      dec_emit1 (d, "mov", t, dec_pred_dst (d, to), a);
    }
  else if (t == PTX_T_B128)
    mov_b128 (d, to, from);
  else if (in->vec > 1)
    {
      /* Through temporaries: the lists may name the same registers.  */
      for (unsigned k = 0; k < in->vec; k++)
	{
	  struct ptx_opnd e = dec_element (d, from, in->vec, k);
	  opref s = dec_src (d, &e, t);
	  part[k] = dec_temp (d, t);
	  dec_operands (dec_emit_named (d, "mov.%s", dec_bits (t)), part[k], s,
			0, 0);
	}
      for (unsigned k = 0; k < in->vec; k++)
	{
	  struct ptx_opnd e = dec_element (d, to, in->vec, k);
	  move_row (d, &e, part[k], t);
	}
    }
  else if ((n = elements (from)) > 1)
    {
      for (unsigned k = 0; k < n; k++)
	{
	  struct ptx_opnd e = dec_element (d, from, n, k);
	  part[k] = dec_src (d, &e, part_type (d, t, n));
	}
      move_row (d, to, pack (d, part, n, t), t);
    }
  else if ((n = elements (to)) > 1)
    {
      unpack (d, dec_src (d, from, t), part, n, t);
      for (unsigned k = 0; k < n; k++)
	{
	  struct ptx_opnd e = dec_element (d, to, n, k);
	  move_row (d, &e, part[k], part_type (d, t, n));
	}
    }
  else
    move_row (d, to, dec_src (d, from, t), t);
}
