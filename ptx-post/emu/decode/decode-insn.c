/* Decoding instructions: what the files for their kinds share, and the table
   of who decodes what.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>

#include "decode/decode.h"

const char *
dec_mod (const struct ptx_insn *in, enum ptx_mod_class c)
{
  return ptx_mod_info[in->mod[c]].text;
}

const char *
dec_type (enum ptx_type t)
{
  return ptx_type_info[t].text;
}

/* Fail unless IN has N or more operands.  */
void
dec_need (struct decoder *d, const struct ptx_insn *in, unsigned n)
{
  if (in->nopnds < n)
    dec_unknown (d);
}

struct insn *
dec_emit1 (struct decoder *d, const char *name, enum ptx_type t, opref to, opref a)
{
  struct insn *i = dec_emit_named (d, "%s.%s", name, dec_type (t));
  i->d = to;
  i->a = a;
  return i;
}

struct insn *
dec_emit2 (struct decoder *d, const char *name, opref to, opref a, opref b)
{
  struct insn *i = dec_emit_named (d, "%s", name);
  i->d = to;
  i->a = a;
  i->b = b;
  return i;
}

/* The handler of NAME for type T: where the signed and untyped operations are
   the unsigned one, only that has a row.  */
emu_handler *
dec_typed_handler (struct decoder *d, const char *name, enum ptx_type t)
{
  char full[64];
  snprintf (full, sizeof full, "%s.%s", name, dec_type (t));
  emu_handler *fn = emu_find_handler (full);
  if (fn || (ptx_type_info[t].cls & (PTX_TC_PACKED | PTX_TC_FLOAT)))
    return fn ? fn : (dec_unknown (d), NULL);
  return dec_handler (d, "%s.%s", name, dec_bits (t));
}

static decode_fn *const how[PTX_OP_COUNT] = {
#define H(op, fn) [PTX_OP_##op] = dec_##fn,
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
  H (MOV, mov) H (CVT, cvt) H (CVT_PACK, cvt_pack) H (CVTA, cvta) H (ISSPACEP, isspacep)
  H (LD, ld) H (LDU, ld) H (ST, st) H (ATOM, atom) H (RED, red)
  H (ALLOCA, stack) H (STACKSAVE, stack) H (STACKRESTORE, stack)
  H (PREFETCH, hint) H (PREFETCHU, hint)
  H (BRA, bra) H (BRX, brx) H (CALL, call) H (RET, ret)
  H (EXIT, simple) H (TRAP, simple) H (BRKPT, simple)
  H (BAR, bar) H (BAR_RED, bar) H (BARRIER, bar) H (BARRIER_RED, bar)
  H (BAR_WARP, bar_warp) H (MEMBAR, simple) H (FENCE, simple)
  H (VOTE, vote) H (MATCH, match) H (ACTIVEMASK, activemask)
  H (REDUX, redux) H (ELECT, elect) H (SHFL, shfl)
  H (SETMAXNREG, hint) H (GRIDDEPCONTROL, hint) H (NANOSLEEP, simple) H (PMEVENT, hint)
  H (VADD, video) H (VSUB, video) H (VABSDIFF, video) H (VMIN, video)
  H (VMAX, video) H (VSHL, video) H (VSHR, video) H (VMAD, video)
  H (VSET, video) H (VADD2, video) H (VSUB2, video) H (VAVRG2, video)
  H (VABSDIFF2, video) H (VMIN2, video) H (VMAX2, video) H (VSET2, video)
  H (VADD4, video) H (VSUB4, video) H (VAVRG4, video) H (VABSDIFF4, video)
  H (VMIN4, video) H (VMAX4, video) H (VSET4, video)
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
