/* A unit of device code as a module of its own, from the disk (jit-disk.h) or
   by the driver's compiler.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_BUILD_H
#define ACCRETE_BUILD_H

#include "interpose/cuda-types.h"
#include "interpose/image.h"

#include <stdbool.h>

struct acr_jit_conditions;

/* Load U, linked under C, into the current context from the disk.  False: it is not
   there.  */
bool acr_jit_build_find (const struct acr_jit_conditions *c,
                         const struct acr_unit *u, CUmodule *module);

/* Is that there?  Nothing is read but the file.  */
bool acr_jit_build_is_kept (const struct acr_jit_conditions *c,
                            const struct acr_unit *u);

/* Load U into the current context, linked under C, and called NAME in messages.
   *FOUND: it was on disk; else it is from now on, if that can be.  */
CUresult acr_jit_build (const struct acr_jit_conditions *c,
                        const struct acr_unit *u, const char *name,
                        CUmodule *module, bool *found);

#endif /* ACCRETE_BUILD_H */
