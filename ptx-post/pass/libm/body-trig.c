/* sin, cos and sincos, of both precisions, without branches on the way that most
   arguments go, and without an array in memory.

   newlib's are fdlibm's: an argument loses its multiple of pi/2, of which two numbers
   are left, y and its tail e, in an array; then one of four polynomials is taken by
   the multiple n modulo 4.  Lanes of a warp go all of these ways one after the
   other, and sincos goes them twice.  The same arithmetic does with less:

   - Below pi/4 n is 0, of which y = x - 0 and e = 0 come as for others; up to 3/4 pi
     fdlibm takes 1 or -1 for n, and products with that are exact.
   - What is negative is its absolute value with other signs, as all roundings are
     symmetric.
   - fdlibm finds arguments next to a multiple of pi/2 by a table of the upper words
     of 32 multiples; these are the upper words of the products n * (pi/2), rounded
     (all 32 tried, in both precisions).
   - sin's polynomial and cos's are both computed, and one is taken.  Of sin there are
     two forms, without e where n is 0 and with e; an argument so small that sin gives
     it back as it is, is taken so (-0); of that the formula of cos is 1 as it is.
   - cos subtracts a number near x/4 where x is not small; where it is small, that
     number is 0 here.

   There remain two branches: one around what arguments next to a multiple need,
   and one for arguments that are too large for it, or none: these are libm's own
   function's, of which a copy remains.

   Source: newlib's s_sin.c, s_cos.c, k_sin.c, k_cos.c, e_rem_pio2.c, and sf_sin.c and
   its like for single precision.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "bodies.h"

/* ---- Double precision ---- */

/* Of %acr_x: the multiple %acr_n, %acr_y and %acr_e; %acr_small says whether n is 0
   from the beginning.  Whether the exponent of y is more than LESS below that of x
   comes out in %acr_c.  */
#define CANCELS_DOUBLE(LESS)                                                   \
  "\tmov.b64 {%%acr_b, %%acr_k}, %%acr_y;\n"                                   \
  "\tbfe.u32 %%acr_k, %%acr_k, 20, 11;\n"                                      \
  "\tsub.s32 %%acr_k, %%acr_j, %%acr_k;\n"                                     \
  "\tsetp.gt.s32 %%acr_c, %%acr_k, " LESS ";\n"

/* Another part of n * (pi/2), of which HIGH has 33 bits and LOW the rest, leaves
   %acr_r.  */
#define PART_DOUBLE(HIGH, LOW)                                                 \
  "\tfma.rn.f64 %%acr_t, %%acr_f, 0d" HIGH ", %%acr_r;\n"                      \
  "\tsub.rn.f64 %%acr_u, %%acr_r, %%acr_t;\n"                                  \
  "\tfma.rn.f64 %%acr_u, %%acr_f, 0d" HIGH ", %%acr_u;\n"                      \
  "\tneg.f64 %%acr_u, %%acr_u;\n"                                              \
  "\tfma.rn.f64 %%acr_w, %%acr_f, 0d" LOW ", %%acr_u;\n"                       \
  "\tmov.f64 %%acr_r, %%acr_t;\n"                                              \
  "\tsub.rn.f64 %%acr_y, %%acr_r, %%acr_w;\n"

