/* Faults of device code: one line on stderr and a result for the launch.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "machine/machine.h"
#include "ptx/ptx.h"

uint64_t
emu_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

bool
emu_stop (struct warp *w, CUresult r)
{
  int none = CUDA_SUCCESS;
  emu_rechoose (w);
  w->budget = 0;
  return __atomic_compare_exchange_n (&w->cta->launch->root->error, &none, r,
				      false, __ATOMIC_RELAXED,
				      __ATOMIC_RELAXED);
}

void
emu_print_place (FILE *f, const struct ptx_stmt *at, const unsigned ctaid[3],
		 const unsigned tid[3])
{
  const struct ptx_unit *unit = at->func->unit;
  fprintf (f, "%s:%u: %s, block (%u,%u,%u), thread (%u,%u,%u)", unit->name,
	   at->line, at->insn ? at->insn->mnemonic : "", ctaid[0], ctaid[1],
	   ctaid[2], tid[0], tid[1], tid[2]);
  if (at->loc && at->loc->file < unit->nfiles && unit->files[at->loc->file])
    fprintf (f, ", source %s:%u", unit->files[at->loc->file], at->loc->line);
}

void
emu_fault (struct warp *w, const struct insn *i, unsigned lane, CUresult r,
	   const char *fmt, ...)
{
  if (!emu_stop (w, r))
    return;
  char what[256];
  va_list ap;
  va_start (ap, fmt);
  vsnprintf (what, sizeof what, fmt, ap);
  va_end (ap);
  fprintf (stderr, "accrete-emu: %s: %s, ", w->cta->launch->func->name, what);
  emu_print_place (stderr, i->stmt, w->cta->ctaid,
		   (unsigned[]){ w->sreg[SROW_TID_X][lane],
				 w->sreg[SROW_TID_Y][lane],
				 w->sreg[SROW_TID_Z][lane] });
  fputc ('\n', stderr);
}
