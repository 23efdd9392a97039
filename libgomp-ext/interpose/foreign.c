/* Who can call the CUDA driver.

   What libgomp has not asked the driver for yet (gather.c, defer.c), a program
   misses only where it looks at device memory.  What it does there by way of
   libgomp comes through our hands (cuda.c).  There remains who calls the driver
   himself: the program, or a library, such as CUDA's own.  To call a function one
   must have it:

   - from the dynamic linker, as an imported symbol;
   - by dlsym or dlvsym, which are imported themselves;
   - in a library that dlopen or dlmopen has loaded, imported as well.

   So if nothing in the process imports one of these names, nobody calls the
   driver; and nobody ever will, as what is not there by then nobody can load.
   This is looked at once, when the first construct begins.  Left out are

   - libgomp with its plugins, and we: their calls are those that we see;
   - the driver, whose parts it loads itself: it does nothing unasked;
   - the sanitizers, which look for the C library's functions;
   - what the C library loads for itself (name services, character sets).

   A library that the environment lets libgomp load is one of the program's.  Who
   reads the dynamic linker's tables, or has a loader of his own, goes unseen.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/fact.h"
#include "ext.h"
#include "interpose/foreign.h"
#include "interpose/import.h"

#include <link.h>
#include <stdlib.h>
#include <string.h>

/* How the names of files begin that are left out.  */
static const char *const trusted[]
    = { "libgomp.so.",  "libgomp-plugin-", "libgomp-ext.so", "libcuda.so.",
        "libnvidia-",   "libasan.so.",     "liblsan.so.",    "libtsan.so.",
        "libubsan.so." };

static bool
is_trusted (const char *path)
{
  const char *slash = strrchr (path, '/'), *name = slash ? slash + 1 : path;
  for (unsigned i = 0; i < sizeof trusted / sizeof *trusted; i++)
    if (!strncmp (name, trusted[i], strlen (trusted[i])))
      return true;
  return false;
}

/* Whether NAME, which is imported, leads to the driver.  Its own are cuInit and
   the like.  */
static bool
leads_there (const char *name)
{
  static const char *const loader[]
      = { "dlopen", "dlmopen", "dlsym", "dlvsym" };
  if (name[0] == 'c' && name[1] == 'u')
    return name[2] >= 'A' && name[2] <= 'Z';
  for (unsigned i = 0; i < sizeof loader / sizeof *loader; i++)
    if (!strcmp (name, loader[i]))
      return true;
  return false;
}

static int
is_caller (struct dl_phdr_info *info, size_t size, void *data)
{
  (void)size, (void)data;
  if (is_trusted (info->dlpi_name) || !acr_import_any (info, leads_there))
    return 0;
  acr_debug (1, "%s may call the driver",
             *info->dlpi_name ? info->dlpi_name : "the program");
  return 1;
}

static bool
find_callers (void)
{
  return secure_getenv ("ACC_PROFLIB") || dl_iterate_phdr (is_caller, NULL);
}

bool
acr_foreign_calls (void)
{
  static _Atomic enum acr_fact fact;
  return acr_fact (&fact, find_callers);
}
