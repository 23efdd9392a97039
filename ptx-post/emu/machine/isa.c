/* The instruction set: which handlers the table has, on this CPU.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "machine/table.h"

static void
fill (void)
{
#define PICK(isa)							      \
  do									      \
    {									      \
      emu_table_add (emu_alu_rows_##isa);				      \
      emu_table_add (emu_ldst_rows_##isa);				      \
    }									      \
  while (0)
#ifdef EMU_HAVE_X86
  /* ACCRETE_EMU_ISA=base|v3: not above that, for tests.  */
  const char *most = emu_env (EMU_ENV_ISA);
  int level = !most ? 4 : !strcmp (most, "v3") ? 3 : !strcmp (most, "base") ? 1 : 4;
  if (level >= 4 && __builtin_cpu_supports ("x86-64-v4"))
    PICK (v4);
  else if (level >= 3 && __builtin_cpu_supports ("x86-64-v3"))
    PICK (v3);
  else
#endif
    PICK (base);
#undef PICK
  emu_table_add (emu_round_rows);
  emu_table_add (emu_half_rows);
  emu_table_add (emu_half_cvt_rows);
  emu_table_add (emu_approx_rows);
  emu_table_add (emu_atom_rows);
  emu_table_add (emu_sync_rows);
  emu_table_add (emu_warp_rows);
  emu_table_add (emu_call_rows);
  emu_table_add (emu_memory_rows);
  emu_table_add (emu_video_rows);
}

void
emu_isa_init (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, fill);
}
