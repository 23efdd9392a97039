/* Pass vector: kernels that access neighbouring elements one after the other,
   as the parts of complex numbers, have a form that accesses two at a time where
   they are aligned.

   A pair costs a warp one access, not two, each of which fetches half of what a
   line of the cache has.  Alignment is a question to the address itself, as
   C's types promise that of one element only:

     ld.global.f64 %a, [%p];         and.b64 %t, %p, 15;
     ld.global.f64 %b, [%p+8];       setp.eq.b64 %q, %t, 0;
				     @%q ld.global.v2.f64 {%a, %b}, [%p];
				     @!%q ld.global.f64 %a, [%p];
				     @!%q ld.global.f64 %b, [%p+8];

   Between the two there are instructions that access no memory and go nowhere,
   and have nothing to do with what moves: the second load, or the first store.

   Threads whose elements follow each other, as in a stencil, would disagree about
   the alignment.  A thread that stores two neighbours has them to itself; so only
   kernels with such a pair have the form.  Whether it pays is measured (forms.c).

   Needs: a tag that says that a kernel is an SPMD kernel; the pass forms.  Keeps:
   what is accessed, and when, to all other threads that may tell.
   Breaks: nothing.
   Source: S. Larsen and S. Amarasinghe, "Exploiting Superword Level Parallelism
   with Multimedia Instruction Sets", PLDI 2000.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  LOOK_AHEAD = 60,		/* instructions between two accesses */
  LEAST = 2			/* pairs that are worth a form */
};

/* Two accesses, in their order, and which has the lower address.  */
struct pair
{
  struct ptx_stmt *first, *second;
  bool swapped;
};

/* Is S a plain load or store, of one element of 4 or 8 bytes, in global memory by
   a register?  */
static bool
is_candidate (const struct ptx_stmt *s)
{
  const struct ptx_insn *i = s->kind == PTX_S_INSN ? s->insn : NULL;
  if (!i || (i->op != PTX_OP_LD && i->op != PTX_OP_ST)
      || i->space != PTX_SP_GLOBAL || i->guard || i->vec != 1
      || i->ntypes != 1 || i->nopnds != 2 || i->mod[PTX_MC_SEM]
      || i->mod[PTX_MC_SCOPE] || i->mod[PTX_MC_CACHE]
      || (i->flags & ~ptx_flag_bit (PTX_M_NC)))
    return false;
  unsigned at = i->op == PTX_OP_LD, bytes = ptx_type_info[i->type[0]].bytes;
  const struct ptx_opnd *address = i->opnd[at], *value = i->opnd[!at];
  return (bytes == 4 || bytes == 8) && address->kind == PTX_O_ADDR
	 && address->nelt == 1 && address->elt[0]->kind == PTX_O_REG
	 && value->kind == PTX_O_REG && !value->neg;
}

static const struct ptx_opnd *
address_of (const struct ptx_insn *i)
{
  return i->opnd[i->op == PTX_OP_LD];
}

static const struct ptx_sym *
value_of (const struct ptx_insn *i)
{
  return i->opnd[i->op != PTX_OP_LD]->sym;
}

static const struct ptx_sym *
base_of (const struct ptx_insn *i)
{
  return address_of (i)->elt[0]->sym;
}

/* A question about a register.  */
struct question
{
  const struct ptx_sym *reg;
  bool found;
};

static void
note_reg (struct ptx_sym *reg, void *closure)
{
  struct question *q = closure;
  q->found |= reg == q->reg;
}

static bool
sets (const struct ptx_insn *i, const struct ptx_sym *reg)
{
  struct question q = { reg, false };
  ptx_insn_defs (i, note_reg, &q);
  return q.found;
}

static bool
uses (const struct ptx_insn *i, const struct ptx_sym *reg)
{
  struct question q = { reg, false };
  ptx_insn_uses (i, note_reg, &q);
  return q.found;
}

/* Are A and B, two candidates, accesses of one kind to neighbours?  */
static bool
are_neighbours (const struct ptx_insn *a, const struct ptx_insn *b)
{
  int64_t size = ptx_type_info[a->type[0]].bytes;
  int64_t way = address_of (b)->off - address_of (a)->off;
  return strcmp (a->mnemonic, b->mnemonic) == 0 && base_of (a) == base_of (b)
	 && (way == size || way == -size);
}

/* May I stand between A and the other one of its pair, whatever that is?  */
static bool
may_be_between (const struct ptx_insn *i, const struct ptx_insn *a)
{
  bool load = a->op == PTX_OP_LD;
  unsigned not_both = load ? PTX_OF_WRITES_MEM
			   : PTX_OF_READS_MEM | PTX_OF_WRITES_MEM;
  return !(ptx_op_info[i->op].flags
	   & (PTX_OF_CONTROL | PTX_OF_CONVERGENT | not_both))
	 && !sets (i, base_of (a)) && (load || !sets (i, value_of (a)));
}

/* May the load T come in the place of S, a load in front of it?  */
static bool
may_come_early (const struct ptx_stmt *s, const struct ptx_stmt *t)
{
  const struct ptx_sym *value = value_of (t->insn), *other = value_of (s->insn);
  if (value == other || value == base_of (t->insn)
      || other == base_of (s->insn))
    return false;
  for (const struct ptx_stmt *b = s->next; b != t; b = b->next)
    if (sets (b->insn, value) || uses (b->insn, value))
      return false;
  return true;
}