#define REDUCE_DOUBLE                                                          \
  "\t.reg .f64 %%acr_x, %%acr_a, %%acr_f, %%acr_r, %%acr_w, %%acr_y, %%acr_e;\n" \
  "\t.reg .f64 %%acr_t, %%acr_u, %%acr_z, %%acr_v, %%acr_p, %%acr_q;\n"        \
  "\t.reg .f64 %%acr_s, %%acr_g;\n"                                            \
  "\t.reg .u32 %%acr_b, %%acr_h, %%acr_m, %%acr_j, %%acr_k, %%acr_n;\n"        \
  "\t.reg .pred %%acr_small, %%acr_one, %%acr_c, %%acr_o, %%acr_odd;\n"        \
  "\tld.param.f64 %%acr_x, [%2$s];\n"                                          \
  "\tmov.b64 {%%acr_b, %%acr_h}, %%acr_x;\n"                                   \
  "\tand.b32 %%acr_m, %%acr_h, 0x7fffffff;\n"                                  \
  "\tsetp.gt.u32 %%acr_o, %%acr_m, 0x413921fb;\n"                              \
  "\t@%%acr_o bra $acr_far;\n"                                                 \
  "\tabs.f64 %%acr_a, %%acr_x;\n"                                              \
  "\tfma.rn.f64 %%acr_t, %%acr_a, 0d3fe45f306dc9c883, 0d3fe0000000000000;\n"   \
  "\tcvt.rzi.s32.f64 %%acr_n, %%acr_t;\n"                                      \
  "\tsetp.le.u32 %%acr_small, %%acr_m, 0x3fe921fb;\n"                          \
  "\tselp.b32 %%acr_n, 0, %%acr_n, %%acr_small;\n"                             \
  "\tcvt.rn.f64.s32 %%acr_f, %%acr_n;\n"                                       \
  "\tfma.rn.f64 %%acr_r, %%acr_f, 0dbff921fb54400000, %%acr_a;\n"              \
  "\tmul.rn.f64 %%acr_w, %%acr_f, 0d3dd0b4611a626331;\n"                       \
  "\tsub.rn.f64 %%acr_y, %%acr_r, %%acr_w;\n"                                  \
  /* next to a multiple; of pi/2 itself always, and one part does */           \
  "\tshr.u32 %%acr_j, %%acr_m, 20;\n"                                          \
  CANCELS_DOUBLE ("16")                                                        \
  "\tmul.rn.f64 %%acr_t, %%acr_f, 0d3ff921fb54442d18;\n"                       \
  "\tmov.b64 {%%acr_b, %%acr_k}, %%acr_t;\n"                                   \
  "\tsetp.gt.and.s32 %%acr_o, %%acr_n, 31, %%acr_c;\n"                         \
  "\tsetp.eq.or.u32 %%acr_o, %%acr_k, %%acr_m, %%acr_o;\n"                     \
  "\t@!%%acr_o bra $acr_near;\n"                                               \
  "\tsetp.eq.s32 %%acr_one, %%acr_n, 1;\n"                                     \
  "\tor.pred %%acr_c, %%acr_c, %%acr_one;\n"                                   \
  "\t@!%%acr_c bra $acr_near;\n"                                               \
  PART_DOUBLE ("bdd0b4611a600000", "3ba3198a2e037073")                         \
  CANCELS_DOUBLE ("49")                                                        \
  "\t@%%acr_one bra $acr_near;\n"                                              \
  "\t@!%%acr_c bra $acr_near;\n"                                               \
  PART_DOUBLE ("bba3198a2e000000", "397b839a252049c1")                         \
  "$acr_near:\n"                                                               \
  "\tsub.rn.f64 %%acr_t, %%acr_r, %%acr_y;\n"                                  \
  "\tsub.rn.f64 %%acr_e, %%acr_t, %%acr_w;\n"                                  \
  "\tsetp.lt.s32 %%acr_o, %%acr_h, 0;\n"                                       \
  "\t@%%acr_o neg.f64 %%acr_y, %%acr_y;\n"                                     \
  "\t@%%acr_o neg.f64 %%acr_e, %%acr_e;\n"                                     \
  "\t@%%acr_o neg.s32 %%acr_n, %%acr_n;\n"

