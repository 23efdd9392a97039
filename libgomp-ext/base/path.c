/* Names of files and of places in code; see path.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/path.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *
acr_path_rank (void)
{
  static const char *const names[]
      = { "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID" };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    {
      const char *text = secure_getenv (names[i]);
      if (text && *text && strspn (text, "0123456789") == strlen (text))
        return text;
    }
  return "0";
}

void
acr_path_host (char to[HOST_NAME_MAX + 1])
{
  to[HOST_NAME_MAX] = 0;
  if (gethostname (to, HOST_NAME_MAX))
    strcpy (to, "localhost");
}

bool
acr_path_expand (char to[PATH_MAX], const char *pattern)
{
  size_t n = 0;
  for (const char *p = pattern; *p; p++)
    {
      char text[HOST_NAME_MAX + 1] = { *p };
      const char *piece = text;
      if (*p == '%' && p[1] && strchr ("%phr", p[1]))
        switch (*++p)
          {
          case 'p':
            snprintf (text, sizeof text, "%d", (int)getpid ());
            break;
          case 'h':
            acr_path_host (text);
            break;
          case 'r':
            piece = acr_path_rank ();
            break;
          }
      size_t len = strlen (piece);
      if (len >= PATH_MAX - n)
        return false;
      memcpy (to + n, piece, len);
      n += len;
    }
  to[n] = 0;
  return true;
}

const char *
acr_path_code (char *to, size_t n, const void *code)
{
  Dl_info info;
  snprintf (to, n, "?");
  if (code && dladdr (code, &info) && info.dli_fname)
    {
      const char *slash = strrchr (info.dli_fname, '/');
      snprintf (to, n, "%s+%#zx", slash ? slash + 1 : info.dli_fname,
                (size_t)((const char *)code - (const char *)info.dli_fbase));
    }
  return to;
}
