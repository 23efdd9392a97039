/* Decoding instructions: one function for each form of operands.

   An instruction becomes the handler of its canonical name (table.h), or a
   few of them: flushing, saturation and the combining of predicates are
   instructions of their own around the plain operation.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode.h"

typedef void decode_fn (struct decoder *d, const struct ptx_insn *in);

static const char *
mod_text (const struct ptx_insn *in, enum ptx_mod_class c)
{
  return ptx_mod_info[in->mod[c]].text;
}

static const char *
type_text (enum ptx_type t)
{
  return ptx_type_info[t].text;
}

static bool
has (const struct ptx_insn *in, enum ptx_mod m)
{
  return ptx_insn_has (in, m);
}

/* Fail unless IN has N or more operands.  */
static void
need (struct decoder *d, const struct ptx_insn *in, unsigned n)
{
  if (in->nopnds < n)
    dec_unknown (d);
}

static struct insn *
emit1 (struct decoder *d, const char *name, enum ptx_type t, opref to, opref a)
{
  struct insn *i = dec_emit_named (d, "%s.%s", name, type_text (t));
  i->d = to;
  i->a = a;
  return i;
}

static struct insn *
emit2 (struct decoder *d, const char *name, opref to, opref a, opref b)
{
  struct insn *i = dec_emit_named (d, "%s", name);
  i->d = to;
  i->a = a;
  i->b = b;
  return i;
}

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

/* The handler of NAME for type T: where the signed and untyped operations are
   the unsigned one, only that has a row.  */
static emu_handler *
typed_handler (struct decoder *d, const char *name, enum ptx_type t)
{
  char full[64];
  snprintf (full, sizeof full, "%s.%s", name, type_text (t));
  emu_handler *fn = emu_find_handler (full);
  if (fn || (ptx_type_info[t].cls & (PTX_TC_PACKED | PTX_TC_FLOAT)))
    return fn ? fn : (dec_unknown (d), NULL);
  return dec_handler (d, "%s.%s", name, dec_bits (t));
}

static void
flush_if (struct decoder *d, bool ftz, opref row, opref *to)
{
  if (!ftz)
    return;
  *to = *to ? *to : dec_temp (d);
  emit1 (d, "flush", PTX_T_F32, *to, row);
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
		     mod_text (in, classes[k]));
  static const enum ptx_mod flags[] = { PTX_M_SAT, PTX_M_CC, PTX_M_SHIFTAMT };
  for (unsigned k = 0; k < sizeof flags / sizeof *flags; k++)
    if (has (in, flags[k]))
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
  emu_handler *fn = typed_handler (d, name, t);
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
  if (has (in, PTX_M_FTZ) && t == PTX_T_F32)
    emit1 (d, "flush", t, to, to);
  if (has (in, PTX_M_SAT))
    emit1 (d, "saturate", t, to, to);
}

static void
floating (struct decoder *d, const struct ptx_insn *in)
{
  enum ptx_type t = in->type[0];
  bool ftz = has (in, PTX_M_FTZ) && t == PTX_T_F32;
  bool approx = in->mod[PTX_MC_PREC];
  enum ptx_mod round = in->mod[PTX_MC_ROUND];
  const char *op = in->op == PTX_OP_MAD ? "fma" : ptx_op_info[in->op].text;
  char name[48];
  if (has (in, PTX_M_XORSIGN) || has (in, PTX_M_RELU) || in->nopnds > 4
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
	    has (in, PTX_M_NANFLAG) ? "_nan" : "");
  opref src[3] = { 0 };
  for (unsigned k = 1; k < in->nopnds; k++)
    {
      src[k - 1] = dec_src (d, in->opnd[k], t);
      opref flushed = 0;
      flush_if (d, ftz, src[k - 1], &flushed);
      src[k - 1] = flushed ? flushed : src[k - 1];
    }
  opref to = dec_dst (d, in->opnd[0], t);
  struct insn *i = dec_emit_named (d, "%s.%s", name, type_text (t));
  i->d = to;
  i->a = src[0];
  i->b = src[1];
  i->c = src[2];
  finish_float (d, in, t, to);
}

static void
logic_pred (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 2);
  opref a = dec_pred (d, in->opnd[1]);
  opref b = in->nopnds > 2 ? dec_pred (d, in->opnd[2]) : 0;
  struct insn *i = dec_emit_named (d, "%s.pred", ptx_op_info[in->op].text);
  i->d = dec_pred_dst (d, in->opnd[0]);
  i->a = a;
  i->b = b;
}

