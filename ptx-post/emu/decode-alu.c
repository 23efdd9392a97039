/* Decoding arithmetic, comparison, moves, conversions and video instructions.

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

static void
flush_if (struct decoder *d, bool ftz, opref row, opref *to)
{
  if (!ftz)
    return;
  *to = *to ? *to : dec_temp (d, PTX_T_F32);
  dec_emit1 (d, "flush", PTX_T_F32, *to, row);
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
}

/* Common end of f32 and f64 results.  */
static void
finish_float (struct decoder *d, const struct ptx_insn *in, enum ptx_type t,
	      opref to)
{
  if (dec_has (in, PTX_M_FTZ) && t == PTX_T_F32)
    dec_emit1 (d, "flush", t, to, to);
  if (dec_has (in, PTX_M_SAT))
    dec_emit1 (d, "saturate", t, to, to);
}

static void
floating (struct decoder *d, const struct ptx_insn *in)
{
  enum ptx_type t = in->type[0];
  bool ftz = dec_has (in, PTX_M_FTZ) && t == PTX_T_F32;
  bool approx = in->mod[PTX_MC_PREC];
  enum ptx_mod round = in->mod[PTX_MC_ROUND];
  const char *op = in->op == PTX_OP_MAD ? "fma" : ptx_op_info[in->op].text;
  char name[48];
  if (dec_has (in, PTX_M_XORSIGN) || dec_has (in, PTX_M_RELU) || in->nopnds > 4
      || in->nopnds < 2)
    dec_unknown (d);
  /* Where the approximation is of an IEEE operation, that one is as good. */
  if (approx && t == PTX_T_F32
      && (in->op == PTX_OP_DIV || in->op == PTX_OP_RCP
	  || in->op == PTX_OP_SQRT))
    approx = false;
  snprintf (name, sizeof name, "%s%s%s%s%s", op, approx ? "_approx" : "",
	    round && round != PTX_M_RN ? "_" : "",
	    round && round != PTX_M_RN ? ptx_mod_info[round].text : "",
	    dec_has (in, PTX_M_NANFLAG) ? "_nan" : "");
  opref src[3] = { 0 };
  for (unsigned k = 1; k < in->nopnds; k++)
    {
      src[k - 1] = dec_src (d, in->opnd[k], t);
      opref flushed = 0;
      flush_if (d, ftz, src[k - 1], &flushed);
      src[k - 1] = flushed ? flushed : src[k - 1];
    }
  opref to = dec_dst (d, in->opnd[0], t);
  struct insn *i = dec_emit_named (d, "%s.%s", name, dec_type (t));
  i->d = to;
  i->a = src[0];
  i->b = src[1];
  i->c = src[2];
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
  if (in->nopnds != 5 || in->mod[PTX_MC_SUBOP]
      || in->opnd[4]->kind != PTX_O_INT)
    dec_unknown (d);
  opref a = dec_src (d, in->opnd[1], PTX_T_B32);
  opref b = dec_src (d, in->opnd[2], PTX_T_B32);
  opref c = dec_src (d, in->opnd[3], PTX_T_B32);
  struct insn *i
    = dec_emit2 (d, "lop3.u32", dec_dst (d, in->opnd[0], PTX_T_B32), a, b);
  i->c = c;
  i->imm = (int64_t) in->opnd[4]->bits;
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

/* Compare operands 1 and 2 as type T into predicate TO; combine with operand
   3 if there is one.  */
static void
compare (struct decoder *d, const struct ptx_insn *in, enum ptx_type t, opref to)
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
  opref src[2];
  for (unsigned k = 0; k < 2; k++)
    {
      opref flushed = 0;
      src[k] = dec_src (d, in->opnd[k + 1], t);
      flush_if (d, dec_has (in, PTX_M_FTZ) && t == PTX_T_F32, src[k], &flushed);
      src[k] = flushed ? flushed : src[k];
    }
  struct insn *i = dec_emit (d, dec_typed_handler (d, name, t));
  i->d = to;
  i->a = src[0];
  i->b = src[1];
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
  compare (d, in, in->type[0], r);
  if (q)
    {
      dec_emit1 (d, "not", PTX_T_PRED, not_r, r);
      combine (d, in, not_r, not_r);
    }
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
  enum ptx_type to = in->type[0];
  if (in->ntypes < 2 || ptx_type_info[to].bytes != 4)
    dec_unknown (d);
  opref p = dec_temp (d, PTX_T_PRED);
  compare (d, in, in->type[1], p);
  combine (d, in, p, p);
  opref yes = dec_const (d, to == PTX_T_F32 ? 0x3f800000 : 0xffffffff, false);
  struct insn *i = dec_emit2 (d, "selp.u32", dec_dst (d, in->opnd[0], to), yes,
			  dec_const (d, 0, false));
  i->c = p;
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
  opref flushed = 0;
  flush_if (d, dec_has (in, PTX_M_FTZ) && by == PTX_T_F32, c, &flushed);
  struct insn *i = dec_emit_named (d, "setp_ge.%s", dec_type (by));
  i->d = p;
  i->a = flushed ? flushed : c;
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

void
dec_cvt (struct decoder *d, const struct ptx_insn *in)
{
  enum ptx_type to = in->type[0], from = in->type[1];
  if (in->ntypes != 2 || in->nopnds < 2 || in->nopnds > 3
      || dec_has (in, PTX_M_RELU) || dec_has (in, PTX_M_SATFINITE))
    dec_unknown (d);
  bool to_float = dec_is_float (to), from_float = dec_is_float (from);
  enum ptx_mod round = in->mod[PTX_MC_ROUND];
  opref a = dec_src (d, in->opnd[1], from);
  opref b = in->nopnds > 2 ? dec_src (d, in->opnd[2], from) : 0;
  opref flushed = 0;
  flush_if (d, dec_has (in, PTX_M_FTZ) && from == PTX_T_F32, a, &flushed);
  opref row = dec_dst (d, in->opnd[0], to);
  struct insn *i;
  if (!to_float && !from_float)
    i = dec_emit_named (d, "cvt%s.%s.%s", dec_has (in, PTX_M_SAT) ? "_sat" : "",
			dec_type (to), dec_type (from));
  else
    i = dec_emit_named (d, "cvt%s%s.%s.%s", round ? "_" : "",
			round ? ptx_mod_info[round].text : "", dec_type (to),
			dec_type (from));
  i->d = row;
  i->a = flushed ? flushed : a;
  i->b = b;
  if (to_float)
    finish_float (d, in, to, row);
}

/* ---- Video ---------------------------------------------------------------------------------- */

/* vadd and alike on whole words: d = op (a, b), clamped with .sat, combined
   with c.  */
void
dec_video (struct decoder *d, const struct ptx_insn *in)
{
  if (in->ntypes != 3 || in->nopnds < 3 || in->nopnds > 4)
    dec_unknown (d);
  opref src[3] = { 0 };
  for (unsigned k = 0; k + 1 < in->nopnds; k++)
    {
      enum ptx_type t = in->type[k < 2 ? k + 1 : 0];
      if (ptx_type_info[t].bytes != 4 || in->opnd[k + 1]->sel)
	dec_unknown (d);
      src[k] = dec_src (d, in->opnd[k + 1], t);
    }
  bool wrap = in->mod[PTX_MC_WRAP] == PTX_M_WRAP;
  opref to = dec_dst (d, in->opnd[0], in->type[0]);
  struct insn *i = dec_emit_named (d, "%s%s", ptx_op_info[in->op].text,
				   wrap ? "_wrap" : "");
  i->d = to;
  i->a = src[0];
  i->b = src[1];
  i->c = src[2];
  i->mode = in->mod[PTX_MC_SUBOP];
  i->flags = (uint16_t) ((dec_has (in, PTX_M_SAT) ? IF_SAT : 0)
			 | (in->type[0] == PTX_T_S32 ? IF_D_SIGNED : 0)
			 | (in->type[1] == PTX_T_S32 ? IF_A_SIGNED : 0)
			 | (in->type[2] == PTX_T_S32 ? IF_B_SIGNED : 0));
}
