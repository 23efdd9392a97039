/* Pass asserts: assert in device code, with the host's headers.

   GCC compiles device code with the host's headers, and glibc's assert calls
   __assert_fail, which newlib, the device's C library, does not have (its own is
   __assert_func): a program with an assert in a kernel does not link.  NVIDIA's driver
   has __assertfail, which CUDA's assert calls: it prints the file, line, function,
   block and thread, and the launch fails.  It takes what __assert_fail takes, and the
   size of a character.

   A unit that defines the function itself keeps it.  (The name is reserved for the
   implementation, so that another unit has no right to it.)

   Needs: nothing.  Keeps: that an assertion which fails prints its text and ends the
   program.
   Source: glibc's assert.h; __assertfail in CUDA's crt/common_functions.h.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char theirs[] = "__assert_fail", ours[] = "__assertfail";

/* The function, where it is one of four parameters that another unit has to define; or
   NULL.  */
static struct ptx_func *
missing (const struct ptx_unit *u)
{
  const struct ptx_sym *sym = ptx_lookup (u, theirs);
  return sym && sym->kind == PTX_SYM_FUNC && !sym->func->has_body
	   && sym->func->nparams == 4 && sym->func->nrets == 0
	   ? sym->func
	   : NULL;
}

/* Let S, a call of F, call the driver's function.  */
static void
replace (struct post *p, struct ptx_stmt *s, const struct ptx_func *f)
{
  const struct ptx_insn *call = s->insn;
  const struct ptx_opnd *list = call->opnd[call->nopnds - 1];
  if (call->guard || list->kind != PTX_O_LIST || list->nelt != f->nparams)
    return;
  char *text;
  size_t len;
  FILE *out = open_memstream (&text, &len);
  if (!out)
    abort ();
  fputs ("\t{\n\t.param .u64 %size;\n\tst.param.u64 [%size], 1;\n", out);
  fprintf (out, "\tcall %s, (", ours);
  for (unsigned k = 0; k < list->nelt; k++)
    fprintf (out, "%s, ", list->elt[k]->sym->name);
  fputs ("%size);\n\t}", out);
  fclose (out);
  post_explain (p, s, true, "an assert, which the driver reports");
  post_insert (p, s->func, s, text);
  ptx_remove (p->unit, s);
  free (text);
}

static void
found (const struct ptx_func *f, void *closure)
{
  bool *is = closure;
  *is |= strcmp (f->sym->name, theirs) == 0;
}

void
pass_asserts (struct post *p)
{
  struct ptx_unit *u = p->unit;
  struct ptx_func *f = missing (u);
  if (!f || unit_is_opaque (u) || ptx_lookup (u, ours))
    return;
  post_insert (p, NULL, func_declaration (u, f),
	       ".extern .func __assertfail (.param .u64 text, .param .u64 file, .param .u32"
	       " line,\n.param .u64 function, .param .u64 size);");
  bool left = false;
  for (struct ptx_func *g = u->funcs; g; g = g->next)
    if (g->has_body)
      {
	for (struct ptx_stmt *s = g->first, *next; s != g->last; s = next)
	  {
	    next = s->next;
	    if (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_CALL
		&& call_target (s->insn) == f->sym)
	      replace (p, s, f);
	  }
	func_each_named (g, found, &left);
      }
  vars_each_named (u->vars, found, &left);
  if (!left)
    ptx_remove_func (u, f);
}
