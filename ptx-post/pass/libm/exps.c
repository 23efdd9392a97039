/* Pass exps: libm's exp and expf have no branches, no table and no division that
   looks for special numbers.

   newlib's are fdlibm's: they branch on the size of the argument nine times, take
   two constants from a table by its sign, and divide.  Lanes of a warp go several
   ways, one after the other; the table is in memory, and ptxas makes a branch and a
   call of a division.  The same arithmetic does without:

   - Between half and 1.5 times log 2 fdlibm takes 1 or -1 for k, and the product of
     k and a constant from the table; elsewhere k is x / log 2, rounded, which is 1
     or -1 there as well, and a product with that is exact.  With k = 0, below, hi
     is x and lo is 0, of which the same formula makes what the one for k = 0 does:
     (x * c) / (c - 2) is (x * c) / (2 - c) below zero, bit for bit, and so are both
     differences with it.
   - 2 - c is between 1.4 and 2.6, and x * c is zero or far from where numbers get
     subnormal; what is not is one of the arguments that get 1 + x.  There the way of
     ptxas's own division without its test is right: a reciprocal, made exact to the
     last bit or so by Newton's iterations, and a quotient corrected by a remainder
     that is exact.
   - What comes out for numbers too large, too small, tiny or none, nobody takes.

   Each operation says how it rounds, so that ptxas joins none; in libm's own form
   it cannot where both ways meet in between.

   Which arithmetic a function has is known by its instructions with floating-point
   numbers and their constants, in whatever order: those of newlib as GCC 12 to 16
   compile it.  Others stay.  The function that users call (exp) asks once more
   whether the result is one, for errno's sake.  Where nobody reads errno it is as
   its own, with its bounds.

   Needs: pass clone to be over, which brings functions of libm into the unit, and
   pass errno, without which they store something.
   Keeps: all values.  Breaks: nothing.
   Source: newlib's e_exp.c, ef_exp.c, w_exp.c and wf_exp.c; P. Markstein,
   Computation of elementary functions on the IBM RISC System/6000, IBM J. Res. Dev.
   34 (1990), for quotients.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdio.h>
#include <string.h>

/* ---- Their arithmetic ---- */

/* %1$s and %2$s are the result's and the argument's names, %3$s the number
   above which the result is infinite.  */
