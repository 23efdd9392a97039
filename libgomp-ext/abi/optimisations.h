/* The optimisations of all parts by name (optimisations.def).

   Each part numbers its own rows, in the order of the table.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_OPTIMISATIONS_H
#define ACCRETE_OPTIMISATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

enum acr_part
{
  ACR_PART_PLUGIN,
  ACR_PART_PASS,
  ACR_PART_LINK,
  ACR_PART_RUNTIME,
  ACR_PART_COUNT
};

struct acr_optimisation
{
  enum acr_part part;
  const char *name, *alias; /* the field's name, and the short one */
  const char *help;
};

/* Row NUMBER of PART, or NULL behind the last one.  */
const struct acr_optimisation *acr_optimisation (enum acr_part part,
                                                 unsigned number);

/* The name of a row of PART, of any with ACR_PART_COUNT, that may have been meant
   by the LEN characters at NAME, or NULL.  */
const char *acr_optimisation_near (enum acr_part part, const char *name,
                                   size_t len);

/* Rows of one part: bit NUMBER for each.  */
typedef uint64_t acr_optimisation_set;

/* Whether row NUMBER is one of SET.  */
static inline bool
acr_optimisation_in (acr_optimisation_set set, unsigned number)
{
  return set >> number & 1;
}

/* Told about a name in WHERE that no row has.  */
typedef void acr_unknown_fn (const char *where, const char *name,
                             size_t len);

/* The rows of PART that the comma-separated LIST names; "all" is every one.  Names of
   rows of other parts are unknown unless ANY_PART.  */
acr_optimisation_set acr_optimisations_named (enum acr_part part,
                                              const char *list, bool any_part,
                                              const char *where,
                                              acr_unknown_fn *unknown);

#ifdef __cplusplus
}
#endif

#endif /* ACCRETE_OPTIMISATIONS_H */
