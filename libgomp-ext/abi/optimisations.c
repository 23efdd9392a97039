/* Lists of optimisations, as users write them for each part.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "abi/optimisations.h"
#include "abi/near.h"

#include <string.h>

static const struct acr_optimisation table[] = {
#define ROW(part, name, alias, help) { ACR_PART_##part, name, alias, help },
#define OPT_PLUGIN(id, name, alias, needs, help)                              \
  ROW (PLUGIN, name, alias, help)
#define OPT_PASS(id, name, alias, needs, help) ROW (PASS, name, alias, help)
#define OPT_LINK(id, name, alias, needs, help) ROW (LINK, name, alias, help)
#define OPT_RUNTIME(id, name, alias, needs, help)                             \
  ROW (RUNTIME, name, alias, help)
#include "abi/optimisations.def"
};

enum
{
  ROWS = sizeof table / sizeof *table,
  SET = 8 * sizeof (acr_optimisation_set)
};

/* How many rows each part has.  */
enum
{
#define OPT_PLUGIN(id, name, alias, needs, help) PLUGIN_##id,
#include "abi/optimisations.def"
  PLUGIN_ROWS
};
enum
{
#define OPT_PASS(id, name, alias, needs, help) PASS_##id,
#include "abi/optimisations.def"
  PASS_ROWS
};
enum
{
#define OPT_RUNTIME(id, name, alias, needs, help) RUNTIME_##id,
#include "abi/optimisations.def"
  RUNTIME_ROWS
};
_Static_assert ((int)PLUGIN_ROWS <= SET && (int)PASS_ROWS <= SET
                    && (int)RUNTIME_ROWS <= SET,
                "a set has a bit for each row");

const struct acr_optimisation *
acr_optimisation (enum acr_part part, unsigned number)
{
  for (unsigned i = 0; i < ROWS; i++)
    if (table[i].part == part && number-- == 0)
      return &table[i];
  return NULL;
}

const char *
acr_optimisation_near (enum acr_part part, const char *name, size_t len)
{
  const char *best = NULL;
  for (unsigned i = 0; i < ROWS; i++)
    if (part == ACR_PART_COUNT || table[i].part == part)
      {
        best = acr_near (name, len, table[i].name, best);
        best = acr_near (name, len, table[i].alias, best);
      }
  return best;
}

/* Is WORD the LEN characters at TEXT?  */
static bool
equal (const char *word, const char *text, size_t len)
{
  return strlen (word) == len && !memcmp (word, text, len);
}

/* The rows that the LEN characters at NAME name: of PART as bits, and in
 *KNOWN whether a row of any part has it.  */
static acr_optimisation_set
named (enum acr_part part, const char *name, size_t len, bool *known)
{
  acr_optimisation_set set = 0;
  unsigned number = 0;
  *known = false;
  for (unsigned i = 0; i < ROWS; i++)
    {
      bool hit = equal (table[i].name, name, len)
                 || equal (table[i].alias, name, len);
      *known |= hit;
      if (table[i].part == part)
        set |= (acr_optimisation_set)hit << number++;
    }
  return set;
}

acr_optimisation_set
acr_optimisations_named (enum acr_part part, const char *list, bool any_part,
                         const char *where, acr_unknown_fn *unknown)
{
  acr_optimisation_set set = 0;
  while (*list)
    {
      size_t len = strcspn (list, ",");
      bool known;
      acr_optimisation_set found = equal ("all", list, len)
                                       ? ~(acr_optimisation_set)0
                                       : named (part, list, len, &known);
      if (!found && len && !(any_part && known))
        unknown (where, list, len);
      set |= found;
      list += len + (list[len] == ',');
    }
  return set;
}
