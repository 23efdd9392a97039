/* powf without branches on the way that it goes for most numbers.

   newlib's is fdlibm's: log |x| to base 2 in two parts, times y, and 2 to the power
   of that.  Before it starts it branches for each special x and y; then by the size
   of x, three times, and by that of the product, eight times; and the end is a
   call of scalbnf.  The same arithmetic does without:

   - The product is rounded half away from zero, where fdlibm shifts its mantissa: it
     is the sum with 1/2 (of its sign), cut by one with 2^23 that is rounded to zero.
     A sum that is rounded up to a power of two is a whole number all the same.
   - The sum of a mantissa and of an exponent of less than -125 would be no number,
     or a subnormal one: 100 more, times 2^-100, is rounded once, as by scalbnf.
     Below 2^-149 scalbnf says 0 where a product would be rounded up.
   - a + bp is between 1.8 and 3.3, c - 2 between -2.4 and -1.6.  A dividend that is
     subnormal is too small to be seen beside 1.  So neither needs a test.
   - x = 1 and y = 0 are no special cases where the other one is finite.
   - All special x and y come behind one branch, and correct the result in the
     reverse order of fdlibm's branches; so do results next to the largest and the
     smallest.

   GCC 15's newlib has another split of the logarithm's constant, cuts one more
   number, and keeps fewer bits of the rest.

   Source: newlib's ef_pow.c and sf_scalbn.c.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "bodies.h"

/* ta + tb, where y is very large, and x next to 1.  */
#define LARGE                                                                 \
  /* the same where y is very large, and x next to 1 */                       \
  "\tsub.rn.f32 %%acr_t, %%acr_w, 0f3f800000;\n"                              \
  "\tmul.rn.f32 %%acr_u, %%acr_t, %%acr_t;\n"                                 \
  "\tmov.f32 %%acr_v, 0f3eaaaaab;\n"                                          \
  "\tfma.rn.f32 %%acr_v, %%acr_t, 0fbe800000, %%acr_v;\n"                     \
  "\tneg.f32 %%acr_v, %%acr_v;\n"                                             \
  "\tfma.rn.f32 %%acr_v, %%acr_t, %%acr_v, 0f3f000000;\n"                     \
  "\tmul.rn.f32 %%acr_u, %%acr_u, %%acr_v;\n"                                 \
  "\tmul.rn.f32 %%acr_u, %%acr_u, 0fbfb8aa3b;\n"                              \
  "\tfma.rn.f32 %%acr_v, %%acr_t, 0f36eca570, %%acr_u;\n"                     \
  "\tfma.rn.f32 %%acr_u, %%acr_t, 0f3fb8aa00, %%acr_v;\n"                     \
  "\tmov.b32 %%acr_b, %%acr_u;\n"                                             \
  "\tand.b32 %%acr_b, %%acr_b, 0xfffff000;\n"                                 \
  "\tmov.b32 %%acr_ta, %%acr_b;\n"                                            \
  "\tfma.rn.f32 %%acr_u, %%acr_t, 0fbfb8aa00, %%acr_ta;\n"                    \
  "\tsub.rn.f32 %%acr_tb, %%acr_v, %%acr_u;\n"

/* f becomes 2 to the power of y (ta + tb), m its bits; CUT is and-ed to what is left of
   the exponent.  */