static void
arith (struct decoder *d, const struct ptx_insn *in)
{
  if (in->type[0] == PTX_T_PRED)
    logic_pred (d, in);
  else if (dec_is_float (in->type[0]))
    floating (d, in);
  else
    integer (d, in);
}

static void
lop3 (struct decoder *d, const struct ptx_insn *in)
{
  if (in->nopnds != 5 || in->mod[PTX_MC_SUBOP]
      || in->opnd[4]->kind != PTX_O_INT)
    dec_unknown (d);
  opref a = dec_src (d, in->opnd[1], PTX_T_B32);
  opref b = dec_src (d, in->opnd[2], PTX_T_B32);
  opref c = dec_src (d, in->opnd[3], PTX_T_B32);
  struct insn *i
    = emit2 (d, "lop3.u32", dec_dst (d, in->opnd[0], PTX_T_B32), a, b);
  i->c = c;
  i->imm = (int64_t) in->opnd[4]->bits;
}

static void
dp (struct decoder *d, const struct ptx_insn *in)
{
  static const char *const kind[2][2] = { { "uu", "us" }, { "su", "ss" } };
  need (d, in, 4);
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

static void
testp (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 2);
  opref a = dec_src (d, in->opnd[1], in->type[0]);
  struct insn *i = dec_emit_named (d, "testp_%s.%s", mod_text (in, PTX_MC_MODE),
				   type_text (in->type[0]));
  i->d = dec_pred_dst (d, in->opnd[0]);
  i->a = a;
}

/* ---- Comparison ----------------------------------------------------------------- */

/* Compare operands 1 and 2 as type T into predicate TO; combine with operand
   3 if there is one.  */
static void
compare (struct decoder *d, const struct ptx_insn *in, enum ptx_type t, opref to)
{
  const char *cmp = mod_text (in, PTX_MC_CMP);
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
      flush_if (d, has (in, PTX_M_FTZ) && t == PTX_T_F32, src[k], &flushed);
      src[k] = flushed ? flushed : src[k];
    }
  struct insn *i = dec_emit (d, typed_handler (d, name, t));
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
      emit1 (d, "mov", PTX_T_PRED, to, a);
      return;
    }
  need (d, in, 4);
  opref c = dec_pred (d, in->opnd[3]);
  struct insn *i = dec_emit_named (d, "%s.pred", mod_text (in, PTX_MC_SUBOP));
  i->d = to;
  i->a = a;
  i->b = c;
}

static void
setp (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 3);
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
  opref r = dec_temp (d), not_r = dec_temp (d);
  compare (d, in, in->type[0], r);
  if (q)
    {
      emit1 (d, "not", PTX_T_PRED, not_r, r);
      combine (d, in, not_r, not_r);
    }
  combine (d, in, r, r);
  if (d->guard && q)
    {
      opref guard = d->guard, copy = dec_temp (d);
      uint32_t guard_xor = d->guard_xor;
      d->guard = d->guard_xor = 0;
      emit1 (d, "mov", PTX_T_PRED, copy, guard);
      d->guard = copy;
      d->guard_xor = guard_xor;
    }
  emit1 (d, "mov", PTX_T_PRED, dec_pred_dst (d, p), r);
  if (q)
    emit1 (d, "mov", PTX_T_PRED, dec_pred_dst (d, q), not_r);
}

static void
set (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 3);
  enum ptx_type to = in->type[0];
  if (in->ntypes < 2 || ptx_type_info[to].bytes != 4)
    dec_unknown (d);
  opref p = dec_temp (d);
  compare (d, in, in->type[1], p);
  combine (d, in, p, p);
  opref yes = dec_const (d, to == PTX_T_F32 ? 0x3f800000 : 0xffffffff, false);
  struct insn *i = emit2 (d, "selp.u32", dec_dst (d, in->opnd[0], to), yes,
			  dec_const (d, 0, false));
  i->c = p;
}

