/* log and logf without branches and a division that looks for special numbers.

   newlib's are fdlibm's: x is 2^k (1 + f), s is f / (2 + f), and log (1 + f) is
   f - s (f - R), or f - (f f / 2 - s (f f / 2 + R)) where f is of medium size, R being
   a polynomial of s s, or f - f f (1/2 - f / 3) where f is next to zero.  They branch
   for each of them, and again for k = 0; the same arithmetic does without:

   - s (R - f) is -(s (f - R)), bit for bit, and so are sums with it; so all three are
     f - (h - (c + k lo)), with an h of -0 where there is none: -0 - x is -x.
   - With k = 0, k lo + c is c, and f - (h - c) what k hi is added to, which is 0.
     Where that sum is zero, f and k are, and it is +0, as fdlibm's.
   - 2 + f is between 1.7 and 3.5, and f is zero or far from where numbers get
     subnormal; so the quotient needs no test.
   - What comes out for numbers below zero, zero, infinite or none, nobody takes.

   log2 is log over log 2: the constant's reciprocal is one, too, and the quotient of a
   number that is finite needs no test.

   Source: newlib's e_log.c, ef_log.c, s_log2.c and wf_log2.c.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "bodies.h"

/* c becomes the logarithm of x, and for a number below zero %3$s.  */
#define LOG_SINGLE                                                            \
  "\t.reg .f32 %%acr_x, %%acr_f, %%acr_k, %%acr_z, %%acr_w;\n"                \
  "\t.reg .f32 %%acr_t, %%acr_u, %%acr_h, %%acr_c;\n"                         \
  "\t.reg .f32 %%acr_n, %%acr_d, %%acr_i, %%acr_e, %%acr_q;\n"                \
  "\t.reg .u32 %%acr_b, %%acr_m, %%acr_j, %%acr_l;\n"                         \
  "\t.reg .pred %%acr_p, %%acr_o;\n"                                          \
  "\tld.param.f32 %%acr_x, [%2$s];\n"                                         \
  /* k, and f, by which a number between the roots of 1/2 and 2 is more than 1 */\
  "\tmov.b32 %%acr_b, %%acr_x;\n"                                             \
  "\tsetp.lt.s32 %%acr_p, %%acr_b, 0x00800000;\n"                             \
  "\tmul.rn.f32 %%acr_t, %%acr_x, 0f4c000000;\n"                              \
  "\tselp.f32 %%acr_t, %%acr_t, %%acr_x, %%acr_p;\n"                          \
  "\tselp.b32 %%acr_l, -152, -127, %%acr_p;\n"                                \
  "\tmov.b32 %%acr_m, %%acr_t;\n"                                             \
  "\tshr.s32 %%acr_j, %%acr_m, 23;\n"                                         \
  "\tadd.u32 %%acr_l, %%acr_l, %%acr_j;\n"                                    \
  "\tand.b32 %%acr_m, %%acr_m, 0x007fffff;\n"                                 \
  "\tadd.u32 %%acr_j, %%acr_m, 0x004afb20;\n"                                 \
  "\tand.b32 %%acr_j, %%acr_j, 0x00800000;\n"                                 \
  "\txor.b32 %%acr_b, %%acr_j, 0x3f800000;\n"                                 \
  "\tor.b32 %%acr_b, %%acr_b, %%acr_m;\n"                                     \
  "\tshr.u32 %%acr_j, %%acr_j, 23;\n"                                         \
  "\tadd.u32 %%acr_l, %%acr_l, %%acr_j;\n"                                    \
  "\tmov.b32 %%acr_f, %%acr_b;\n"                                             \
  "\tsub.rn.f32 %%acr_f, %%acr_f, 0f3f800000;\n"                              \
  "\tcvt.rn.f32.s32 %%acr_k, %%acr_l;\n"                                      \
  /* s */                                                                     \
  "\tmov.f32 %%acr_n, %%acr_f;\n"                                             \
  "\tadd.rn.f32 %%acr_d, %%acr_f, 0f40000000;\n"                              \
  QUOTIENT_SINGLE                                                             \
  /* R */                                                                     \
  "\tmul.rn.f32 %%acr_z, %%acr_q, %%acr_q;\n"                                 \
  "\tmul.rn.f32 %%acr_w, %%acr_z, %%acr_z;\n"                                 \
  "\tmov.f32 %%acr_t, 0f3e638e29;\n"                                          \
  "\tfma.rn.f32 %%acr_t, %%acr_w, 0f3e1cd04f, %%acr_t;\n"                     \
  "\tfma.rn.f32 %%acr_t, %%acr_t, %%acr_w, 0f3ecccccd;\n"                     \
  "\tmov.f32 %%acr_u, 0f3e3a3325;\n"                                          \
  "\tfma.rn.f32 %%acr_u, %%acr_w, 0f3e178897, %%acr_u;\n"                     \
  "\tfma.rn.f32 %%acr_u, %%acr_u, %%acr_w, 0f3e924925;\n"                     \
  "\tfma.rn.f32 %%acr_u, %%acr_u, %%acr_w, 0f3f2aaaab;\n"                     \
  "\tmul.rn.f32 %%acr_u, %%acr_u, %%acr_z;\n"                                 \
  "\tfma.rn.f32 %%acr_t, %%acr_t, %%acr_w, %%acr_u;\n"                        \
  /* f * f / 2, where f is of medium size */                                  \
  "\tadd.u32 %%acr_j, %%acr_m, -3187664;\n"                                   \
  "\tsetp.lt.u32 %%acr_p, %%acr_j, 335545;\n"                                 \
  "\tmul.rn.f32 %%acr_h, %%acr_f, 0f3f000000;\n"                              \
  "\tmul.rn.f32 %%acr_h, %%acr_h, %%acr_f;\n"                                 \
  "\tneg.f32 %%acr_u, %%acr_f;\n"                                             \
  "\tselp.f32 %%acr_u, %%acr_h, %%acr_u, %%acr_p;\n"                          \
  "\tselp.f32 %%acr_h, %%acr_h, 0f80000000, %%acr_p;\n"                       \
  "\tadd.rn.f32 %%acr_t, %%acr_t, %%acr_u;\n"                                 \
  "\tmul.rn.f32 %%acr_c, %%acr_t, %%acr_q;\n"                                 \
  /* f near zero */                                                           \
  "\tmul.rn.f32 %%acr_t, %%acr_f, %%acr_f;\n"                                 \
  "\tmov.f32 %%acr_u, 0f3f000000;\n"                                          \
  "\tfma.rn.f32 %%acr_u, %%acr_f, 0fbeaaaaab, %%acr_u;\n"                     \
  "\tmul.rn.f32 %%acr_t, %%acr_t, %%acr_u;\n"                                 \
  "\tneg.f32 %%acr_t, %%acr_t;\n"                                             \
  "\tadd.u32 %%acr_j, %%acr_m, 15;\n"                                         \
  "\tand.b32 %%acr_j, %%acr_j, 0x007ffff0;\n"                                 \
  "\tsetp.eq.u32 %%acr_p, %%acr_j, 0;\n"                                      \
  "\tselp.f32 %%acr_c, %%acr_t, %%acr_c, %%acr_p;\n"                          \
  "\tselp.f32 %%acr_h, 0f80000000, %%acr_h, %%acr_p;\n"                       \
  /* and k * log 2 */                                                         \
  "\tfma.rn.f32 %%acr_c, %%acr_k, 0f3717f7d1, %%acr_c;\n"                     \
  "\tsub.rn.f32 %%acr_c, %%acr_h, %%acr_c;\n"                                 \
  "\tsub.rn.f32 %%acr_c, %%acr_c, %%acr_f;\n"                                 \
  "\tneg.f32 %%acr_c, %%acr_c;\n"                                             \
  "\tfma.rn.f32 %%acr_c, %%acr_k, 0f3f317180, %%acr_c;\n"                     \
  /* infinite, none, below zero, or zero */                                   \
  "\tadd.rn.f32 %%acr_t, %%acr_x, %%acr_x;\n"                                 \
  "\tsetp.geu.f32 %%acr_o, %%acr_x, 0f7f800000;\n"                            \
  "\tselp.f32 %%acr_c, %%acr_t, %%acr_c, %%acr_o;\n"                          \
  "\tsetp.lt.f32 %%acr_o, %%acr_x, 0f00000000;\n"                             \
  "\tselp.f32 %%acr_c, %3$s, %%acr_c, %%acr_o;\n"                             \
  "\tsetp.eq.f32 %%acr_o, %%acr_x, 0f00000000;\n"                             \
  "\tselp.f32 %%acr_c, 0fff800000, %%acr_c, %%acr_o;\n"