#define POWER(CUT)                                                            \
  /* times y, as ph + pl */                                                   \
  "\tand.b32 %%acr_b, %%acr_by, 0xfffff000;\n"                                \
  "\tmov.b32 %%acr_t, %%acr_b;\n"                                             \
  "\tmul.rn.f32 %%acr_ph, %%acr_ta, %%acr_t;\n"                               \
  "\tsub.rn.f32 %%acr_t, %%acr_y, %%acr_t;\n"                                 \
  "\tmul.rn.f32 %%acr_u, %%acr_tb, %%acr_y;\n"                                \
  "\tfma.rn.f32 %%acr_pl, %%acr_t, %%acr_ta, %%acr_u;\n"                      \
  "\tadd.rn.f32 %%acr_z, %%acr_pl, %%acr_ph;\n"                               \
  /* l, which is that rounded half away from zero */                          \
  "\tmov.b32 %%acr_j, %%acr_z;\n"                                             \
  "\tand.b32 %%acr_j, %%acr_j, 0x80000000;\n"                                 \
  "\tor.b32 %%acr_b, %%acr_j, 0x3f000000;\n"                                  \
  "\tmov.b32 %%acr_t, %%acr_b;\n"                                             \
  "\tor.b32 %%acr_b, %%acr_j, 0x4b000000;\n"                                  \
  "\tmov.b32 %%acr_u, %%acr_b;\n"                                             \
  "\tabs.f32 %%acr_v, %%acr_z;\n"                                             \
  "\tsetp.gt.f32 %%acr_p, %%acr_v, 0f3f000000;\n"                             \
  "\tadd.rn.f32 %%acr_t, %%acr_z, %%acr_t;\n"                                 \
  "\tadd.rz.f32 %%acr_t, %%acr_t, %%acr_u;\n"                                 \
  "\tsub.rn.f32 %%acr_t, %%acr_t, %%acr_u;\n"                                 \
  "\tselp.f32 %%acr_u, %%acr_t, 0f00000000, %%acr_p;\n"                       \
  "\tsub.rn.f32 %%acr_k, %%acr_ph, %%acr_u;\n"                                \
  "\tadd.rn.f32 %%acr_u, %%acr_u, 0f4b400000;\n"                              \
  "\tmov.b32 %%acr_l, %%acr_u;\n"                                             \
  "\tadd.rn.f32 %%acr_t, %%acr_pl, %%acr_k;\n"                                \
  /* and 2 to the power of the rest */                                        \
  "\tmov.b32 %%acr_b, %%acr_t;\n"                                             \
  "\tand.b32 %%acr_b, %%acr_b, " CUT ";\n"                                    \
  "\tmov.b32 %%acr_t, %%acr_b;\n"                                             \
  "\tsub.rn.f32 %%acr_u, %%acr_t, %%acr_k;\n"                                 \
  "\tsub.rn.f32 %%acr_u, %%acr_pl, %%acr_u;\n"                                \
  "\tmul.rn.f32 %%acr_v, %%acr_t, 0f35bfbe8c;\n"                              \
  "\tfma.rn.f32 %%acr_v, %%acr_u, 0f3f317218, %%acr_v;\n"                     \
  "\tfma.rn.f32 %%acr_u, %%acr_t, 0f3f317200, %%acr_v;\n"                     \
  "\tfma.rn.f32 %%acr_k, %%acr_t, 0fbf317200, %%acr_u;\n"                     \
  "\tsub.rn.f32 %%acr_k, %%acr_v, %%acr_k;\n"                                 \
  "\tmul.rn.f32 %%acr_t, %%acr_u, %%acr_u;\n"                                 \
  "\tmov.f32 %%acr_v, 0fb5ddea0e;\n"                                          \
  "\tfma.rn.f32 %%acr_v, %%acr_t, 0f3331bb4c, %%acr_v;\n"                     \
  "\tfma.rn.f32 %%acr_v, %%acr_v, %%acr_t, 0f388ab355;\n"                     \
  "\tfma.rn.f32 %%acr_v, %%acr_v, %%acr_t, 0fbb360b61;\n"                     \
  "\tfma.rn.f32 %%acr_v, %%acr_v, %%acr_t, 0f3e2aaaab;\n"                     \
  "\tneg.f32 %%acr_v, %%acr_v;\n"                                             \
  "\tfma.rn.f32 %%acr_v, %%acr_t, %%acr_v, %%acr_u;\n"                        \
  "\tmul.rn.f32 %%acr_n, %%acr_u, %%acr_v;\n"                                 \
  "\tsub.rn.f32 %%acr_d, %%acr_v, 0f40000000;\n"                              \
  QUOTIENT_SINGLE                                                             \
  "\tfma.rn.f32 %%acr_t, %%acr_u, %%acr_k, %%acr_k;\n"                        \
  "\tsub.rn.f32 %%acr_q, %%acr_q, %%acr_t;\n"                                 \
  "\tsub.rn.f32 %%acr_q, %%acr_q, %%acr_u;\n"                                 \
  "\tsub.rn.f32 %%acr_q, 0f3f800000, %%acr_q;\n"                              \
  /* times 2^l */                                                             \
  "\tmov.b32 %%acr_m, %%acr_q;\n"                                             \
  "\tshl.b32 %%acr_b, %%acr_l, 23;\n"                                         \
  "\tadd.u32 %%acr_m, %%acr_m, %%acr_b;\n"

