/* The dictionary of handlers.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>

#include "machine/table.h"

enum { SLOTS = 4096 };		/* power of two, well above the rows */

static const struct emu_row *slot[SLOTS];

static unsigned
hash (const char *s)
{
  unsigned h = 2166136261u;
  for (; *s; s++)
    h = (h ^ (unsigned char) *s) * 16777619u;
  return h;
}

void
emu_table_add (const struct emu_row *r)
{
  for (; r->name; r++)
    {
      unsigned h = hash (r->name) % SLOTS;
      while (slot[h])
	h = (h + 1) % SLOTS;
      slot[h] = r;
    }
}

emu_handler *
emu_find_handler (const char *name)
{
  for (unsigned h = hash (name) % SLOTS; slot[h]; h = (h + 1) % SLOTS)
    if (!strcmp (slot[h]->name, name))
      return slot[h]->fn;
  return NULL;
}
