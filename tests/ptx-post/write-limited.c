/* write-limited FILE: print a unit with the variants that its comments stand for, as the
   runtime writes them.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "jit/limited.h"
#include "testing.h"

#include <stdio.h>

int
main (int argc, char **argv)
{
  if (argc != 2)
    return 2;
  size_t len;
  char *text = read_file (argv[1], &len);
  /* A unit's bytes include the final NUL.  */
  struct acr_text t = { .p = text, .n = len + 1 };
  acr_limited_write (&t);
  return fputs (t.p, stdout) < 0;
}
