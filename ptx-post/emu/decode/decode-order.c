/* The order in which a body's statements are decoded.

   Of a warp's lanes those that are behind run first (machine/warp.c), so that all
   meet where their ways do, as long as code that comes later lies later.  Compilers
   move what is seldom executed to the end of a function:

     @p bra AWAY;			@p bra AWAY;
     BACK: ...				bra BACK;
     ret;			->	AWAY: ...; bra BACK;
     AWAY: ...; bra BACK;		BACK: ...

   Such a block is decoded in front of the first label that it goes back to.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

#include "decode/decode.h"

/* What is known of labels, by their symbols: the number of their statement, and of the
   last that jumps there, from 1 on.  */
struct places
{
  struct map *label, *jump;
};

static bool
is_op (const struct ptx_stmt *s, enum ptx_op op)
{
  return s->kind == PTX_S_INSN && s->insn->op == op;
}

/* Does control never go on behind S?  */
static bool
ends (const struct ptx_stmt *s)
{
  return s->kind == PTX_S_INSN && !s->insn->guard
	 && (s->insn->op == PTX_OP_BRA || s->insn->op == PTX_OP_BRX
	     || s->insn->op == PTX_OP_RET || s->insn->op == PTX_OP_EXIT
	     || s->insn->op == PTX_OP_TRAP);
}

/* Fill P for the body of F.  False without memory, or where it is not known who jumps
   where.  */
static bool
find_places (struct places *p, const struct ptx_func *f)
{
  uint64_t n = 0;
  for (const struct ptx_stmt *s = f->first; s && s != f->last; s = s->next)
    {
      n++;
      if (is_op (s, PTX_OP_BRX) || s->kind == PTX_S_RAW)
	return false;
      if (s->kind == PTX_S_LABEL && !map_put (p->label, s->sym, n))
	return false;
      if (is_op (s, PTX_OP_BRA)
	  && (s->insn->nopnds == 0 || !s->insn->opnd[0]->sym
	      || !map_put (p->jump, s->insn->opnd[0]->sym, n)))
	return false;
    }
  return true;
}

/* Let *B be the block that begins with the label FIRST, if it goes back to labels in
   front of it alone, behind all that jump to FIRST.  */
static bool
find_block (struct dec_block *b, const struct places *p,
	    const struct ptx_stmt *first)
{
  uint64_t here = map_get (p->label, first->sym), back = here;
  const struct ptx_stmt *s;
  for (s = first->next; s && s->kind != PTX_S_LABEL; s = s->next)
    if (is_op (s, PTX_OP_BRA))
      {
	const struct ptx_sym *to = s->insn->opnd[0]->sym;
	uint64_t at = map_get (p->label, to);
	if (!at || at >= here)
	  return false;
	if (at < back)
	  {
	    back = at;
	    b->to = to;
	  }
	if (!s->insn->guard)
	  break;
      }
    else if (ends (s))
      return false;
  uint64_t jump = map_get (p->jump, first->sym);
  b->first = first;
  b->last = s;
  return s && s->kind != PTX_S_LABEL && jump && jump < back;
}

/* Add the blocks of F that are out of line to A, in the order of the text.  */
static bool
find_blocks (struct dec_away *a, const struct places *p, const struct ptx_func *f)
{
  bool closed = false;
  for (const struct ptx_stmt *s = f->first; s && s != f->last; s = s->next)
    {
      struct dec_block b;
      if (closed && s->kind == PTX_S_LABEL && find_block (&b, p, s))
	{
	  struct dec_block *more
	    = realloc (a->block, (a->n + 1) * sizeof *more);
	  if (!more)
	    return false;
	  a->block = more;
	  a->block[a->n++] = b;
	  s = b.last;
	}
      if (s->kind == PTX_S_INSN || s->kind == PTX_S_LABEL)
	closed = ends (s);
    }
  return true;
}

void
dec_find_away (struct dec_away *a, const struct ptx_func *f)
{
  struct places p = { map_new (), map_new () };
  *a = (struct dec_away) { 0 };
  if (!p.label || !p.jump || !find_places (&p, f) || !find_blocks (a, &p, f))
    a->n = 0;
  if (p.label)
    map_free (p.label);
  if (p.jump)
    map_free (p.jump);
}

const struct dec_block *
dec_away_to (const struct dec_away *a, const struct dec_block *before,
	     const struct ptx_sym *label)
{
  for (size_t k = before ? (size_t) (before - a->block) + 1 : 0; k < a->n; k++)
    if (a->block[k].to == label)
      return &a->block[k];
  return NULL;
}
