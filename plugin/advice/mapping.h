/* How the loops of an SPMD kernel are shared out, in words.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_MAPPING_H
#define ACCRETE_MAPPING_H

#include "spmd/spmd.h"

/* "the loop over i is shared out among all GPU threads" and the like, for the
   kernel of LOOPS; allocated.  */
char *mapping_text (const spmd_loops &loops);

#endif /* ACCRETE_MAPPING_H */
