/* Decoding instructions: the table of who decodes what.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "decode/decode.h"

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
