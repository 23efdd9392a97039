/* Decoding arithmetic.

   An instruction becomes the handler of its canonical name (table.h), or a
   few of them: flushing, saturation and the combining of predicates are
   instructions of their own around the plain operation.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <string.h>

#include "decode/decode.h"

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

/* Whether .ftz means anything for T: conversions keep subnormal f16.  */
bool
dec_flushes (const struct ptx_insn *in, enum ptx_type t)
{
  return ptx_insn_has (in, PTX_M_FTZ)
	 && (t == PTX_T_F32
	     || (in->op != PTX_OP_CVT && dec_is_float (t)
		 && ptx_type_info[t].bytes <= 4));
}

/* TO = operation NAME of ROW, both of T.  */
static void
bit_op (struct decoder *d, const char *name, enum ptx_type t, opref to,
	opref row)
{
  dec_operands (dec_emit_named (d, "%s.%s", name, bits_name (t)), to, row, 0,
		0);
}

/* ROW of type T as IN wants to see it: subnormals flushed, without a sign.  */
opref
dec_prepared (struct decoder *d, const struct ptx_insn *in, enum ptx_type t,
	  opref row)
{
  opref to = row;
  if (dec_flushes (in, t))
    bit_op (d, "flush", t, to = dec_temp (d, t), row);
  if (ptx_insn_has (in, PTX_M_ABS))
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
    if (ptx_insn_has (in, flags[k]))
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
  /* PTX clamps the amount; the driver takes 16 bits of it where it is given in
     a 16-bit instruction itself.  */
  if ((in->op == PTX_OP_SHL || in->op == PTX_OP_SHR)
      && ptx_type_info[t].bytes == 2 && in->opnd[2]->kind == PTX_O_INT)
    src[1] = dec_const (d, in->opnd[2]->bits & 0xffff, false);
  opref to = dec_dst (d, in->opnd[0], letter_type (d, sig[0], t));
  struct insn *i = dec_emit (d, fn);
  i->d = to;
  i->a = src[0];
  i->b = src[1];
  i->c = src[2];
  i->e = src[3];
  if (ptx_insn_has (in, PTX_M_RELU))
    dec_emit1 (d, "relu", t, to, to);
}

/* Common end of floating-point results.  */
void
dec_finish_float (struct decoder *d, const struct ptx_insn *in, enum ptx_type t,
	      opref to)
{
  static const struct { enum ptx_mod mod; const char *name; } steps[]
    = { { PTX_M_SAT, "saturate" },
	{ PTX_M_RELU, "relu" },
	{ PTX_M_SATFINITE, "satfinite" } };
  if (dec_flushes (in, t))
    bit_op (d, "flush", t, to, to);
  for (unsigned k = 0; k < sizeof steps / sizeof *steps; k++)
    if (ptx_insn_has (in, steps[k].mod))
      bit_op (d, steps[k].name, t, to, to);
}

/* TO = ROW of T times 2^48 or, with INVERSE, by it.  */
opref
dec_scaled (struct decoder *d, enum ptx_type t, opref row, bool inverse)
{
  uint64_t by = t == PTX_T_F64 ? 0x42f0000000000000 : inverse ? 0x27800000
							      : 0x57800000;
  opref to = dec_temp (d, t);
  dec_operands (dec_emit_named (d, "mul.%s", dec_type (t)), to, row,
		dec_const (d, by, dec_wide (t)), 0);
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
  dec_operands (dec_emit_named (
		    d, "%s%s%s%s%s.%s", op, approx ? "_approx" : "",
		    round && round != PTX_M_RN ? "_" : "",
		    round && round != PTX_M_RN ? ptx_mod_info[round].text : "",
		    ptx_insn_has (in, PTX_M_NANFLAG) ? "_nan" : "", dec_type (t)),
		to, src[0], src[1], src[2]);
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
  if (t != PTX_T_F32 || !dec_flushes (in, t) || in->mod[PTX_MC_PREC]
      || !(sum || op == PTX_OP_MUL || op == PTX_OP_DIV || op == PTX_OP_RCP))
    return;
  opref large[3] = { dec_scaled (d, t, src[0], op == PTX_OP_RCP), src[1],
		     sum ? dec_scaled (d, t, src[2], false) : 0 };
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
	half[h][k] = dec_prepared (d, in, PTX_T_F32, half[h][k]);
      result[h] = dec_temp (d, PTX_T_F32);
      float_op (d, in, PTX_T_F32, result[h], half[h]);
      dec_finish_float (d, in, PTX_T_F32, result[h]);
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
      src[k] = dec_prepared (d, in, t, raw[k]);
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
  opref result = ptx_insn_has (in, PTX_M_XORSIGN) ? dec_temp (d, t) : to;
  float_op (d, in, t, result, src);
  if (result != to)
    {
      dec_operands (dec_emit_named (d, "xorsign.%s", bits_name (t)), to,
		    raw[0], raw[1], result);
    }
  dec_finish_float (d, in, t, to);
}

static void
logic_pred (struct decoder *d, const struct ptx_insn *in)
{
  dec_need (d, in, 2);
  opref a = dec_pred (d, in->opnd[1]);
  opref b = in->nopnds > 2 ? dec_pred (d, in->opnd[2]) : 0;
  dec_operands (dec_emit_named (d, "%s.pred", ptx_op_info[in->op].text),
		dec_pred_dst (d, in->opnd[0]), a, b, 0);
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
  dec_operands (dec_emit_named (d, "testp_%s.%s", dec_mod (in, PTX_MC_MODE),
				dec_type (in->type[0])),
		dec_pred_dst (d, in->opnd[0]), a, 0, 0);
}
