/* Decoding arithmetic, comparison, moves and conversions.

   An instruction becomes the handler of its canonical name (table.h), or a
   few of them: flushing, saturation and the combining of predicates are
   instructions of their own around the plain operation.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <string.h>

#include "decode.h"

/* ---- Arithmetic ------------------------------------------------------------- */

/* Types of result and sources: t the instruction's, w twice as wide, u u32;
   one letter an operand.  */
static const char *
signature (const struct ptx_insn *in)
{
  switch (in->op)
    {
    case PTX_OP_SHL:
    case PTX_OP_SHR:
      return "ttu";
    case PTX_OP_POPC:
    case PTX_OP_CLZ:
    case PTX_OP_BFIND:
      return "ut";
    case PTX_OP_BFE:
      return "ttuu";
    case PTX_OP_BFI:
      return "tttuu";
    case PTX_OP_SHF:
    case PTX_OP_FNS:
    case PTX_OP_PRMT:
      return "tttu";
    case PTX_OP_SZEXT:
      return "ttu";
    case PTX_OP_BMSK:
      return "tuu";
    default:
      return in->mod[PTX_MC_HALF] == PTX_M_WIDE ? "wttw" : "tttt";
    }
}

static enum ptx_type
wider (struct decoder *d, enum ptx_type t)
{
  switch (t)
    {
    case PTX_T_U16:
      return PTX_T_U32;
    case PTX_T_S16:
      return PTX_T_S32;
    case PTX_T_U32:
      return PTX_T_U64;
    case PTX_T_S32:
      return PTX_T_S64;
    default:
      dec_unknown (d);
    }
}

static enum ptx_type
letter_type (struct decoder *d, char c, enum ptx_type t)
{
  return c == 't' ? t : c == 'u' ? PTX_T_U32 : wider (d, t);
}

/* Flushing, saturation and so on work on the bits: a pair's handler is good
   for one 16-bit number too.  */
static const char *
bits_name (enum ptx_type t)
{
  return t == PTX_T_F16 ? "f16x2" : t == PTX_T_BF16 ? "bf16x2" : dec_type (t);
}

static bool
is_half (enum ptx_type t)
{
  return t == PTX_T_F16 || t == PTX_T_BF16;
}

/* Whether .ftz means anything for T: conversions keep subnormal f16.  */
static bool
flushes (const struct ptx_insn *in, enum ptx_type t)
{
  return dec_has (in, PTX_M_FTZ)
	 && (t == PTX_T_F32
	     || (in->op != PTX_OP_CVT && dec_is_float (t)
		 && ptx_type_info[t].bytes <= 4));
}

/* TO = operation NAME of ROW, both of T.  */
static void
bit_op (struct decoder *d, const char *name, enum ptx_type t, opref to,
	opref row)
{
  struct insn *i = dec_emit_named (d, "%s.%s", name, bits_name (t));
  i->d = to;
  i->a = row;
}

/* ROW of type T as IN wants to see it: subnormals flushed, without a sign.  */
static opref
prepared (struct decoder *d, const struct ptx_insn *in, enum ptx_type t,
	  opref row)
{
  opref to = row;
  if (flushes (in, t))
    bit_op (d, "flush", t, to = dec_temp (d, t), row);
  if (dec_has (in, PTX_M_ABS))
    {
      opref from = to;
      if (to == row)
	to = dec_temp (d, t);
      bit_op (d, "abs", t, to, from);
    }
  return to;
}

/* Integer name with the modifiers that pick the handler.  */
static void
full_name (const struct ptx_insn *in, char *buf, size_t size)
{
  static const enum ptx_mod_class classes[]
    = { PTX_MC_HALF, PTX_MC_MODE, PTX_MC_WRAP };
  int n = snprintf (buf, size, "%s", ptx_op_info[in->op].text);
  for (unsigned k = 0; k < sizeof classes / sizeof *classes; k++)
    if (in->mod[classes[k]])
      n += snprintf (buf + n, size - (size_t) n, "_%s",
		     dec_mod (in, classes[k]));
  static const enum ptx_mod flags[] = { PTX_M_SAT, PTX_M_CC, PTX_M_SHIFTAMT };
  for (unsigned k = 0; k < sizeof flags / sizeof *flags; k++)
    if (dec_has (in, flags[k]))
      n += snprintf (buf + n, size - (size_t) n, "_%s",
		     ptx_mod_info[flags[k]].text);
}

