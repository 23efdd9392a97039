/* A kernel's variants that are compiled when launches want them
   (jit/variant.h), by the thread of worker.h, so that nobody waits for them.

   Tiers: a kernel may begin as the variant that is compiled soonest, and itself be
   made when launches want it, as number 0 of its variants.  A kernel that the host can
   do without begins as nothing.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_LAZY_H
#define ACCRETE_LAZY_H

#include <stdbool.h>
#include <stdint.h>

struct acr_kernel;
struct acr_lazy;
struct acr_variants;

/* Let K have the variants V, which become its own.  */
void acr_lazy_add (struct acr_kernel *k, struct acr_variants *v);

/* Launches of K, which have taken SPENT microseconds, want the variants in SET: bit N,
   the variant N.  Those that are compiled faster are made.  */
void acr_lazy_want (const struct acr_kernel *k, unsigned set, double spent);

/* K, which began as a variant, is launched for TRIPS iterations, 0: not known, where it
   itself would do something else: it is there at once when it is on disk, and wanted when
   there have been many, or launches that are not MEASURED have gone on for long
   enough.  */
void acr_lazy_launches (const struct acr_kernel *k, uint64_t trips,
                        bool measured);

/* Is variant N of K there, or K itself, 0?  What is on disk is then.  */
bool acr_lazy_there (const struct acr_kernel *k, unsigned n);

/* The host does without variant N of K: it is wanted when that has been so for long
   enough, and whether it is.  */
bool acr_lazy_missed (const struct acr_kernel *k, unsigned n);

/* Make K itself now if it is not there, and wait for that.  */
void acr_lazy_now (const struct acr_kernel *k);

/* Free what K has of these, while no such job waits or runs; and unload the
   modules, where K's context LIVES.  */
void acr_lazy_free (struct acr_kernel *k, bool lives);

#endif /* ACCRETE_LAZY_H */
