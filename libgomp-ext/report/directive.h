/* Directives of the program, as its report and its trace speak of them.

   Thread-safe: no state.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_DIRECTIVE_H
#define ACCRETE_DIRECTIVE_H

#include "transfer/effects.h"

/* Whether CALL begins a data construct that has a body, or ends it.  */
bool acr_call_starts_data (const struct acr_call *call);
bool acr_call_ends_data (const struct acr_call *call);

/* What the compiler plugin has recorded about CALL's directive, for people:
   the tag of its region, or a data construct's site record; else NULL.  The
   second is known between begin and end of an outermost construct.  */
const struct acr_region *acr_call_directive (const struct acr_call *call);

#endif /* ACCRETE_DIRECTIVE_H */