static void
integer (struct decoder *d, const struct ptx_insn *in)
{
  enum ptx_type t = in->type[0];
  const char *sig = signature (in);
  char name[48];
  opref src[4] = { 0 };
  if (in->nopnds > 5 || in->nopnds < 2 || strlen (sig) < in->nopnds)
    dec_unknown (d);
  full_name (in, name, sizeof name);
  emu_handler *fn = dec_typed_handler (d, name, t);
  for (unsigned k = 1; k < in->nopnds; k++)
    src[k - 1] = dec_src (d, in->opnd[k], letter_type (d, sig[k], t));
  opref to = dec_dst (d, in->opnd[0], letter_type (d, sig[0], t));
  struct insn *i = dec_emit (d, fn);
  i->d = to;
  i->a = src[0];
  i->b = src[1];
  i->c = src[2];
  i->e = src[3];
  if (dec_has (in, PTX_M_RELU))
    dec_emit1 (d, "relu", t, to, to);
}

/* cvt.pack.sat.T.s32.b32 d, a, b, c: a and b, clamped to T, are the low bits
   of d, c moves up.  */
void
dec_cvt_pack (struct decoder *d, const struct ptx_insn *in)
{
  enum ptx_type t = in->type[0];
  dec_need (d, in, 3);
  if (!dec_has (in, PTX_M_SAT) || in->type[1] != PTX_T_S32
      || ptx_type_info[t].bytes > 2)
    dec_unknown (d);
  bool byte = ptx_type_info[t].bytes == 1;
  opref part[2];
  for (unsigned k = 0; k < 2; k++)
    {
      opref a = dec_src (d, in->opnd[2 - k], PTX_T_S32);
      part[k] = dec_temp (d, t);
      struct insn *i = dec_emit_named (d, "cvt_sat.%s.s32", dec_type (t));
      i->d = part[k];
      i->a = a;
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

/* Common end of floating-point results.  */
static void
finish_float (struct decoder *d, const struct ptx_insn *in, enum ptx_type t,
	      opref to)
{
  static const struct { enum ptx_mod mod; const char *name; } steps[]
    = { { PTX_M_SAT, "saturate" },
	{ PTX_M_RELU, "relu" },
	{ PTX_M_SATFINITE, "satfinite" } };
  if (flushes (in, t))
    bit_op (d, "flush", t, to, to);
  for (unsigned k = 0; k < sizeof steps / sizeof *steps; k++)
    if (dec_has (in, steps[k].mod))
      bit_op (d, steps[k].name, t, to, to);
}

/* TO = ROW of T times 2^48 or, with INVERSE, by it.  */
static opref
scaled (struct decoder *d, enum ptx_type t, opref row, bool inverse)
{
  uint64_t by = t == PTX_T_F64 ? 0x42f0000000000000 : inverse ? 0x27800000
							      : 0x57800000;
  opref to = dec_temp (d, t);
  struct insn *i = dec_emit_named (d, "mul.%s", dec_type (t));
  i->d = to;
  i->a = row;
  i->b = dec_const (d, by, dec_wide (t));
  return to;
}

/* IN's operation on the rows SRC of type T.  */
static void
plain_op (struct decoder *d, const struct ptx_insn *in, enum ptx_type t,
	  opref to, const opref *src)
{
  bool approx = in->mod[PTX_MC_PREC];
  enum ptx_mod round = in->mod[PTX_MC_ROUND];
  const char *op = in->op == PTX_OP_MAD ? "fma" : ptx_op_info[in->op].text;
  /* Where the approximation is of an IEEE operation, that one is as good. */
  if (approx && t == PTX_T_F32
      && (in->op == PTX_OP_DIV || in->op == PTX_OP_RCP
	  || in->op == PTX_OP_SQRT))
    approx = false;
  struct insn *i
    = dec_emit_named (d, "%s%s%s%s%s.%s", op, approx ? "_approx" : "",
		      round && round != PTX_M_RN ? "_" : "",
		      round && round != PTX_M_RN ? ptx_mod_info[round].text : "",
		      dec_has (in, PTX_M_NANFLAG) ? "_nan" : "", dec_type (t));
  i->d = to;
  i->a = src[0];
  i->b = src[1];
  i->c = src[2];
}

/* The same, and with .ftz what would be subnormal as zero.  GPUs look whether
   the result is too small when its digits are rounded: one that becomes the
   smallest normal number for want of digits is.  As operands are not subnormal
   either, the same operation on larger ones has them all.  */
static void
float_op (struct decoder *d, const struct ptx_insn *in, enum ptx_type t,
	  opref to, const opref *src)
{
  enum ptx_op op = in->op;
  bool sum = op == PTX_OP_FMA || op == PTX_OP_MAD;
  plain_op (d, in, t, to, src);
  if (t != PTX_T_F32 || !flushes (in, t) || in->mod[PTX_MC_PREC]
      || !(sum || op == PTX_OP_MUL || op == PTX_OP_DIV || op == PTX_OP_RCP))
    return;
  opref large[3] = { scaled (d, t, src[0], op == PTX_OP_RCP), src[1],
		     sum ? scaled (d, t, src[2], false) : 0 };
  opref result = dec_temp (d, t);
  plain_op (d, in, t, result, large);
  dec_emit2 (d, "flush_tiny.f32", to, to, result);
}

/* Two f32 in a 64-bit register: one after the other.  */
static void
float_pair (struct decoder *d, const struct ptx_insn *in)
{
  opref half[2][3] = { { 0 } }, result[2];
  for (unsigned k = 1; k < in->nopnds; k++)
    {
      opref row = dec_src (d, in->opnd[k], PTX_T_F32X2);
      struct insn *i = dec_emit_named (d, "unpack.u64");
      i->a = row;
      half[0][k - 1] = dec_temp (d, PTX_T_F32);
      half[1][k - 1] = dec_temp (d, PTX_T_F32);
      i = &d->code[d->n - 1];
      i->d = half[0][k - 1];
      i->b = half[1][k - 1];
    }
  for (unsigned h = 0; h < 2; h++)
    {
      for (unsigned k = 0; k + 1 < in->nopnds; k++)
	half[h][k] = prepared (d, in, PTX_T_F32, half[h][k]);
      result[h] = dec_temp (d, PTX_T_F32);
      float_op (d, in, PTX_T_F32, result[h], half[h]);
      finish_float (d, in, PTX_T_F32, result[h]);
    }
  opref to = dec_dst (d, in->opnd[0], PTX_T_F32X2);
  dec_emit2 (d, "pack.u64", to, result[0], result[1]);
}

static void
floating (struct decoder *d, const struct ptx_insn *in)
{
  enum ptx_type t = in->type[0];
  unsigned n = in->nopnds - 1;
  if (in->nopnds < 2 || in->nopnds > 4)
    dec_unknown (d);
  if (t == PTX_T_F32X2)
    {
      float_pair (d, in);
      return;
    }
  opref raw[3] = { 0 }, src[3] = { 0 };
  for (unsigned k = 0; k < n; k++)
    {
      raw[k] = dec_src (d, in->opnd[k + 1], t);
      src[k] = prepared (d, in, t, raw[k]);
    }
  opref to = dec_dst (d, in->opnd[0], t);
  if ((in->op == PTX_OP_MIN || in->op == PTX_OP_MAX) && n == 3)
    {
      opref first = dec_temp (d, t);
      float_op (d, in, t, first, src);
      src[0] = first;
      src[1] = src[2];
      src[2] = 0;
    }
  /* The signs are read again behind the operation.  */
  opref result = dec_has (in, PTX_M_XORSIGN) ? dec_temp (d, t) : to;
  float_op (d, in, t, result, src);
  if (result != to)
    {
      struct insn *i = dec_emit_named (d, "xorsign.%s", bits_name (t));
      i->d = to;
      i->a = raw[0];
      i->b = raw[1];
      i->c = result;
    }
  finish_float (d, in, t, to);
}

static void
logic_pred (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 2);
  opref a = dec_pred (d, in->opnd[1]);
  opref b = in->nopnds > 2 ? dec_pred (d, in->opnd[2]) : 0;
  struct insn *i = dec_emit_named (d, "%s.pred", ptx_op_info[in->op].text);
  i->d = dec_pred_dst (d, in->opnd[0]);
  i->a = a;
  i->b = b;
}

void
dec_arith (struct decoder *d, const struct ptx_insn *in)
{
  if (in->type[0] == PTX_T_PRED)
    logic_pred (d, in);
  else if (dec_is_float (in->type[0]))
    floating (d, in);
  else
    integer (d, in);
}

void
dec_lop3 (struct decoder *d, const struct ptx_insn *in)
{
  bool combines = in->mod[PTX_MC_SUBOP];
  const struct ptx_opnd *to = in->opnd[0], *p = NULL;
  if (in->nopnds != 5u + combines || in->opnd[4]->kind != PTX_O_INT
      || combines != (to->kind == PTX_O_PAIR))
    dec_unknown (d);
  if (combines)
    {
      p = to->elt[1];
      to = to->elt[0];
    }
  opref a = dec_src (d, in->opnd[1], PTX_T_B32);
  opref b = dec_src (d, in->opnd[2], PTX_T_B32);
  opref c = dec_src (d, in->opnd[3], PTX_T_B32);
  opref q = combines ? dec_pred (d, in->opnd[5]) : 0;
  opref row = dec_dst (d, to, PTX_T_B32);
  struct insn *i = dec_emit2 (d, "lop3.u32", row, a, b);
  i->c = c;
  i->imm = (int64_t) in->opnd[4]->bits;
  if (combines)
    {
      opref any = dec_temp (d, PTX_T_PRED);
      dec_emit2 (d, "setp_ne.u32", any, row, dec_const (d, 0, false));
      i = dec_emit_named (d, "%s.pred", dec_mod (in, PTX_MC_SUBOP));
      i->d = dec_pred_dst (d, p);
      i->a = any;
      i->b = q;
    }
}

void
dec_dp (struct decoder *d, const struct ptx_insn *in)
{
  static const char *const kind[2][2] = { { "uu", "us" }, { "su", "ss" } };
  dec_need (d, in, 4);
  const char *k = kind[in->type[0] == PTX_T_S32][in->type[1] == PTX_T_S32];
  const char *half = in->op == PTX_OP_DP4A		     ? ""
		     : in->mod[PTX_MC_HALF] == PTX_M_HI ? "_hi" : "_lo";
  opref a = dec_src (d, in->opnd[1], PTX_T_U32);
  opref b = dec_src (d, in->opnd[2], PTX_T_U32);
  opref c = dec_src (d, in->opnd[3], PTX_T_U32);
  opref to = dec_dst (d, in->opnd[0], PTX_T_U32);
  struct insn *i = dec_emit_named (d, "%s%s_%s.u32", ptx_op_info[in->op].text,
				   half, k);
  i->d = to;
  i->a = a;
  i->b = b;
  i->c = c;
}

void
dec_testp (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 2);
  opref a = dec_src (d, in->opnd[1], in->type[0]);
  struct insn *i = dec_emit_named (d, "testp_%s.%s", dec_mod (in, PTX_MC_MODE),
				   dec_type (in->type[0]));
  i->d = dec_pred_dst (d, in->opnd[0]);
  i->a = a;
}

