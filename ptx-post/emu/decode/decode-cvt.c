/* Decoding conversions between types (PTX ISA 9.7.9.21, 9.7.9.22).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "decode/decode.h"

static bool
is_half (enum ptx_type t)
{
  return t == PTX_T_F16 || t == PTX_T_BF16;
}

/* ROW of the integer or f64 type FROM as an f64 that rounds to 16 bits as the
   value itself does.  */
static opref
widened (struct decoder *d, opref row, enum ptx_type from)
{
  if (from == PTX_T_F64)
    return row;
  opref to = dec_temp (d, PTX_T_F64);
  dec_emit1 (d, dec_wide (from) ? "cvt_odd.f64" : "cvt_rn.f64", from, to, row);
  return to;
}

/* The result of a conversion to f16 or bf16 from ROW of type FROM; numbers of
   these two are f32 already.  */
static void
narrow (struct decoder *d, const struct ptx_insn *in, opref row,
	enum ptx_type from, enum ptx_mod round)
{
  enum ptx_type to = in->type[0];
  if (from != PTX_T_F32)
    row = widened (d, row, from);
  opref r = dec_dst (d, in->opnd[0], to);
  dec_operands (dec_emit_named (
		    d, "cvt_%s.%s.%s", round ? ptx_mod_info[round].text : "rn",
		    dec_type (to), from == PTX_T_F32 ? "f32" : "f64"),
		r, row, 0, 0);
  dec_finish_float (d, in, to, r);
}

/* Two f32 to f16x2 or bf16x2.  */
static void
cvt_pair (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 3);
  opref a = dec_prepared (d, in, in->type[1],
			  dec_src (d, in->opnd[1], in->type[1]));
  opref b = dec_prepared (d, in, in->type[1],
			  dec_src (d, in->opnd[2], in->type[1]));
  opref to = dec_dst (d, in->opnd[0], in->type[0]);
  dec_operands (dec_emit_named (d, "cvt_%s.%s.%s", dec_mod (in, PTX_MC_ROUND),
				dec_type (in->type[0]),
				dec_type (in->type[1])),
		to, a, b, 0);
  dec_finish_float (d, in, in->type[0], to);
}

void
dec_cvt (struct decoder *d, const struct ptx_insn *in)
{
  enum ptx_type to = in->type[0], from = in->type[1];
  enum ptx_mod round = in->mod[PTX_MC_ROUND];
  if (in->ntypes != 2 || in->nopnds < 2)
    dec_unknown (d);
  if (ptx_type_info[to].cls & PTX_TC_PACKED)
    {
      cvt_pair (d, in);
      return;
    }
  bool to_float = dec_is_float (to);
  opref a = dec_prepared (d, in, from, dec_src (d, in->opnd[1], from));
  if (is_half (from))
    {
      opref wide = dec_temp (d, PTX_T_F32);
      dec_emit1 (d, "cvt.f32", from, wide, a);
      a = wide;
      from = PTX_T_F32;
      /* To an integer, still of that type.  */
      if (is_half (to) && round >= PTX_M_RNI && round <= PTX_M_RPI)
	{
	  struct insn *i
	    = dec_emit_named (d, "cvt_%s.f32.f32", ptx_mod_info[round].text);
	  i->d = i->a = a;
	  round = PTX_M_NONE;
	}
      else if (to == PTX_T_F32 || to == PTX_T_F64)
	round = PTX_M_NONE;	/* exact */
    }
  else if (!dec_is_float (from) && ptx_type_info[from].bytes < 4 && round)
    round = PTX_M_RN;		/* exact */
  if (is_half (to))
    {
      narrow (d, in, a, from, round);
      return;
    }
  opref row = dec_dst (d, in->opnd[0], to);
  struct insn *i;
  if (!to_float && !dec_is_float (from))
    i = dec_emit_named (d, "cvt%s.%s.%s",
			ptx_insn_has (in, PTX_M_SAT) ? "_sat" : "",
			dec_type (to), dec_type (from));
  else
    i = dec_emit_named (d, "cvt%s%s.%s.%s", round ? "_" : "",
			round ? ptx_mod_info[round].text : "", dec_type (to),
			dec_type (from));
  i->d = row;
  i->a = a;
  if (from == PTX_T_F64 && dec_flushes (in, to))
    {
      emu_handler *fn = i->fn;
      opref result = dec_temp (d, to);
      opref large = dec_scaled (d, from, a, false);
      i = dec_emit (d, fn);
      i->d = result;
      i->a = large;
      dec_emit2 (d, "flush_tiny.f32", row, row, result);
    }
  if (to_float)
    dec_finish_float (d, in, to, row);
}

/* cvt.pack.sat.T.s32.b32 d, a, b, c: a and b, clamped to T, are the low bits
   of d, c moves up.  */
void
dec_cvt_pack (struct decoder *d, const struct ptx_insn *in)
{
  enum ptx_type t = in->type[0];
  dec_need (d, in, 3);
  if (!ptx_insn_has (in, PTX_M_SAT) || in->type[1] != PTX_T_S32
      || ptx_type_info[t].bytes > 2)
    dec_unknown (d);
  bool byte = ptx_type_info[t].bytes == 1;
  opref part[2];
  for (unsigned k = 0; k < 2; k++)
    {
      opref a = dec_src (d, in->opnd[2 - k], PTX_T_S32);
      part[k] = dec_temp (d, t);
      dec_operands (dec_emit_named (d, "cvt_sat.%s.s32", dec_type (t)),
		    part[k], a, 0, 0);
    }
  opref low = part[0];
  if (byte)
    {
      dec_emit2 (d, "pack.u16", low = dec_temp (d, PTX_T_B16), part[0], part[1]);
      part[1] = in->nopnds > 3 ? dec_src (d, in->opnd[3], PTX_T_B32)
			       : dec_const (d, 0, false);
    }
  dec_emit2 (d, "pack.u32", dec_dst (d, in->opnd[0], PTX_T_B32), low, part[1]);
}
