/* Decoding for the checker.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

#include "check/check.h"
#include "decode/decode.h"

/* ---- Copies ------------------------------------------------------------ */

/* Compilers copy what may not have been written: a private variable into the
   structure of a parallel region, or the result of the last iteration before
   it is known that there was one.  A load is one for such a copy when its
   register is only stored, perhaps by way of others, and its address is in the
   frame.  GCC's OpenMP code
   has its stack in global memory and the stack pointer in shared memory.  */

struct dec_use
{
  bool other;			/* not only stored */
  unsigned defs;
  const struct ptx_insn *def;	/* the last one */
};

static void
note_other (struct ptx_sym *reg, void *closure)
{
  struct decoder *d = closure;
  if (reg->index < d->f->ptx->nregs)
    d->use[reg->index].other = true;
}

struct definition
{
  struct decoder *d;
  const struct ptx_insn *insn;
};

static void
note_def (struct ptx_sym *reg, void *closure)
{
  const struct definition *def = closure;
  if (reg->index >= def->d->f->ptx->nregs)
    return;
  struct dec_use *u = &def->d->use[reg->index];
  u->defs++;
  u->def = def->insn;
}

static bool
is_move (const struct ptx_insn *in)
{
  return in->op == PTX_OP_MOV && in->nopnds == 2 && !in->guard
	 && in->opnd[0]->kind == PTX_O_REG && in->opnd[1]->kind == PTX_O_REG;
}

/* What is known of register operand O, or NULL.  */
static struct dec_use *
use_of (const struct decoder *d, const struct ptx_opnd *o)
{
  return o->kind == PTX_O_REG && o->sym && o->sym->index < d->f->ptx->nregs
	   ? &d->use[o->sym->index] : NULL;
}

/* A register that is moved to one with other uses has other uses.  */
static bool
follow_moves (struct decoder *d)
{
  const struct ptx_func *f = d->f->ptx;
  bool more = false;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    if (s->insn && is_move (s->insn))
      {
	const struct dec_use *to = use_of (d, s->insn->opnd[0]);
	struct dec_use *from = use_of (d, s->insn->opnd[1]);
	if (from && !from->other && (!to || to->other))
	  more = from->other = true;
      }
  return more;
}

static void
find_uses (struct decoder *d)
{
  const struct ptx_func *f = d->f->ptx;
  d->use = calloc (f->nregs + 1, sizeof *d->use);
  if (!d->use)
    longjmp (d->no_memory, 1);
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      const struct ptx_insn *in = s->insn;
      if (!in)
	continue;
      ptx_insn_defs (in, note_def, &(struct definition){ d, in });
      bool stores = in->op == PTX_OP_ST && in->nopnds == 2
		    && in->opnd[1]->kind == PTX_O_REG && !in->guard
		    && in->opnd[0]->nelt
		    && in->opnd[0]->elt[0]->sym != in->opnd[1]->sym;
      if (!stores && !is_move (in))
	ptx_insn_uses (in, note_other, d);
      else if (stores && in->opnd[0]->elt[0]->kind == PTX_O_REG)
	note_other (in->opnd[0]->elt[0]->sym, d);
    }
  while (follow_moves (d))
    ;
}

/* Whether the address O is a constant away from a pointer that was loaded
   from shared memory.  */
static bool
in_frame (const struct decoder *d, const struct ptx_opnd *o)
{
  const struct dec_use *u = o->nelt ? use_of (d, o->elt[0]) : NULL;
  for (unsigned steps = 0; u && u->defs == 1 && steps < 16; steps++)
    {
      const struct ptx_insn *in = u->def;
      if (in->op == PTX_OP_LD)
	return in->space == PTX_SP_SHARED;
      bool plus = (in->op == PTX_OP_ADD || in->op == PTX_OP_SUB)
		  && in->nopnds == 3 && in->opnd[2]->kind == PTX_O_INT;
      if (!plus && in->op != PTX_OP_MOV)
	return false;
      u = use_of (d, in->opnd[1]);
    }
  return false;
}

static bool
is_copy (struct decoder *d, const struct ptx_insn *in)
{
  if (in->op != PTX_OP_LD || in->nopnds < 2)
    return false;
  if (!d->use)
    find_uses (d);
  const struct dec_use *u = use_of (d, in->opnd[0]);
  return u && !u->other && in_frame (d, in->opnd[1]);
}

/* ---- Accesses ---------------------------------------------------------- */

/* What GCC makes of atomic stores that release and of loads that acquire.  */
bool
dec_fenced (const struct ptx_stmt *s, bool store)
{
  do
    s = store ? s->prev : s->next;
  while (s && s->kind == PTX_S_DIRECTIVE);
  return s && s->insn
	 && (s->insn->op == PTX_OP_MEMBAR || s->insn->op == PTX_OP_FENCE);
}

static bool
in_library (const struct ptx_unit *u)
{
  const struct ptx_func *f = u->funcs;
  while (f && !f->is_entry)
    f = f->next;
  return !f;
}

void
dec_checked (struct decoder *d, unsigned flags)
{
  if (!emu_checking ())
    return;
  if (is_copy (d, d->stmt->insn))
    flags |= CHECK_COPY;
  struct insn *access = dec_emit (d, NULL) - 1;
  struct insn check = *access;
  access[1] = check;
  check.fn = emu_check_access;
  check.flags = (uint16_t) flags;
  check.f = emu_check_site (d->stmt, in_library (d->stmt->func->unit));
  if (flags & CHECK_READ && flags & CHECK_WRITE)
    check.mode = 1;		/* not the atomic's state space */
  access[0] = check;
  if (flags & CHECK_READ)
    dec_emit (d, emu_check_acquire);
}
