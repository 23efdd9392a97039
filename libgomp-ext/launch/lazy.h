/* A kernel's variants that are compiled when launches want them
   (jit/variant.h), by the thread of worker.h, so that nobody waits for them.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_LAZY_H
#define ACCRETE_LAZY_H

#include <stdbool.h>

struct acr_kernel;
struct acr_lazy;
struct acr_variants;

/* Let K have the variants V, which become its own.  */
void acr_lazy_add (struct acr_kernel *k, struct acr_variants *v);

/* Launches of K want the variants in SET: bit N, the variant N.  */
void acr_lazy_want (const struct acr_kernel *k, unsigned set);

/* Free what K has of these, while no such job waits or runs; and unload the
   modules, where K's context LIVES.  */
void acr_lazy_free (struct acr_kernel *k, bool lives);

#endif /* ACCRETE_LAZY_H */
