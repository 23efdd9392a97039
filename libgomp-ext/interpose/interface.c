/* What the runtime knows of libgomp's nvptx plugin; see interface.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "interpose/interface.h"
#include "jit/adapt.h"

#include <dlfcn.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

enum
{
  SILENT,
  ASKS
};

enum
{
  NO_REVERSE,
  REVERSE
};

enum
{
  KEEPS,
  FETCHES
};

enum
{
  IN_FRONT,
  ALLOCATES
};

static const struct acr_interface known[] = {
#define INTERFACE(...) { __VA_ARGS__ },
#include "interpose/interface.def"
};

static const struct acr_interface *found;
static unsigned lowlat;

/* As the plugin reads it (GOMP_OFFLOAD_init_device).  */
static unsigned
read_lowlat (unsigned otherwise)
{
  const char *text = secure_getenv ("GOMP_NVPTX_LOWLAT_POOL");
  char *end;
  unsigned long n = text ? strtoul (text, &end, 10) : otherwise;
  return n > UINT_MAX || (text && *end) ? otherwise : n;
}

void
acr_interface_find (void *plugin)
{
  unsigned (*version) (void);
  *(void **)&version = dlsym (plugin, "GOMP_OFFLOAD_version");
  unsigned number = version ? version () : 0;
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].number == number)
      found = &known[i];
  if (found && found->lowlat)
    lowlat = read_lowlat (found->lowlat);
}

const struct acr_interface *
acr_interface (void)
{
  return found;
}

unsigned
acr_interface_lowlat (void)
{
  return lowlat;
}