/* %acr_s and %acr_g, the sine and the cosine of %acr_y and its tail.  */
#define BOTH_DOUBLE                                                            \
  "\tmul.rn.f64 %%acr_z, %%acr_y, %%acr_y;\n"                                  \
  "\tmul.rn.f64 %%acr_v, %%acr_y, %%acr_z;\n"                                  \
  "\tmov.b64 {%%acr_b, %%acr_h}, %%acr_y;\n"                                   \
  "\tand.b32 %%acr_h, %%acr_h, 0x7fffffff;\n"                                  \
  /* the sine */                                                               \
  "\tmov.f64 %%acr_p, 0dbe5ae5e68a2b9ceb;\n"                                   \
  "\tfma.rn.f64 %%acr_p, %%acr_z, 0d3de5d93a5acfd57c, %%acr_p;\n"              \
  "\tfma.rn.f64 %%acr_p, %%acr_p, %%acr_z, 0d3ec71de357b1fe7d;\n"              \
  "\tfma.rn.f64 %%acr_p, %%acr_p, %%acr_z, 0dbf2a01a019c161d5;\n"              \
  "\tfma.rn.f64 %%acr_p, %%acr_p, %%acr_z, 0d3f8111111110f8a6;\n"              \
  "\tfma.rn.f64 %%acr_t, %%acr_z, %%acr_p, 0dbfc5555555555549;\n"              \
  "\tfma.rn.f64 %%acr_t, %%acr_t, %%acr_v, %%acr_y;\n"                         \
  "\tmul.rn.f64 %%acr_u, %%acr_v, %%acr_p;\n"                                  \
  "\tneg.f64 %%acr_u, %%acr_u;\n"                                              \
  "\tfma.rn.f64 %%acr_u, %%acr_e, 0d3fe0000000000000, %%acr_u;\n"              \
  "\tneg.f64 %%acr_s, %%acr_e;\n"                                              \
  "\tfma.rn.f64 %%acr_u, %%acr_u, %%acr_z, %%acr_s;\n"                         \
  "\tfma.rn.f64 %%acr_u, %%acr_v, 0d3fc5555555555549, %%acr_u;\n"              \
  "\tsub.rn.f64 %%acr_s, %%acr_y, %%acr_u;\n"                                  \
  "\tselp.f64 %%acr_s, %%acr_t, %%acr_s, %%acr_small;\n"                       \
  "\tsetp.lt.u32 %%acr_o, %%acr_h, 0x3e400000;\n"                              \
  "\tselp.f64 %%acr_s, %%acr_y, %%acr_s, %%acr_o;\n"                           \
  /* the cosine */                                                             \
  "\tmov.f64 %%acr_p, 0d3e21ee9ebdb4b1c4;\n"                                   \
  "\tfma.rn.f64 %%acr_p, %%acr_z, 0dbda8fae9be8838d4, %%acr_p;\n"              \
  "\tfma.rn.f64 %%acr_p, %%acr_p, %%acr_z, 0dbe927e4f809c52ad;\n"              \
  "\tfma.rn.f64 %%acr_p, %%acr_p, %%acr_z, 0d3efa01a019cb1590;\n"              \
  "\tfma.rn.f64 %%acr_p, %%acr_p, %%acr_z, 0dbf56c16c16c15177;\n"              \
  "\tfma.rn.f64 %%acr_p, %%acr_p, %%acr_z, 0d3fa555555555554c;\n"              \
  "\tmul.rn.f64 %%acr_p, %%acr_p, %%acr_z;\n"                                  \
  "\tmul.rn.f64 %%acr_u, %%acr_y, %%acr_e;\n"                                  \
  "\tneg.f64 %%acr_u, %%acr_u;\n"                                              \
  "\tfma.rn.f64 %%acr_u, %%acr_z, %%acr_p, %%acr_u;\n"                         \
  "\tadd.u32 %%acr_k, %%acr_h, -2097152;\n"                                    \
  "\tsetp.gt.u32 %%acr_o, %%acr_h, 0x3fe90000;\n"                              \
  "\tselp.b32 %%acr_k, 0x3fd20000, %%acr_k, %%acr_o;\n"                        \
  "\tsetp.gt.u32 %%acr_o, %%acr_h, 0x3fd33332;\n"                              \
  "\tselp.b32 %%acr_k, %%acr_k, 0, %%acr_o;\n"                                 \
  "\tmov.u32 %%acr_b, 0;\n"                                                    \
  "\tmov.b64 %%acr_q, {%%acr_b, %%acr_k};\n"                                   \
  "\tsub.rn.f64 %%acr_g, 0d3ff0000000000000, %%acr_q;\n"                       \
  "\tneg.f64 %%acr_q, %%acr_q;\n"                                              \
  "\tfma.rn.f64 %%acr_q, %%acr_z, 0d3fe0000000000000, %%acr_q;\n"              \
  "\tsub.rn.f64 %%acr_q, %%acr_q, %%acr_u;\n"                                  \
  "\tsub.rn.f64 %%acr_g, %%acr_g, %%acr_q;\n"                                  \
  "\tand.b32 %%acr_k, %%acr_n, 1;\n"                                           \
  "\tsetp.ne.u32 %%acr_odd, %%acr_k, 0;\n"

/* ---- Single precision ---- */

/* Up to 3/4 pi other bits are compared.  For one number, next to pi/4, n is 1 in libm's
   and 0 here, of which the same comes; and there is no number of which a third part
   would make another (all below the bound tried).  */
