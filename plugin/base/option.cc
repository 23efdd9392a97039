/* What the user has switched off.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "base/base.h"

static const char *const option_name[] = {
#define ACR_OPTION(id, name) name,
#include "option.def"
};

static unsigned disabled;

bool
option_enabled (enum acr_option option)
{
  return !(disabled >> option & 1);
}

void
option_disable (const char *list)
{
  while (*list)
    {
      int len = strcspn (list, ",");
      unsigned mask = len == 3 && !strncmp (list, "all", 3) ? ~0u : 0;
      for (int i = 0; i < ACR_OPTION_COUNT; i++)
	if (!strncmp (list, option_name[i], len) && !option_name[i][len])
	  mask = 1u << i;
      if (len && !mask)
	warning (0, "%<-fplugin-arg-accrete-disable=%>: unknown name %<%.*s%>",
		 len, list);
      disabled |= mask;
      list += len;
      list += *list == ',';
    }
}
