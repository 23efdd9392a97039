/* Directives of the program; see directive.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "report/directive.h"

#include <string.h>

bool
acr_call_starts_data (const struct acr_call *call)
{
  return strstr (call->name, "_data_start")
         || !strncmp (call->name, "GOMP_target_data", 16);
}

bool
acr_call_ends_data (const struct acr_call *call)
{
  return strstr (call->name, "_data_end") || strstr (call->name, "_end_data");
}

const struct acr_region *
acr_call_directive (const struct acr_call *call)
{
  const void *what = call->region ? call->region : call->site;
  return what ? acr_region_find (what) : NULL;
}