/* Find the other one of a pair that S begins.  */
static bool
find_pair (struct ptx_stmt *s, struct pair *pair)
{
  const struct ptx_insn *a = s->insn;
  struct ptx_stmt *t = s->next;
  for (int n = 0; !is_candidate (t) || !are_neighbours (a, t->insn);
       n++, t = t->next)
    if (n == LOOK_AHEAD || t->kind != PTX_S_INSN
	|| !may_be_between (t->insn, a))
      return false;
  *pair = (struct pair) { s, t, address_of (t->insn)->off
				  < address_of (a)->off };
  return a->op == PTX_OP_ST || may_come_early (s, t);
}

/* Write the operands of an access I to OUT: VALUE, and an address OFF bytes
   behind I's register.  */
static void
write_operands (FILE *out, const struct ptx_insn *i, const char *value,
		long long off)
{
  const char *base = base_of (i)->name;
  if (i->op == PTX_OP_LD)
    fprintf (out, " %s, [%s+%lld];\n", value, base, off);
  else
    fprintf (out, " [%s+%lld], %s;\n", base, off, value);
}

/* Write what both of the pair do to OUT.  */
static void
write_pair (FILE *out, const struct pair *pair)
{
  const struct ptx_insn *low = (pair->swapped ? pair->second
				: pair->first)->insn;
  const struct ptx_insn *high = (pair->swapped ? pair->first
				 : pair->second)->insn;
  const char *dot = strrchr (low->mnemonic, '.');
  unsigned bytes = ptx_type_info[low->type[0]].bytes;
  long long off = address_of (low)->off;
  const char *const value[2] = { value_of (low)->name, value_of (high)->name };
  char both[strlen (value[0]) + strlen (value[1]) + sizeof "{, }"];
  sprintf (both, "{%s, %s}", value[0], value[1]);
  fprintf (out,
	   "{\n\t.reg .b64 %%acr_part;\n\t.reg .pred %%acr_pair;\n"
	   "\tand.b64 %%acr_part, %s, %u;\n"
	   "\tsetp.eq.u64 %%acr_pair, %%acr_part, %llu;\n"
	   "\t@%%acr_pair %.*s.v2%s",
	   base_of (low)->name, 2 * bytes - 1,
	   (unsigned long long) -off & (2 * bytes - 1),
	   (int) (dot - low->mnemonic), low->mnemonic, dot);
  write_operands (out, low, both, off);
  for (unsigned i = 0; i < 2; i++)
    {
      fprintf (out, "\t@!%%acr_pair %s", low->mnemonic);
      write_operands (out, low, value[i], off + i * bytes);
    }
  putc ('}', out);
}

/* Let the two of PAIR, in F, be one.  */
static void
join (struct post *p, struct ptx_func *f, const struct pair *pair)
{
  char *text;
  size_t len;
  FILE *out = open_memstream (&text, &len);
  if (!out)
    abort ();
  write_pair (out, pair);
  fclose (out);
  bool load = pair->first->insn->op == PTX_OP_LD;
  post_insert (p, f, load ? pair->first : pair->second, text);
  free (text);
  ptx_remove (p->unit, pair->first);
  ptx_remove (p->unit, pair->second);
}

/* Does S, a candidate, access data of the region, as O knows?  */
static bool
is_data (const struct origins *o, const struct ptx_stmt *s)
{
  struct origin x = origin_of_access (o, s->insn);
  return x.kind == ORIGIN_SPACE && x.slot != ORIGIN_NO_SLOT;
}

/* How many pairs of F there are, as O knows, or none where no pair is stored; in a
   FORM they are joined.  */
static unsigned
find_pairs (struct post *p, struct ptx_func *f, const struct origins *o,
	    bool form)
{
  unsigned n = 0;
  bool stores = false;
  struct pair pair;
  const struct ptx_stmt *skip = NULL;
  for (struct ptx_stmt *s = f->first, *next; s != f->last; s = next)
    {
      next = s->next;
      if (s == skip || !is_candidate (s) || !is_data (o, s)
	  || !find_pair (s, &pair))
	continue;
      n++;
      stores |= s->insn->op == PTX_OP_ST;
      skip = pair.second;
      if (!form)
	continue;
      if (next == pair.second)
	next = next->next;
      join (p, f, &pair);
    }
  return stores ? n : 0;
}

/* The same for F, of which nothing else is known.  */
static unsigned
pairs_of (struct post *p, struct ptx_func *f, bool form)
{
  struct origins *o = origins_new (f, tags_find (p->tags, f));
  unsigned n = o ? find_pairs (p, f, o, form) : 0;
  origins_free (o);
  return n;
}

/* Has F's unit this form of it already?  */
static bool
is_done (const struct ptx_func *f)
{
  size_t len = strlen (f->sym->name);
  for (const struct ptx_func *g = f->unit->funcs; g; g = g->next)
    if (strncmp (g->sym->name, f->sym->name, len) == 0
	&& strncmp (g->sym->name + len, ACR_FORM_SUFFIX,
		    strlen (ACR_FORM_SUFFIX)) == 0)
      for (unsigned i = 0; i < g->nregs; i++)
	if (strcmp (g->regs[i]->name, "%acr_pair") == 0)
	  return true;
  return false;
}

void
pass_vector (struct post *p)
{
  /* Forms are added at the end of the list.  */
  for (struct ptx_func *f = p->unit->funcs; f; f = f->next)
    {
      if (!f->has_body || f->opaque || !tags_is_kernel (p->tags, f)
	  || pairs_of (p, f, false) < LEAST || is_done (f))
	continue;
      struct ptx_func *form = post_add_form (p, f);
      if (form)
	post_explain (p, f->header, true,
		      "a form with %u accesses of two elements",
		      pairs_of (p, form, true));
    }
}
