/* What the passes say about their candidates (--explain), and how many they
   took.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include "abi/optimisations.h"

#include <stdarg.h>

void
post_explain (struct post *p, const struct ptx_stmt *s, bool taken,
	      const char *why, ...)
{
  p->taken[p->pass] += taken;
  if (!p->opt->explain)
    return;
  FILE *f = p->opt->explain;
  fprintf (f, "%s:%u: %s: %s: ", p->unit->name, s->line,
	   acr_optimisation (ACR_PART_PASS, p->pass)->name,
	   taken ? "taken" : "left");
  if (s->kind == PTX_S_INSN)
    fprintf (f, "%s: ", s->insn->mnemonic);
  va_list ap;
  va_start (ap, why);
  vfprintf (f, why, ap);
  va_end (ap);
  fputc ('\n', f);
}