#define REDUCE_SINGLE                                                          \
  "\t.reg .f32 %%acr_x, %%acr_a, %%acr_f, %%acr_r, %%acr_w, %%acr_y, %%acr_e;\n" \
  "\t.reg .f32 %%acr_t, %%acr_u, %%acr_z, %%acr_v, %%acr_p, %%acr_q;\n"        \
  "\t.reg .f32 %%acr_s, %%acr_g;\n"                                            \
  "\t.reg .u32 %%acr_b, %%acr_h, %%acr_m, %%acr_j, %%acr_k, %%acr_n;\n"        \
  "\t.reg .pred %%acr_small, %%acr_one, %%acr_c, %%acr_o, %%acr_odd;\n"        \
  "\tld.param.f32 %%acr_x, [%2$s];\n"                                          \
  "\tmov.b32 %%acr_h, %%acr_x;\n"                                              \
  "\tand.b32 %%acr_m, %%acr_h, 0x7fffffff;\n"                                  \
  "\tsetp.gt.u32 %%acr_o, %%acr_m, 0x43490f80;\n"                              \
  "\t@%%acr_o bra $acr_far;\n"                                                 \
  "\tabs.f32 %%acr_a, %%acr_x;\n"                                              \
  "\tfma.rn.f32 %%acr_t, %%acr_a, 0f3f22f984, 0f3f000000;\n"                   \
  "\tcvt.rzi.s32.f32 %%acr_n, %%acr_t;\n"                                      \
  "\tsetp.le.u32 %%acr_small, %%acr_m, 0x3f490fd8;\n"                          \
  "\tselp.b32 %%acr_n, 0, %%acr_n, %%acr_small;\n"                             \
  "\tcvt.rn.f32.s32 %%acr_f, %%acr_n;\n"                                       \
  "\tfma.rn.f32 %%acr_r, %%acr_f, 0fbfc90f80, %%acr_a;\n"                      \
  "\tmul.rn.f32 %%acr_w, %%acr_f, 0f37354443;\n"                               \
  "\tsub.rn.f32 %%acr_y, %%acr_r, %%acr_w;\n"                                  \
  /* next to a multiple; of pi/2 itself always, and one part does */           \
  "\tshr.u32 %%acr_j, %%acr_m, 23;\n"                                          \
  "\tmov.b32 %%acr_k, %%acr_y;\n"                                              \
  "\tbfe.u32 %%acr_k, %%acr_k, 23, 8;\n"                                       \
  "\tsub.s32 %%acr_k, %%acr_j, %%acr_k;\n"                                     \
  "\tsetp.gt.s32 %%acr_c, %%acr_k, 8;\n"                                       \
  "\tmul.rn.f32 %%acr_t, %%acr_f, 0f3fc90fdb;\n"                               \
  "\tmov.b32 %%acr_k, %%acr_t;\n"                                              \
  "\txor.b32 %%acr_k, %%acr_k, %%acr_m;\n"                                     \
  "\tsetp.gt.and.s32 %%acr_o, %%acr_n, 31, %%acr_c;\n"                         \
  "\tsetp.lt.or.u32 %%acr_o, %%acr_k, 0x100, %%acr_o;\n"                       \
  "\t@!%%acr_o bra $acr_near;\n"                                               \
  "\tsetp.eq.s32 %%acr_one, %%acr_n, 1;\n"                                     \
  "\txor.b32 %%acr_k, %%acr_m, 0x3fc90fd0;\n"                                  \
  "\tsetp.lt.and.u32 %%acr_o, %%acr_k, 0x10, %%acr_one;\n"                     \
  "\tnot.pred %%acr_one, %%acr_one;\n"                                         \
  "\tand.pred %%acr_c, %%acr_c, %%acr_one;\n"                                  \
  "\tor.pred %%acr_o, %%acr_o, %%acr_c;\n"                                     \
  "\t@!%%acr_o bra $acr_near;\n"                                               \
  "\tfma.rn.f32 %%acr_t, %%acr_f, 0fb7354400, %%acr_r;\n"                      \
  "\tsub.rn.f32 %%acr_u, %%acr_r, %%acr_t;\n"                                  \
  "\tfma.rn.f32 %%acr_u, %%acr_f, 0fb7354400, %%acr_u;\n"                      \
  "\tneg.f32 %%acr_u, %%acr_u;\n"                                              \
  "\tfma.rn.f32 %%acr_w, %%acr_f, 0f2e85a308, %%acr_u;\n"                      \
  "\tmov.f32 %%acr_r, %%acr_t;\n"                                              \
  "\tsub.rn.f32 %%acr_y, %%acr_r, %%acr_w;\n"                                  \
  "$acr_near:\n"                                                               \
  "\tsub.rn.f32 %%acr_t, %%acr_r, %%acr_y;\n"                                  \
  "\tsub.rn.f32 %%acr_e, %%acr_t, %%acr_w;\n"                                  \
  "\tsetp.lt.s32 %%acr_o, %%acr_h, 0;\n"                                       \
  "\t@%%acr_o neg.f32 %%acr_y, %%acr_y;\n"                                     \
  "\t@%%acr_o neg.f32 %%acr_e, %%acr_e;\n"                                     \
  "\t@%%acr_o neg.s32 %%acr_n, %%acr_n;\n"

