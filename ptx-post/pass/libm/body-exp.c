/* exp and expf without branches, a table and a division that looks for special
   numbers.

   newlib's are fdlibm's: they branch on the size of the argument nine times, take
   two constants from a table by its sign, and divide.  The same arithmetic does
   without:

   - Between half and 1.5 times log 2 fdlibm takes 1 or -1 for k, and the product of
     k and a constant from the table; elsewhere k is x / log 2, rounded, which is 1
     or -1 there as well, and a product with that is exact.  With k = 0, below, hi
     is x and lo is 0, of which the same formula makes what the one for k = 0 does:
     (x * c) / (c - 2) is (x * c) / (2 - c) below zero, bit for bit, and so are both
     differences with it.
   - 2 - c is between 1.4 and 2.6, and x * c is zero or far from where numbers get
     subnormal; what is not is one of the arguments that get 1 + x.  So the quotient
     needs no test.
   - What comes out for numbers too large, too small, tiny or none, nobody takes.

   Source: newlib's e_exp.c and ef_exp.c.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "bodies.h"

const char exp_single[]
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
    QUOTIENT_SINGLE
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

const char exp_double[]
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
    QUOTIENT_DOUBLE
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
