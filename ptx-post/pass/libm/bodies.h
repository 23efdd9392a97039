/* What functions of libm become: PTX without branches on the way that most
   arguments go (exps.c and trigs.c say which functions, and why).

   %1$s is the result's name, %2$s the argument's; %3$s is a constant, or the second
   argument's name.  Each operation says
   how it rounds, so that ptxas joins none.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef BODIES_H
#define BODIES_H

/* body-exp.c: %3$s is the number above which the result is infinite.  */
extern const char exp_single[], exp_double[];

/* body-log.c: %3$s is what there is for a number below zero.  */
extern const char log_single[], log_double[], log2_single[], log2_double[];

/* body-pow.c: two, by the constants of the logarithm.  */
extern const char pow_single[], pow_single_late[];

/* body-trig.c: %3$s is libm's own function.  */
extern const char sin_double[], cos_double[], sin_single[], cos_single[];

/* Likewise: %1$s and %5$s are the names of the parameters that say where the sine
   and the cosine go, %3$s and %4$s libm's own functions.  */
extern const char sincos_double[], sincos_single[];

/* ---- A reciprocal, and a quotient ---- */

/* %acr_i becomes 1 / %acr_d, and %acr_d changes its sign; %acr_q becomes
   %acr_n / %acr_d.  This is the way of ptxas's own division without its test for
   numbers that are large, small or none: a reciprocal, made exact to the last bit or
   so by Newton's iterations, and a quotient corrected by a remainder that is exact,
   for doubles twice.  For all quotients there are in single precision, once does:
   2^23 of f in logf, those of 2^30 numbers in expf and powf.  %acr_e is lost.  */
#define RECIPROCAL_SINGLE                                                      \
  "\trcp.approx.ftz.f32 %%acr_i, %%acr_d;\n"                                   \
  "\tneg.f32 %%acr_d, %%acr_d;\n"                                              \
  "\tfma.rn.f32 %%acr_e, %%acr_d, %%acr_i, 0f3f800000;\n"                      \
  "\tfma.rn.f32 %%acr_i, %%acr_i, %%acr_e, %%acr_i;\n"

#define QUOTIENT_SINGLE                                                        \
  RECIPROCAL_SINGLE                                                            \
  "\tmul.rn.f32 %%acr_q, %%acr_n, %%acr_i;\n"                                  \
  "\tfma.rn.f32 %%acr_e, %%acr_d, %%acr_q, %%acr_n;\n"                         \
  "\tfma.rn.f32 %%acr_q, %%acr_i, %%acr_e, %%acr_q;\n"

#define QUOTIENT_DOUBLE                                                        \
  "\trcp.approx.ftz.f64 %%acr_i, %%acr_d;\n"                                   \
  "\tneg.f64 %%acr_d, %%acr_d;\n"                                              \
  "\tfma.rn.f64 %%acr_e, %%acr_d, %%acr_i, 0d3ff0000000000000;\n"              \
  "\tfma.rn.f64 %%acr_e, %%acr_e, %%acr_e, %%acr_e;\n"                         \
  "\tfma.rn.f64 %%acr_i, %%acr_i, %%acr_e, %%acr_i;\n"                         \
  "\tfma.rn.f64 %%acr_e, %%acr_d, %%acr_i, 0d3ff0000000000000;\n"              \
  "\tfma.rn.f64 %%acr_i, %%acr_i, %%acr_e, %%acr_i;\n"                         \
  "\tmul.rn.f64 %%acr_q, %%acr_n, %%acr_i;\n"                                  \
  "\tfma.rn.f64 %%acr_e, %%acr_d, %%acr_q, %%acr_n;\n"                         \
  "\tfma.rn.f64 %%acr_q, %%acr_i, %%acr_e, %%acr_q;\n"                         \
  "\tfma.rn.f64 %%acr_e, %%acr_d, %%acr_q, %%acr_n;\n"                         \
  "\tfma.rn.f64 %%acr_q, %%acr_i, %%acr_e, %%acr_q;\n"

#endif
