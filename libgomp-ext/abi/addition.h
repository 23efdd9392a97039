/* Additions of doubles to memory, between ptx-post (pass entry), which writes a
   loop for GPUs that have no instruction for that, and the runtime
   (jit/addition.h), which finds the loop where the GPU has one.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_ABI_ADDITION_H
#define ACCRETE_ABI_ADDITION_H

/* The instruction, without its state space, and the compute capability from
   which on GPUs have it.  */
#define ACR_ADDITION "red.add.f64"
#define ACR_ADDITION_MAJOR 6

/* The loop: a format of the state space, as the instruction would name it, the
   register with the address, and the one with the value.  ptx-post declares the
   registers that begin with acr_ in front of it; pass addrspace may name the
   state space later.  */
#define ACR_ADDITION_LOOP                                                     \
  "ld.volatile%1$s.b64 %%acr_seen,[%2$s];\n"                                  \
  "$acr_again:\n"                                                             \
  "mov.b64 %%acr_old,%%acr_seen;\n"                                           \
  "mov.b64 %%acr_sum,%%acr_old;\n"                                            \
  "add.f64 %%acr_sum,%%acr_sum,%3$s;\n"                                       \
  "mov.b64 %%acr_new,%%acr_sum;\n"                                            \
  "atom%1$s.cas.b64 %%acr_seen,[%2$s],%%acr_old,%%acr_new;\n"                 \
  "setp.ne.b64 %%acr_again,%%acr_old,%%acr_seen;\n"                           \
  "@ %%acr_again bra $acr_again;\n"

#endif /* ACCRETE_ABI_ADDITION_H */
