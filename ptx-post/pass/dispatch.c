/* Branches of which it is known where they go, and what nothing reaches then.

   Without optimization GCC leaves both forms of a region in an SPMD kernel, the
   kernel and libgomp's, behind a test of a constant (.GOMP_USE_SIMT):

     mov.u32 %r27, 1;  setp.ne.u32 %r63, %r27, 0;  @%r63 bra $L31;

   What the other form calls would be thought of as called.  Forms of a kernel have the
   code for other numbers of rows behind such tests (forms/forms.c), which passes would
   look at, and the driver's compiler would read.

   Needs: code with a flow graph.  Keeps: what the function does.
   Breaks: nothing; only instructions go, scopes and labels stay.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "analysis/analysis.h"
#include "post.h"

#include <stdlib.h>

/* Between a constant and its test.  */
enum { MOST_COPIES = 8 };

/* What is known of a register.  */
struct value
{
  unsigned ndefs;
  const struct ptx_insn *def;
};

struct walk
{
  struct value *values;
  const struct ptx_insn *insn;
};

static void
note_def (struct ptx_sym *reg, void *closure)
{
  struct walk *w = closure;
  w->values[reg->index].ndefs++;
  w->values[reg->index].def = w->insn;
}

static struct value *
find_values (const struct ptx_func *f)
{
  struct walk w = { xcalloc (f->nregs, sizeof (struct value)), NULL };
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN)
      {
	w.insn = s->insn;
	ptx_insn_defs (s->insn, note_def, &w);
      }
  return w.values;
}

/* The instruction that alone, and always, sets REG; or NULL.  */
static const struct ptx_insn *
only_def (const struct value *values, const struct ptx_sym *reg)
{
  const struct value *v = &values[reg->index];
  return v->ndefs == 1 && !v->def->guard ? v->def : NULL;
}

/* Is the operand O a constant, then *VALUE?  Copies of copies are so as well, not
   around in circles.  */
static bool
is_constant (const struct value *values, const struct ptx_opnd *o,
	     uint64_t *value)
{
  for (unsigned copies = 0; o->kind == PTX_O_REG && !o->neg; copies++)
    {
      const struct ptx_insn *d = only_def (values, o->sym);
      if (!d || d->op != PTX_OP_MOV || d->nopnds != 2 || copies == MOST_COPIES)
	return false;
      o = d->opnd[1];
    }
  *value = o->bits;
  /* Small ones are the same in any width.  */
  return o->kind == PTX_O_INT && o->bits <= INT32_MAX;
}

/* Is it known whether S, a branch with a guard, is taken?  */
static bool
is_known (const struct value *values, const struct ptx_stmt *s, bool *taken)
{
  const struct ptx_insn *i = s->kind == PTX_S_INSN ? s->insn : NULL;
  if (!i || i->op != PTX_OP_BRA || !i->guard)
    return false;
  const struct ptx_insn *d = only_def (values, i->guard);
  uint64_t a, b;
  if (!d || d->op != PTX_OP_SETP || d->nopnds != 3 || d->mod[PTX_MC_SUBOP]
      || d->opnd[0]->kind != PTX_O_REG
      || (d->mod[PTX_MC_CMP] != PTX_M_EQ && d->mod[PTX_MC_CMP] != PTX_M_NE)
      || !is_constant (values, d->opnd[1], &a)
      || !is_constant (values, d->opnd[2], &b))
    return false;
  bool holds = (a == b) == (d->mod[PTX_MC_CMP] == PTX_M_EQ);
  *taken = holds != i->guard_neg;
  return true;
}

/* Let branches of F that are known have no guard.  How many there are.  */
static unsigned
resolve (struct post *p, struct ptx_func *f)
{
  struct value *values = find_values (f);
  unsigned n = 0;
  bool taken;
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (!is_known (values, s, &taken))
	continue;
      n++;
      if (!taken)
	{
	  ptx_remove (p->unit, s);
	  continue;
	}
      s->insn->guard = NULL;
      s->insn->guard_neg = false;
      s->changed = true;
    }
  free (values);
  return n;
}

static int
compare (const void *a, const void *b)
{
  const struct ptx_stmt *const *x = a, *const *y = b;
  return (*x > *y) - (*x < *y);
}

/* Take out what no block of G has.  */
static void
remove_dead (struct post *p, struct ptx_func *f, const struct cfg *g)
{
  size_t n = 0, room = 0;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    room++;
  struct ptx_stmt **live = xcalloc (room + 1, sizeof *live);
  for (int b = 0; b < g->nblocks; b++)
    for (struct ptx_stmt *s = g->block[b].first;; s = s->next)
      {
	if (s->kind == PTX_S_INSN)
	  live[n++] = s;
	if (s == g->block[b].last)
	  break;
      }
  qsort (live, n, sizeof *live, compare);
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (s->kind == PTX_S_INSN
	  && !bsearch (&s, live, n, sizeof *live, compare))
	ptx_remove (p->unit, s);
    }
  free (live);
}

void
dispatch_resolve (struct post *p, struct ptx_func *f)
{
  const char *why;
  if (f->opaque || !resolve (p, f))
    return;
  struct cfg *g = cfg_new (f, &why);
  if (!g)
    return;
  remove_dead (p, f, g);
  cfg_free (g);
  post_explain (p, f->header, true, "%s: what nothing reaches goes",
		f->sym->name);
}
