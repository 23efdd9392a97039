/* Numbers in environment variables.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu.h"

unsigned
emu_env_number (const char *name, unsigned max, unsigned value)
{
  const char *text = getenv (name);
  if (!text || !*text)
    return value;
  char *end;
  errno = 0;
  unsigned long n = strtoul (text, &end, 10);
  if (errno || *end || n > max)
    {
      fprintf (stderr,
	       "accrete: %s=%s is not a number from 0 to %u; using %u\n", name,
	       text, max, value);
      return value;
    }
  return n;
}