static void
selp (struct decoder *d, const struct ptx_insn *in)
{
  enum ptx_type t = in->type[0];
  need (d, in, 4);
  opref a = dec_src (d, in->opnd[1], t), b = dec_src (d, in->opnd[2], t);
  opref p = dec_pred (d, in->opnd[3]);
  opref to = dec_dst (d, in->opnd[0], t);
  struct insn *i = dec_emit_named (d, "selp.%s", dec_bits (t));
  i->d = to;
  i->a = a;
  i->b = b;
  i->c = p;
}

static void
slct (struct decoder *d, const struct ptx_insn *in)
{
  enum ptx_type t = in->type[0], by = in->type[1];
  if (in->nopnds < 4 || in->ntypes < 2)
    dec_unknown (d);
  opref a = dec_src (d, in->opnd[1], t), b = dec_src (d, in->opnd[2], t);
  opref c = dec_src (d, in->opnd[3], by), p = dec_temp (d);
  opref flushed = 0;
  flush_if (d, has (in, PTX_M_FTZ) && by == PTX_T_F32, c, &flushed);
  struct insn *i = dec_emit_named (d, "setp_ge.%s", type_text (by));
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
  opref to = dec_temp (d);
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
  opref lo = dec_temp (d), hi = dec_temp (d);
  struct insn *i = dec_emit_named (d, "unpack.%s", dec_bits (t));
  i->d = lo;
  i->b = hi;
  i->a = row;
  enum ptx_type half = part_type (d, t, 2);
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

static void
mov (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 2);
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
      emit1 (d, "mov", t, dec_pred_dst (d, to), a);
    }
  else if (in->vec > 1)
    {
      /* Through temporaries: the lists may name the same registers.  */
      for (unsigned k = 0; k < in->vec; k++)
	{
	  struct ptx_opnd e = dec_element (d, from, in->vec, k);
	  opref s = dec_src (d, &e, t);
	  part[k] = dec_temp (d);
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

static void
cvt (struct decoder *d, const struct ptx_insn *in)
{
  enum ptx_type to = in->type[0], from = in->type[1];
  if (in->ntypes != 2 || in->nopnds < 2 || in->nopnds > 3
      || has (in, PTX_M_RELU) || has (in, PTX_M_SATFINITE))
    dec_unknown (d);
  bool to_float = dec_is_float (to), from_float = dec_is_float (from);
  enum ptx_mod round = in->mod[PTX_MC_ROUND];
  opref a = dec_src (d, in->opnd[1], from);
  opref b = in->nopnds > 2 ? dec_src (d, in->opnd[2], from) : 0;
  opref flushed = 0;
  flush_if (d, has (in, PTX_M_FTZ) && from == PTX_T_F32, a, &flushed);
  opref row = dec_dst (d, in->opnd[0], to);
  struct insn *i;
  if (!to_float && !from_float)
    i = dec_emit_named (d, "cvt%s.%s.%s", has (in, PTX_M_SAT) ? "_sat" : "",
			type_text (to), type_text (from));
  else
    i = dec_emit_named (d, "cvt%s%s.%s.%s", round ? "_" : "",
			round ? ptx_mod_info[round].text : "", type_text (to),
			type_text (from));
  i->d = row;
  i->a = flushed ? flushed : a;
  i->b = b;
  if (to_float)
    finish_float (d, in, to, row);
}

/* Add the base of window SPACE to A, or take it away.  */
static void
cvta (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 2);
  bool to = in->to || has (in, PTX_M_TO);
  if (in->type[0] != PTX_T_U64)
    dec_unknown (d);
  opref a = dec_src (d, in->opnd[1], PTX_T_U64);
  opref row = dec_dst (d, in->opnd[0], PTX_T_U64);
  uint64_t base = in->space == PTX_SP_SHARED  ? EMU_SHARED_WINDOW
		  : in->space == PTX_SP_LOCAL ? EMU_LOCAL_WINDOW
					      : 0;
  if (base)
    emit2 (d, to ? "sub.u64" : "add.u64", row, a, dec_const (d, base, true));
  else
    emit1 (d, "mov", PTX_T_U64, row, a);
}

static void
isspacep (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 2);
  opref a = dec_src (d, in->opnd[1], PTX_T_U64), t = dec_temp (d);
  opref p = dec_pred_dst (d, in->opnd[0]);
  switch (in->space)
    {
    case PTX_SP_SHARED:
    case PTX_SP_LOCAL:
      emit2 (d, "sub.u64", t, a,
	     dec_const (d, in->space == PTX_SP_SHARED ? EMU_SHARED_WINDOW
						      : EMU_LOCAL_WINDOW,
			true));
      emit2 (d, "setp_lt.u64", p, t, dec_const (d, EMU_WINDOW_BYTES, true));
      break;
    case PTX_SP_GLOBAL:
      /* The windows lie above all that the host can map.  */
      emit2 (d, "setp_lt.u64", p, a, dec_const (d, EMU_SHARED_WINDOW, true));
      break;
    default:
      emit1 (d, "mov", PTX_T_PRED, p, dec_const (d, 0, false));
    }
}

