/* Where the stock assembler and linker are.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "stock.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

/* Look at this program's file: where /proc is not mounted, at what the
   kernel was told to execute.  That may be a script, or relative to another
   folder, but GCC calls programs themselves and stays where it is.  */
static bool
stat_self (struct stat *self)
{
  const char *called = (const char *) getauxval (AT_EXECFN);
  return stat ("/proc/self/exe", self) == 0
	 || (called && stat (called, self) == 0);
}

bool
stock_is_other (const char *path)
{
  struct stat self, other;
  if (access (path, X_OK) != 0 || stat (path, &other) != 0
      || !S_ISREG (other.st_mode))
    return false;
  return !stat_self (&self) || self.st_dev != other.st_dev
	 || self.st_ino != other.st_ino;
}

const char *
stock_program (const char *name, const char *said, const char *configured)
{
  static char path[PATH_MAX];
  if (said && stock_is_other (said))
    return said;
  const char *lto = getenv ("COLLECT_LTO_WRAPPER");
  const char *slash = lto ? strrchr (lto, '/') : NULL;
  if (slash
      && (size_t) snprintf (path, sizeof path, "%.*s/%s", (int) (slash - lto),
			    lto, name)
	   < sizeof path
      && stock_is_other (path))
    return path;
  if (stock_is_other (configured))
    return configured;
  snprintf (path, sizeof path, "nvptx-none-%s", name);
  return path;
}
