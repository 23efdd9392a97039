/* The table of optimisations: its names, and lists of them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "abi/optimisations.h"
#include "tap.h"

#include <string.h>

static const struct
{
  const char *name, *alias, *needs;
} rows[] = {
#define OPT_PLUGIN(id, name, alias, needs, help) { name, alias, needs },
#define OPT_PASS OPT_PLUGIN
#define OPT_LINK OPT_PLUGIN
#define OPT_RUNTIME OPT_PLUGIN
#include "abi/optimisations.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Is the LEN characters at NAME the name of a row?  */
static bool
is_name (const char *name, size_t len)
{
  for (unsigned i = 0; i < ROWS; i++)
    if (strlen (rows[i].name) == len && !memcmp (rows[i].name, name, len))
      return true;
  return false;
}

/* Names are unique; NEEDS are names.  */
static void
check_table (void)
{
  for (unsigned i = 0; i < ROWS; i++)
    {
      unsigned same = 0;
      for (unsigned j = 0; j < ROWS; j++)
	same += !strcmp (rows[i].name, rows[j].name)
		|| (i != j && !strcmp (rows[i].name, rows[j].alias));
      ok (same == 1, "%s: no other row has this name", rows[i].name);
      for (const char *n = rows[i].needs; *n;)
	{
	  size_t len = strcspn (n, " ");
	  ok (is_name (n, len), "%s needs %.*s", rows[i].name, (int) len, n);
	  n += len + (n[len] == ' ');
	}
    }
}

/* Each row of PART is named by both its names, and by nothing else.  */
static char unknown[100];

static void
note (const char *where, const char *name, size_t len)
{
  snprintf (unknown, sizeof unknown, "%s: %.*s", where, (int) len, name);
}

static acr_optimisation_set
named (enum acr_part part, const char *list, bool any_part)
{
  unknown[0] = '\0';
  return acr_optimisations_named (part, list, any_part, "here", note);
}

static void
check_part (enum acr_part part)
{
  const struct acr_optimisation *o;
  for (unsigned i = 0; (o = acr_optimisation (part, i)); i++)
    {
      ok (named (part, o->name, false) == (acr_optimisation_set) 1 << i, "%s", o->name);
      ok (named (part, o->alias, false) == (acr_optimisation_set) 1 << i, "%s, by its alias %s",
	  o->name, o->alias);
    }
}

static void
check_lists (void)
{
  acr_optimisation_set late = named (ACR_PART_RUNTIME, "late", false);
  acr_optimisation_set pool = named (ACR_PART_RUNTIME, "pool", false);
  ok (named (ACR_PART_RUNTIME, "lazy-copy-back,,pool,", false) == (late | pool)
	&& !*unknown,
      "a list of old and new names, with gaps");
  ok (named (ACR_PART_RUNTIME, "all", false) == ~(acr_optimisation_set) 0
	&& !*unknown, "all");
  ok (named (ACR_PART_RUNTIME, "lat,pool", false) == pool
	&& !strcmp (unknown, "here: lat"),
      "the beginning of a name is none");
  ok (named (ACR_PART_RUNTIME, "shuffle", true) == 0 && !*unknown,
      "a name of another part");
  ok (named (ACR_PART_RUNTIME, "shuffle", false) == 0
	&& !strcmp (unknown, "here: shuffle"),
      "it is unknown where only this part's are asked for");
  ok (named (ACR_PART_PLUGIN, "overwrite", false)
	== named (ACR_PART_PLUGIN, "must-write-analysis", false)
	&& named (ACR_PART_RUNTIME, "overwrite", false)
	     == named (ACR_PART_RUNTIME, "dead-copy-in-elimination", false),
      "an alias that two parts have means each part's own");
}

int
main (void)
{
  check_table ();
  for (unsigned part = 0; part < ACR_PART_COUNT; part++)
    check_part (part);
  check_lists ();
  return done_testing ();
}
