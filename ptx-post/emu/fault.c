/* Faults of device code: one line on stderr and a result for the launch.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "machine.h"
#include "ptx.h"

uint64_t
emu_now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000 + (uint64_t) t.tv_nsec;
}

void
emu_fault (struct warp *w, const struct insn *i, unsigned lane, CUresult r,
	   const char *fmt, ...)
{
  struct launch *launch = w->cta->launch;
  int none = CUDA_SUCCESS;
  emu_rechoose (w);
  w->budget = 0;
  if (!__atomic_compare_exchange_n (&launch->root->error, &none, r, false,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return;

  char what[256];
  va_list ap;
  va_start (ap, fmt);
  vsnprintf (what, sizeof what, fmt, ap);
  va_end (ap);
  const unsigned *c = w->cta->ctaid;
  const struct ptx_stmt *at = i->stmt;
  fprintf (stderr,
	   "accrete-emu: %s: %s, %s:%u: %s, block (%u,%u,%u), "
	   "thread (%u,%u,%u)",
	   launch->func->name, what, at->func->unit->name, at->line,
	   at->insn ? at->insn->mnemonic : "", c[0], c[1], c[2],
	   w->sreg[SROW_TID_X][lane], w->sreg[SROW_TID_Y][lane],
	   w->sreg[SROW_TID_Z][lane]);
  if (at->loc && at->loc->file < at->func->unit->nfiles
      && at->func->unit->files[at->loc->file])
    fprintf (stderr, ", source %s:%u", at->func->unit->files[at->loc->file],
	     at->loc->line);
  fputc ('\n', stderr);
}