/* ---- Comparison ----------------------------------------------------------------- */

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
  a = prepared (d, in, t, a);
  b = prepared (d, in, t, b);
  struct insn *i = dec_emit (d, dec_typed_handler (d, name, t));
  i->d = to;
  i->a = a;
  i->b = b;
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
  struct insn *i = dec_emit_named (d, "%s.pred", dec_mod (in, PTX_MC_SUBOP));
  i->d = to;
  i->a = a;
  i->b = c;
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
  c = prepared (d, in, by, c);
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

/* ---- Moves and conversions --------------------------------------------------------- */

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
  struct insn *i = dec_emit_named (d, "pack.%s", dec_bits (t));
  i->d = to;
  i->a = lo;
  i->b = hi;
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
  struct insn *i = dec_emit_named (d, "mov.%s", dec_bits (t) [1] == '8'
						  ? "u16" : dec_bits (t));
  i->d = r;
  i->a = from;
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
	  struct insn *i = dec_emit_named (d, "mov.%s", dec_bits (t));
	  i->d = part[k];
	  i->a = s;
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
  struct insn *i
    = dec_emit_named (d, "cvt_%s.%s.%s", round ? ptx_mod_info[round].text : "rn",
		      dec_type (to), from == PTX_T_F32 ? "f32" : "f64");
  i->d = r;
  i->a = row;
  finish_float (d, in, to, r);
}

