/* What the user has switched off.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/base.h"

#include "abi/optimisations.h"

static acr_optimisation_set disabled;

bool
option_enabled (enum acr_option option)
{
  return !acr_optimisation_in (disabled, option);
}

/* The names that there are, each with a comma.  */
static const char *
known_names ()
{
  char *names = xstrdup ("");
  const struct acr_optimisation *o;
  for (unsigned i = 0; (o = acr_optimisation (ACR_PART_PLUGIN, i)); i++)
    names = reconcat (names, names, o->name, ", ", NULL);
  return reconcat (names, names, "all", NULL);
}

static void
warn_unknown (const char *where, const char *name, size_t len)
{
  const char *meant = acr_optimisation_near (ACR_PART_PLUGIN, name, len);
  if (meant)
    warning (0, "%qs: unknown name %<%.*s%>; is %qs meant?", where, (int) len,
	     name, meant);
  else
    warning (0, "%qs: unknown name %<%.*s%>; known are %s", where, (int) len,
	     name, known_names ());
}

void
option_disable (const char *list)
{
  disabled |= acr_optimisations_named (ACR_PART_PLUGIN, list, false,
				       "-fplugin-arg-accrete-disable=",
				       warn_unknown);
}
