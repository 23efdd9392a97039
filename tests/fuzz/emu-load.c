/* Fuzzing of the emulated GPU's loader and decoder.

   Property: any bytes are refused with a log that says why, or become a module
   each of whose functions decodes to instructions, those not emulated
   included, and whose parameters and variables have sizes.

   Run by mutate.c or, under libFuzzer, by run-libfuzzer.sh.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "machine/machine.h"

static void
require (bool cond, const char *what)
{
  if (cond)
    return;
  fprintf (stderr, "emu-load: violated: %s\n", what);
  abort ();
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct emu_source source = { "fuzz", data, size };
  struct emu_module *m = NULL;
  char *log = NULL;
  CUresult r = emu_unit_check (&source, &log);
  require ((r == CUDA_SUCCESS) == !log, "a unit is refused with a reason");
  free (log);
  log = NULL;
  r = emu_module_load (&m, &source, 1, &log);
  require (r == CUDA_SUCCESS ? m != NULL : log && *log,
	   "a module is refused with a reason");
  free (log);
  if (r != CUDA_SUCCESS)
    return 0;
  struct emu_func *f;
  for (uint64_t at = EMU_FUNC_WINDOW; (f = emu_func_at (m, at)); at += 16)
    {
      const struct insn *code = f->ptx ? emu_func_code (f) : NULL;
      for (size_t k = 0; code && k < f->ncode; k++)
	require (code[k].fn, "instructions have handlers");
    }
  emu_module_unload (m);
  return 0;
}