/* f, for all that is special.  */
#define SPECIALS                                                              \
  /* subnormal */                                                             \
  "\tsetp.lt.s32 %%acr_p, %%acr_m, 0x00800000;\n"                             \
  "\tadd.u32 %%acr_b, %%acr_m, 0x32000000;\n"                                 \
  "\tselp.b32 %%acr_b, %%acr_b, %%acr_m, %%acr_p;\n"                          \
  "\tmov.b32 %%acr_f, %%acr_b;\n"                                             \
  "\t@%%acr_p mul.rn.f32 %%acr_f, %%acr_f, 0f0d800000;\n"                     \
  /* too small, or too large */                                               \
  "\tsetp.lt.s32 %%acr_p, %%acr_m, -184549376;\n"                             \
  "\tselp.f32 %%acr_f, 0f00000000, %%acr_f, %%acr_p;\n"                       \
  "\tsub.rn.f32 %%acr_t, %%acr_z, %%acr_ph;\n"                                \
  "\tsetp.lt.f32 %%acr_p, %%acr_z, 0fc3160000;\n"                             \
  "\tselp.f32 %%acr_f, 0f00000000, %%acr_f, %%acr_p;\n"                       \
  "\tsetp.le.f32 %%acr_o, %%acr_pl, %%acr_t;\n"                               \
  "\tsetp.eq.f32 %%acr_p, %%acr_z, 0fc3160000;\n"                             \
  "\tselp.f32 %%acr_u, 0f00000000, %%acr_f, %%acr_p;\n"                       \
  "\tselp.f32 %%acr_f, %%acr_u, %%acr_f, %%acr_o;\n"                          \
  "\tsetp.gt.f32 %%acr_p, %%acr_z, 0f43000000;\n"                             \
  "\tselp.f32 %%acr_f, 0f7f800000, %%acr_f, %%acr_p;\n"                       \
  "\tadd.rn.f32 %%acr_u, %%acr_pl, 0f3338aa3c;\n"                             \
  "\tsetp.gt.f32 %%acr_o, %%acr_u, %%acr_t;\n"                                \
  "\tsetp.eq.f32 %%acr_p, %%acr_z, 0f43000000;\n"                             \
  "\tselp.f32 %%acr_u, 0f7f800000, %%acr_f, %%acr_p;\n"                       \
  "\tselp.f32 %%acr_f, %%acr_u, %%acr_f, %%acr_o;\n"                          \
  /* whether y is no whole number, or odd, where x has a sign */              \
  "\tabs.f32 %%acr_t, %%acr_y;\n"                                             \
  "\tcvt.rzi.f32.f32 %%acr_u, %%acr_t;\n"                                     \
  "\tsetp.neu.f32 %%acr_part, %%acr_u, %%acr_t;\n"                            \
  "\tmul.rn.f32 %%acr_v, %%acr_u, 0f3f000000;\n"                              \
  "\tselp.f32 %%acr_v, 0f00000000, %%acr_v, %%acr_part;\n"                    \
  "\tcvt.rzi.f32.f32 %%acr_u, %%acr_v;\n"                                     \
  "\tsetp.neu.f32 %%acr_odd, %%acr_u, %%acr_v;\n"                             \
  "\tsetp.lt.s32 %%acr_p, %%acr_bx, 0;\n"                                     \
  "\tand.pred %%acr_part, %%acr_part, %%acr_p;\n"                             \
  "\tand.pred %%acr_odd, %%acr_odd, %%acr_p;\n"                               \
  "\tneg.f32 %%acr_t, %%acr_f;\n"                                             \
  "\tselp.f32 %%acr_u, %%acr_t, %%acr_f, %%acr_odd;\n"                        \
  "\tselp.f32 %%acr_f, 0f7fffffff, %%acr_u, %%acr_part;\n"                    \
  /* y very large, and x not next to 1 */                                     \
  "\tsetp.lt.s32 %%acr_p, %%acr_by, 0;\n"                                     \
  "\tselp.f32 %%acr_t, 0f7f800000, 0f00000000, %%acr_p;\n"                    \
  "\tsetp.lt.u32 %%acr_o, %%acr_ix, 0x3f7ffff4;\n"                            \
  "\tand.pred %%acr_o, %%acr_o, %%acr_large;\n"                               \
  "\tselp.f32 %%acr_f, %%acr_t, %%acr_f, %%acr_o;\n"                          \
  "\tselp.f32 %%acr_t, 0f00000000, 0f7f800000, %%acr_p;\n"                    \
  "\tsetp.gt.u32 %%acr_o, %%acr_ix, 0x3f800007;\n"                            \
  "\tand.pred %%acr_o, %%acr_o, %%acr_large;\n"                               \
  "\tselp.f32 %%acr_f, %%acr_t, %%acr_f, %%acr_o;\n"                          \
  /* |x| zero, infinite or 1 */                                               \
  "\tabs.f32 %%acr_w, %%acr_x;\n"                                             \
  "\trcp.rn.f32 %%acr_t, %%acr_w;\n"                                          \
  "\tselp.f32 %%acr_t, %%acr_t, %%acr_w, %%acr_p;\n"                          \
  "\tneg.f32 %%acr_u, %%acr_t;\n"                                             \
  "\tselp.f32 %%acr_t, %%acr_u, %%acr_t, %%acr_odd;\n"                        \
  "\tsetp.eq.u32 %%acr_o, %%acr_ix, 0;\n"                                     \
  "\tselp.f32 %%acr_f, %%acr_t, %%acr_f, %%acr_o;\n"                          \
  "\tsetp.eq.u32 %%acr_o, %%acr_ix, 0x7f800000;\n"                            \
  "\tselp.f32 %%acr_f, %%acr_t, %%acr_f, %%acr_o;\n"                          \
  "\tselp.f32 %%acr_t, 0f7fffffff, %%acr_t, %%acr_part;\n"                    \
  "\tsetp.eq.u32 %%acr_o, %%acr_ix, 0x3f800000;\n"                            \
  "\tselp.f32 %%acr_f, %%acr_t, %%acr_f, %%acr_o;\n"                          \
  /* y of 1/2, 2, 1 or -1 */                                                  \
  "\tsqrt.rn.f32 %%acr_t, %%acr_x;\n"                                         \
  "\tsetp.ge.s32 %%acr_o, %%acr_bx, 0;\n"                                     \
  "\tselp.f32 %%acr_t, %%acr_t, %%acr_f, %%acr_o;\n"                          \
  "\tsetp.eq.f32 %%acr_o, %%acr_y, 0f3f000000;\n"                             \
  "\tselp.f32 %%acr_f, %%acr_t, %%acr_f, %%acr_o;\n"                          \
  "\tmul.rn.f32 %%acr_t, %%acr_x, %%acr_x;\n"                                 \
  "\tsetp.eq.f32 %%acr_o, %%acr_y, 0f40000000;\n"                             \
  "\tselp.f32 %%acr_f, %%acr_t, %%acr_f, %%acr_o;\n"                          \
  "\trcp.rn.f32 %%acr_t, %%acr_x;\n"                                          \
  "\tselp.f32 %%acr_t, %%acr_t, %%acr_x, %%acr_p;\n"                          \
  "\tsetp.eq.u32 %%acr_o, %%acr_iy, 0x3f800000;\n"                            \
  "\tselp.f32 %%acr_f, %%acr_t, %%acr_f, %%acr_o;\n"                          \
  /* y infinite */                                                            \
  "\tabs.f32 %%acr_t, %%acr_y;\n"                                             \
  "\tsetp.gt.u32 %%acr_o, %%acr_ix, 0x3f800000;\n"                            \
  "\tselp.f32 %%acr_u, 0f00000000, %%acr_t, %%acr_o;\n"                       \
  "\tselp.f32 %%acr_v, %%acr_t, 0f00000000, %%acr_o;\n"                       \
  "\tselp.f32 %%acr_t, %%acr_u, %%acr_v, %%acr_p;\n"                          \
  "\tsetp.eq.u32 %%acr_o, %%acr_ix, 0x3f800000;\n"                            \
  "\tselp.f32 %%acr_t, 0f3f800000, %%acr_t, %%acr_o;\n"                       \
  "\tsetp.eq.u32 %%acr_o, %%acr_iy, 0x7f800000;\n"                            \
  "\tselp.f32 %%acr_f, %%acr_t, %%acr_f, %%acr_o;\n"                          \
  /* one of them none; 1 to any power, and any number to the power of zero, are 1 */\
  "\tadd.rn.f32 %%acr_t, %%acr_x, %%acr_y;\n"                                 \
  "\tsetp.nan.f32 %%acr_o, %%acr_x, %%acr_y;\n"                               \
  "\tselp.f32 %%acr_f, %%acr_t, %%acr_f, %%acr_o;\n"                          \
  "\txor.b32 %%acr_b, %%acr_by, 0x00400000;\n"                                \
  "\tshl.b32 %%acr_b, %%acr_b, 1;\n"                                          \
  "\tsetp.gt.u32 %%acr_o, %%acr_b, 0xff800000;\n"                             \
  "\tselp.f32 %%acr_u, %%acr_t, 0f3f800000, %%acr_o;\n"                       \
  "\tsetp.eq.u32 %%acr_o, %%acr_bx, 0x3f800000;\n"                            \
  "\tselp.f32 %%acr_f, %%acr_u, %%acr_f, %%acr_o;\n"                          \
  "\txor.b32 %%acr_b, %%acr_bx, 0x00400000;\n"                                \
  "\tshl.b32 %%acr_b, %%acr_b, 1;\n"                                          \
  "\tsetp.gt.u32 %%acr_o, %%acr_b, 0xff800000;\n"                             \
  "\tselp.f32 %%acr_u, %%acr_t, 0f3f800000, %%acr_o;\n"                       \
  "\tsetp.eq.u32 %%acr_o, %%acr_iy, 0;\n"                                     \
  "\tselp.f32 %%acr_f, %%acr_u, %%acr_f, %%acr_o;\n"