/* ---- Memory ----------------------------------------------------------------------------- */

/* The type of the handler that moves a T; signed where a wider register asks
   for the sign.  */
static const char *
memory_type (enum ptx_type t)
{
  return t == PTX_T_S8 ? "s8" : t == PTX_T_S16 ? "s16" : dec_bits (t);
}

static const char *
memory_space (struct decoder *d, enum ptx_space s)
{
  switch (s)
    {
    case PTX_SP_NONE:
    case PTX_SP_GLOBAL:
    case PTX_SP_CONST:
    case PTX_SP_PARAM:		/* through a register: a generic address */
      return "generic";
    case PTX_SP_SHARED:
      return "shared";
    case PTX_SP_LOCAL:
      return "local";
    default:
      dec_unknown (d);
    }
}

/* The space IN accesses: as written, else that of the variable that ADDR
   names, as ptxas has it, else any.  */
static enum ptx_space
space_of (const struct ptx_insn *in, const struct ptx_opnd *addr)
{
  const struct ptx_opnd *base = addr->nelt ? addr->elt[0] : NULL;
  if (in->space == PTX_SP_NONE && base && base->kind == PTX_O_SYM
      && base->sym && base->sym->kind == PTX_SYM_VAR)
    return base->sym->space;
  return in->space;
}

static void
ordered (struct decoder *d, const struct ptx_insn *in, bool store, bool before)
{
  enum ptx_mod sem = in->mod[PTX_MC_SEM];
  if (!sem || sem == PTX_M_WEAK)
    return;
  bool fence = store ? before && sem == PTX_M_RELEASE
		     : !before && sem == PTX_M_ACQUIRE;
  if (fence)
    dec_emit (d, emu_op_fence);
  else if (before)
    dec_emit (d, emu_op_spin);
}

/* ld and st: DATA is the operand with the registers, ADDR the address.  */
static void
access (struct decoder *d, const struct ptx_insn *in,
	const struct ptx_opnd *data, const struct ptx_opnd *addr, bool store)
{
  enum ptx_type t = in->type[0];
  unsigned n = in->vec ? in->vec : 1;
  const char *space = NULL;
  int64_t off = 0;
  uint64_t kparam;
  opref at = 0;
  if (n > MAX_VEC)
    dec_unknown (d);
  enum ptx_space sp = space_of (in, addr);
  ordered (d, in, store, true);
  if (sp == PTX_SP_PARAM && !store && dec_kparam (d, addr, &kparam))
    {
      space = "kparam";
      off = (int64_t) kparam;
      if (kparam % ptx_type_info[t].bytes
	  || kparam + n * ptx_type_info[t].bytes > d->f->params)
	dec_unknown (d);
    }
  else if (sp == PTX_SP_PARAM && (at = dec_fparam (d, addr)))
    {
      const struct ptx_sym *sym = addr->nelt ? addr->elt[0]->sym : NULL;
      space = "fparam";
      off = addr->off;
      unsigned bytes = n * ptx_type_info[t].bytes;
      if (!sym || off < 0 || (uint64_t) off + bytes > sym->size
	  || off % ptx_type_info[t].bytes)
	dec_unknown (d);
    }
  else
    {
      space = memory_space (d, sp);
      at = dec_addr (d, addr, &off);
    }
  opref row[MAX_VEC] = { 0 };
  for (unsigned k = 0; k < n; k++)
    {
      struct ptx_opnd o = n > 1 ? dec_element (d, data, n, k) : *data;
      row[k] = store ? dec_src (d, &o, t) : dec_dst (d, &o, t);
    }
  struct insn *i = dec_emit_named (d, "%s_%s.%s", store ? "st" : "ld", space,
				   memory_type (t));
  i->a = at;
  i->imm = off;
  i->mode = (uint8_t) n;
  i->d = row[0];
  i->b = row[1];
  i->c = row[2];
  i->e = row[3];
  ordered (d, in, store, false);
}

