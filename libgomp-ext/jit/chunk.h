/* Kernels that the driver compiles in modules of their own, several at a time.

   A link compiles what it is given in one thread, and that takes seconds for a
   large program.  Kernels that need nothing but what is theirs (split.h) are
   taken out of what is linked, in chunks, which threads compile by links of
   their own, while the plugin has the rest linked; or load, where they are on
   disk: few of them the caller's thread alone.  The plugin gets its kernels by name
   from the module that it has loaded: what that lacks is looked for in those of the
   chunks, which go with it.

   Thread-safe; until it is attached, one thread's.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_CHUNK_H
#define ACCRETE_CHUNK_H

#include "interpose/cuda-types.h"
#include "interpose/image.h"

#include <stdbool.h>

struct acr_chunks;
struct acr_jit_conditions;

/* Take chunks out of N units, which are at *ADAPTED, or at UNIT where that is
   NULL, and are linked under C, and begin to make modules of them.  *ADAPTED
   is then what is to be linked.  NULL, with nothing done, when there are none.
 */
struct acr_chunks *acr_chunks_begin (const struct acr_unit *unit,
                                     struct acr_unit **adapted, unsigned n,
                                     const struct acr_jit_conditions *c);

/* Help until all are there.  The number of those that cannot be had.  */
unsigned acr_chunks_end (struct acr_chunks *s);

/* Number I of these, to be linked with the others.  */
struct acr_unit acr_chunks_failed (const struct acr_chunks *s, unsigned i);

/* S has ended, and goes with MODULE from now on; or is over, with its modules.
 */
void acr_chunks_attach (struct acr_chunks *s, CUmodule module);
void acr_chunks_drop (struct acr_chunks *s);

/* As the driver's, of MODULE and what goes with it.  */
CUresult acr_chunks_get (CUfunction *fn, CUmodule module, const char *name);

/* MODULE is about to be unloaded; CTX dies with all modules.  */
void acr_chunks_unload (CUmodule module);
void acr_chunks_forget (CUcontext ctx);

#endif /* ACCRETE_CHUNK_H */
