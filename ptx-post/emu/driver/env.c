/* Environment variables.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu.h"

static const char *const names[] = {
#define EMU_ENV(name, help) "ACCRETE_EMU_" #name,
#include "emu/env.def"
};

const char *
emu_env (enum emu_env variable)
{
  return getenv (names[variable]);
}

unsigned
emu_env_number (enum emu_env variable, unsigned max, unsigned value)
{
  const char *text = emu_env (variable);
  if (!text || !*text)
    return value;
  char *end;
  errno = 0;
  unsigned long n = strtoul (text, &end, 10);
  if (errno || *end || n > max)
    {
      fprintf (stderr,
	       "accrete: %s=%s is not a number from 0 to %u; using %u\n",
	       names[variable], text, max, value);
      return value;
    }
  return n;
}