static const char single[]
  = "\t.reg .f32 %%acr_x, %%acr_t, %%acr_h, %%acr_l, %%acr_r, %%acr_s;\n"
    "\t.reg .f32 %%acr_c, %%acr_n, %%acr_d, %%acr_i, %%acr_e, %%acr_q;\n"
    "\t.reg .u32 %%acr_m, %%acr_b, %%acr_k;\n"
    "\t.reg .pred %%acr_p;\n"
    "\tld.param.f32 %%acr_x, [%2$s];\n"
    /* k, hi and lo */
    "\tmov.b32 %%acr_b, %%acr_x;\n"
    "\tand.b32 %%acr_m, %%acr_b, 0x7fffffff;\n"
    "\tand.b32 %%acr_b, %%acr_b, 0x80000000;\n"
    "\tor.b32 %%acr_b, %%acr_b, 0x3f000000;\n"
    "\tmov.b32 %%acr_h, %%acr_b;\n"
    "\tfma.rn.f32 %%acr_t, %%acr_x, 0f3fb8aa3b, %%acr_h;\n"
    "\tcvt.rzi.s32.f32 %%acr_k, %%acr_t;\n"
    "\tsetp.gt.u32 %%acr_p, %%acr_m, 0x3eb17218;\n"
    "\tselp.b32 %%acr_k, %%acr_k, 0, %%acr_p;\n"
    "\tcvt.rn.f32.s32 %%acr_t, %%acr_k;\n"
    "\tfma.rn.f32 %%acr_h, %%acr_t, 0fbf317180, %%acr_x;\n"
    "\tmul.rn.f32 %%acr_l, %%acr_t, 0f3717f7d1;\n"
    "\tsub.rn.f32 %%acr_r, %%acr_h, %%acr_l;\n"
    /* c */
    "\tmul.rn.f32 %%acr_s, %%acr_r, %%acr_r;\n"
    "\tmov.f32 %%acr_c, 0fb5ddea0e;\n"
    "\tfma.rn.f32 %%acr_c, %%acr_s, 0f3331bb4c, %%acr_c;\n"
    "\tfma.rn.f32 %%acr_c, %%acr_c, %%acr_s, 0f388ab355;\n"
    "\tfma.rn.f32 %%acr_c, %%acr_c, %%acr_s, 0fbb360b61;\n"
    "\tfma.rn.f32 %%acr_c, %%acr_c, %%acr_s, 0f3e2aaaab;\n"
    "\tneg.f32 %%acr_c, %%acr_c;\n"
    "\tfma.rn.f32 %%acr_c, %%acr_s, %%acr_c, %%acr_r;\n"
    /* the quotient */
    "\tmul.rn.f32 %%acr_n, %%acr_r, %%acr_c;\n"
    "\tsub.rn.f32 %%acr_d, 0f40000000, %%acr_c;\n"
    "\trcp.approx.f32 %%acr_i, %%acr_d;\n"
    "\tneg.f32 %%acr_d, %%acr_d;\n"
    "\tfma.rn.f32 %%acr_e, %%acr_d, %%acr_i, 0f3f800000;\n"
    "\tfma.rn.f32 %%acr_i, %%acr_i, %%acr_e, %%acr_i;\n"
    "\tmul.rn.f32 %%acr_q, %%acr_n, %%acr_i;\n"
    "\tfma.rn.f32 %%acr_e, %%acr_d, %%acr_q, %%acr_n;\n"
    "\tfma.rn.f32 %%acr_q, %%acr_i, %%acr_e, %%acr_q;\n"
    "\tfma.rn.f32 %%acr_e, %%acr_d, %%acr_q, %%acr_n;\n"
    "\tfma.rn.f32 %%acr_q, %%acr_i, %%acr_e, %%acr_q;\n"
    "\tsub.rn.f32 %%acr_q, %%acr_l, %%acr_q;\n"
    "\tsub.rn.f32 %%acr_q, %%acr_q, %%acr_h;\n"
    "\tsub.rn.f32 %%acr_q, 0f3f800000, %%acr_q;\n"
    /* times 2^k */
    "\tsetp.lt.s32 %%acr_p, %%acr_k, -125;\n"
    "\tadd.u32 %%acr_b, %%acr_k, 100;\n"
    "\tselp.b32 %%acr_b, %%acr_b, %%acr_k, %%acr_p;\n"
    "\tshl.b32 %%acr_b, %%acr_b, 23;\n"
    "\tmov.b32 %%acr_k, %%acr_q;\n"
    "\tadd.u32 %%acr_k, %%acr_k, %%acr_b;\n"
    "\tmov.b32 %%acr_q, %%acr_k;\n"
    "\t@%%acr_p mul.rn.f32 %%acr_q, %%acr_q, 0f0d800000;\n"
    /* tiny, too small, too large or none */
    "\tsetp.lt.u32 %%acr_p, %%acr_m, 0x34000000;\n"
    "\tadd.rn.f32 %%acr_t, %%acr_x, 0f3f800000;\n"
    "\tselp.f32 %%acr_q, %%acr_t, %%acr_q, %%acr_p;\n"
    "\tsetp.lt.f32 %%acr_p, %%acr_x, 0fc2cff1b5;\n"
    "\tselp.f32 %%acr_q, 0f00000000, %%acr_q, %%acr_p;\n"
    "\tsetp.gtu.f32 %%acr_p, %%acr_x, %3$s;\n"
    "\tadd.rn.f32 %%acr_t, %%acr_x, 0f7f800000;\n"
    "\tselp.f32 %%acr_q, %%acr_t, %%acr_q, %%acr_p;\n"
    "\tst.param.f32 [%1$s], %%acr_q;\n"
    "\tret;\n";