#define LOG_DOUBLE                                                            \
  "\t.reg .f64 %%acr_x, %%acr_f, %%acr_k, %%acr_z, %%acr_w;\n"                \
  "\t.reg .f64 %%acr_t, %%acr_u, %%acr_h, %%acr_c;\n"                         \
  "\t.reg .f64 %%acr_n, %%acr_d, %%acr_i, %%acr_e, %%acr_q;\n"                \
  "\t.reg .u32 %%acr_b, %%acr_m, %%acr_j, %%acr_l, %%acr_a;\n"                \
  "\t.reg .pred %%acr_p, %%acr_o;\n"                                          \
  "\tld.param.f64 %%acr_x, [%2$s];\n"                                         \
  /* k, and f, by which a number between the roots of 1/2 and 2 is more than 1 */\
  "\tmov.b64 {%%acr_a, %%acr_b}, %%acr_x;\n"                                  \
  "\tsetp.lt.s32 %%acr_p, %%acr_b, 0x00100000;\n"                             \
  "\tmul.rn.f64 %%acr_t, %%acr_x, 0d4350000000000000;\n"                      \
  "\tselp.f64 %%acr_t, %%acr_t, %%acr_x, %%acr_p;\n"                          \
  "\tselp.b32 %%acr_l, -1077, -1023, %%acr_p;\n"                              \
  "\tmov.b64 {%%acr_a, %%acr_m}, %%acr_t;\n"                                  \
  "\tshr.s32 %%acr_j, %%acr_m, 20;\n"                                         \
  "\tadd.u32 %%acr_l, %%acr_l, %%acr_j;\n"                                    \
  "\tand.b32 %%acr_m, %%acr_m, 0x000fffff;\n"                                 \
  "\tadd.u32 %%acr_j, %%acr_m, 0x00095f64;\n"                                 \
  "\tand.b32 %%acr_j, %%acr_j, 0x00100000;\n"                                 \
  "\txor.b32 %%acr_b, %%acr_j, 0x3ff00000;\n"                                 \
  "\tor.b32 %%acr_b, %%acr_b, %%acr_m;\n"                                     \
  "\tshr.u32 %%acr_j, %%acr_j, 20;\n"                                         \
  "\tadd.u32 %%acr_l, %%acr_l, %%acr_j;\n"                                    \
  "\tmov.b64 %%acr_f, {%%acr_a, %%acr_b};\n"                                  \
  "\tsub.rn.f64 %%acr_f, %%acr_f, 0d3ff0000000000000;\n"                      \
  "\tcvt.rn.f64.s32 %%acr_k, %%acr_l;\n"                                      \
  /* s */                                                                     \
  "\tmov.f64 %%acr_n, %%acr_f;\n"                                             \
  "\tadd.rn.f64 %%acr_d, %%acr_f, 0d4000000000000000;\n"                      \
  QUOTIENT_DOUBLE                                                             \
  /* R */                                                                     \
  "\tmul.rn.f64 %%acr_z, %%acr_q, %%acr_q;\n"                                 \
  "\tmul.rn.f64 %%acr_w, %%acr_z, %%acr_z;\n"                                 \
  "\tmov.f64 %%acr_t, 0d3fcc71c51d8e78af;\n"                                  \
  "\tfma.rn.f64 %%acr_t, %%acr_w, 0d3fc39a09d078c69f, %%acr_t;\n"             \
  "\tfma.rn.f64 %%acr_t, %%acr_t, %%acr_w, 0d3fd999999997fa04;\n"             \
  "\tmov.f64 %%acr_u, 0d3fc7466496cb03de;\n"                                  \
  "\tfma.rn.f64 %%acr_u, %%acr_w, 0d3fc2f112df3e5244, %%acr_u;\n"             \
  "\tfma.rn.f64 %%acr_u, %%acr_u, %%acr_w, 0d3fd2492494229359;\n"             \
  "\tfma.rn.f64 %%acr_u, %%acr_u, %%acr_w, 0d3fe5555555555593;\n"             \
  "\tmul.rn.f64 %%acr_u, %%acr_u, %%acr_z;\n"                                 \
  "\tfma.rn.f64 %%acr_t, %%acr_t, %%acr_w, %%acr_u;\n"                        \
  /* f * f / 2, where f is of medium size */                                  \
  "\tadd.u32 %%acr_j, %%acr_m, -398458;\n"                                    \
  "\tsetp.lt.u32 %%acr_p, %%acr_j, 41944;\n"                                  \
  "\tmul.rn.f64 %%acr_h, %%acr_f, 0d3fe0000000000000;\n"                      \
  "\tmul.rn.f64 %%acr_h, %%acr_h, %%acr_f;\n"                                 \
  "\tneg.f64 %%acr_u, %%acr_f;\n"                                             \
  "\tselp.f64 %%acr_u, %%acr_h, %%acr_u, %%acr_p;\n"                          \
  "\tselp.f64 %%acr_h, %%acr_h, 0d8000000000000000, %%acr_p;\n"               \
  "\tadd.rn.f64 %%acr_t, %%acr_t, %%acr_u;\n"                                 \
  "\tmul.rn.f64 %%acr_c, %%acr_t, %%acr_q;\n"                                 \
  /* f near zero */                                                           \
  "\tmul.rn.f64 %%acr_t, %%acr_f, %%acr_f;\n"                                 \
  "\tmov.f64 %%acr_u, 0d3fe0000000000000;\n"                                  \
  "\tfma.rn.f64 %%acr_u, %%acr_f, 0dbfd5555555555555, %%acr_u;\n"             \
  "\tmul.rn.f64 %%acr_t, %%acr_t, %%acr_u;\n"                                 \
  "\tneg.f64 %%acr_t, %%acr_t;\n"                                             \
  "\tadd.u32 %%acr_j, %%acr_m, 2;\n"                                          \
  "\tand.b32 %%acr_j, %%acr_j, 0x000fffff;\n"                                 \
  "\tsetp.lt.u32 %%acr_p, %%acr_j, 3;\n"                                      \
  "\tselp.f64 %%acr_c, %%acr_t, %%acr_c, %%acr_p;\n"                          \
  "\tselp.f64 %%acr_h, 0d8000000000000000, %%acr_h, %%acr_p;\n"               \
  /* and k * log 2 */                                                         \
  "\tfma.rn.f64 %%acr_c, %%acr_k, 0d3dea39ef35793c76, %%acr_c;\n"             \
  "\tsub.rn.f64 %%acr_c, %%acr_h, %%acr_c;\n"                                 \
  "\tsub.rn.f64 %%acr_c, %%acr_c, %%acr_f;\n"                                 \
  "\tneg.f64 %%acr_c, %%acr_c;\n"                                             \
  "\tfma.rn.f64 %%acr_c, %%acr_k, 0d3fe62e42fee00000, %%acr_c;\n"             \
  /* infinite, none, below zero, or zero */                                   \
  "\tadd.rn.f64 %%acr_t, %%acr_x, %%acr_x;\n"                                 \
  "\tsetp.geu.f64 %%acr_o, %%acr_x, 0d7ff0000000000000;\n"                    \
  "\tselp.f64 %%acr_c, %%acr_t, %%acr_c, %%acr_o;\n"                          \
  "\tsetp.lt.f64 %%acr_o, %%acr_x, 0d0000000000000000;\n"                     \
  "\tselp.f64 %%acr_c, %3$s, %%acr_c, %%acr_o;\n"                             \
  "\tsetp.eq.f64 %%acr_o, %%acr_x, 0d0000000000000000;\n"                     \
  "\tselp.f64 %%acr_c, 0dfff0000000000000, %%acr_c, %%acr_o;\n"

