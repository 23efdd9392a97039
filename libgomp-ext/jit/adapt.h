/* Edits of the PTX of the device's libgomp, and of the program's (addition.h);
   see devlib.h, which makes them as a program starts.  What compiles a program's
   code ahead of time makes the same.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_ADAPT_H
#define ACCRETE_ADAPT_H

#include "base/text.h"

#include <stdbool.h>

/* From GCC 14 on, unless GOMP_NVPTX_LOWLAT_POOL says otherwise.  */
#define ACR_LOWLAT_USUAL 8192

/* Which are made.  */
struct acr_adapt
{
  bool arena, fence, wake, addition;
  unsigned heap; /* bytes of dynamic shared memory that omp_alloc has, or 0 */
};

/* Make those of WHICH that apply to T, a unit for a GPU of compute capability
   MAJOR.x.  Whether the unit has an arena then.  */
bool acr_adapt (struct acr_text *t, struct acr_adapt which, int major);

/* Where the arena begins in dynamic shared memory: behind a heap of HEAP bytes.  */
unsigned acr_adapt_arena (unsigned heap);

#endif /* ACCRETE_ADAPT_H */