/* Two f32 to f16x2 or bf16x2.  */
static void
cvt_pair (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 3);
  opref a = prepared (d, in, in->type[1], dec_src (d, in->opnd[1], in->type[1]));
  opref b = prepared (d, in, in->type[1], dec_src (d, in->opnd[2], in->type[1]));
  opref to = dec_dst (d, in->opnd[0], in->type[0]);
  struct insn *i
    = dec_emit_named (d, "cvt_%s.%s.%s", dec_mod (in, PTX_MC_ROUND),
		      dec_type (in->type[0]), dec_type (in->type[1]));
  i->d = to;
  i->a = a;
  i->b = b;
  finish_float (d, in, in->type[0], to);
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
  opref a = prepared (d, in, from, dec_src (d, in->opnd[1], from));
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
    i = dec_emit_named (d, "cvt%s.%s.%s", dec_has (in, PTX_M_SAT) ? "_sat" : "",
			dec_type (to), dec_type (from));
  else
    i = dec_emit_named (d, "cvt%s%s.%s.%s", round ? "_" : "",
			round ? ptx_mod_info[round].text : "", dec_type (to),
			dec_type (from));
  i->d = row;
  i->a = a;
  if (from == PTX_T_F64 && flushes (in, to))
    {
      emu_handler *fn = i->fn;
      opref result = dec_temp (d, to);
      opref large = scaled (d, from, a, false);
      i = dec_emit (d, fn);
      i->d = result;
      i->a = large;
      dec_emit2 (d, "flush_tiny.f32", row, row, result);
    }
  if (to_float)
    finish_float (d, in, to, row);
}
