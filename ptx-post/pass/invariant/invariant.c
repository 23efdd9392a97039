/* Pass invariant: what each round of a resident loop would compute anew is computed
   once, in front of the loop.

   In each round, and for each part, a thread finds out where its iterations are:

     $round:
       add.u32 %r78, %r52, -2;  ...  div.u32 %r5, %ctaid, %r106;    (130 instructions)
       ... the part's iterations ...
       barrier of the grid
       @%more bra $round;

   from the launch's geometry and from numbers that the loop leaves as they are.  GCC
   divides in front of a loop only what it divides in any case, and takes a part's
   numbers for unknown ones, so that floating-point operations are the region's own
   (plugin/resident/kernel-part.cc); ptxas moves nothing past a branch.  What moves here
   are operations on integers alone, whose result is the same wherever they stand.

   - An operation moves to where the way to the loop begins, the block in front of it
     that all ways to it lead through, and is executed there in any case, which does no
     harm: it accesses nothing, is of no other lane's concern, and a division by zero
     just has no value.
   - Its operands have there what they have in the loop: nothing in the loop sets them,
     and whatever does is a place that all ways to the loop lead through; or they have
     moved before.
   - Where it alone sets its register, all of it moves.  Else another register is set in
     front of the loop, and copied in its place.
   - Where two ways set a register, and meet, one of both results is selected in front of
     the loop, by the predicate that the ways part by:

       @%p bra $a;                          ... %ta, %tb in front;
       ... %r = b; bra $on;          ->     selp %r, %ta, %tb, %p;
       $a: ... %r = a; $on:

     Of a block's instructions that set a register one after the other, as GCC writes
     selections and least numbers, all but the last get registers of their own before.

   - What two of them compute alike, as parts over the same iterations do, one computes.
     (Real numbers that parts make of the same integers ptxas could always see to be the
     same: what GCC takes for unknown is a copy in PTX.)

   A result that is needed in the loop takes a register all the time; so an operation
   stays that is one instruction where its operands are needed in the loop, too, if it
   sets a predicate, of which there are few, or if there are many registers.  Where they
   would be too many for blocks of 1024 threads, as resident loops have, nothing moves.

   Needs: entries with a tag that says that they are resident loops; address spaces,
   which passes before find out by where operations are.  Keeps: all values.  Breaks:
   nothing.
   Source: A. Aho et al., "Compilers: Principles, Techniques, and Tools", 9.5 (loop-
   invariant expressions); J. Allen et al., "Conversion of Control Dependence to Data
   Dependence", POPL 1983 (selections).
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pass/invariant/invariant-int.h"

#include <stdio.h>
#include <string.h>

enum
{
  MOST_ITEMS = 1 << 9		/* operations that are looked at */
};

/* ---- Moving ---- */

/* What is in front of the loop, where the way to it begins: the last statement that is
   executed in any case, or NULL where that is inside of braces, whose names may be
   others.  */
static struct ptx_stmt *
place_before (const struct motion *m)
{
  int b = m->cfg->block[m->cfg->loop[m->loop].header].idom, depth = 0;
  struct ptx_stmt *s = m->cfg->block[b].last;
  if (s->kind == PTX_S_INSN && s->insn->op == PTX_OP_BRA)
    s = s->prev;
  for (struct ptx_stmt *t = m->f->first; t != s->next; t = t->next)
    depth += (t->kind == PTX_S_OPEN) - (t->kind == PTX_S_CLOSE);
  return depth == 1 ? s : NULL;
}

/* Insert ITEM, an operation, behind AFTER, with RESULT for its register.  */
static void
write_operation (struct motion *m, const struct item *item,
		 struct ptx_sym *result, struct ptx_stmt *after)
{
  char *text;
  size_t len;
  FILE *f = open_memstream (&text, &len);
  if (!f)
    abort ();
  struct ptx_opnd to = *item->stmt->insn->opnd[0];
  struct ptx_opnd *opnd[item->stmt->insn->nopnds];
  struct ptx_insn insn = *item->stmt->insn;
  memcpy (opnd, insn.opnd, sizeof opnd);
  to.sym = result;
  opnd[0] = &to;
  insn.opnd = opnd;
  fputs ("\n\t", f);
  ptx_print_insn (&insn, f);
  if (fclose (f) != 0)
    abort ();
  post_insert (m->post, m->f, after, text);
  free (text);
}