static void
ld (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 2);
  access (d, in, in->opnd[0], in->opnd[1], false);
}

static void
st (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 2);
  access (d, in, in->opnd[1], in->opnd[0], true);
}

/* atom d, [a], b {, c} and red [a], b: HAS_RESULT.  */
static void
atomic (struct decoder *d, const struct ptx_insn *in, bool has_result)
{
  enum ptx_type t = in->type[0];
  struct ptx_opnd *const *o = in->opnd + has_result;
  need (d, in, 2 + (unsigned) has_result);
  enum ptx_space sp = space_of (in, o[0]);
  if (in->vec > 1
      || (sp != PTX_SP_NONE && sp != PTX_SP_GLOBAL && sp != PTX_SP_SHARED))
    dec_unknown (d);
  int64_t off;
  opref at = dec_addr (d, o[0], &off);
  opref b = dec_src (d, o[1], t);
  opref c = in->mod[PTX_MC_SUBOP] == PTX_M_CAS
	      ? (need (d, in, 4), dec_src (d, o[2], t)) : 0;
  char name[24];
  snprintf (name, sizeof name, "atom_%s", mod_text (in, PTX_MC_SUBOP));
  emu_handler *fn = typed_handler (d, name, t);
  opref to = has_result && in->opnd[0]->kind != PTX_O_SINK
	       ? dec_dst (d, in->opnd[0], t) : 0;
  struct insn *i = dec_emit (d, fn);
  i->d = to;
  i->a = at;
  i->b = b;
  i->c = c;
  i->imm = off;
  i->mode = sp == PTX_SP_SHARED;
}

static void
atom (struct decoder *d, const struct ptx_insn *in)
{
  atomic (d, in, true);
}

static void
red (struct decoder *d, const struct ptx_insn *in)
{
  atomic (d, in, false);
}

/* ---- Control ----------------------------------------------------------------------------- */

static void
bra (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 1);
  dec_jump (d, d->n, in->opnd[0]->sym);
  dec_emit (d, emu_op_bra);
}

/* brx.idx: a compare and a branch for each target.  */
static void
brx (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 2);
  const struct ptx_sym *table = in->opnd[1]->sym;
  if (!table || table->kind != PTX_SYM_TABLE)
    dec_unknown (d);
  opref index = dec_src (d, in->opnd[0], PTX_T_U32), p = dec_temp (d);
  opref guard = d->guard;
  uint32_t guard_xor = d->guard_xor;
  for (unsigned k = 0; k < table->targets->nelt; k++)
    {
      d->guard = d->guard_xor = 0;
      emit2 (d, "setp_eq.u32", p, index, dec_const (d, k, false));
      if (guard)
	{
	  opref g = guard;
	  if (guard_xor)
	    emit1 (d, "not", PTX_T_PRED, g = dec_temp (d), guard);
	  emit2 (d, "and.pred", p, p, g);
	  d->ntemp -= guard_xor != 0;
	}
      d->guard = p;
      dec_jump (d, d->n, table->targets->elt[k]->sym);
      dec_emit (d, emu_op_bra);
    }
  d->guard = guard;
  d->guard_xor = guard_xor;
  dec_emit (d, emu_op_unknown);	/* an index past the table */
}

static unsigned
chunks (uint64_t bytes)
{
  return (unsigned) ((bytes + 3) / 4);
}

/* Rows of one argument or result O of a call.  A register or a constant goes
   through a temporary; FORMAL is the parameter it stands for, if known.  */
static struct call_slot
call_slot (struct decoder *d, const struct ptx_opnd *o,
	   const struct ptx_sym *formal, bool result)
{
  struct call_slot s;
  if (o->kind == PTX_O_SYM && o->sym && (s.ref = dec_fparam (d, o)))
    {
      s.chunks = chunks (o->sym->size);
      return s;
    }
  enum ptx_type t = formal ? formal->type
		    : o->kind == PTX_O_REG ? o->sym->type : PTX_T_NONE;
  if (ptx_type_info[t].bytes < 2)
    dec_unknown (d);
  s.ref = dec_temp (d);
  s.chunks = chunks (ptx_type_info[t].bytes);
  if (result)
    {
      opref to = dec_dst (d, o, t);
      d->after[d->nafter++] = (struct insn){
	.fn = dec_handler (d, "ld_fparam.%s", dec_bits (t)),
	.guard = d->guard, .guard_xor = d->guard_xor, .stmt = d->stmt,
	.mode = 1, .a = s.ref, .d = to
      };
    }
  else
    {
      opref from = dec_src (d, o, t);
      struct insn *i = dec_emit_named (d, "st_fparam.%s", dec_bits (t));
      i->mode = 1;
      i->a = s.ref;
      i->d = from;
    }
  return s;
}