static const char twice[]
  = "\t.reg .f64 %%acr_x, %%acr_t, %%acr_h, %%acr_l, %%acr_r, %%acr_s;\n"
    "\t.reg .f64 %%acr_c, %%acr_n, %%acr_d, %%acr_i, %%acr_e, %%acr_q;\n"
    "\t.reg .u32 %%acr_m, %%acr_b, %%acr_k, %%acr_w;\n"
    "\t.reg .pred %%acr_p;\n"
    "\tld.param.f64 %%acr_x, [%2$s];\n"
    /* k, hi and lo */
    "\tmov.b64 {%%acr_w, %%acr_b}, %%acr_x;\n"
    "\tand.b32 %%acr_m, %%acr_b, 0x7fffffff;\n"
    "\tand.b32 %%acr_b, %%acr_b, 0x80000000;\n"
    "\tor.b32 %%acr_b, %%acr_b, 0x3fe00000;\n"
    "\tmov.u32 %%acr_w, 0;\n"
    "\tmov.b64 %%acr_h, {%%acr_w, %%acr_b};\n"
    "\tfma.rn.f64 %%acr_t, %%acr_x, 0d3ff71547652b82fe, %%acr_h;\n"
    "\tcvt.rzi.s32.f64 %%acr_k, %%acr_t;\n"
    "\tsetp.gt.u32 %%acr_p, %%acr_m, 0x3fd62e42;\n"
    "\tselp.b32 %%acr_k, %%acr_k, 0, %%acr_p;\n"
    "\tcvt.rn.f64.s32 %%acr_t, %%acr_k;\n"
    "\tfma.rn.f64 %%acr_h, %%acr_t, 0dbfe62e42fee00000, %%acr_x;\n"
    "\tmul.rn.f64 %%acr_l, %%acr_t, 0d3dea39ef35793c76;\n"
    "\tsub.rn.f64 %%acr_r, %%acr_h, %%acr_l;\n"
    /* c */
    "\tmul.rn.f64 %%acr_s, %%acr_r, %%acr_r;\n"
    "\tmov.f64 %%acr_c, 0dbebbbd41c5d26bf1;\n"
    "\tfma.rn.f64 %%acr_c, %%acr_s, 0d3e66376972bea4d0, %%acr_c;\n"
    "\tfma.rn.f64 %%acr_c, %%acr_c, %%acr_s, 0d3f11566aaf25de2c;\n"
    "\tfma.rn.f64 %%acr_c, %%acr_c, %%acr_s, 0dbf66c16c16bebd93;\n"
    "\tfma.rn.f64 %%acr_c, %%acr_c, %%acr_s, 0d3fc555555555553e;\n"
    "\tneg.f64 %%acr_c, %%acr_c;\n"
    "\tfma.rn.f64 %%acr_c, %%acr_s, %%acr_c, %%acr_r;\n"
    /* the quotient */
    "\tmul.rn.f64 %%acr_n, %%acr_r, %%acr_c;\n"
    "\tsub.rn.f64 %%acr_d, 0d4000000000000000, %%acr_c;\n"
    "\trcp.approx.ftz.f64 %%acr_i, %%acr_d;\n"
    "\tneg.f64 %%acr_d, %%acr_d;\n"
    "\tfma.rn.f64 %%acr_e, %%acr_d, %%acr_i, 0d3ff0000000000000;\n"
    "\tfma.rn.f64 %%acr_e, %%acr_e, %%acr_e, %%acr_e;\n"
    "\tfma.rn.f64 %%acr_i, %%acr_i, %%acr_e, %%acr_i;\n"
    "\tfma.rn.f64 %%acr_e, %%acr_d, %%acr_i, 0d3ff0000000000000;\n"
    "\tfma.rn.f64 %%acr_i, %%acr_i, %%acr_e, %%acr_i;\n"
    "\tmul.rn.f64 %%acr_q, %%acr_n, %%acr_i;\n"
    "\tfma.rn.f64 %%acr_e, %%acr_d, %%acr_q, %%acr_n;\n"
    "\tfma.rn.f64 %%acr_q, %%acr_i, %%acr_e, %%acr_q;\n"
    "\tsub.rn.f64 %%acr_q, %%acr_l, %%acr_q;\n"
    "\tsub.rn.f64 %%acr_q, %%acr_q, %%acr_h;\n"
    "\tsub.rn.f64 %%acr_q, 0d3ff0000000000000, %%acr_q;\n"
    /* times 2^k */
    "\tsetp.lt.s32 %%acr_p, %%acr_k, -1021;\n"
    "\tadd.u32 %%acr_b, %%acr_k, 1000;\n"
    "\tselp.b32 %%acr_b, %%acr_b, %%acr_k, %%acr_p;\n"
    "\tshl.b32 %%acr_b, %%acr_b, 20;\n"
    "\tmov.b64 {%%acr_w, %%acr_k}, %%acr_q;\n"
    "\tadd.u32 %%acr_k, %%acr_k, %%acr_b;\n"
    "\tmov.b64 %%acr_q, {%%acr_w, %%acr_k};\n"
    "\t@%%acr_p mul.rn.f64 %%acr_q, %%acr_q, 0d0170000000000000;\n"
    /* tiny, too small, too large or none */
    "\tsetp.lt.u32 %%acr_p, %%acr_m, 0x3df00000;\n"
    "\tadd.rn.f64 %%acr_t, %%acr_x, 0d3ff0000000000000;\n"
    "\tselp.f64 %%acr_q, %%acr_t, %%acr_q, %%acr_p;\n"
    "\tsetp.lt.f64 %%acr_p, %%acr_x, 0dc0874910d52d3051;\n"
    "\tselp.f64 %%acr_q, 0d0000000000000000, %%acr_q, %%acr_p;\n"
    "\tsetp.gtu.f64 %%acr_p, %%acr_x, %3$s;\n"
    "\tadd.rn.f64 %%acr_t, %%acr_x, 0d7ff0000000000000;\n"
    "\tselp.f64 %%acr_q, %%acr_t, %%acr_q, %%acr_p;\n"
    "\tst.param.f64 [%1$s], %%acr_q;\n"
    "\tret;\n";

/* A function by its NAME and what is_known makes of its instructions, its body,
   and the number above which the result is infinite.  */
