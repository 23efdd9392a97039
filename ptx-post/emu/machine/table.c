/* The dictionary of handlers.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdlib.h>
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

static void
add (const struct emu_row *r)
{
  for (; r->name; r++)
    {
      unsigned h = hash (r->name) % SLOTS;
      while (slot[h])
	h = (h + 1) % SLOTS;
      slot[h] = r;
    }
}

static void
fill (void)
{
#define PICK(isa)							      \
  do									      \
    {									      \
      add (emu_alu_rows_##isa);						      \
      add (emu_ldst_rows_##isa);					      \
    }									      \
  while (0)
#ifdef EMU_HAVE_X86
  /* ACCRETE_EMU_ISA=base|v3: not above that, for tests.  */
  const char *most = getenv ("ACCRETE_EMU_ISA");
  int level = !most ? 4 : !strcmp (most, "v3") ? 3 : !strcmp (most, "base") ? 1 : 4;
  if (level >= 4 && __builtin_cpu_supports ("x86-64-v4"))
    PICK (v4);
  else if (level >= 3 && __builtin_cpu_supports ("x86-64-v3"))
    PICK (v3);
  else
#endif
    PICK (base);
#undef PICK
  add (emu_round_rows);
  add (emu_half_rows);
  add (emu_half_cvt_rows);
  add (emu_approx_rows);
  add (emu_atom_rows);
  add (emu_sync_rows);
}

emu_handler *
emu_find_handler (const char *name)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, fill);
  for (unsigned h = hash (name) % SLOTS; slot[h]; h = (h + 1) % SLOTS)
    if (!strcmp (slot[h]->name, name))
      return slot[h]->fn;
  return NULL;
}