static void
call (struct decoder *d, const struct ptx_insn *in)
{
  const struct ptx_opnd *rets = NULL, *args = NULL, *target;
  const struct ptx_sym *proto = NULL;
  unsigned k = 0;
  need (d, in, 1);
  if (in->opnd[0]->kind == PTX_O_LIST)
    rets = in->opnd[k++];
  need (d, in, k + 1);
  target = in->opnd[k++];
  if (k < in->nopnds && in->opnd[k]->kind == PTX_O_LIST)
    args = in->opnd[k++];
  if (k < in->nopnds)
    proto = in->opnd[k]->sym;

  struct emu_func *callee = NULL;
  const struct ptx_func *formal = NULL;
  if (target->kind == PTX_O_SYM && target->sym)
    {
      callee = emu_place (d->f, target->sym).func;
      formal = target->sym->func;
      if (!callee)
	dec_unknown (d);
    }
  else if (proto && proto->kind == PTX_SYM_PROTO)
    formal = proto->func;

  unsigned nrets = rets ? rets->nelt : 0, nargs = args ? args->nelt : 0;
  struct call *c = emu_module_alloc (d->f->module,
				     sizeof *c
				       + (nrets + nargs) * sizeof *c->slot);
  if (!c)
    longjmp (d->no_memory, 1);
  *c = (struct call){ .callee = callee, .nrets = nrets, .nargs = nargs,
		      .slot = (struct call_slot *) (c + 1) };
  opref at = callee ? 0 : dec_src (d, target, PTX_T_U64);
  const struct ptx_sym *f = formal ? formal->rets : NULL;
  for (unsigned n = 0; n < nrets; n++, f = f ? f->next : NULL)
    {
      c->slot[n] = call_slot (d, rets->elt[n], f, true);
      c->ret_chunks += c->slot[n].chunks;
    }
  f = formal ? formal->params : NULL;
  for (unsigned n = 0; n < nargs; n++, f = f ? f->next : NULL)
    {
      c->slot[nrets + n] = call_slot (d, args->elt[n], f, false);
      c->arg_chunks += c->slot[nrets + n].chunks;
    }
  if (callee && !callee->builtin
      && (c->ret_chunks != callee->ret_chunks
	  || c->arg_chunks != callee->arg_chunks))
    dec_unknown (d);
  struct insn *i
    = dec_emit (d, callee ? emu_op_call : emu_op_call_indirect);
  i->a = at;
  i->call = c;
  if (nrets && !(callee && callee->builtin))
    dec_emit (d, emu_op_retcopy)->call = c;
}

static void
ret (struct decoder *d, const struct ptx_insn *in)
{
  (void) in;
  dec_reg_results (d);
  dec_emit (d, emu_op_ret);
}

static void
simple (struct decoder *d, const struct ptx_insn *in)
{
  static const struct
  {
    enum ptx_op op;
    emu_handler *fn;
  } ops[] = {
    { PTX_OP_EXIT, emu_op_exit },	{ PTX_OP_TRAP, emu_op_trap },
    { PTX_OP_BRKPT, emu_op_trap },	{ PTX_OP_MEMBAR, emu_op_fence },
    { PTX_OP_FENCE, emu_op_fence },	{ PTX_OP_NANOSLEEP, emu_op_nanosleep },
  };
  for (unsigned k = 0; k < sizeof ops / sizeof *ops; k++)
    if (ops[k].op == in->op)
      {
	dec_emit (d, ops[k].fn);
	return;
      }
}

/* Hints, which change nothing here.  */
static void
hint (struct decoder *d, const struct ptx_insn *in)
{
  (void) d, (void) in;
}

/* ---- Synchronisation --------------------------------------------------------------------- */

