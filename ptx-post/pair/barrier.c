/* Barriers of the block become barriers of a side.

   A side has barriers of its own, with numbers of their own.  One without a
   count waits for the whole block: in the pair it counts the side's threads,
   in whole warps.

   Threads that have left count for a barrier of the whole block as if they
   had come, but not for one with a count.  Where threads of a side may
   leave early (leave.c), each that leaves keeps coming to the barrier
   until nobody is left: barriers become reductions of "somebody goes on",
   to which who works says yes and who has left says no.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "pair/pair.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool
is_reduction (const struct ptx_insn *i)
{
  return i->op == PTX_OP_BAR_RED || i->op == PTX_OP_BARRIER_RED;
}

bool
pair_is_barrier (const struct ptx_insn *i)
{
  return i->op == PTX_OP_BAR || i->op == PTX_OP_BARRIER || is_reduction (i);
}

bool
pair_is_full (const struct ptx_insn *i)
{
  return pair_is_barrier (i) && i->nopnds == (is_reduction (i) ? 3 : 1);
}

/* Does it take the lanes of a warp together?  */
static bool
is_aligned (const struct ptx_insn *i)
{
  return i->op == PTX_OP_BAR || i->op == PTX_OP_BAR_RED
	 || ptx_insn_has (i, PTX_M_ALIGNED);
}

static const struct ptx_opnd *
number_of (const struct ptx_insn *i)
{
  return i->opnd[is_reduction (i)];
}

struct definition { const struct ptx_sym *reg; unsigned n; };

static void
count_definition (struct ptx_sym *reg, void *closure)
{
  struct definition *d = closure;
  d->n += reg == d->reg;
}

/* The number O in F, which a register may have that is set once; -1: it is
   computed.  */
static int64_t
constant_of (const struct ptx_func *f, const struct ptx_opnd *o)
{
  if (o->kind == PTX_O_INT)
    return o->bits;
  if (o->kind != PTX_O_REG)
    return -1;
  struct definition d = { o->sym, 0 };
  int64_t value = -1;
  for (const struct ptx_stmt *s = f->first; s != f->last; s = s->next)
    {
      if (s->kind != PTX_S_INSN)
	continue;
      unsigned before = d.n;
      ptx_insn_defs (s->insn, count_definition, &d);
      if (d.n == before)
	continue;
      if (s->insn->op != PTX_OP_MOV || s->insn->opnd[1]->kind != PTX_O_INT)
	return -1;
      value = s->insn->opnd[1]->bits;
    }
  return d.n == 1 ? value : -1;
}

bool
pair_add_barrier (struct pair_side *side, const struct ptx_func *f,
		  const struct ptx_stmt *s)
{
  int64_t id = constant_of (f, number_of (s->insn));
  if (id < 0 || id >= PAIR_BARRIERS)
    return pair_refuse (side, s, "a barrier whose number is computed");
  side->id_used[id] = true;
  if (!pair_is_full (s->insn))
    {
      side->id_counted[id] = true;
      return true;
    }
  side->several_full |= side->full_id >= 0 && side->full_id != id;
  side->full_id = id;
  side->unaligned |= !is_aligned (s->insn);
  if (is_reduction (s->insn))
    side->red = s;
  return true;
}

bool
pair_assign_barriers (struct pair *p)
{
  unsigned next = 0;
  for (unsigned k = 0; k < PAIR_SIDES; k++)
    {
      struct pair_side *side = &p->side[k];
      if (side->full_id < 0)
	side->full_id = 0;
      side->id_used[side->full_id] |= side->record;
      for (unsigned i = 0; i < PAIR_BARRIERS; i++)
	if (side->id_used[i])
	  side->id[i] = next++;
    }
  return next <= PAIR_BARRIERS
	 || pair_refuse (&p->side[1], NULL,
			 "together they need %u barriers, of %d", next,
			 PAIR_BARRIERS);
}

/* ---- Text ---- */

static void
write_operand (FILE *out, const struct ptx_opnd *o,
	       const struct pair_names *names)
{
  if (o->kind == PTX_O_INT)
    fprintf (out, "%" PRId64, (int64_t) o->bits);
  else if (o->sym)
    fprintf (out, "%s%s", o->neg ? "!" : "", pair_name (names, o->sym->name));
}

static void
write_count (const struct pair *p, const struct pair_side *side)
{
  unsigned n = pair_threads (side);
  if (n)
    fprintf (p->out, "%u", pair_warps_up (n));
  else
    fprintf (p->out, "%%%s_count", p->prefix);
}

void
pair_write_barrier (const struct pair *p, const struct pair_side *side,
		    const struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->insn;
  const struct pair_names *names = &side->names;
  FILE *out = p->out;
  unsigned red = is_reduction (i);
  unsigned id = side->id[constant_of (s->func, number_of (i))];
  pair_write_guard (p, side, i);
  if (side->drains && pair_is_full (i))
    {
      fprintf (out, "barrier.red.or.pred %%%s_more, %u, ", p->prefix, id);
      write_count (p, side);
      fprintf (out, ", %%%s_here;", p->prefix);
      return;
    }
  fprintf (out, "%s ", i->mnemonic);
  if (red)
    {
      write_operand (out, i->opnd[0], names);
      fputs (", ", out);
    }
  fprintf (out, "%u, ", id);
  if (pair_is_full (i))
    write_count (p, side);
  else
    write_operand (out, i->opnd[1 + red], names);
  if (red)
    {
      fputs (", ", out);
      write_operand (out, i->opnd[i->nopnds - 1], names);
    }
  putc (';', out);
}

void
pair_write_drain (const struct pair *p, const struct pair_side *side)
{
  const char *x = p->prefix;
  fprintf (p->out,
	   "\n%s_drain:\n"
	   "\tsetp.ne.u32 %%%s_here, %%%s_block, %%%s_block;\n"
	   "\tbarrier.red.or.pred %%%s_more, %u, ",
	   x, x, x, x, x, side->id[side->full_id]);
  write_count (p, side);
  fprintf (p->out, ", %%%s_here;\n\t@%%%s_more bra %s_drain;\n\tret;\n", x, x,
	   x);
}