/* HALF makes half of m of its bits; HIGH and LOW are 2 / (3 log 2), without the first
   digit, and what that lacks.  */
#define POW_SINGLE(HALF, HIGH, LOW, CUT)                                      \
  "\t.reg .f32 %%acr_x, %%acr_y, %%acr_a, %%acr_z, %%acr_s;\n"                \
  "\t.reg .f32 %%acr_t, %%acr_u, %%acr_v, %%acr_w, %%acr_f, %%acr_k;\n"       \
  "\t.reg .f32 %%acr_sh, %%acr_th, %%acr_tl, %%acr_sl, %%acr_r;\n"            \
  "\t.reg .f32 %%acr_ph, %%acr_pl, %%acr_ta, %%acr_tb;\n"                     \
  "\t.reg .f32 %%acr_bp, %%acr_dh, %%acr_dl;\n"                               \
  "\t.reg .f32 %%acr_n, %%acr_d, %%acr_i, %%acr_e, %%acr_q;\n"                \
  "\t.reg .u32 %%acr_bx, %%acr_by, %%acr_ix, %%acr_iy;\n"                     \
  "\t.reg .u32 %%acr_l, %%acr_m, %%acr_j, %%acr_b, %%acr_g;\n"                \
  "\t.reg .pred %%acr_p, %%acr_o, %%acr_large, %%acr_odd, %%acr_part;\n"      \
  "\tld.param.f32 %%acr_x, [%2$s];\n"                                         \
  "\tld.param.f32 %%acr_y, [%3$s];\n"                                         \
  "\tmov.b32 %%acr_bx, %%acr_x;\n"                                            \
  "\tmov.b32 %%acr_by, %%acr_y;\n"                                            \
  "\tand.b32 %%acr_ix, %%acr_bx, 0x7fffffff;\n"                               \
  "\tand.b32 %%acr_iy, %%acr_by, 0x7fffffff;\n"                               \
  /* |x| = 2^l a, a between the roots of 3/4 and 3, and bp is 1 or 3/2 */     \
  "\tabs.f32 %%acr_w, %%acr_x;\n"                                             \
  "\tsetp.lt.u32 %%acr_p, %%acr_ix, 0x00800000;\n"                            \
  "\tmul.rn.f32 %%acr_t, %%acr_w, 0f4b800000;\n"                              \
  "\tselp.f32 %%acr_t, %%acr_t, %%acr_w, %%acr_p;\n"                          \
  "\tselp.b32 %%acr_l, -151, -127, %%acr_p;\n"                                \
  "\tmov.b32 %%acr_m, %%acr_t;\n"                                             \
  "\tshr.u32 %%acr_j, %%acr_m, 23;\n"                                         \
  "\tadd.u32 %%acr_l, %%acr_l, %%acr_j;\n"                                    \
  "\tand.b32 %%acr_j, %%acr_m, 0x007fffff;\n"                                 \
  "\tor.b32 %%acr_m, %%acr_j, 0x3f800000;\n"                                  \
  "\tsetp.gt.s32 %%acr_p, %%acr_j, 6140886;\n"                                \
  "\t@%%acr_p add.u32 %%acr_l, %%acr_l, 1;\n"                                 \
  "\t@%%acr_p add.u32 %%acr_m, %%acr_m, 0xff800000;\n"                        \
  "\tadd.u32 %%acr_j, %%acr_j, -1885298;\n"                                   \
  "\tsetp.lt.u32 %%acr_p, %%acr_j, 4255589;\n"                                \
  "\tselp.f32 %%acr_bp, 0f3fc00000, 0f3f800000, %%acr_p;\n"                   \
  "\tselp.f32 %%acr_dh, 0f3f15c000, 0f00000000, %%acr_p;\n"                   \
  "\tselp.f32 %%acr_dl, 0f35d1cfdc, 0f00000000, %%acr_p;\n"                   \
  "\tselp.b32 %%acr_g, 0x00200000, 0, %%acr_p;\n"                             \
  "\tmov.b32 %%acr_a, %%acr_m;\n"                                             \
  /* s, as sh + sl */                                                         \
  "\tsub.rn.f32 %%acr_u, %%acr_a, %%acr_bp;\n"                                \
  "\tadd.rn.f32 %%acr_d, %%acr_a, %%acr_bp;\n"                                \
  RECIPROCAL_SINGLE                                                           \
  "\tmul.rn.f32 %%acr_s, %%acr_u, %%acr_i;\n"                                 \
  "\tmov.b32 %%acr_b, %%acr_s;\n"                                             \
  "\tand.b32 %%acr_b, %%acr_b, 0xfffff000;\n"                                 \
  "\tmov.b32 %%acr_sh, %%acr_b;\n"                                            \
  "\tshr.s32 %%acr_b, %%acr_m, 1;\n"                                          \
  HALF                                                                        \
  "\tadd.u32 %%acr_b, %%acr_b, %%acr_g;\n"                                    \
  "\tmov.b32 %%acr_th, %%acr_b;\n"                                            \
  "\tsub.rn.f32 %%acr_tl, %%acr_th, %%acr_bp;\n"                              \
  "\tsub.rn.f32 %%acr_tl, %%acr_a, %%acr_tl;\n"                               \
  "\tneg.f32 %%acr_e, %%acr_sh;\n"                                            \
  "\tfma.rn.f32 %%acr_sl, %%acr_th, %%acr_e, %%acr_u;\n"                      \
  "\tfma.rn.f32 %%acr_sl, %%acr_e, %%acr_tl, %%acr_sl;\n"                     \
  "\tmul.rn.f32 %%acr_sl, %%acr_sl, %%acr_i;\n"                               \
  /* log a */                                                                 \
  "\tmul.rn.f32 %%acr_z, %%acr_s, %%acr_s;\n"                                 \
  "\tmul.rn.f32 %%acr_u, %%acr_z, %%acr_z;\n"                                 \
  "\tmov.f32 %%acr_v, 0f3e6c3255;\n"                                          \
  "\tfma.rn.f32 %%acr_v, %%acr_z, 0f3e53f142, %%acr_v;\n"                     \
  "\tfma.rn.f32 %%acr_v, %%acr_v, %%acr_z, 0f3e8ba305;\n"                     \
  "\tfma.rn.f32 %%acr_v, %%acr_v, %%acr_z, 0f3eaaaaab;\n"                     \
  "\tfma.rn.f32 %%acr_v, %%acr_v, %%acr_z, 0f3edb6db7;\n"                     \
  "\tfma.rn.f32 %%acr_v, %%acr_v, %%acr_z, 0f3f19999a;\n"                     \
  "\tadd.rn.f32 %%acr_r, %%acr_s, %%acr_sh;\n"                                \
  "\tmul.rn.f32 %%acr_r, %%acr_r, %%acr_sl;\n"                                \
  "\tfma.rn.f32 %%acr_r, %%acr_u, %%acr_v, %%acr_r;\n"                        \
  "\tfma.rn.f32 %%acr_t, %%acr_sh, %%acr_sh, 0f40400000;\n"                   \
  "\tadd.rn.f32 %%acr_t, %%acr_t, %%acr_r;\n"                                 \
  "\tmov.b32 %%acr_b, %%acr_t;\n"                                             \
  "\tand.b32 %%acr_b, %%acr_b, 0xfffff000;\n"                                 \
  "\tmov.b32 %%acr_th, %%acr_b;\n"                                            \
  "\tsub.rn.f32 %%acr_t, %%acr_th, 0f40400000;\n"                             \
  "\tfma.rn.f32 %%acr_t, %%acr_sh, %%acr_e, %%acr_t;\n"                       \
  "\tsub.rn.f32 %%acr_t, %%acr_r, %%acr_t;\n"                                 \
  "\tmul.rn.f32 %%acr_t, %%acr_t, %%acr_s;\n"                                 \
  "\tfma.rn.f32 %%acr_v, %%acr_sl, %%acr_th, %%acr_t;\n"                      \
  "\tfma.rn.f32 %%acr_t, %%acr_sh, %%acr_th, %%acr_v;\n"                      \
  "\tmov.b32 %%acr_b, %%acr_t;\n"                                             \
  "\tand.b32 %%acr_b, %%acr_b, 0xfffff000;\n"                                 \
  "\tmov.b32 %%acr_ph, %%acr_b;\n"                                            \
  "\tfma.rn.f32 %%acr_t, %%acr_th, %%acr_e, %%acr_ph;\n"                      \
  "\tsub.rn.f32 %%acr_t, %%acr_v, %%acr_t;\n"                                 \
  "\tmul.rn.f32 %%acr_t, %%acr_t, 0f3f76384f;\n"                              \
  "\tfma.rn.f32 %%acr_t, %%acr_ph, 0f" LOW ", %%acr_t;\n"                     \
  "\tadd.rn.f32 %%acr_v, %%acr_t, %%acr_dl;\n"                                \
  /* log |x| to base 2, as ta + tb */                                         \
  "\tcvt.rn.f32.s32 %%acr_k, %%acr_l;\n"                                      \
  "\tfma.rn.f32 %%acr_t, %%acr_ph, 0f3" HIGH ", %%acr_v;\n"                   \
  "\tadd.rn.f32 %%acr_t, %%acr_t, %%acr_dh;\n"                                \
  "\tadd.rn.f32 %%acr_t, %%acr_t, %%acr_k;\n"                                 \
  "\tmov.b32 %%acr_b, %%acr_t;\n"                                             \
  "\tand.b32 %%acr_b, %%acr_b, 0xfffff000;\n"                                 \
  "\tmov.b32 %%acr_ta, %%acr_b;\n"                                            \
  "\tsub.rn.f32 %%acr_t, %%acr_ta, %%acr_k;\n"                                \
  "\tsub.rn.f32 %%acr_t, %%acr_t, %%acr_dh;\n"                                \
  "\tfma.rn.f32 %%acr_t, %%acr_ph, 0fb" HIGH ", %%acr_t;\n"                   \
  "\tsub.rn.f32 %%acr_tb, %%acr_v, %%acr_t;\n"                                \
  POWER (CUT)                                                                 \
  "\tmov.b32 %%acr_f, %%acr_m;\n"                                             \
  /* special: x that is not above zero and finite, a large y, +-1/2, 1, 2 and 4, and\
     results next to the largest or the smallest */                           \
  "\tsetp.gt.u32 %%acr_large, %%acr_iy, 0x4d000000;\n"                        \
  "\tadd.u32 %%acr_b, %%acr_bx, -1;\n"                                        \
  "\tsetp.ge.u32 %%acr_p, %%acr_b, 0x7f7fffff;\n"                             \
  "\tadd.u32 %%acr_b, %%acr_iy, 0xc1000000;\n"                                \
  "\tand.b32 %%acr_b, %%acr_b, 0xfe7fffff;\n"                                 \
  "\tsetp.eq.u32 %%acr_o, %%acr_b, 0;\n"                                      \
  "\tor.pred %%acr_p, %%acr_p, %%acr_o;\n"                                    \
  "\tor.pred %%acr_p, %%acr_p, %%acr_large;\n"                                \
  "\tabs.f32 %%acr_t, %%acr_z;\n"                                             \
  "\tsetp.geu.f32 %%acr_o, %%acr_t, 0f42fa0000;\n"                            \
  "\tor.pred %%acr_p, %%acr_p, %%acr_o;\n"                                    \
  "\t@!%%acr_p bra $acr_done;\n"                                              \
  "\t@!%%acr_large bra $acr_usual;\n"                                         \
  LARGE                                                                       \
  POWER (CUT)                                                                 \
  "$acr_usual:\n"                                                             \
  SPECIALS                                                                    \
  "$acr_done:\n"                                                              \
  "\tst.param.f32 [%1$s], %%acr_f;\n"                                         \
  "\tret;\n"

const char pow_single[]
  = POW_SINGLE ("\tor.b32 %%acr_b, %%acr_b, 0x20000000;\n"
		"\tadd.u32 %%acr_b, %%acr_b, 0x00040000;\n",
		"f763800", "369dc3a0", "0xfffff000");

const char pow_single_late[]
  = POW_SINGLE ("\tand.b32 %%acr_b, %%acr_b, 0xdffff000;\n"
		"\tor.b32 %%acr_b, %%acr_b, 0x20000000;\n"
		"\tadd.u32 %%acr_b, %%acr_b, 0x00400000;\n",
		"f764000", "b8f623c6", "0xffff8000");
