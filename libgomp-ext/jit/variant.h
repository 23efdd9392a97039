/* Variants of kernels (ACR_FORM_SUFFIX in abi.h) that are compiled when
   somebody wants them, a module each, and not as a program starts.

   They are taken out of the units that the driver is to link (split.h).  A kernel
   itself is as well, where a variant of it is compiled sooner, which then has its
   name: it is number 0 of its variants.  Kernels of resident loops are, whose loops the
   host executes meanwhile: what has their name does nothing.
   Machine code that came with the program is loaded, else the driver compiles.
   What comes of that is kept on disk like any link's result (jit-disk.h), and
   found there by the next process.

   Thread-safe; the variants of one kernel are one thread's at a time.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_VARIANT_H
#define ACCRETE_VARIANT_H

#include "interpose/cuda-types.h"
#include "interpose/image.h"

#include <stdbool.h>
#include <stdint.h>

struct acr_jit_conditions;

/* The variants of a kernel, as a link of a list.  */
struct acr_variants;

/* Will launches only take variants that they have asked for?  */
bool acr_variants_may_wait (void);

/* Take variants out of N units, which are at ADAPTED, or at UNIT where that is
   NULL, and are linked under C; AOT, unless NULL, has machine code (aot.h).
   Returns what is to be linked, like ADAPTED, and puts the variants before
   those at *LIST.  */
struct acr_unit *acr_variants_take_out (const struct acr_unit *unit,
                                        struct acr_unit *adapted, unsigned n,
                                        const struct acr_unit *aot,
                                        const struct acr_jit_conditions *c,
                                        struct acr_variants **list);

/* Take those of KERNEL out of LIST, NULL when there are none.  */
struct acr_variants *acr_variants_pick (struct acr_variants **list,
                                        const char *kernel);

/* Free LIST.  The modules stay.  */
void acr_variants_free (struct acr_variants *list);

/* How many variants V has; a hash of their code.  */
unsigned acr_variants_count (const struct acr_variants *v);
uint64_t acr_variants_code (const struct acr_variants *v);

/* The variant that has the name of V's kernel, and to *TRIPS from how many iterations
   on the kernel itself does something else; 0: the kernel itself has.  */
unsigned acr_variants_instead (const struct acr_variants *v, uint64_t *trips);

/* Does nothing have that name but what does nothing?  The variant is then the one that is
   compiled soonest.  */
bool acr_variants_absent (const struct acr_variants *v);

/* How many bytes of PTX variant FORM of V is, or the kernel itself, 0.  */
size_t acr_variant_bytes (const struct acr_variants *v, unsigned form);

/* Is variant FORM of V on disk?  */
bool acr_variant_is_kept (const struct acr_variants *v, unsigned form);

/* Load the module of variant FORM of V, or of the kernel itself, 0, into the context
   that V's kernel was loaded in, and the function in it.  */
CUresult acr_variant_load (const struct acr_variants *v, unsigned form,
                           CUmodule *module, CUfunction *fn);

#endif /* ACCRETE_VARIANT_H */
