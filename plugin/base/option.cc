/* What the user has switched off.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/base.h"

#include "abi/optimisations.h"

static unsigned disabled;

bool
option_enabled (enum acr_option option)
{
  return !(disabled >> option & 1);
}

static void
warn_unknown (const char *where, const char *name, size_t len)
{
  warning (0, "%qs: unknown name %<%.*s%>", where, (int) len, name);
}

void
option_disable (const char *list)
{
  disabled |= acr_optimisations_named (ACR_PART_PLUGIN, list, false,
				       "-fplugin-arg-accrete-disable=",
				       warn_unknown);
}