#define BOTH_SINGLE                                                            \
  "\tmul.rn.f32 %%acr_z, %%acr_y, %%acr_y;\n"                                  \
  "\tmul.rn.f32 %%acr_v, %%acr_y, %%acr_z;\n"                                  \
  "\tmov.b32 %%acr_h, %%acr_y;\n"                                              \
  "\tand.b32 %%acr_h, %%acr_h, 0x7fffffff;\n"                                  \
  /* the sine */                                                               \
  "\tmov.f32 %%acr_p, 0fb2d72f34;\n"                                           \
  "\tfma.rn.f32 %%acr_p, %%acr_z, 0f2f2ec9d3, %%acr_p;\n"                      \
  "\tfma.rn.f32 %%acr_p, %%acr_p, %%acr_z, 0f3638ef1b;\n"                      \
  "\tfma.rn.f32 %%acr_p, %%acr_p, %%acr_z, 0fb9500d01;\n"                      \
  "\tfma.rn.f32 %%acr_p, %%acr_p, %%acr_z, 0f3c088889;\n"                      \
  "\tfma.rn.f32 %%acr_t, %%acr_z, %%acr_p, 0fbe2aaaab;\n"                      \
  "\tfma.rn.f32 %%acr_t, %%acr_t, %%acr_v, %%acr_y;\n"                         \
  "\tmul.rn.f32 %%acr_u, %%acr_v, %%acr_p;\n"                                  \
  "\tneg.f32 %%acr_u, %%acr_u;\n"                                              \
  "\tfma.rn.f32 %%acr_u, %%acr_e, 0f3f000000, %%acr_u;\n"                      \
  "\tneg.f32 %%acr_s, %%acr_e;\n"                                              \
  "\tfma.rn.f32 %%acr_u, %%acr_u, %%acr_z, %%acr_s;\n"                         \
  "\tfma.rn.f32 %%acr_u, %%acr_v, 0f3e2aaaab, %%acr_u;\n"                      \
  "\tsub.rn.f32 %%acr_s, %%acr_y, %%acr_u;\n"                                  \
  "\tselp.f32 %%acr_s, %%acr_t, %%acr_s, %%acr_small;\n"                       \
  "\tsetp.lt.u32 %%acr_o, %%acr_h, 0x32000000;\n"                              \
  "\tselp.f32 %%acr_s, %%acr_y, %%acr_s, %%acr_o;\n"                           \
  /* the cosine */                                                             \
  "\tmov.f32 %%acr_p, 0f310f74f6;\n"                                           \
  "\tfma.rn.f32 %%acr_p, %%acr_z, 0fad47d74e, %%acr_p;\n"                      \
  "\tfma.rn.f32 %%acr_p, %%acr_p, %%acr_z, 0fb493f27c;\n"                      \
  "\tfma.rn.f32 %%acr_p, %%acr_p, %%acr_z, 0f37d00d01;\n"                      \
  "\tfma.rn.f32 %%acr_p, %%acr_p, %%acr_z, 0fbab60b61;\n"                      \
  "\tfma.rn.f32 %%acr_p, %%acr_p, %%acr_z, 0f3d2aaaab;\n"                      \
  "\tmul.rn.f32 %%acr_p, %%acr_p, %%acr_z;\n"                                  \
  "\tmul.rn.f32 %%acr_u, %%acr_y, %%acr_e;\n"                                  \
  "\tneg.f32 %%acr_u, %%acr_u;\n"                                              \
  "\tfma.rn.f32 %%acr_u, %%acr_z, %%acr_p, %%acr_u;\n"                         \
  "\tadd.u32 %%acr_k, %%acr_h, -16777216;\n"                                   \
  "\tsetp.gt.u32 %%acr_o, %%acr_h, 0x3f480000;\n"                              \
  "\tselp.b32 %%acr_k, 0x3e900000, %%acr_k, %%acr_o;\n"                        \
  "\tsetp.gt.u32 %%acr_o, %%acr_h, 0x3e999999;\n"                              \
  "\tselp.b32 %%acr_k, %%acr_k, 0, %%acr_o;\n"                                 \
  "\tmov.b32 %%acr_q, %%acr_k;\n"                                              \
  "\tsub.rn.f32 %%acr_g, 0f3f800000, %%acr_q;\n"                               \
  "\tneg.f32 %%acr_q, %%acr_q;\n"                                              \
  "\tfma.rn.f32 %%acr_q, %%acr_z, 0f3f000000, %%acr_q;\n"                      \
  "\tsub.rn.f32 %%acr_q, %%acr_q, %%acr_u;\n"                                  \
  "\tsub.rn.f32 %%acr_g, %%acr_g, %%acr_q;\n"                                  \
  "\tand.b32 %%acr_k, %%acr_n, 1;\n"                                           \
  "\tsetp.ne.u32 %%acr_odd, %%acr_k, 0;\n"

