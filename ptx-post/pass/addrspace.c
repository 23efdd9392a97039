/* Pass addrspace: generic memory accesses whose state space is proved name
   it (PTX ISA 5.1, 9.7.9).  A generic access costs the GPU a look at the
   windows, and stops ptxas from keeping loads and stores apart.

   Needs: nothing; tags tell more.  Keeps: everything, instruction by
   instruction.  Breaks: nothing.

   For global memory the generic address is the address.  For shared, local
   and constant memory the instruction wants the offset in the window: a cvta.to
   goes before it, which ptxas folds into the address arithmetic.

   Lanes that load different words of constant memory wait for each other, so
   that large tables are better off with a generic load.  Those of libm of which an
   element goes with a sign, or with one of a few intervals, are small.

   Atomic operations on local memory stay (own.c).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdlib.h>
#include <string.h>

static bool
is_candidate (const struct ptx_stmt *s)
{
  if (s->kind != PTX_S_INSN || s->insn->space != PTX_SP_NONE)
    return false;
  switch (s->insn->op)
    {
    case PTX_OP_LD:
    case PTX_OP_ST:
    case PTX_OP_ATOM:
    case PTX_OP_RED:
      return true;
    default:
      return false;
    }
}

static bool
atomic_p (const struct ptx_insn *i)
{
  return i->op == PTX_OP_ATOM || i->op == PTX_OP_RED;
}

/* Access through a window: S and its conversion in a block of their own,
   where a new register cannot meet another of its name.  */
static bool
use_window (struct post *p, struct ptx_stmt *s, enum ptx_space space)
{
  const struct ptx_opnd *a = ptx_insn_address (s->insn);
  if (a->elt[0]->kind != PTX_O_REG)
    return false;
  const char *mnemonic
    = mnemonic_with_space (p->unit, s->insn, space, "");
  struct ptx_insn old = *s->insn;
  char *text;
  size_t len;
  FILE *f = open_memstream (&text, &len);
  if (!f)
    return false;
  fprintf (f,
	   "{\n\t.reg.u64 %%acr_window;\n\tcvta.to.%s.u64 %%acr_window, %s;\n\t",
	   ptx_space_text[space], a->elt[0]->sym->name);
  struct ptx_sym window = { .name = "%acr_window" };
  struct ptx_opnd base = *a->elt[0], *bases[] = { &base };
  base.sym = &window;
  struct ptx_opnd address = *a;
  address.elt = bases;
  struct ptx_opnd *opnd[8];
  for (unsigned i = 0; i < old.nopnds; i++)
    opnd[i] = old.opnd[i] == a ? &address : old.opnd[i];
  old.mnemonic = mnemonic;
  old.opnd = opnd;
  ptx_print_insn (&old, f);
  fputs ("\n}", f);
  if (fclose (f) != 0)
    return false;
  bool done = post_replace (p, s, text);
  free (text);
  return done;
}

/* Is I "ld.TYPE" and no more?  */
static bool
plain_load_p (const struct ptx_insn *i)
{
  return i->op == PTX_OP_LD && !strchr (i->mnemonic + 3, '.');
}

/* Bytes of constant memory that lanes may load different words of.  */
enum { MAX_TABLE = 32 };

/* F's only statement that sets REG, or NULL.  */
static const struct ptx_insn *
definition (const struct ptx_func *f, const struct ptx_sym *reg)
{
  const struct ptx_insn *found = NULL;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->kind == PTX_S_INSN && insn_sets (s->insn, reg))
      {
	if (found || s->insn->guard)
	  return NULL;
	found = s->insn;
      }
  return found;
}

/* Is O, of F, an address in a small table?  DEPTH is of sums.  */
static bool
in_small_table (const struct ptx_func *f, const struct ptx_opnd *o,
		unsigned depth)
{
  if (o->kind == PTX_O_SYM)
    return o->sym->kind == PTX_SYM_VAR && o->sym->space == PTX_SP_CONST
	   && o->sym->size > 0 && o->sym->size <= MAX_TABLE;
  const struct ptx_insn *i
    = o->kind == PTX_O_REG && depth < 4 ? definition (f, o->sym) : NULL;
  if (!i || (i->op != PTX_OP_ADD && i->op != PTX_OP_CVTA && i->op != PTX_OP_MOV))
    return false;
  for (unsigned k = 1; k < i->nopnds; k++)
    if (in_small_table (f, i->opnd[k], depth + 1))
      return true;
  return false;
}

static void
rewrite (struct post *p, struct ptx_stmt *s, const struct origins *o)
{
  struct origin x = origin_of_access (o, s->insn);
  if (x.kind != ORIGIN_SPACE)
    {
      post_explain (p, s, false, "the origin of the address is unknown");
      return;
    }
  const char *space = ptx_space_text[x.space];
  if (x.window)
    post_explain (p, s, false, "not a generic address, but one in .%s", space);
  else if (x.space == PTX_SP_GLOBAL)
    {
      ptx_set_mnemonic (
	p->unit, s, mnemonic_with_space (p->unit, s->insn, x.space, ""));
      post_explain (p, s, true, "the address is in .%s", space);
    }
  else if ((x.space == PTX_SP_SHARED
	    || (x.space == PTX_SP_LOCAL && !atomic_p (s->insn))
	    || (x.space == PTX_SP_CONST && plain_load_p (s->insn)
		&& in_small_table (s->func, ptx_insn_address (s->insn)->elt[0],
				   0)))
	   && use_window (p, s, x.space))
    post_explain (p, s, true, "the address is in .%s", space);
  else
    post_explain (p, s, false, "an access to .%s of this form", space);
}

void
pass_addrspace (struct post *p)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    {
      struct origins *o = origins_new (f, tags_find (p->tags, f));
      if (!o)
	continue;
      for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
	{
	  next = s->next;
	  if (is_candidate (s))
	    rewrite (p, s, o);
	}
      origins_free (o);
    }
}