static void
bar (struct decoder *d, const struct ptx_insn *in)
{
  bool reduces = in->op == PTX_OP_BAR_RED || in->op == PTX_OP_BARRIER_RED;
  bool aligned = in->op == PTX_OP_BAR || in->op == PTX_OP_BAR_RED
		 || has (in, PTX_M_ALIGNED);
  unsigned k = reduces;
  need (d, in, reduces ? 3 : 1);
  opref id = dec_src (d, in->opnd[k], PTX_T_U32);
  bool counted = in->nopnds > (reduces ? 3 : 1);
  opref count = counted ? dec_src (d, in->opnd[k + 1], PTX_T_U32) : 0;
  opref c = reduces ? dec_pred (d, in->opnd[in->nopnds - 1]) : 0;
  opref to = 0;
  if (reduces)
    to = in->mod[PTX_MC_SUBOP] == PTX_M_POPC
	   ? dec_dst (d, in->opnd[0], PTX_T_U32)
	   : dec_pred_dst (d, in->opnd[0]);
  struct insn *i = dec_emit_named (d, "%s",
				   in->mod[PTX_MC_MODE] == PTX_M_ARRIVE
				     ? "bar_arrive" : "bar_sync");
  i->a = id;
  i->b = count;
  i->c = c;
  i->d = to;
  i->mode = reduces ? in->mod[PTX_MC_SUBOP] : 0;
  i->flags = aligned ? IF_ALIGNED : 0;
}

static void
bar_warp (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 1);
  opref m = dec_src (d, in->opnd[0], PTX_T_U32);
  dec_emit_named (d, "bar_warp")->f = m;
}

/* The membermask, operand K, of a .sync instruction; 0 for old forms.  */
static opref
members (struct decoder *d, const struct ptx_insn *in, unsigned k)
{
  if (!has (in, PTX_M_SYNC))
    return 0;
  need (d, in, k + 1);
  return dec_src (d, in->opnd[k], PTX_T_U32);
}

static void
shfl (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 4);
  const struct ptx_opnd *to = in->opnd[0], *p = NULL;
  if (to->kind == PTX_O_PAIR)
    {
      p = to->elt[1];
      to = to->elt[0];
    }
  opref a = dec_src (d, in->opnd[1], PTX_T_B32);
  opref b = dec_src (d, in->opnd[2], PTX_T_B32);
  opref c = dec_src (d, in->opnd[3], PTX_T_B32);
  opref m = members (d, in, 4);
  opref row = dec_dst (d, to, PTX_T_B32);
  opref e = p ? dec_pred_dst (d, p) : 0;
  struct insn *i = dec_emit_named (d, "shfl_%s", mod_text (in, PTX_MC_MODE));
  i->d = row;
  i->a = a;
  i->b = b;
  i->c = c;
  i->e = e;
  i->f = m;
}

static void
vote (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 2);
  opref a = dec_pred (d, in->opnd[1]), m = members (d, in, 2);
  bool ballot = in->mod[PTX_MC_MODE] == PTX_M_BALLOT;
  opref to = ballot ? dec_dst (d, in->opnd[0], PTX_T_B32)
		    : dec_pred_dst (d, in->opnd[0]);
  struct insn *i = dec_emit_named (d, "vote_%s", mod_text (in, PTX_MC_MODE));
  i->d = to;
  i->a = a;
  i->f = m;
}

static void
match (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 3);
  const struct ptx_opnd *to = in->opnd[0], *p = NULL;
  if (to->kind == PTX_O_PAIR)
    {
      p = to->elt[1];
      to = to->elt[0];
    }
  opref a = dec_src (d, in->opnd[1], in->type[0]), m = members (d, in, 2);
  opref row = dec_dst (d, to, PTX_T_B32);
  opref e = p ? dec_pred_dst (d, p) : 0;
  struct insn *i = dec_emit_named (d, "match_%s.%s", mod_text (in, PTX_MC_MODE),
				   type_text (in->type[0]));
  i->d = row;
  i->a = a;
  i->e = e;
  i->f = m;
}

static void
redux (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 3);
  opref a = dec_src (d, in->opnd[1], in->type[0]), m = members (d, in, 2);
  opref to = dec_dst (d, in->opnd[0], in->type[0]);
  struct insn *i = dec_emit_named (d, "redux_%s.%s",
				   mod_text (in, PTX_MC_SUBOP),
				   type_text (in->type[0]));
  i->d = to;
  i->a = a;
  i->f = m;
}