const char log_single[]
  = LOG_SINGLE
    "\tst.param.f32 [%1$s], %%acr_c;\n"
    "\tret;\n";

const char log2_single[]
  = LOG_SINGLE
    /* over log 2 */
    "\tmul.rn.f32 %%acr_q, %%acr_c, 0f3fb8aa3b;\n"
    "\tfma.rn.f32 %%acr_e, %%acr_q, 0fbf317218, %%acr_c;\n"
    "\tfma.rn.f32 %%acr_e, %%acr_e, 0f3fb8aa3b, %%acr_q;\n"
    "\tabs.f32 %%acr_t, %%acr_q;\n"
    "\tsetp.lt.f32 %%acr_p, %%acr_t, 0f7f800000;\n"
    "\tselp.f32 %%acr_c, %%acr_e, %%acr_q, %%acr_p;\n"
    "\tst.param.f32 [%1$s], %%acr_c;\n"
    "\tret;\n";

const char log_double[]
  = LOG_DOUBLE
    "\tst.param.f64 [%1$s], %%acr_c;\n"
    "\tret;\n";

const char log2_double[]
  = LOG_DOUBLE
    /* over log 2 */
    "\tmul.rn.f64 %%acr_q, %%acr_c, 0d3ff71547652b82fe;\n"
    "\tfma.rn.f64 %%acr_e, %%acr_q, 0dbfe62e42fefa39ef, %%acr_c;\n"
    "\tfma.rn.f64 %%acr_t, %%acr_e, 0d3ff71547652b82fe, %%acr_q;\n"
    "\tfma.rn.f64 %%acr_e, %%acr_t, 0dbfe62e42fefa39ef, %%acr_c;\n"
    "\tfma.rn.f64 %%acr_t, %%acr_e, 0d3ff71547652b82fe, %%acr_t;\n"
    "\tabs.f64 %%acr_e, %%acr_q;\n"
    "\tsetp.lt.f64 %%acr_p, %%acr_e, 0d7ff0000000000000;\n"
    "\tselp.f64 %%acr_c, %%acr_t, %%acr_q, %%acr_p;\n"
    "\tst.param.f64 [%1$s], %%acr_c;\n"
    "\tret;\n";
