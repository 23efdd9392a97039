/* The tables of handlers, by canonical name.

   The canonical name of an instruction is its operation and the modifiers
   that change what it computes, joined by '_', then '.' and its types:
   "mul_wide.s32", "setp_lt.f64", "cvt_rzi.s32.f32".  A '!' at the end marks
   the handler that takes rounding, flushing and saturation from the
   instruction.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_EMU_TABLE_H
#define ACCRETE_EMU_TABLE_H

#include "machine/machine.h"

/* One copy for each instruction set; ends with a NULL name.  */
#define EMU_TABLES(isa)							      \
  extern const struct emu_row emu_alu_rows_##isa[];			      \
  extern const struct emu_row emu_ldst_rows_##isa[];
EMU_TABLES (base)
EMU_TABLES (v3)
EMU_TABLES (v4)
#undef EMU_TABLES

extern const struct emu_row emu_round_rows[]; /* round.c */
extern const struct emu_row emu_half_rows[];  /* half.c */
extern const struct emu_row emu_half_cvt_rows[]; /* half-cvt.c */
extern const struct emu_row emu_approx_rows[]; /* approx.c */
extern const struct emu_row emu_atom_rows[];  /* atom.c */
extern const struct emu_row emu_sync_rows[];  /* sync.c */
extern const struct emu_row emu_warp_rows[];  /* warp.c */
extern const struct emu_row emu_call_rows[];  /* call.c */
extern const struct emu_row emu_memory_rows[]; /* memory.c */
extern const struct emu_row emu_video_rows[]; /* video.c */

/* Add rows, before anything is decoded (table.c).  */
void emu_table_add (const struct emu_row *);
/* Fill the table (isa.c); may be called again.  */
void emu_isa_init (void);

#endif /* ACCRETE_EMU_TABLE_H */
