/* Names that were meant; see near.h.

   Source: V. I. Levenshtein, Binary codes capable of correcting deletions,
   insertions, and reversals, 1966; the neighbours' exchange is F. J.
   Damerau's, 1964.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "abi/near.h"

#include <stdbool.h>
#include <string.h>

enum
{
  MAX_LEN = 40
};

static unsigned
least (unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* How many letters must be put in, left out, replaced or exchanged with their
   neighbour to come from the LEN characters at A to B.  */
static unsigned
distance (const char *a, size_t len, const char *b)
{
  size_t other = strlen (b);
  unsigned row[3][MAX_LEN + 1];
  if (len > MAX_LEN || other > MAX_LEN)
    return MAX_LEN;
  for (size_t j = 0; j <= other; j++)
    row[0][j] = j;
  for (size_t i = 1; i <= len; i++)
    {
      unsigned *now = row[i % 3], *up = row[(i + 2) % 3],
               *before = row[(i + 1) % 3];
      now[0] = i;
      for (size_t j = 1; j <= other; j++)
        {
          now[j] = least (up[j - 1] + (a[i - 1] != b[j - 1]),
                          least (up[j], now[j - 1]) + 1);
          if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
            now[j] = least (now[j], before[j - 2] + 1);
        }
    }
  return row[len % 3][other];
}

const char *
acr_near (const char *word, size_t len, const char *name, const char *best)
{
  unsigned n = distance (word, len, name);
  if (n > 1 + len / 4)
    return best;
  return !best || n < distance (word, len, best) ? name : best;
}

/* What the three tables of variables have.  */
static const char *const known[] = {
#include "variable-names.h"
};

/* What environment modules and build systems set for any package.  */
static const char *const others[]
    = { "BASE", "BIN",  "DIR",    "HOME", "INC",    "INCLUDE",
        "LIB",  "PATH", "PREFIX", "ROOT", "VERSION" };

static bool
among (const char *const *names, size_t n, const char *name, size_t len)
{
  for (size_t i = 0; i < n; i++)
    if (strlen (names[i]) == len && !memcmp (names[i], name, len))
      return true;
  return false;
}

#define AMONG(names, name, len)                                               \
  among (names, sizeof names / sizeof *names, name, len)

void
acr_unknown_variables (char *const *environment, acr_variable_fn *say)
{
  static const char prefix[] = "ACCRETE_";
  for (; environment && *environment; environment++)
    {
      const char *name = *environment + sizeof prefix - 1, *meant = NULL;
      if (strncmp (*environment, prefix, sizeof prefix - 1))
        continue;
      size_t len = strcspn (name, "=");
      if (AMONG (known, name, len) || AMONG (others, name, len))
        continue;
      for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        meant = acr_near (name, len, known[i], meant);
      say (name, len, meant);
    }
}
