/* Decoding comparison and selection.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#include "decode/decode.h"

/* Compare A and B of type T into predicate TO.  */
static void
compare_rows (struct decoder *d, const struct ptx_insn *in, enum ptx_type t,
	      opref to, opref a, opref b)
{
  const char *cmp = dec_mod (in, PTX_MC_CMP);
  switch (in->mod[PTX_MC_CMP])
    {
    case PTX_M_NONE:
      dec_unknown (d);
    case PTX_M_CMP_LO:
      cmp = "lt";
      break;
    case PTX_M_CMP_LS:
      cmp = "le";
      break;
    case PTX_M_CMP_HI:
      cmp = "gt";
      break;
    case PTX_M_CMP_HS:
      cmp = "ge";
      break;
    default:
      break;
    }
  char name[16];
  snprintf (name, sizeof name, "setp_%s", cmp);
  a = dec_prepared (d, in, t, a);
  b = dec_prepared (d, in, t, b);
  dec_operands (dec_emit (d, dec_typed_handler (d, name, t)), to, a, b, 0);
}

/* Compare operands 1 and 2 as type T into predicate TO.  */
static void
compare (struct decoder *d, const struct ptx_insn *in, enum ptx_type t, opref to)
{
  opref a = dec_src (d, in->opnd[1], t), b = dec_src (d, in->opnd[2], t);
  compare_rows (d, in, t, to, a, b);
}

/* Compare the halves of operands 1 and 2, pairs of type T, into TO[0] (low)
   and TO[1].  */
static void
compare_pair (struct decoder *d, const struct ptx_insn *in, enum ptx_type t,
	      opref *to)
{
  opref half[2][2];
  for (unsigned k = 0; k < 2; k++)
    {
      opref row = dec_src (d, in->opnd[k + 1], t);
      half[0][k] = dec_temp (d, PTX_T_B16);
      half[1][k] = dec_temp (d, PTX_T_B16);
      struct insn *i = dec_emit_named (d, "unpack.u32");
      i->d = half[0][k];
      i->b = half[1][k];
      i->a = row;
    }
  for (unsigned k = 0; k < 2; k++)
    compare_rows (d, in, t == PTX_T_F16X2 ? PTX_T_F16 : PTX_T_BF16, to[k],
		  half[k][0], half[k][1]);
}

/* TO = A combined with operand 3 of IN.  */
static void
combine (struct decoder *d, const struct ptx_insn *in, opref to, opref a)
{
  if (!in->mod[PTX_MC_SUBOP])
    {
      dec_emit1 (d, "mov", PTX_T_PRED, to, a);
      return;
    }
  dec_need (d, in, 4);
  opref c = dec_pred (d, in->opnd[3]);
  dec_operands (dec_emit_named (d, "%s.pred", dec_mod (in, PTX_MC_SUBOP)), to,
		a, c, 0);
}

void
dec_setp (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 3);
  const struct ptx_opnd *p = in->opnd[0], *q = NULL;
  if (p->kind == PTX_O_PAIR)
    {
      q = p->elt[1];
      p = p->elt[0];
    }
  if (!q && !in->mod[PTX_MC_SUBOP])
    {
      compare (d, in, in->type[0], dec_pred_dst (d, p));
      return;
    }
  /* The results may overwrite the guard and the third operand: compute both
     first.  */
  opref r = dec_temp (d, PTX_T_PRED), not_r = dec_temp (d, PTX_T_PRED);
  if (ptx_type_info[in->type[0]].cls & PTX_TC_PACKED)
    compare_pair (d, in, in->type[0], (opref[]){ r, not_r });
  else
    {
      compare (d, in, in->type[0], r);
      dec_emit1 (d, "not", PTX_T_PRED, not_r, r);
    }
  if (q)
    combine (d, in, not_r, not_r);
  combine (d, in, r, r);
  if (d->guard && q)
    {
      opref guard = d->guard, copy = dec_temp (d, PTX_T_PRED);
      uint32_t guard_xor = d->guard_xor;
      d->guard = d->guard_xor = 0;
      dec_emit1 (d, "mov", PTX_T_PRED, copy, guard);
      d->guard = copy;
      d->guard_xor = guard_xor;
    }
  dec_emit1 (d, "mov", PTX_T_PRED, dec_pred_dst (d, p), r);
  if (q)
    dec_emit1 (d, "mov", PTX_T_PRED, dec_pred_dst (d, q), not_r);
}

void
dec_set (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 3);
  enum ptx_type to = in->type[0], t = in->type[1];
  if (in->ntypes < 2 || ptx_type_info[to].bytes > 4)
    dec_unknown (d);
  bool pair = ptx_type_info[t].cls & PTX_TC_PACKED;
  opref p[2] = { dec_temp (d, PTX_T_PRED), dec_temp (d, PTX_T_PRED) };
  if (pair)
    compare_pair (d, in, t, p);
  else
    compare (d, in, t, p[0]);
  uint32_t true_bits = to == PTX_T_F32				? 0x3f800000
		       : to == PTX_T_F16 || to == PTX_T_F16X2	? 0x3c00
		       : to == PTX_T_BF16 || to == PTX_T_BF16X2 ? 0x3f80
								: 0xffffffff;
  opref yes = dec_const (d, pair ? (uint16_t) true_bits : true_bits, false);
  opref no = dec_const (d, 0, false), row = dec_dst (d, in->opnd[0], to);
  opref half[2] = { pair ? dec_temp (d, PTX_T_B16) : row,
		    dec_temp (d, PTX_T_B16) };
  for (unsigned k = 0; k < 1u + pair; k++)
    {
      combine (d, in, p[k], p[k]);
      dec_emit2 (d, "selp.u32", half[k], yes, no)->c = p[k];
    }
  if (pair)
    dec_emit2 (d, "pack.u32", row, half[0], half[1]);
}

void
dec_selp (struct decoder *d, const struct ptx_insn *in)
{
  enum ptx_type t = in->type[0];
  dec_need (d, in, 4);
  opref a = dec_src (d, in->opnd[1], t), b = dec_src (d, in->opnd[2], t);
  opref p = dec_pred (d, in->opnd[3]);
  opref to = dec_dst (d, in->opnd[0], t);
  struct insn *i = dec_emit_named (d, "selp.%s", dec_bits (t));
  i->d = to;
  i->a = a;
  i->b = b;
  i->c = p;
}

void
dec_slct (struct decoder *d, const struct ptx_insn *in)
{
  enum ptx_type t = in->type[0], by = in->type[1];
  if (in->nopnds < 4 || in->ntypes < 2)
    dec_unknown (d);
  opref a = dec_src (d, in->opnd[1], t), b = dec_src (d, in->opnd[2], t);
  opref c = dec_src (d, in->opnd[3], by), p = dec_temp (d, PTX_T_PRED);
  c = dec_prepared (d, in, by, c);
  struct insn *i = dec_emit_named (d, "setp_ge.%s", dec_type (by));
  i->d = p;
  i->a = c;
  i->b = dec_const (d, 0, dec_wide (by));
  opref to = dec_dst (d, in->opnd[0], t);
  i = dec_emit_named (d, "selp.%s", dec_bits (t));
  i->d = to;
  i->a = a;
  i->b = b;
  i->c = p;
}