/* Insert the selection ITEM behind AFTER.  */
static void
write_selection (struct motion *m, const struct item *item,
		 struct ptx_stmt *after)
{
  bool neg = item->stmt->insn->guard_neg;
  char text[400];
  int n = snprintf (text, sizeof text, "\n\tselp.b%u %s, %s, %s, %s;",
		    eval_width (item->reg->type), item->reg->name,
		    m->item[item->of[neg]].result->name,
		    m->item[item->of[!neg]].result->name,
		    item->stmt->insn->guard->name);
  if (n < 0 || (size_t) n >= sizeof text)
    abort ();
  post_insert (m->post, m->f, after, text);
}

/* Take out ITEM, whose register another one stands for.  */
static void
drop (struct motion *m, const struct item *item)
{
  post_explain (m->post, item->stmt, true, "what %s has", item->same->name);
  if (item->stmt->insn->op != PTX_OP_BRA)
    ptx_remove (m->post->unit, item->stmt);
  for (struct ptx_stmt *s = m->f->first; s != m->f->last; s = s->next)
    invariant_read_instead (m, s, item->reg, item->same);
}

/* Move ITEM behind AFTER.  Returns what is inserted there.  */
static struct ptx_stmt *
move (struct motion *m, struct item *item, struct ptx_stmt *after)
{
  struct ptx_stmt *next = after->next;
  if (item->way == SELECTS)
    write_selection (m, item, after);
  else if (item->way == REPEATS)
    drop (m, item);
  else
    {
      item->result
	= item->way == MOVES ? item->reg : invariant_new_register (m, item->reg);
      next = after->next;
      write_operation (m, item, item->result, after);
      post_explain (m->post, item->stmt, true, "in front of the loop");
      if (item->way == COPIES)
	post_set_from (m->post, item->stmt, ptx_type_info[item->reg->type].text,
		       item->result->name);
      else
	ptx_remove (m->post->unit, item->stmt);
    }
  return next ? next->prev : after;
}

/* Take out of the loop of M what is the same in all rounds.  */
static void
move_items (struct motion *m)
{
  struct ptx_stmt *after = place_before (m);
  invariant_registers (m);
  invariant_find (m);
  if (!after || m->nitems > MOST_ITEMS)
    post_explain (m->post, m->f->header, false, "%s",
		  after ? "too many operations" : "braces around its beginning");
  else if (m->nitems && invariant_choose (m))
    {
      for (int i = 0; i < m->nitems; i++)
	if (!m->item[i].stays)
	  after = move (m, &m->item[i], after);
    }
  invariant_forget (m);
}

/* ---- The loops ---- */

/* Do threads of a block wait for each other in LOOP of G?  */
static bool
has_barrier (const struct cfg *g, int loop)
{
  for (int b = 0; b < g->nblocks; b++)
    if (cfg_in_loop (g, loop, b))
      for (struct ptx_stmt *s = g->block[b].first;; s = s->next)
	{
	  if (s->kind == PTX_S_INSN
	      && (s->insn->op == PTX_OP_BAR || s->insn->op == PTX_OP_BARRIER))
	    return true;
	  if (s == g->block[b].last)
	    break;
	}
  return false;
}

/* Outermost loop number N of G of those in which threads wait, or CFG_NONE.  */
static int
find_loop (const struct cfg *g, unsigned n)
{
  for (int l = g->nloops; l--;)
    if (g->loop[l].depth == 1 && has_barrier (g, l) && n-- == 0)
      return l;
  return CFG_NONE;
}

/* Move out of loop number N of F what is the same in all rounds; false when there is no
   such loop.  */
static bool
move_out (struct post *p, struct ptx_func *f, unsigned n)
{
  const char *why = "no loop with barriers";
  struct motion m = { .post = p, .f = f };
  m.cfg = cfg_new (f, &why);
  m.loop = m.cfg ? find_loop (m.cfg, n) : CFG_NONE;
  bool found = m.loop != CFG_NONE;
  if (found && m.cfg->loop[m.loop].header > 0)
    {
      m.nnames = invariant_last_name (&m);
      invariant_rename (&m);
      move_items (&m);
    }
  else if (!n)
    post_explain (p, f->header, false, "%s", why);
  free (m.item);
  cfg_free (m.cfg);
  return found;
}

void
pass_invariant (struct post *p)
{
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    {
      const struct acr_region *tag
	= f->has_body ? tags_find (p->tags, f) : NULL;
      if (tag && tag->resident)
	for (unsigned n = 0; move_out (p, f, n); n++)
	  ;
    }
}