/* ---- What is taken, by n ---- */

/* %acr_R becomes the sine: s, c, -s, -c for n = 0, 1, 2, 3.  */
#define SINE(T, R)                                                             \
  "\tselp." T " %%acr_" R ", %%acr_g, %%acr_s, %%acr_odd;\n"                   \
  "\tand.b32 %%acr_k, %%acr_n, 2;\n"                                           \
  "\tsetp.ne.u32 %%acr_o, %%acr_k, 0;\n"                                       \
  "\t@%%acr_o neg." T " %%acr_" R ", %%acr_" R ";\n"

/* %acr_R becomes the cosine: c, -s, -c, s.  */
#define COSINE(T, R)                                                           \
  "\tselp." T " %%acr_" R ", %%acr_s, %%acr_g, %%acr_odd;\n"                   \
  "\tadd.u32 %%acr_k, %%acr_n, 1;\n"                                           \
  "\tand.b32 %%acr_k, %%acr_k, 2;\n"                                           \
  "\tsetp.ne.u32 %%acr_o, %%acr_k, 0;\n"                                       \
  "\t@%%acr_o neg." T " %%acr_" R ", %%acr_" R ";\n"

/* %acr_R is what libm's own function FAR gives.  */
#define FAR(T, R, FAR)                                                         \
  "{\n"                                                                        \
  "\t.param ." T " %%value_in;\n"                                              \
  "\t.param ." T " %%out_arg1;\n"                                              \
  "\tst.param." T " [%%out_arg1], %%acr_x;\n"                                  \
  "\tcall (%%value_in), " FAR ", (%%out_arg1);\n"                              \
  "\tld.param." T " %%acr_" R ", [%%value_in];\n"                              \
  "}\n"

#define ONE(T, REDUCE, BOTH, TAKE)                                             \
  REDUCE BOTH TAKE (T, "t")                                                    \
  "\tbra $acr_done;\n"                                                         \
  "$acr_far:\n"                                                                \
  FAR (T, "t", "%3$s")                                                         \
  "$acr_done:\n"                                                               \
  "\tst.param." T " [%1$s], %%acr_t;\n"                                        \
  "\tret;\n"

#define TWO(T, REDUCE, BOTH)                                                   \
  "\t.reg .u64 %%acr_sine, %%acr_cosine;\n"                                    \
  "\tld.param.u64 %%acr_sine, [%1$s];\n"                                       \
  "\tld.param.u64 %%acr_cosine, [%5$s];\n"                                     \
  REDUCE BOTH SINE (T, "t") COSINE (T, "u")                                    \
  "\tbra $acr_done;\n"                                                         \
  "$acr_far:\n"                                                                \
  FAR (T, "t", "%3$s")                                                         \
  FAR (T, "u", "%4$s")                                                         \
  "$acr_done:\n"                                                               \
  "\tst." T " [%%acr_sine], %%acr_t;\n"                                        \
  "\tst." T " [%%acr_cosine], %%acr_u;\n"                                      \
  "\tret;\n"

const char sin_double[] = ONE ("f64", REDUCE_DOUBLE, BOTH_DOUBLE, SINE);
const char cos_double[] = ONE ("f64", REDUCE_DOUBLE, BOTH_DOUBLE, COSINE);
const char sin_single[] = ONE ("f32", REDUCE_SINGLE, BOTH_SINGLE, SINE);
const char cos_single[] = ONE ("f32", REDUCE_SINGLE, BOTH_SINGLE, COSINE);

const char sincos_double[] = TWO ("f64", REDUCE_DOUBLE, BOTH_DOUBLE);
const char sincos_single[] = TWO ("f32", REDUCE_SINGLE, BOTH_SINGLE);
