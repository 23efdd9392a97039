/* Names that were meant: for variables and optimisations that nobody knows.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_NEAR_H
#define ACCRETE_NEAR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C"
{
#endif

/* The better one of BEST, which may be NULL, and NAME for the LEN characters at
   WORD.  A name that is too far from them is none.  */
const char *acr_near (const char *word, size_t len, const char *name,
                      const char *best);

/* Told about a variable ACCRETE_NAME that no part reads, and the one that may
   have been meant, without ACCRETE_, or NULL.  */
typedef void acr_variable_fn (const char *name, size_t len, const char *meant);

/* Tell SAY the unknown variables of ENVIRONMENT.  */
void acr_unknown_variables (char *const *environment, acr_variable_fn *say);

#ifdef __cplusplus
}
#endif

#endif /* ACCRETE_NEAR_H */
