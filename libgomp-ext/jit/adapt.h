/* Edits of the PTX of the device's libgomp; see devlib.h, which makes them as
   a program starts.  What compiles a program's code ahead of time makes the
   same.

   Thread-safe.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_ADAPT_H
#define ACCRETE_ADAPT_H

#include "base/text.h"

#include <stdbool.h>

/* Which are made.  */
struct acr_adapt
{
  bool arena, fence, wake;
};

/* Make those of WHICH that apply to T, a unit for a GPU of compute capability
   MAJOR.x.  Whether the unit has an arena then.  */
bool acr_adapt (struct acr_text *t, struct acr_adapt which, int major);

#endif /* ACCRETE_ADAPT_H */