static const struct exponential
{
  const char *name, *own;	/* OWN: what it calls, or NULL */
  enum ptx_type type;
  uint64_t instructions;
  const char *body, *most;
} exponentials[]
  = { { "__ieee754_expf", NULL, PTX_T_F32, 0xc83e4ce5e39676e8, single,
	"0f42b17217" },
      { "__ieee754_exp", NULL, PTX_T_F64, 0xd75359ba12fb6e03, twice,
	"0d40862e42fefa39ef" },
      { "expf", "__ieee754_expf", PTX_T_F32, 0xa1f644f0a4a0baec, single,
	"0f42b17180" },
      /* From GCC 13's newlib on.  */
      { "expf", "__ieee754_expf", PTX_T_F32, 0xa1f4d5f0a4b9bb4f, single,
	"0f42b17217" },
      { "exp", "__ieee754_exp", PTX_T_F64, 0xdb9ae773b5dee4d0, twice,
	"0d40862e42fefa39ef" } };

/* ---- Functions ---- */

/* Does I compare an exponent, or a number by its bits, with a constant?  */
static bool
bounds_p (const struct ptx_insn *i)
{
  const struct ptx_opnd *last = i->opnd[i->nopnds - 1];
  return i->op == PTX_OP_SETP && last->kind == PTX_O_INT
	 && (int64_t) last->bits * (int64_t) last->bits > 10000;
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
      && !bounds_p (i))
    return 0;
  uint64_t n = 14695981039346656037u;
  for (const char *c = i->mnemonic; *c; c++)
    n = (n ^ (unsigned char) *c) * 1099511628211u;
  for (unsigned k = 0; k < i->nopnds; k++)
    if (i->opnd[k]->kind == PTX_O_FLOAT || i->opnd[k]->kind == PTX_O_INT)
      n = (n ^ i->opnd[k]->bits) * 1099511628211u;
  return n ^ n >> 32;
}

static uint64_t
instructions_of (const struct ptx_func *f)
{
  uint64_t sum = 0;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN)
      sum += number_of (s->insn);
  return sum;
}

/* Does F call OWN's copy and what asks whether a number is finite, or nothing at
   all where OWN is NULL but what gives numbers too large or small; and does it
   store nothing but its result?  */
static bool
calls_only (const struct post *p, const struct ptx_func *f, const char *own)
{
  static const char *const others[]
    = { "finite", "finitef", "__math_oflow", "__math_oflowf", "__math_uflow",
	"__math_uflowf" };
  bool calls = false;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      if (s->kind != PTX_S_INSN)
	continue;
      if (s->insn->op == PTX_OP_ST && s->insn->space != PTX_SP_PARAM)
	return false;
      if (s->insn->op != PTX_OP_CALL)
	continue;
      const struct ptx_func *called = called_function (s);
      if (!called)
	return false;
      bool known = own && post_is_copy (p, called, own, LIBRARY_M);
      calls |= known;
      unsigned from = own ? 0 : 2, to = own ? 2 : 6;
      for (unsigned k = from; k < to; k++)
	known |= post_is_copy (p, called, others[k], LIBRARY_M);
      if (!known)
	return false;
    }
  return calls == (own != NULL);
}

static bool
is_exponential (const struct post *p, const struct ptx_func *f,
		const struct exponential *e)
{
  return f->has_body && !f->opaque && f->nparams == 1 && f->nrets == 1
	 && f->params->type == e->type && f->rets->type == e->type
	 && post_is_copy (p, f, e->name, LIBRARY_M)
	 && calls_only (p, f, e->own);
}

static void
replace (struct post *p, struct ptx_func *f, const struct exponential *e)
{
  char text[8000];
  int len = snprintf (text, sizeof text, e->body, f->rets->name,
		      f->params->name, e->most);
  if (len >= (int) sizeof text)
    return;
  post_set_body (p, f, text);
  post_explain (p, f->header, true, "%s has no branches", f->sym->name);
}

/* Does anything in UNIT still ask where errno is?  */
static bool
stores_errno (const struct ptx_unit *unit)
{
  for (const struct ptx_func *f = unit->funcs; f; f = f->next)
    if (f->has_body && func_mentions (f, "__errno"))
      return true;
  return false;
}

void
pass_exps (struct post *p)
{
  const size_t count = sizeof exponentials / sizeof *exponentials;
  if (stores_errno (p->unit))
    return;
  /* Callers first: they are known by whom they call.  */
  for (unsigned k = count; k-- > 0;)
    for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
      if (is_exponential (p, f, &exponentials[k]))
	{
	  if (instructions_of (f) == exponentials[k].instructions)
	    replace (p, f, &exponentials[k]);
	  else
	    post_explain (p, f->header, false, "%s has other arithmetic",
			  f->sym->name);
	}
}
