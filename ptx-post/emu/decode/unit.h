/* Units of PTX, parsed for the emulated GPU (unit.c).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_EMU_UNIT_H
#define ACCRETE_EMU_UNIT_H

#include "emu.h"
#include "ptx/ptx.h"

/* Parse SRC; the caller frees *UNIT.  On failure it is NULL and *LOG the lines
   that ptxas would print, to be freed, or NULL without memory for them.  */
CUresult emu_unit_parse (const struct emu_source *src, struct ptx_unit **unit,
			 char **log);

#endif /* ACCRETE_EMU_UNIT_H */
