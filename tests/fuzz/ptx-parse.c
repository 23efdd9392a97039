/* Fuzzing of the PTX library and the passes.

   Property: any bytes either are an error with place and message, or a unit
   that prints back byte for byte; every pass ends, and what it leaves is a
   unit again that has no new statement it does not understand.

   Run by mutate.c or, under libFuzzer, by run-libfuzzer.sh.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static void
require (bool cond, const char *what)
{
  if (cond)
    return;
  fprintf (stderr, "ptx-parse: violated: %s\n", what);
  abort ();
}

static char *
print (const struct ptx_unit *u, size_t *len)
{
  char *text;
  FILE *f = open_memstream (&text, len);
  if (!f)
    abort ();
  ptx_print (u, f);
  fclose (f);
  return text;
}

static void
count (struct ptx_sym *reg, void *n)
{
  *(unsigned *) n += reg->kind == PTX_SYM_REG;
}

/* Statements that are not understood, those outside of functions COUNTED or not; touches
   everything on the way.  */
static unsigned
walk (const struct ptx_unit *u, bool counted)
{
  unsigned unknown = 0, registers = 0;
  const struct ptx_stmt *prev = NULL;
  for (const struct ptx_stmt *s = u->first; s; prev = s, s = s->next)
    {
      require (s->prev == prev, "statements are linked both ways");
      unknown += s->kind == PTX_S_RAW && (s->func || counted);
      if (s->kind != PTX_S_INSN)
	continue;
      unknown += s->insn->op == PTX_OP_OPAQUE;
      ptx_insn_defs (s->insn, count, &registers);
      ptx_insn_uses (s->insn, count, &registers);
    }
  require (u->last == prev, "the last statement is the last");
  for (const struct ptx_func *f = u->funcs; f; f = f->next)
    {
      require (f->has_body == (f->first != NULL)
		 && f->has_body == (f->last != NULL),
	       "a body has two ends");
      for (unsigned i = 0; i < f->nregs; i++)
	require (f->regs[i]->index == i, "registers know their index");
    }
  return unknown;
}

static void
ignore (const char *where, const char *what, size_t len)
{
  (void) where;
  (void) what;
  (void) len;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct ptx_error e = { 0 };
  struct ptx_unit *u = ptx_parse ("fuzz", (const char *) data, size, &e);
  if (!u)
    {
      require (e.line > 0 && e.column > 0 && e.message[0], "errors say where");
      return 0;
    }
  size_t len;
  char *text = print (u, &len);
  require (len == size && memcmp (text, data, size) == 0, "prints back");
  free (text);
  unsigned unknown = walk (u, true), inside = walk (u, false);

  struct post_options opt;
  post_options_init (&opt, ignore);
  post_run (u, &opt);
  /* Copies of entries are text outside of functions until it is parsed.  */
  require (walk (u, false) <= inside, "passes add nothing that is unknown");
  text = print (u, &len);
  struct ptx_unit *again = ptx_parse ("fuzz", text, len, &e);
  require (again, "the result of the passes is a unit");
  require (walk (again, true) <= unknown, "and as well understood as before");
  ptx_unit_free (again);
  free (text);
  ptx_unit_free (u);
  return 0;
}