static void
elect (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 2);
  const struct ptx_opnd *to = in->opnd[0];
  if (to->kind != PTX_O_PAIR)
    dec_unknown (d);
  opref m = members (d, in, 1);
  opref row = to->elt[0]->kind == PTX_O_SINK
		? 0 : dec_dst (d, to->elt[0], PTX_T_B32);
  opref e = dec_pred_dst (d, to->elt[1]);
  struct insn *i = dec_emit_named (d, "elect");
  i->d = row;
  i->e = e;
  i->f = m;
}

static void
activemask (struct decoder *d, const struct ptx_insn *in)
{
  need (d, in, 1);
  opref to = dec_dst (d, in->opnd[0], PTX_T_B32);
  dec_emit (d, emu_op_activemask)->d = to;
}

/* ---- Video ---------------------------------------------------------------------------------- */

/* vadd and alike on whole words: d = op (a, b), clamped with .sat, combined
   with c.  */
static void
video (struct decoder *d, const struct ptx_insn *in)
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
  i->flags = (uint16_t) ((has (in, PTX_M_SAT) ? IF_SAT : 0)
			 | (in->type[0] == PTX_T_S32 ? IF_D_SIGNED : 0)
			 | (in->type[1] == PTX_T_S32 ? IF_A_SIGNED : 0)
			 | (in->type[2] == PTX_T_S32 ? IF_B_SIGNED : 0));
}

/* ---- The table --------------------------------------------------------------------------------- */

static decode_fn *const how[PTX_OP_COUNT] = {
#define H(op, fn) [PTX_OP_##op] = fn,
  H (ADD, arith) H (SUB, arith) H (ADDC, arith) H (SUBC, arith)
  H (MUL, arith) H (MAD, arith) H (MADC, arith) H (MUL24, arith)
  H (MAD24, arith) H (SAD, arith) H (DIV, arith) H (REM, arith)
  H (ABS, arith) H (NEG, arith) H (MIN, arith) H (MAX, arith)
  H (POPC, arith) H (CLZ, arith) H (BFIND, arith) H (FNS, arith)
  H (BREV, arith) H (BFE, arith) H (BFI, arith) H (SZEXT, arith)
  H (BMSK, arith) H (COPYSIGN, arith) H (FMA, arith) H (RCP, arith)
  H (SQRT, arith) H (RSQRT, arith) H (SIN, arith) H (COS, arith)
  H (LG2, arith) H (EX2, arith) H (TANH, arith) H (AND, arith)
  H (OR, arith) H (XOR, arith) H (NOT, arith) H (CNOT, arith)
  H (SHF, arith) H (SHL, arith) H (SHR, arith) H (PRMT, arith)
  H (DP4A, dp) H (DP2A, dp) H (TESTP, testp) H (LOP3, lop3)
  H (SET, set) H (SETP, setp) H (SELP, selp) H (SLCT, slct)
  H (MOV, mov) H (CVT, cvt) H (CVTA, cvta) H (ISSPACEP, isspacep)
  H (LD, ld) H (LDU, ld) H (ST, st) H (ATOM, atom) H (RED, red)
  H (PREFETCH, hint) H (PREFETCHU, hint)
  H (BRA, bra) H (BRX, brx) H (CALL, call) H (RET, ret)
  H (EXIT, simple) H (TRAP, simple) H (BRKPT, simple)
  H (BAR, bar) H (BAR_RED, bar) H (BARRIER, bar) H (BARRIER_RED, bar)
  H (BAR_WARP, bar_warp) H (MEMBAR, simple) H (FENCE, simple)
  H (VOTE, vote) H (MATCH, match) H (ACTIVEMASK, activemask)
  H (REDUX, redux) H (ELECT, elect) H (SHFL, shfl)
  H (GRIDDEPCONTROL, hint) H (NANOSLEEP, simple) H (PMEVENT, hint)
  H (VADD, video) H (VSUB, video) H (VABSDIFF, video) H (VMIN, video)
  H (VMAX, video) H (VSHL, video) H (VSHR, video)
#undef H
};

void
dec_insn (struct decoder *d)
{
  const struct ptx_insn *in = d->stmt->insn;
  decode_fn *fn = how[in->op];
  if (!fn)
    dec_unknown (d);
  fn (d, in);
}
